// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Setup of connections: Hello in the REQ, HelloAck in the REP (IBA annex A4). */
#include "sdp/linux/cm.h"
#include <linux/netdevice.h>
#include <rdma/rdma_cm.h>
#include "sdp/hello.h"
#include "sdp/linux/address.h"
#include "sdp/linux/link.h"
#include "sdp/linux/port.h"

#define RESOLVE_MS 4000
#define CM_TIMEOUT 20 /* 4.096 us * 2^20, about four seconds */
#define CM_RETRIES 15
#define RETRIES 7
#define MAX_ADVERTS 1 /* advertisements of the peer at a time: in Combined mode there is one */
#define RDMA_READS 4 /* outstanding at a time */

static struct sdp_hello own_hello(const struct sdp_sock *ssk)
{
	struct sdp_hello hello = {
		.bufs = ssk->link->recv_bufs,
		.max_adverts = MAX_ADVERTS,
		.size = ssk->link->size,
		.desired_size = ssk->link->size,
		.port = ssk->sport,
	};

	memcpy(hello.src, &ssk->saddr, sizeof(hello.src));
	memcpy(hello.dst, &ssk->daddr, sizeof(hello.dst));
	return hello;
}

static void begin_protocol(struct sdp_sock *ssk, const struct sdp_hello *peer)
{
	struct sdp_link *link = ssk->link;

	sdp_conn_init(&ssk->conn, link->recv_bufs, link->size, MAX_ADVERTS, peer->bufs, peer->size);
	link->send_size = min(link->size, SDP_BSDH_SIZE + sdp_conn_payload_max(&ssk->conn));
}

static void receive_rep(struct sdp_sock *ssk, const struct ib_cm_event *event)
{
	struct sdp_link *link = ssk->link;
	struct sdp_hello ack;
	int err;

	err = sdp_hello_ack_parse(SDP_BINDING_IBA, &ack, event->private_data, SDP_HELLO_ACK_MAX);
	if (!err)
		err = sdp_link_connect(link);
	if (err) {
		ib_send_cm_rej(link->cm_id, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, NULL, 0);
		sdp_sock_end(ssk, ECONNRESET);
		return;
	}
	begin_protocol(ssk, &ack);
	err = ib_send_cm_rtu(link->cm_id, NULL, 0);
	if (err)
		sdp_sock_end(ssk, ECONNRESET);
	else
		sdp_sock_established(ssk);
}

/* What connect() returns for a rejection. */
static int refusal(const struct ib_cm_event *event)
{
	switch (event->param.rej_rcvd.reason) {
	case IB_CM_REJ_INVALID_SERVICE_ID:
	case IB_CM_REJ_CONSUMER_DEFINED:
		return ECONNREFUSED;
	case IB_CM_REJ_TIMEOUT:
		return ETIMEDOUT;
	default:
		return ECONNRESET;
	}
}

/* Events of a connection. A link that is stopped ignores them. */
static int handle(struct ib_cm_id *cm_id, const struct ib_cm_event *event)
{
	struct sdp_link *link = cm_id->context;
	struct sock *sk = link->sk;
	struct sdp_sock *ssk = sdp_sk(sk);

	lock_sock(sk);
	if (ssk->link != link || link->stopped)
		goto out;
	switch (event->event) {
	case IB_CM_REP_RECEIVED:
		if (sk->sk_state == TCP_SYN_SENT)
			receive_rep(ssk, event);
		break;
	case IB_CM_RTU_RECEIVED:
	case IB_CM_USER_ESTABLISHED:
		if (sk->sk_state == TCP_SYN_RECV)
			sdp_sock_established(ssk);
		break;
	case IB_CM_REJ_RECEIVED:
		sdp_sock_end(ssk, refusal(event));
		break;
	case IB_CM_REQ_ERROR:
	case IB_CM_REP_ERROR:
		sdp_sock_end(ssk, ETIMEDOUT);
		break;
	case IB_CM_DREQ_RECEIVED:
		ib_send_cm_drep(cm_id, NULL, 0);
		sdp_link_stop(ssk);
		break;
	case IB_CM_TIMEWAIT_EXIT:
		sdp_link_stop(ssk);
		break;
	default:
		break;
	}
out:
	release_sock(sk);
	return 0;
}

/*
 * The end that connects: rdma_cm resolves the addresses, and knows the path then.
 */

