// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* RNICs of tests, at the two ends of a stream. */
#include "tests/unit/iwarp/rnics.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include "shim.h"
#include "tests/consumer/consumer.h"

#define MANY_CQE 64

struct rnics rnics;

static void rnics_notify(struct hca_cq *cq) { }
static void rnics_cq_error(struct hca_cq *cq) { }

static struct rnic_end *rnics_end_of(struct hca_srq *srq)
{
	return container_of(srq, struct rnic_end, srq);
}

static void rnics_srq_event(struct hca_srq *srq, enum hca_srq_event event)
{
	rnics_end_of(srq)->srq_events++;
}

static void rnics_qp_event(struct hca_qp *qp, enum hca_qp_event event)
{
	struct rnic_end *e = container_of(qp->ci, struct rnic_end, rnic.ci);

	e->events[event]++;
	if (event == HCA_QP_FATAL)
		e->state_at_fatal = qp->common.state;
}

static void rnics_reported(struct hca_endpoint *ep, enum hca_endpoint_event event)
{
	struct rnic_end *e = container_of(ep, struct rnic_end, ep);

	order_event(&e->order, ep, event);
	e->reported[event]++;
	if (event == HCA_ENDPOINT_CONNECT_REPLY)
		e->reply_status = ep->reply_status;
	if (event == HCA_ENDPOINT_CLOSE)
		e->close_status = ep->close_status;
}

static void rnics_init_cq(struct hca_cq *cq)
{
	cq->notify = rnics_notify;
	cq->error = rnics_cq_error;
	ck_assert_int_eq(hca_cq_init(cq, rnics.cqe ?: MANY_CQE, false), 0);
}

/* Both ends have memory of the same pattern, shifted by some octets. */
static void rnics_register(struct rnic_end *e)
{
	u32 shift = (e - rnics.end) * 77, i;
	struct hca_tpt_entry mr = {
		.iova = RNICS_BASE,
		.length = RNICS_OCTETS,
		.pd = e,
		.access = RNICS_ACCESS,
		.page = e->page,
	};

	e->memory = aligned_alloc(PAGE_SIZE, RNICS_OCTETS);
	for (i = 0; i < RNICS_PAGES; i++)
		e->page[i] = e->memory + i * PAGE_SIZE;
	for (i = 0; i < RNICS_OCTETS; i++)
		e->memory[i] = (i + shift) * 2654435761u >> 13;
	e->mr = consumer_reg_mr(&e->rnic.ci, &mr);
	ck_assert_ptr_nonnull(e->mr);
}

static void rnics_create_qp(struct rnic_end *e)
{
	struct hca_qp_init init = {
		.type = IB_QPT_RC,
		.max_send_wr = RNICS_ENTRIES,
		.max_recv_wr = RNICS_ENTRIES,
		.max_send_sge = 2,
		.max_recv_sge = 2,
		.max_inline = 64,
		.pd = e,
		.srq = rnics.with_srq ? &e->srq : NULL,
		.send_cq = &e->send_cq,
		.recv_cq = &e->recv_cq,
		.owner = e,
		.kernel = rnics.kernel,
	};

	e->qp = consumer_create_qp(&e->rnic.ci, &init);
	ck_assert(!IS_ERR(e->qp));
	e->it = hca_iwarp_qp_of(e->qp);
}

static void rnics_init(struct rnic_end *e, struct sim_stream *s)
{
	struct hca_qp_attr attr = { .state = IB_QPS_INIT, .access = RNICS_REMOTE };

	e->rnic.ci.qp_event = rnics_qp_event;
	ck_assert_int_eq(hca_rnic_init(&e->rnic), 0);
	e->stream = &s->stream;
	hca_endpoint_init(&e->ep, &e->rnic, e->stream, rnics_reported);
	rnics_init_cq(&e->send_cq);
	rnics_init_cq(&e->recv_cq);
	e->srq.notify = rnics_srq_event;
	e->srq.pd = e;
	if (rnics.with_srq)
		ck_assert_int_eq(hca_srq_init(&e->srq, RNICS_ENTRIES, 2, 0), 0);
	rnics_register(e);
	rnics_create_qp(e);
	ck_assert_int_eq(hca_qp_modify(e->qp, &attr, IB_QP_STATE | IB_QP_ACCESS_FLAGS), 0);
}

void rnics_setup(void)
{
	memset(&rnics, 0, sizeof(rnics));
	rnics.connect = (struct hca_connect){ .ird = 4, .ord = 4 };
	rnics.accept = rnics.connect;
	shim_reset(1);
	ck_assert_int_eq(hca_engine_start(), 0);
}

