// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The binding of IBA annex A4: Hello in the REQ of ib_cm, HelloAck in the REP. */
#include "sdp/link/cm.h"
#include <rdma/ib_cm.h>
#include <rdma/rdma_cm.h>
#include "sdp/link/address.h"
#include "sdp/link/create.h"
#include "sdp/link/device.h"
#include "sdp/link/link.h"
#include "sdp/link/ops.h"
#include "sdp/link/setup.h"
#include "sdp/protocol/hello.h"

#define CM_TIMEOUT 20 /* 4.096 us * 2^20: about four seconds */
#define CM_RETRIES 15
#define RETRIES 7

/* Return the error of connect() for a rejection. */
static int sdp_cm_refusal(const struct ib_cm_event *event)
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

static int sdp_cm_handle(struct ib_cm_id *cm_id, const struct ib_cm_event *event)
{
	struct sdp_link *link = cm_id->context;
	enum sdp_setup_event noted;

	switch (event->event) {
	case IB_CM_REP_RECEIVED:
		sdp_setup_answer(link, event->private_data, SDP_HELLO_ACK_MAX);
		noted = SDP_CM_ANSWERED;
		break;
	case IB_CM_RTU_RECEIVED:
	case IB_CM_USER_ESTABLISHED:
		noted = SDP_CM_ESTABLISHED;
		break;
	case IB_CM_REJ_RECEIVED:
		link->refusal = sdp_cm_refusal(event);
		noted = SDP_CM_REFUSED;
		break;
	case IB_CM_REQ_ERROR:
	case IB_CM_REP_ERROR:
		noted = SDP_CM_TIMED_OUT;
		break;
	case IB_CM_DREQ_RECEIVED:
		ib_send_cm_drep(cm_id, NULL, 0);
		noted = SDP_CM_ENDED;
		break;
	case IB_CM_TIMEWAIT_EXIT:
		noted = SDP_CM_ENDED;
		break;
	default:
		return 0;
	}
	sdp_setup_note(link, noted);
	return 0;
}

/*
 * Functions of the end that sends the Hello.
 */

/* Replace a loopback address, which must not leave its host, by the port's address in the Hello. */
static void sdp_cm_name_port(struct sdp_hello *hello, const struct rdma_cm_id *id)
{
	struct in6_addr ip;
	u16 unused;

	if (sdp_address_parse((struct sockaddr *)&id->route.addr.src_addr,
			      sizeof(id->route.addr.src_addr), &ip, &unused))
		return;
	memcpy(hello->src, &ip, sizeof(hello->src));
	memcpy(hello->dst, &ip, sizeof(hello->dst));
}

static int sdp_cm_send_req(struct sdp_ep *ep, struct rdma_cm_id *id)
{
	struct sdp_link *link = ep->link;
	struct sdp_hello hello = sdp_setup_hello(ep);
	u8 data[SDP_HELLO_MAX];
	struct ib_cm_id *cm_id;
	struct ib_cm_req_param req = {
		.primary_path = id->route.path_rec,
		.ppath_sgid_attr = id->route.addr.dev_addr.sgid_attr,
		.service_id = cpu_to_be64(SDP_SERVICE_ID_PREFIX | sdp_setup_port(ep)),
		.qp_num = link->qp->qp_num,
		.qp_type = IB_QPT_RC,
		.starting_psn = link->psn,
		.private_data = data,
		.responder_resources = min(SDP_RDMA_READS, id->device->attrs.max_qp_rd_atom),
		.initiator_depth = min(SDP_RDMA_READS, id->device->attrs.max_qp_init_rd_atom),
		.remote_cm_response_timeout = CM_TIMEOUT,
		.local_cm_response_timeout = CM_TIMEOUT,
		.flow_control = 1,
		.retry_count = RETRIES,
		.rnr_retry_count = RETRIES,
		.max_cm_retries = CM_RETRIES,
	};

	if (sdp_address_is_loopback(&ep->daddr))
		sdp_cm_name_port(&hello, id);
	req.private_data_len = sdp_hello_pack(SDP_BINDING_IBA, &hello, data);
	cm_id = ib_create_cm_id(id->device, sdp_cm_handle, link);
	if (IS_ERR(cm_id))
		return PTR_ERR(cm_id);
	link->cm_id = cm_id;
	return ib_send_cm_req(cm_id, &req);
}

/* Bring the queue pair into state Init. */
static int sdp_cm_init(struct sdp_link *link, u32 port, u16 pkey)
{
	struct ib_qp_attr attr = { .qp_state = IB_QPS_INIT, .port_num = port };
	int err = ib_find_pkey(link->device->ib, port, pkey, &attr.pkey_index);

	return err ? err : sdp_link_init(link, &attr, IB_QP_STATE | IB_QP_PORT | IB_QP_PKEY_INDEX);
}

