// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The binding of SDP for iWARP, by the TCP port space of rdma_cm: Hello in the private data of the
 * request, HelloAck in that of the reply. It is for RoCE and iWARP; rdma_cm knows the addresses.
 */
#include "sdp/linux/rdma.h"
#include <rdma/rdma_cm.h>
#include "sdp/linux/address.h"
#include "sdp/linux/device.h"
#include "sdp/linux/link.h"

#define RETRIES 7
#define BACKLOG 128 /* requests that rdma_cm keeps; SDP has a backlog of its own */

static bool is_iwarp(const struct sdp_link *link)
{
	return rdma_protocol_iwarp(link->device->ib, link->rdma_id->port_num);
}

static int handle(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	struct sdp_link *link = id->context;
	const struct rdma_conn_param *conn = &event->param.conn;

	switch (event->event) {
	case RDMA_CM_EVENT_CONNECT_RESPONSE:
		sdp_setup_answer(link, conn->private_data, conn->private_data_len);
		sdp_setup_note(link, SDP_CM_ANSWERED);
		break;
	case RDMA_CM_EVENT_ESTABLISHED:
		/* iWARP has no message for it: the end that connects learns of both at once. */
		if (!link->connects || !is_iwarp(link)) {
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

static int init(struct sdp_link *link)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_INIT };
	int mask, err = rdma_init_qp_attr(link->rdma_id, &attr, &mask);

	return err ? err : sdp_link_init(link, &attr, mask);
}

static struct rdma_conn_param param_of(const struct sdp_link *link, const u8 *data, u8 octets)
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
 * The software device of iWARP returns once TCP is connected, or has given up after minutes. So the
 * socket lock is not held meanwhile, and only what concerns such links waits.
 */
static void connect_iwarp(struct work_struct *work)
{
	struct sdp_link *link = container_of(work, struct sdp_link, connect_work);
	struct rdma_conn_param param = param_of(link, link->hello, link->hello_len);
	int err = rdma_connect(link->rdma_id, &param);

	if (!err)
		return;
	link->refusal = -err;
	sdp_setup_note(link, SDP_CM_REFUSED);
}

static int request(struct sdp_sock *ssk, struct rdma_cm_id **path)
{
	struct sdp_link *link = ssk->link;
	struct rdma_cm_id *id = *path;
	struct sdp_hello hello = sdp_setup_hello(ssk);
	struct rdma_conn_param param;
	int err;

	/* Once the link is stopped it can be destroyed at any time, and the identifier with it. */
	*path = NULL;
	link->rdma_id = id;
	INIT_WORK(&link->connect_work, connect_iwarp);
	link->connects = true;
	rdma_lock_handler(id);
	id->context = link;
	id->event_handler = handle;
	rdma_unlock_handler(id);
	err = init(link);
	if (err)
		return err;
	link->hello_len = sdp_hello_pack(SDP_BINDING_IWARP, &hello, link->hello);
	if (is_iwarp(link)) {
		link->task.wq = sdp_iwarp_wq;
		queue_work(sdp_iwarp_wq, &link->connect_work);
		return 0;
	}
	param = param_of(link, link->hello, link->hello_len);
	return rdma_connect(id, &param);
}

static int init_qp_attr(struct sdp_link *link, struct ib_qp_attr *attr, int *mask)
{
	*mask = 0;
	return is_iwarp(link) ? 0 : rdma_init_qp_attr(link->rdma_id, attr, mask);
}

static int ready(struct sdp_link *link)
{
	int err;

	if (is_iwarp(link))
		return 0;
	rdma_lock_handler(link->rdma_id);
	err = rdma_accept(link->rdma_id, NULL);
	rdma_unlock_handler(link->rdma_id);
	return err;
}

static void reject(struct sdp_link *link)
{
	rdma_disconnect(link->rdma_id);
}

static void destroy(struct sdp_link *link)
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
	.request = request,
	.init_qp_attr = init_qp_attr,
	.ready = ready,
	.reject = reject,
	.destroy = destroy,
};

/*
 * The end that listens.
 */

static int name(struct sdp_sock *ssk, const struct rdma_cm_id *id)
{
	const struct rdma_addr *addr = &id->route.addr;
	u16 unused;
	int err = sdp_address_parse((struct sockaddr *)&addr->src_addr, sizeof(addr->src_addr),
				    &ssk->saddr, &unused);

	return err ? err : sdp_address_parse((struct sockaddr *)&addr->dst_addr,
					     sizeof(addr->dst_addr), &ssk->daddr, &ssk->dport);
}