static void rnics_open(const struct sim_stream_options *options)
{
	static const struct sim_stream_options none;

	sim_stream_open(&rnics.pair, options ? options : &none);
	rnics_init(&rnics.end[0], &rnics.pair.end[0]);
}

void rnics_begin(const struct sim_stream_options *options)
{
	rnics_open(options);
	rnics_init(&rnics.end[1], &rnics.pair.end[1]);
}

void rnics_begin_peer(const struct sim_stream_options *options)
{
	rnics_open(options);
	rnics.peer = calloc(1, sizeof(*rnics.peer));
	peer_init(rnics.peer);
}

static void rnics_free(struct rnic_end *e)
{
	if (e->qp)
		hca_qp_destroy(e->qp);
	/* An endpoint that was used has reported of its end, and only once. */
	ck_assert_uint_eq(e->reported[HCA_ENDPOINT_CLOSE], e->ep.state != HCA_STARTUP_IDLE);
	hca_endpoint_destroy(&e->ep);
	if (rnics.with_srq)
		hca_srq_destroy(&e->srq);
	ck_assert_int_eq(hca_tpt_entry_remove(&e->rnic.ci.tpt, e->mr), 0);
	hca_cq_destroy(&e->send_cq);
	hca_cq_destroy(&e->recv_cq);
	hca_ci_destroy(&e->rnic.ci);
	free(e->memory);
}

/* End what is left of an endpoint that has no queue pair. */
static void rnics_drop(struct rnic_end *e)
{
	struct hca_connect none = { .ird = 0 };

	if (e->ep.state == HCA_STARTUP_WAIT_ULP)
		hca_startup_reject(&e->ep, &none);
}

void rnics_end(void)
{
	int i, ends = rnics.peer ? 1 : 2;

	for (i = 0; i < ends; i++)
		rnics_drop(&rnics.end[i]);
	rnics_settle();
	shim_advance(20 * 1000000000ull);
	rnics_settle();
	for (i = 0; i < ends; i++)
		rnics_free(&rnics.end[i]);
	sim_stream_free(&rnics.pair);
	hca_engine_stop();
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
	free(rnics.peer);
}

/* Let the peer send and receive. Returns whether it did. */
static bool rnics_exchange(void)
{
	struct sim_stream *s = &rnics.pair.end[1];
	u8 octets[2048];
	bool any = false;
	u32 n;

	if (!rnics.peer || s->is_lost)
		return false;
	if (rnics.peer->out_length) {
		sim_stream_write(s, rnics.peer->out, rnics.peer->out_length);
		rnics.peer->out_length = 0;
		any = true;
	}
	while ((n = sim_stream_read(s, octets, sizeof(octets)))) {
		peer_receive(rnics.peer, octets, n);
		any = true;
	}
	if (rnics.peer->fin)
		s->stream.ops->close(&s->stream);
	if (rnics.peer->reset)
		s->stream.ops->reset(&s->stream);
	any |= rnics.peer->fin || rnics.peer->reset;
	rnics.peer->fin = false;
	rnics.peer->reset = false;
	return any;
}

void rnics_settle(void)
{
	do {
		sim_stream_settle(&rnics.pair);
		shim_run_until_idle();
	} while (rnics_exchange() || sim_stream_step(&rnics.pair));
}

void rnics_request(void)
{
	hca_startup_listen(&rnics.end[1].ep);
	ck_assert_int_eq(hca_startup_connect(&rnics.end[0].ep, rnics.end[0].it, &rnics.connect),
			 0);
	rnics_settle();
	ck_assert_uint_eq(rnics.end[1].reported[HCA_ENDPOINT_CONNECT_REQUEST], 1);
}

void rnics_connect(void)
{
	rnics_request();
	ck_assert_int_eq(hca_startup_accept(&rnics.end[1].ep, rnics.end[1].it, &rnics.accept), 0);
	rnics_settle();
	ck_assert_uint_eq(rnics.end[0].reported[HCA_ENDPOINT_CONNECT_REPLY], 1);
	ck_assert_int_eq(rnics.end[0].reply_status, 0);
}

void rnics_peer(const char *script)
{
	peer_run(rnics.peer, script);
	rnics_settle();
}

bool rnics_peer_fpdu(void)
{
	rnics_settle();
	return peer_next_fpdu(rnics.peer);
}

