// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Setup of connections: Hello in the REQ, HelloAck in the REP (IBA annex A4). */
#include "sdp/linux/cm.h"
#include <rdma/ib_cm.h>
#include "sdp/hello.h"
#include "sdp/linux/address.h"
#include "sdp/linux/link.h"
#include "sdp/linux/port.h"
#include "sdp/linux/route.h"

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

static void answered(struct sdp_sock *ssk)
{
	struct sdp_link *link = ssk->link;
	struct sdp_hello ack;
	int err;

	if (sdp_sock(ssk)->sk_state != TCP_SYN_SENT)
		return;
	err = sdp_hello_ack_parse(SDP_BINDING_IBA, &ack, link->hello_ack, sizeof(link->hello_ack));
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

static void established(struct sdp_sock *ssk)
{
	if (sdp_sock(ssk)->sk_state == TCP_SYN_RECV)
		sdp_sock_established(ssk);
}

static void refused(struct sdp_sock *ssk)
{
	sdp_sock_end(ssk, ssk->link->refusal);
}

static void timed_out(struct sdp_sock *ssk)
{
	sdp_sock_end(ssk, ETIMEDOUT);
}

/* What is done for each event of the CM that was noted, in the order in which they come. */
static void (*const processes[])(struct sdp_sock *ssk) = {
	[SDP_CM_ANSWERED] = answered,
	[SDP_CM_ESTABLISHED] = established,
	[SDP_CM_REFUSED] = refused,
	[SDP_CM_TIMED_OUT] = timed_out,
	[SDP_CM_ENDED] = sdp_link_stop,
};

/* A link that is stopped ignores its events. */
static void process_events(struct work_struct *work)
{
	struct sdp_link *link = container_of(work, struct sdp_link, event_task.work);
	struct sdp_sock *ssk = sdp_sk(link->sk);
	unsigned int i;

	if (!sdp_task_lock(ssk, &link->event_task))
		return;
	for (i = 0; i < ARRAY_SIZE(processes); i++) {
		if (test_and_clear_bit(i, &link->events) && ssk->link == link && !link->stopped)
			processes[i](ssk);
	}
	release_sock(link->sk);
}

void sdp_cm_init(struct sdp_link *link)
{
	sdp_task_init(&link->event_task, process_events);
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

/* The CM's handlers are few and serve the whole machine, so they wait for nobody's socket lock. */
static int handle(struct ib_cm_id *cm_id, const struct ib_cm_event *event)
{
	struct sdp_link *link = cm_id->context;
	int noted;

	switch (event->event) {
	case IB_CM_REP_RECEIVED:
		memcpy(link->hello_ack, event->private_data, sizeof(link->hello_ack));
		noted = SDP_CM_ANSWERED;
		break;
	case IB_CM_RTU_RECEIVED:
	case IB_CM_USER_ESTABLISHED:
		noted = SDP_CM_ESTABLISHED;
		break;
	case IB_CM_REJ_RECEIVED:
		link->refusal = refusal(event);
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
	smp_mb__before_atomic(); /* what came with the event is there when the bit is seen */
	set_bit(noted, &link->events);
	queue_work(sdp_wq, &link->event_task.work);
	return 0;
}

/*
 * The end that connects.
 */

/* A loopback address does not leave its host: the port's own address is in the Hello instead. */
static void name_port(struct sdp_hello *hello, const struct rdma_cm_id *id)
{
	struct in6_addr ip;
	u16 unused;

	if (sdp_address_parse((struct sockaddr *)&id->route.addr.src_addr,
			      sizeof(id->route.addr.src_addr), &ip, &unused))
		return;
	memcpy(hello->src, &ip, sizeof(hello->src));
	memcpy(hello->dst, &ip, sizeof(hello->dst));
}

static int send_req(struct sdp_sock *ssk, struct rdma_cm_id *id)
{
	struct sdp_link *link = ssk->link;
	struct sdp_hello hello = own_hello(ssk);
	u8 data[SDP_HELLO_MAX];
	struct ib_cm_id *cm_id;
	struct ib_cm_req_param req = {
		.primary_path = id->route.path_rec,
		.ppath_sgid_attr = id->route.addr.dev_addr.sgid_attr,
		.service_id = cpu_to_be64(SDP_SERVICE_ID_PREFIX | ssk->dport),
		.qp_num = link->qp->qp_num,
		.qp_type = IB_QPT_RC,
		.starting_psn = link->psn,
		.private_data = data,
		.responder_resources = min(RDMA_READS, id->device->attrs.max_qp_rd_atom),
		.initiator_depth = min(RDMA_READS, id->device->attrs.max_qp_init_rd_atom),
		.remote_cm_response_timeout = CM_TIMEOUT,
		.local_cm_response_timeout = CM_TIMEOUT,
		.flow_control = 1,
		.retry_count = RETRIES,
		.rnr_retry_count = RETRIES,
		.max_cm_retries = CM_RETRIES,
	};

	if (sdp_address_is_loopback(&ssk->daddr))
		name_port(&hello, id);
	req.private_data_len = sdp_hello_pack(SDP_BINDING_IBA, &hello, data);
	cm_id = ib_create_cm_id(id->device, handle, link);
	if (IS_ERR(cm_id))
		return PTR_ERR(cm_id);
	link->cm_id = cm_id;
	return ib_send_cm_req(cm_id, &req);
}

/* The address that the program did not choose is that of the port that the path begins at. */
static int name_source(struct sdp_sock *ssk, struct rdma_cm_id *id)
{
	struct in6_addr ip = ssk->daddr;
	u16 unused;
	int err;

	if (!sdp_address_is_any(&ssk->saddr))
		return 0;
	if (sdp_address_is_loopback(&ip)) {
		sdp_address_make_loopback(&ip);
	} else {
		err = sdp_address_parse((struct sockaddr *)&id->route.addr.src_addr,
					sizeof(id->route.addr.src_addr), &ip, &unused);
		if (err)
			return err;
	}
	sdp_port_readdress(ssk, &ip);
	return 0;
}

int sdp_cm_route_found(struct sdp_sock *ssk, struct rdma_cm_id *id)
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
	return err;
}

/*
 * The end that listens.
 */

/* Whether a path leads from the port back to the same port. */
static bool is_loop(const struct ib_cm_id *cm_id, const struct ib_cm_req_event_param *req)
{
	struct sa_path_rec *path = req->primary_path;
	u32 dlid = be32_to_cpu(sa_path_get_dlid(path));
	struct ib_port_attr attr;

	return !memcmp(&path->sgid, &path->dgid, sizeof(path->sgid)) &&
	       !ib_query_port(cm_id->device, req->port, &attr) &&
	       dlid >> attr.lmc == attr.lid >> attr.lmc;
}

/*
 * A request that a socket of this host sends itself, by a loopback address: the Hello gets the
 * addresses that the socket has. Nobody else can make one: the numbers of the queue pair and of
 * its first packet have to be those of a socket that connects, and the path has to be a loop.
 */
static struct sock *find_own_listener(struct ib_cm_id *cm_id,
				      const struct ib_cm_req_event_param *req,
				      struct sdp_hello *hello, u16 port)
{
	struct sock *own, *listener;
	struct in6_addr src, dst;

	if (!is_loop(cm_id, req))
		return NULL;
	own = sdp_device_find_loop(cm_id->device, req->remote_qpn, req->starting_psn, &src, &dst);
	if (!own)
		return NULL;
	memcpy(hello->src, &src, sizeof(hello->src));
	memcpy(hello->dst, &dst, sizeof(hello->dst));
	listener = sdp_port_listener(sock_net(own), &dst, port);
	sock_put(own);
	return listener;
}

/* The socket that listens at what the Hello names, in the namespace that has the address. */
static struct sock *find_listener(struct ib_cm_id *cm_id, const struct ib_cm_event *event,
				  struct sdp_hello *hello)
{
	const struct ib_cm_req_event_param *req = &event->param.req_rcvd;
	u16 port = be64_to_cpu(cm_id->service_id) & ~SDP_SERVICE_ID_MASK;
	struct sock *listener = find_own_listener(cm_id, req, hello, port);
	struct in6_addr src, dst;
	struct sockaddr_storage addr;
	struct net_device *netdev;

	if (listener)
		return listener;
	memcpy(&src, hello->src, sizeof(src));
	memcpy(&dst, hello->dst, sizeof(dst));
	sdp_address_make(&dst, 0, false, &addr);
	netdev = ib_get_net_dev_by_params(cm_id->device, req->port,
					  be16_to_cpu(req->primary_path->pkey),
					  &req->primary_path->sgid, (struct sockaddr *)&addr);
	if (!netdev)
		return NULL;
	/* The net device says no more than which namespace it is. */
	if (hello->port && sdp_address_may_come(netdev, &src, &dst))
		listener = sdp_port_listener(dev_net(netdev), &dst, port);
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
		return -EINVAL; /* so that the identifier of a SIDR_REQ is not kept */
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