static int send_req(struct sdp_sock *ssk, struct rdma_cm_id *id)
{
	struct sdp_link *link = ssk->link;
	struct sdp_hello hello = own_hello(ssk);
	u8 data[SDP_HELLO_MAX];
	struct ib_cm_req_param req = {
		.primary_path = id->route.path_rec,
		.ppath_sgid_attr = id->route.addr.dev_addr.sgid_attr,
		.service_id = cpu_to_be64(SDP_SERVICE_ID_PREFIX | ssk->dport),
		.qp_num = link->qp->qp_num,
		.qp_type = IB_QPT_RC,
		.starting_psn = link->psn,
		.private_data = data,
		.private_data_len = sdp_hello_pack(SDP_BINDING_IBA, &hello, data),
		.responder_resources = min(RDMA_READS, id->device->attrs.max_qp_rd_atom),
		.initiator_depth = min(RDMA_READS, id->device->attrs.max_qp_init_rd_atom),
		.remote_cm_response_timeout = CM_TIMEOUT,
		.local_cm_response_timeout = CM_TIMEOUT,
		.flow_control = 1,
		.retry_count = RETRIES,
		.rnr_retry_count = RETRIES,
		.max_cm_retries = CM_RETRIES,
	};
	struct ib_cm_id *cm_id = ib_create_cm_id(id->device, handle, link);

	if (IS_ERR(cm_id))
		return PTR_ERR(cm_id);
	link->cm_id = cm_id;
	return ib_send_cm_req(cm_id, &req);
}

/* The address that the program did not choose is that of the port that the path begins at. */
static int name_source(struct sdp_sock *ssk, struct rdma_cm_id *id)
{
	u16 unused;

	if (!sdp_address_is_any(&ssk->saddr))
		return 0;
	return sdp_address_parse((struct sockaddr *)&id->route.addr.src_addr,
				 sizeof(id->route.addr.src_addr), &ssk->saddr, &unused);
}

/* Return: 0, and the link has @id, or a negative errno. */
static int path_found(struct sdp_sock *ssk, struct rdma_cm_id *id)
{
	int err = name_source(ssk, id);

	if (!err)
		err = sdp_link_create(ssk, id->device);
	if (err)
		return err;
	err = sdp_link_init(ssk->link, id->port_num, be16_to_cpu(id->route.path_rec->pkey));
	if (!err)
		err = send_req(ssk, id);
	if (err)
		sdp_link_stop(ssk);
	else
		ssk->link->rdma_id = id;
	return err;
}

/*
 * The identifier has a reference to the socket, until it is destroyed: by the RDMA CM, if this
 * returns other than 0, or with the link.
 */
static int resolve_handler(struct rdma_cm_id *id, struct rdma_cm_event *event)
{
	struct sock *sk = id->context;
	struct sdp_sock *ssk = sdp_sk(sk);
	bool keep = false;
	int err = 0;

	lock_sock(sk);
	if (ssk->link) {
		keep = true;
	} else if (sk->sk_state == TCP_SYN_SENT) {
		switch (event->event) {
		case RDMA_CM_EVENT_ADDR_RESOLVED:
			err = rdma_resolve_route(id, RESOLVE_MS);
			break;
		case RDMA_CM_EVENT_ROUTE_RESOLVED:
			err = path_found(ssk, id);
			break;
		default:
			err = -EHOSTUNREACH;
		}
		keep = !err;
		if (err)
			sdp_sock_end(ssk, -err);
	}
	release_sock(sk);
	if (!keep)
		sock_put(sk);
	return !keep;
}

int sdp_cm_connect(struct sdp_sock *ssk)
{
	struct sock *sk = sdp_sock(ssk);
	struct sockaddr_storage src, dst;
	struct rdma_cm_id *id;
	int err;

	id = rdma_create_id(sock_net(sk), resolve_handler, sk, RDMA_PS_TCP, IB_QPT_RC);
	if (IS_ERR(id))
		return PTR_ERR(id);
	sock_hold(sk);
	/* The port is SDP's; the RDMA CM need not know it. */
	sdp_address_make(&ssk->saddr, 0, false, &src);
	sdp_address_make(&ssk->daddr, ssk->dport, false, &dst);
	err = rdma_resolve_addr(id, sdp_address_is_any(&ssk->saddr) ? NULL : (void *)&src,
				(struct sockaddr *)&dst, RESOLVE_MS);
	if (err) {
		rdma_destroy_id(id);
		sock_put(sk);
	}
	return err;
}

