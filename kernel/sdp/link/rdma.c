// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The binding of SDP for iWARP, which RoCE devices use too. rdma_cm, with its TCP port space, sends
 * the addresses; private data is the Hello in the request, and the HelloAck in the reply.
 */
#include "sdp/link/rdma.h"
#include <rdma/rdma_cm.h>
#include "sdp/link/address.h"
#include "sdp/link/create.h"
#include "sdp/link/device.h"
#include "sdp/link/link.h"
#include "sdp/link/ops.h"
#include "sdp/link/setup.h"

#define RETRIES 7
#define BACKLOG 128 /* backlog of rdma_listen(); SDP applies the backlog of listen(2) itself */

static bool sdp_rdma_is_iwarp(const struct sdp_link *link)
{
	return rdma_protocol_iwarp(link->device->ib, link->rdma_id->port_num);
}

static int sdp_rdma_handle(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	struct sdp_link *link = id->context;
	const struct rdma_conn_param *conn = &event->param.conn;

	switch (event->event) {
	case RDMA_CM_EVENT_CONNECT_RESPONSE:
		sdp_setup_answer(link, conn->private_data, conn->private_data_len);
		sdp_setup_note(link, SDP_CM_ANSWERED);
		break;
	case RDMA_CM_EVENT_ESTABLISHED:
		/* With iWARP, the end that connects gets HelloAck by this event. */
		if (!link->connects || !sdp_rdma_is_iwarp(link)) {
			sdp_setup_note(link, SDP_CM_ESTABLISHED);
			break;
		}
		sdp_setup_answer(link, conn->private_data, conn->private_data_len);
		sdp_setup_note(link, SDP_CM_ANSWERED);
		break;
	case RDMA_CM_EVENT_REJECTED:
		link->refusal = ECONNREFUSED;
		sdp_setup_note(link, SDP_CM_REFUSED);
		break;
	case RDMA_CM_EVENT_UNREACHABLE:
	case RDMA_CM_EVENT_CONNECT_ERROR:
		sdp_setup_note(link, SDP_CM_TIMED_OUT);
		break;
	case RDMA_CM_EVENT_DISCONNECTED:
	case RDMA_CM_EVENT_TIMEWAIT_EXIT:
	case RDMA_CM_EVENT_DEVICE_REMOVAL:
		sdp_setup_note(link, SDP_CM_ENDED);
		break;
	default:
		break;
	}
	return 0;
}

static int sdp_rdma_init(struct sdp_link *link)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_INIT };
	int mask, err = rdma_init_qp_attr(link->rdma_id, &attr, &mask);

	return err ? err : sdp_link_init(link, &attr, mask);
}

static struct rdma_conn_param sdp_rdma_param_of(const struct sdp_link *link, const u8 *data,
						u8 octets)
{
	const struct ib_device_attr *attrs = &link->device->ib->attrs;

	return (struct rdma_conn_param){
		.private_data = data,
		.private_data_len = octets,
		.responder_resources = min(SDP_RDMA_READS, attrs->max_qp_rd_atom),
		.initiator_depth = min(SDP_RDMA_READS, attrs->max_qp_init_rd_atom),
		.flow_control = 1,
		.retry_count = RETRIES,
		.rnr_retry_count = RETRIES,
		.qp_num = link->qp->qp_num,
	};
}

/*
 * With siw, rdma_connect() waits until TCP is connected, or has failed after minutes. So this work
 * does not hold the socket lock, and runs in a workqueue for iWARP connections only.
 */
static void sdp_rdma_connect_iwarp(struct work_struct *work)
{
	struct sdp_link *link = container_of(work, struct sdp_link, connect_work);
	struct rdma_conn_param param = sdp_rdma_param_of(link, link->hello, link->hello_len);
	int err = rdma_connect(link->rdma_id, &param);

	if (!err)
		return;
	link->refusal = -err;
	sdp_setup_note(link, SDP_CM_REFUSED);
}