/* Return: 0, and the link has @id, or a negative errno. */
static int accept_request(struct sdp_sock *ssk, struct rdma_cm_id *id,
			  const struct sdp_hello *peer)
{
	struct rdma_conn_param param;
	u8 data[SDP_HELLO_ACK_MAX];
	struct sdp_hello hello;
	struct sdp_link *link;
	int err = name(ssk, id);

	if (!err)
		err = sdp_setup_link(ssk, id->device, &sdp_rdma_ops, SDP_GFP_NOWAIT);
	if (err)
		return err;
	link = ssk->link;
	link->rdma_id = id;
	sdp_setup_begin(ssk, peer);
	err = init(link);
	if (!err)
		err = sdp_link_connect(link);
	if (!err) {
		id->context = link;
		id->event_handler = handle;
		hello = sdp_setup_hello(ssk);
		param = param_of(link, data, sdp_hello_ack_pack(SDP_BINDING_IWARP, &hello, data));
		err = rdma_accept(id, &param);
	}
	if (err)
		link->rdma_id = NULL;
	return err;
}

/*
 * What listens at an address of a device goes with it. Return: whether rdma_cm is to destroy @id;
 * otherwise somebody else has it and does, who finds it without context if it is not stored yet.
 */
static bool listener_removed(struct rdma_cm_id *id)
{
	struct sock *listener = id->context;

	id->context = NULL;
	return cmpxchg(&sdp_sk(listener)->rdma_id, id, NULL) == id;
}

static int handle_request(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	const struct rdma_conn_param *conn = &event->param.conn;
	struct sock *listener = id->context, *sk;
	struct sdp_hello hello;
	bool linked;
	int err;

	if (event->event == RDMA_CM_EVENT_DEVICE_REMOVAL)
		return listener_removed(id);
	if (event->event != RDMA_CM_EVENT_CONNECT_REQUEST)
		return 0;
	err = sdp_hello_parse(SDP_BINDING_IWARP, &hello, conn->private_data,
			      conn->private_data_len);
	if (err)
		return err;
	if (sdp_setup_by_iba(id->device, id->port_num) || sk_acceptq_is_full(listener))
		return -ECONNREFUSED;
	sk = sdp_sock_child(listener);
	if (!sk)
		return -ENOBUFS;
	/* Nobody else has it; others lock a socket before they lock rdma_cm's handlers. */
	lock_sock_nested(sk, SINGLE_DEPTH_NESTING);
	err = accept_request(sdp_sk(sk), id, &hello);
	linked = sdp_sk(sk)->link;
	if (linked)
		sdp_gate_put(&sdp_sk(sk)->link->setup);
	if (err)
		sdp_sock_end(sdp_sk(sk), ECONNABORTED);
	release_sock(sk);
	if (err && !linked)
		sock_put(sk);
	/* ib_cm rejects no request for want of memory: the peer would try for a minute. */
	return err == -ENOMEM ? -ENOBUFS : err;
}

/* The handler of rdma_cm does not run meanwhile; if it has, the device may be gone. */
static int store_listener(struct sdp_sock *ssk, struct rdma_cm_id *id)
{
	int err = 0;

	rdma_lock_handler(id);
	if (id->context)
		WRITE_ONCE(ssk->rdma_id, id);
	else
		err = -ENODEV;
	rdma_unlock_handler(id);
	return err;
}

int sdp_rdma_listen(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);
	struct sockaddr_storage addr;
	struct rdma_cm_id *id;
	int err;

	id = rdma_create_id(sock_net(sk), handle_request, sk, RDMA_PS_TCP, IB_QPT_RC);
	if (IS_ERR(id))
		return PTR_ERR(id);
	sdp_address_make(&ssk->saddr, ssk->sport, false, &addr);
	err = rdma_set_afonly(id, ssk->v6only);
	if (!err)
		err = rdma_bind_addr(id, (struct sockaddr *)&addr);
	if (!err)
		err = rdma_listen(id, BACKLOG);
	if (!err)
		err = store_listener(ssk, id);
	if (err)
		rdma_destroy_id(id);
	return err;
}

void sdp_rdma_unlisten(struct rdma_cm_id *id)
{
	if (id)
		rdma_destroy_id(id);
}