/*
 * The end that listens.
 */

/* The socket that listens at what the Hello names, in the namespace that has the address. */
static struct sock *find_listener(struct ib_cm_id *cm_id, const struct ib_cm_event *event,
				  const struct sdp_hello *hello)
{
	const struct ib_cm_req_event_param *req = &event->param.req_rcvd;
	struct in6_addr dst;
	struct sockaddr_storage addr;
	struct net_device *netdev;
	struct sock *listener;

	memcpy(&dst, hello->dst, sizeof(dst));
	sdp_address_make(&dst, 0, false, &addr);
	netdev = ib_get_net_dev_by_params(cm_id->device, req->port,
					  be16_to_cpu(req->primary_path->pkey),
					  &req->primary_path->sgid, (struct sockaddr *)&addr);
	if (!netdev)
		return NULL;
	listener = sdp_port_listener(dev_net(netdev), &dst,
				     be64_to_cpu(cm_id->service_id) & ~SDP_SERVICE_ID_MASK);
	dev_put(netdev);
	return listener;
}

static int send_rep(struct sdp_sock *ssk, const struct ib_cm_req_event_param *req)
{
	struct sdp_link *link = ssk->link;
	struct sdp_hello hello = own_hello(ssk);
	const struct ib_device_attr *attrs = &link->device->ib->attrs;
	u8 data[SDP_HELLO_ACK_MAX];
	struct ib_cm_rep_param rep = {
		.qp_num = link->qp->qp_num,
		.starting_psn = link->psn,
		.private_data = data,
		.private_data_len = sdp_hello_ack_pack(SDP_BINDING_IBA, &hello, data),
		.responder_resources = min3(RDMA_READS, attrs->max_qp_rd_atom,
					    (int)req->responder_resources),
		.initiator_depth = min3(RDMA_READS, attrs->max_qp_init_rd_atom,
					(int)req->initiator_depth),
		.flow_control = 1,
		.rnr_retry_count = RETRIES,
	};

	return ib_send_cm_rep(link->cm_id, &rep);
}

/* Return: 0, and the link has @cm_id, or a negative errno. */
static int accept_request(struct sdp_sock *ssk, struct ib_cm_id *cm_id,
			  const struct ib_cm_event *event, const struct sdp_hello *hello)
{
	const struct ib_cm_req_event_param *req = &event->param.req_rcvd;
	int err;

	memcpy(&ssk->saddr, hello->dst, sizeof(ssk->saddr));
	memcpy(&ssk->daddr, hello->src, sizeof(ssk->daddr));
	ssk->dport = hello->port;
	err = sdp_link_create(ssk, cm_id->device);
	if (err)
		return err;
	ssk->link->cm_id = cm_id;
	begin_protocol(ssk, hello);
	err = sdp_link_init(ssk->link, req->port, be16_to_cpu(req->primary_path->pkey));
	if (!err)
		err = sdp_link_connect(ssk->link);
	if (!err) {
		cm_id->context = ssk->link;
		cm_id->cm_handler = handle;
		err = send_rep(ssk, req);
	}
	if (err)
		ssk->link->cm_id = NULL;
	return err;
}

int sdp_cm_request(struct ib_cm_id *cm_id, const struct ib_cm_event *event)
{
	struct sdp_hello hello;
	struct sock *listener, *sk;
	bool linked;
	int err;

	if (event->event != IB_CM_REQ_RECEIVED)
		return 0;
	err = sdp_hello_parse(SDP_BINDING_IBA, &hello, event->private_data, SDP_HELLO_MAX);
	if (err)
		return err;
	listener = find_listener(cm_id, event, &hello);
	if (!listener) {
		ib_send_cm_rej(cm_id, IB_CM_REJ_INVALID_SERVICE_ID, NULL, 0, NULL, 0);
		return -ENOENT;
	}
	err = -ENOBUFS;
	sk = sk_acceptq_is_full(listener) ? NULL : sdp_sock_child(listener);
	if (sk) {
		lock_sock(sk);
		err = accept_request(sdp_sk(sk), cm_id, event, &hello);
		linked = sdp_sk(sk)->link;
		if (err)
			sdp_sock_end(sdp_sk(sk), ECONNABORTED);
		release_sock(sk);
		if (err && !linked)
			sock_put(sk);
	}
	sock_put(listener);
	return err;
}
