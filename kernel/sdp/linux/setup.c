// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Setup of connections: the common part of both bindings. */
#include "sdp/linux/setup.h"
#include "sdp/hello.h"
#include "sdp/linux/address.h"
#include "sdp/linux/cm.h"
#include "sdp/linux/link.h"
#include "sdp/linux/port.h"
#include "sdp/linux/rdma.h"
#include "sdp/linux/resize.h"
#include "sdp/linux/resume.h"

struct sdp_hello sdp_setup_hello(const struct sdp_sock *ssk)
{
	struct sdp_hello hello = {
		.bufs = ssk->link->recv_bufs,
		.max_adverts = SDP_ADVERTS,
		.size = ssk->link->recv_size,
		.desired_size = SDP_BUF_SIZE,
		.ird = SDP_RDMA_READS,
		.ord = SDP_RDMA_READS,
		.port = ssk->sport,
	};

	memcpy(hello.src, &ssk->saddr, sizeof(hello.src));
	memcpy(hello.dst, &ssk->daddr, sizeof(hello.dst));
	return hello;
}

void sdp_setup_begin(struct sdp_sock *ssk, const struct sdp_hello *peer)
{
	struct sdp_link *link = ssk->link;

	sdp_conn_init(&ssk->conn, link->recv_bufs, link->recv_size, SDP_ADVERTS, peer->bufs,
		      peer->size, peer->max_adverts);
	ssk->conn.resize.connects = sdp_sock(ssk)->sk_state == TCP_SYN_SENT;
	sdp_resize_limit(ssk);
}

/* Return: false if the peer's buffers are smaller than before the suspension. */
static bool resume(struct sdp_sock *ssk, const struct sdp_hello *peer)
{
	struct sdp_link *link = ssk->link;

	if (sdp_conn_resume(&ssk->conn, link->recv_bufs, link->recv_size, SDP_ADVERTS, peer->bufs,
			    peer->size, peer->max_adverts))
		return false;
	sdp_resize_limit(ssk);
	return true;
}

static void answered(struct sdp_sock *ssk)
{
	struct sdp_link *link = ssk->link;
	bool resumes = ssk->resume_port;
	struct sdp_hello ack;
	int err;

	if (sdp_sock(ssk)->sk_state != TCP_SYN_SENT && !resumes)
		return;
	err = sdp_hello_ack_parse(link->cm->binding, &ack, link->hello_ack, link->hello_ack_len);
	if (!err && resumes && !resume(ssk, &ack))
		err = -EPROTO;
	if (!err)
		err = sdp_link_connect(link);
	if (err) {
		link->cm->reject(link);
		sdp_sock_end(ssk, ECONNRESET);
		return;
	}
	if (!resumes)
		sdp_setup_begin(ssk, &ack);
	err = link->cm->ready(link);
	if (err)
		sdp_sock_end(ssk, ECONNRESET);
	else if (resumes)
		sdp_sock_resumed(ssk);
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

/* The function for each event of the CM, in the order in which events occur. */
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
	if (sdp_gate_get(&link->setup)) {
		for (i = 0; i < ARRAY_SIZE(processes); i++) {
			if (test_and_clear_bit(i, &link->events) && ssk->link == link &&
			    !link->stopped)
				processes[i](ssk);
		}
		sdp_gate_put(&link->setup);
	}
	release_sock(link->sk);
}

int sdp_setup_link(struct sdp_sock *ssk, struct ib_device *ib, const struct sdp_setup_ops *cm,
		   gfp_t gfp)
{
	int err = sdp_link_create(ssk, ib, cm, gfp);

	if (!err)
		sdp_task_init(&ssk->link->event_task, process_events);
	return err;
}

void sdp_setup_answer(struct sdp_link *link, const void *data, u32 octets)
{
	link->hello_ack_len = min_t(u32, octets, sizeof(link->hello_ack));
	memcpy(link->hello_ack, data, link->hello_ack_len);
}

void sdp_setup_note(struct sdp_link *link, enum sdp_setup_event event)
{
	smp_mb__before_atomic(); /* data of the event is visible before its bit */
	set_bit(event, &link->events);
	queue_work(sdp_wq, &link->event_task.work);
}

/* A local address that the program has not chosen becomes that of the path's source port. */
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
	return sdp_port_readdress(ssk, &ip);
}

bool sdp_setup_by_iba(struct ib_device *ib, u32 port)
{
	return rdma_cap_ib_cm(ib, port) &&
	       rdma_port_get_link_layer(ib, port) == IB_LINK_LAYER_INFINIBAND;
}

int sdp_setup_request(struct sdp_sock *ssk, struct rdma_cm_id **id)
{
	struct ib_device *ib = (*id)->device;
	bool iba = sdp_setup_by_iba(ib, (*id)->port_num);
	int err = name_source(ssk, *id);

	if (!err)
		err = sdp_setup_link(ssk, ib, iba ? &sdp_cm_ops : &sdp_rdma_ops, SDP_GFP);
	if (err)
		return err;
	err = ssk->link->cm->request(ssk, id);
	if (!err)
		err = sdp_resume_adopt(ssk);
	if (err)
		sdp_link_stop(ssk);
	sdp_gate_put(&ssk->link->setup);
	return err;
}