static int sdp_rdma_send_hello(struct sdp_ep *ep, struct rdma_cm_id **path)
{
	struct sdp_link *link = ep->link;
	struct rdma_cm_id *id = *path;
	struct sdp_hello hello = sdp_setup_hello(ep);
	struct rdma_conn_param param;
	int err;

	/* The link now owns the identifier, and may destroy it after sdp_link_stop(). */
	*path = NULL;
	link->rdma_id = id;
	INIT_WORK(&link->connect_work, sdp_rdma_connect_iwarp);
	link->connects = true;
	rdma_lock_handler(id);
	id->context = link;
	id->event_handler = sdp_rdma_handle;
	rdma_unlock_handler(id);
	err = sdp_rdma_init(link);
	if (err)
		return err;
	link->hello_len = sdp_hello_pack(SDP_BINDING_IWARP, &hello, link->hello);
	if (sdp_rdma_is_iwarp(link)) {
		link->task.wq = sdp_iwarp_wq;
		queue_work(sdp_iwarp_wq, &link->connect_work);
		return 0;
	}
	param = sdp_rdma_param_of(link, link->hello, link->hello_len);
	return rdma_connect(id, &param);
}

static int sdp_rdma_init_qp_attr(struct sdp_link *link, struct ib_qp_attr *attr, int *mask)
{
	*mask = 0;
	return sdp_rdma_is_iwarp(link) ? 0 : rdma_init_qp_attr(link->rdma_id, attr, mask);
}

static int sdp_rdma_ready(struct sdp_link *link)
{
	int err;

	if (sdp_rdma_is_iwarp(link))
		return 0;
	rdma_lock_handler(link->rdma_id);
	err = rdma_accept(link->rdma_id, NULL);
	rdma_unlock_handler(link->rdma_id);
	return err;
}

static void sdp_rdma_reject(struct sdp_link *link)
{
	rdma_disconnect(link->rdma_id);
}

static void sdp_rdma_destroy(struct sdp_link *link)
{
	if (!link->rdma_id)
		return;
	if (link->connects)
		cancel_work_sync(&link->connect_work);
	rdma_disconnect(link->rdma_id);
	rdma_destroy_id(link->rdma_id);
	link->rdma_id = NULL;
}

const struct sdp_setup_ops sdp_rdma_ops = {
	.binding = SDP_BINDING_IWARP,
	.request = sdp_rdma_send_hello,
	.init_qp_attr = sdp_rdma_init_qp_attr,
	.ready = sdp_rdma_ready,
	.reject = sdp_rdma_reject,
	.destroy = sdp_rdma_destroy,
};

/*
 * Functions of the end that listens.
 */

static int sdp_rdma_name(struct sdp_ep *ep, const struct rdma_cm_id *id)
{
	const struct rdma_addr *addr = &id->route.addr;
	u16 unused;
	int err = sdp_address_parse((struct sockaddr *)&addr->src_addr, sizeof(addr->src_addr),
				    &ep->saddr, &unused);

	if (!err)
		err = sdp_address_parse((struct sockaddr *)&addr->dst_addr, sizeof(addr->dst_addr),
					&ep->daddr, &ep->dport);
	if (!err && (sdp_address_needs_scope(&ep->saddr) || sdp_address_needs_scope(&ep->daddr)))
		sdp_ep_sock(ep)->sk_bound_dev_if = addr->dev_addr.bound_dev_if;
	return err;
}

/* Accept a request with a new link. Return: 0 if the link owns @id, or a negative errno. */
static int sdp_rdma_accept_request(struct sdp_ep *ep, struct rdma_cm_id *id,
				   const struct sdp_hello *peer)
{
	struct rdma_conn_param param;
	u8 data[SDP_HELLO_ACK_MAX];
	struct sdp_hello hello;
	struct sdp_link *link;
	int err = sdp_rdma_name(ep, id);

	if (!err)
		err = sdp_setup_link(ep, id->device, &sdp_rdma_ops, SDP_GFP_NOWAIT);
	if (err)
		return err;
	link = ep->link;
	link->rdma_id = id;
	sdp_setup_begin(ep, peer);
	err = sdp_rdma_init(link);
	if (!err)
		err = sdp_link_connect(link);
	if (!err) {
		id->context = link;
		id->event_handler = sdp_rdma_handle;
		hello = sdp_setup_hello(ep);
		param = sdp_rdma_param_of(link, data,
					  sdp_hello_ack_pack(SDP_BINDING_IWARP, &hello, data));
		err = rdma_accept(id, &param);
	}
	if (err)
		link->rdma_id = NULL;
	return err;
}