void rnics_serve_peer(void)
{
	hca_startup_listen(&rnics.end[0].ep);
	rnics_peer("request rev=1 crc");
	ck_assert_uint_eq(rnics.end[0].reported[HCA_ENDPOINT_CONNECT_REQUEST], 1);
	ck_assert_int_eq(hca_startup_accept(&rnics.end[0].ep, rnics.end[0].it, &rnics.accept), 0);
	rnics_settle();
	ck_assert(peer_next_start(rnics.peer));
	peer_agree(rnics.peer);
}

void rnics_serve_first(const struct sim_stream_options *options)
{
	rnics_setup();
	rnics_begin_peer(options);
	rnics_serve_peer();
	rnics_peer("write");
}

void rnics_connect_peer(void)
{
	rnics.end[0].rnic.options.revision = 1;
	ck_assert_int_eq(hca_startup_connect(&rnics.end[0].ep, rnics.end[0].it, &rnics.connect),
			 0);
	rnics_settle();
	ck_assert(peer_next_start(rnics.peer));
	rnics_peer("reply rev=1 crc");
	peer_agree(rnics.peer);
	ck_assert_uint_eq(rnics.end[0].reported[HCA_ENDPOINT_CONNECT_REPLY], 1);
}

int rnics_modify(struct rnic_end *e, enum ib_qp_state state)
{
	struct hca_qp_attr attr = { .state = state };

	return hca_qp_modify(e->qp, &attr, IB_QP_STATE);
}

void rnics_destroy(struct rnic_end *e)
{
	hca_qp_destroy(e->qp);
	e->qp = NULL;
	e->it = NULL;
}

u8 rnics_state(const struct rnic_end *e)
{
	return e->qp->common.state;
}

static void rnics_sge(const struct rnic_end *e, struct hca_sge *sge, u32 offset, u32 length)
{
	*sge = (struct hca_sge){
		.addr = RNICS_BASE + offset, .length = length, .lkey = e->mr->key,
	};
}

struct hca_send_wqe *rnics_wqe(struct rnic_end *e, u8 opcode, u64 wr_id, u32 offset, u32 length)
{
	struct hca_send_wqe *wqe = hca_queue_entry(&e->qp->sq, e->qp->sq.ring->producer);

	memset(wqe, 0, sizeof(*wqe));
	wqe->wr_id = wr_id;
	wqe->opcode = opcode;
	wqe->flags = HCA_WQE_SIGNALED;
	wqe->num_sge = !!length;
	rnics_sge(e, (struct hca_sge *)((u8 *)wqe + HCA_SEND_WQE_HEADER), offset, length);
	return wqe;
}

void rnics_publish(struct rnic_end *e)
{
	e->qp->sq.ring->producer++;
	consumer_ring(e->qp, e->qp->sq.ring);
}

void rnics_send(struct rnic_end *e, u64 wr_id, u32 offset, u32 length)
{
	rnics_wqe(e, IB_UVERBS_WR_SEND, wr_id, offset, length);
	rnics_publish(e);
}

void rnics_rdma(struct rnic_end *e, u8 opcode, u64 wr_id, u32 offset, u32 length, u32 rkey,
		u32 remote)
{
	struct hca_send_wqe *wqe = rnics_wqe(e, opcode, wr_id, offset, length);

	wqe->rdma.remote_addr = RNICS_BASE + remote;
	wqe->rdma.rkey = rkey;
	rnics_publish(e);
}

void rnics_recv(struct rnic_end *e, u64 wr_id, u32 offset, u32 length)
{
	struct hca_queue *rq = rnics.with_srq ? &e->srq.rq : &e->qp->rq;
	struct hca_recv_wqe *wqe = hca_queue_entry(rq, rq->ring->producer);

	wqe->wr_id = wr_id;
	wqe->num_sge = 1;
	rnics_sge(e, &wqe->sge[0], offset, length);
	rq->ring->producer++;
	consumer_ring(e->qp, rq->ring);
}

struct hca_cqe rnics_completion(struct hca_cq *cq)
{
	struct hca_cqe cqe;

	ck_assert_msg(consumer_poll_cq(cq, &cqe), "no completion");
	return cqe;
}

void rnics_expect(struct hca_cq *cq, u64 wr_id, enum ib_wc_status status)
{
	struct hca_cqe cqe = rnics_completion(cq);

	ck_assert_uint_eq(cqe.wr_id, wr_id);
	ck_assert_uint_eq(cqe.status, status);
}

bool rnics_none(struct hca_cq *cq)
{
	struct hca_cqe cqe;

	return !consumer_poll_cq(cq, &cqe);
}

bool rnics_same(u32 offset0, u32 offset1, u32 length)
{
	return !memcmp(rnics.end[0].memory + offset0, rnics.end[1].memory + offset1, length);
}