static int sdp_cm_send_hello(struct sdp_ep *ep, struct rdma_cm_id **path)
{
	struct rdma_cm_id *id = *path;
	int err = sdp_cm_init(ep->link, id->port_num, be16_to_cpu(id->route.path_rec->pkey));

	return err ? err : sdp_cm_send_req(ep, id);
}

/* The accepting end calls this before its REP, so the CM does not know the PSN yet. */
static int sdp_cm_init_qp_attr(struct sdp_link *link, struct ib_qp_attr *attr, int *mask)
{
	int err = ib_cm_init_qp_attr(link->cm_id, attr, mask);

	if (attr->qp_state == IB_QPS_RTR)
		attr->rq_psn = link->psn;
	return err;
}

static int sdp_cm_ready(struct sdp_link *link)
{
	return ib_send_cm_rtu(link->cm_id, NULL, 0);
}

static void sdp_cm_reject(struct sdp_link *link)
{
	ib_send_cm_rej(link->cm_id, IB_CM_REJ_CONSUMER_DEFINED, NULL, 0, NULL, 0);
}

static void sdp_cm_destroy(struct sdp_link *link)
{
	if (link->cm_id)
		ib_destroy_cm_id(link->cm_id);
	link->cm_id = NULL;
}

const struct sdp_setup_ops sdp_cm_ops = {
	.binding = SDP_BINDING_IBA,
	.request = sdp_cm_send_hello,
	.init_qp_attr = sdp_cm_init_qp_attr,
	.ready = sdp_cm_ready,
	.reject = sdp_cm_reject,
	.destroy = sdp_cm_destroy,
};

/*
 * Functions of the end that listens.
 */

/* Return whether the path of a request leads from the receiving port back to this port. */
static bool sdp_cm_is_loop(const struct ib_cm_id *cm_id, const struct ib_cm_req_event_param *req)
{
	struct sa_path_rec *path = req->primary_path;
	u32 dlid = be32_to_cpu(sa_path_get_dlid(path));
	struct ib_port_attr attr;

	return !memcmp(&path->sgid, &path->dgid, sizeof(path->sgid)) &&
	       !ib_query_port(cm_id->device, req->port, &attr) &&
	       dlid >> attr.lmc == attr.lid >> attr.lmc;
}

/*
 * Find the listener of a request that a socket of this host sends to a loopback address, and set
 * the addresses of the Hello, and @scope, to those of the socket. Others cannot forge such a
 * request: the QPN and PSN must be those of a connecting socket of this host, and the path must be
 * a loop.
 */
static struct sock *sdp_cm_find_own_listener(struct ib_cm_id *cm_id,
					     const struct ib_cm_req_event_param *req,
					     struct sdp_hello *hello, u16 port, int *scope)
{
	struct sock *own, *listener;
	struct in6_addr src, dst;

	if (!sdp_cm_is_loop(cm_id, req))
		return NULL;
	own = sdp_device_find_loop(cm_id->device, req->remote_qpn, req->starting_psn, &src, &dst);
	if (!own)
		return NULL;
	memcpy(hello->src, &src, sizeof(hello->src));
	memcpy(hello->dst, &dst, sizeof(hello->dst));
	listener = sdp_link_ops->listener(sock_net(own), &dst, port);
	*scope = READ_ONCE(own->sk_bound_dev_if);
	sock_put(own);
	return listener;
}

/*
 * Get the socket that listens at the Hello's address, in the namespace of this address. @scope is
 * set to the interface that the address is used with, or to 0 if a socket of this host uses none.
 */
static struct sock *sdp_cm_find_listener(struct ib_cm_id *cm_id, const struct ib_cm_event *event,
					 struct sdp_hello *hello, int *scope)
{
	const struct ib_cm_req_event_param *req = &event->param.req_rcvd;
	u16 port = be64_to_cpu(cm_id->service_id) & ~SDP_SERVICE_ID_MASK;
	struct sock *listener;
	struct in6_addr src, dst;
	struct sockaddr_storage addr;
	struct net_device *netdev;