/*
 * End an identifier that listens at an address of a removed device. Return: true if rdma_cm is to
 * destroy @id; false if the thread that listens or stops listening destroys it.
 */
static bool sdp_rdma_listener_removed(struct rdma_cm_id *id)
{
	struct sock *listener = id->context;

	id->context = NULL;
	return cmpxchg(&sdp_ep(listener)->rdma_id, id, NULL) == id;
}

static int sdp_rdma_handle_request(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	const struct rdma_conn_param *conn = &event->param.conn;
	struct sock *listener = id->context, *sk;
	struct sdp_hello hello;
	bool linked;
	int err;

	if (event->event == RDMA_CM_EVENT_DEVICE_REMOVAL)
		return sdp_rdma_listener_removed(id);
	if (event->event != RDMA_CM_EVENT_CONNECT_REQUEST)
		return 0;
	err = sdp_hello_parse(SDP_BINDING_IWARP, &hello, conn->private_data,
			      conn->private_data_len);
	if (err)
		return err;
	if (sdp_device_by_iba(id->device, id->port_num) || sk_acceptq_is_full(listener))
		return -ECONNREFUSED;
	sk = sdp_link_ops->child(listener);
	if (!sk)
		return -ENOBUFS;
	/*
	 * Other code takes rdma_cm's handler lock after a socket lock, not before it. The reverse
	 * order is safe here, because no other thread locks the new socket yet.
	 */
	lock_sock_nested(sk, SINGLE_DEPTH_NESTING);
	err = sdp_rdma_accept_request(sdp_ep(sk), id, &hello);
	linked = sdp_ep(sk)->link;
	if (linked)
		sdp_gate_put(&sdp_ep(sk)->link->setup);
	if (err)
		sdp_link_ops->ended(sdp_ep(sk), ECONNABORTED);
	release_sock(sk);
	if (err && !linked)
		sock_put(sk);
	/* On -ENOMEM, ib_cm does not send a rejection, and the peer would retry for a minute. */
	return err == -ENOMEM ? -ENOBUFS : err;
}

/* Store @id in the socket. Return: 0; -ENODEV: sdp_rdma_listener_removed() has run before. */
static int sdp_rdma_store_listener(struct sdp_ep *ep, struct rdma_cm_id *id)
{
	int err = 0;

	rdma_lock_handler(id);
	if (id->context)
		WRITE_ONCE(ep->rdma_id, id);
	else
		err = -ENODEV;
	rdma_unlock_handler(id);
	return err;
}

int sdp_rdma_listen(struct sdp_ep *ep)
{
	struct sock *sk = sdp_ep_sock(ep);
	struct sockaddr_storage addr;
	struct rdma_cm_id *id;
	int err;

	id = rdma_create_id(sock_net(sk), sdp_rdma_handle_request, sk, RDMA_PS_TCP, IB_QPT_RC);
	if (IS_ERR(id))
		return PTR_ERR(id);
	sdp_address_make(&ep->saddr, ep->sport, sk->sk_bound_dev_if, false, &addr);
	err = rdma_set_afonly(id, ep->v6only);
	if (!err)
		err = rdma_bind_addr(id, (struct sockaddr *)&addr);
	if (!err)
		err = rdma_listen(id, BACKLOG);
	if (!err)
		err = sdp_rdma_store_listener(ep, id);
	if (err)
		rdma_destroy_id(id);
	return err;
}

void sdp_rdma_unlisten(struct rdma_cm_id *id)
{
	if (id)
		rdma_destroy_id(id);
}