	/* rdma_cm sets up the connections of RoCE ports. */
	if (!sdp_device_by_iba(cm_id->device, req->port))
		return NULL;
	listener = sdp_cm_find_own_listener(cm_id, req, hello, port, scope);
	if (listener)
		return listener;
	memcpy(&src, hello->src, sizeof(src));
	memcpy(&dst, hello->dst, sizeof(dst));
	sdp_address_make(&dst, 0, 0, false, &addr);
	netdev = ib_get_net_dev_by_params(cm_id->device, req->port,
					  be16_to_cpu(req->primary_path->pkey),
					  &req->primary_path->sgid, (struct sockaddr *)&addr);
	if (!netdev)
		return NULL;
	/* The network device only determines the namespace; the addresses are checked here. */
	if (hello->port && sdp_address_may_come(netdev, &src, &dst))
		listener = sdp_link_ops->listener(dev_net(netdev), &dst, port);
	*scope = netdev->ifindex;
	dev_put(netdev);
	return listener;
}

static int sdp_cm_send_rep(struct sdp_ep *ep, const struct ib_cm_req_event_param *req)
{
	struct sdp_link *link = ep->link;
	struct sdp_hello hello = sdp_setup_hello(ep);
	const struct ib_device_attr *attrs = &link->device->ib->attrs;
	u8 data[SDP_HELLO_ACK_MAX];
	struct ib_cm_rep_param rep = {
		.qp_num = link->qp->qp_num,
		.starting_psn = link->psn,
		.private_data = data,
		.private_data_len = sdp_hello_ack_pack(SDP_BINDING_IBA, &hello, data),
		.responder_resources = min3(SDP_RDMA_READS, attrs->max_qp_rd_atom,
					    (int)req->responder_resources),
		.initiator_depth = min3(SDP_RDMA_READS, attrs->max_qp_init_rd_atom,
					(int)req->initiator_depth),
		.flow_control = 1,
		.rnr_retry_count = RETRIES,
	};

	return ib_send_cm_rep(link->cm_id, &rep);
}

/* Return: 0 if the link now owns @cm_id, or a negative errno. */
static int sdp_cm_accept_request(struct sdp_ep *ep, struct ib_cm_id *cm_id,
				 const struct ib_cm_event *event, const struct sdp_hello *hello)
{
	const struct ib_cm_req_event_param *req = &event->param.req_rcvd;
	int err;

	memcpy(&ep->saddr, hello->dst, sizeof(ep->saddr));
	memcpy(&ep->daddr, hello->src, sizeof(ep->daddr));
	ep->dport = hello->port;
	err = sdp_setup_link(ep, cm_id->device, &sdp_cm_ops, SDP_GFP_NOWAIT);
	if (err)
		return err;
	ep->link->cm_id = cm_id;
	sdp_setup_begin(ep, hello);
	err = sdp_cm_init(ep->link, req->port, be16_to_cpu(req->primary_path->pkey));
	if (!err)
		err = sdp_link_connect(ep->link);
	if (!err) {
		cm_id->context = ep->link;
		cm_id->cm_handler = sdp_cm_handle;
		err = sdp_cm_send_rep(ep, req);
	}
	if (err)
		ep->link->cm_id = NULL;
	return err;
}

int sdp_cm_request(struct ib_cm_id *cm_id, const struct ib_cm_event *event)
{
	struct sdp_hello hello;
	struct sock *listener, *sk;
	int err, scope;
	bool linked;

	if (event->event != IB_CM_REQ_RECEIVED)
		return -EINVAL; /* ib_cm then destroys the identifier of a SIDR_REQ */
	err = sdp_hello_parse(SDP_BINDING_IBA, &hello, event->private_data, SDP_HELLO_MAX);
	if (err)
		return err;
	listener = sdp_cm_find_listener(cm_id, event, &hello, &scope);
	if (!listener) {
		ib_send_cm_rej(cm_id, IB_CM_REJ_INVALID_SERVICE_ID, NULL, 0, NULL, 0);
		return -ENOENT;
	}
	err = -ENOBUFS;
	sk = sk_acceptq_is_full(listener) ? NULL : sdp_link_ops->child(listener);
	if (sk) {
		lock_sock(sk);
		err = sdp_cm_accept_request(sdp_ep(sk), cm_id, event, &hello);
		if (sdp_address_needs_scope(&sdp_ep(sk)->saddr) ||
		    sdp_address_needs_scope(&sdp_ep(sk)->daddr))
			sk->sk_bound_dev_if = scope;
		linked = sdp_ep(sk)->link;
		if (linked)
			sdp_gate_put(&sdp_ep(sk)->link->setup);
		if (err)
			sdp_link_ops->ended(sdp_ep(sk), ECONNABORTED);
		release_sock(sk);
		if (err && !linked)
			sock_put(sk);
	}
	sock_put(listener);
	/* On -ENOMEM, ib_cm does not send a rejection, and the peer would retry for a minute. */
	return err == -ENOMEM ? -ENOBUFS : err;
}
