// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The fixture of the judges of an RNIC: judge.h says what it is. */
#include "tests/unit/iwarp/judge.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/slab.h>
#include "shim.h"
#include "tests/consumer/consumer.h"

#define ENTRIES 16
#define ALL_RIGHTS (IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE | \
		    IB_UVERBS_ACCESS_REMOTE_READ)

struct judge judge;
static char other_pd; /* its address is another protection domain */

static const struct {
	const char *name;
	u32 access;
	bool is_other, is_fast, is_last;
} judge_mrs[JUDGE_MRS] = {
	[JUDGE_RW] = { "$rw", ALL_RIGHTS },
	[JUDGE_RO] = { "$ro", IB_UVERBS_ACCESS_REMOTE_READ },
	[JUDGE_WO] = { "$wo", IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE },
	[JUDGE_LOCAL] = { "$local", IB_UVERBS_ACCESS_LOCAL_WRITE },
	[JUDGE_OTHER] = { "$other", ALL_RIGHTS, .is_other = true },
	[JUDGE_FAST] = { "$fast", ALL_RIGHTS, .is_fast = true },
	[JUDGE_END] = { "$end", ALL_RIGHTS, .is_last = true },
};

static void judge_cq_notify(struct hca_cq *cq) { }
static void judge_cq_error(struct hca_cq *cq) { ck_abort_msg("a CQ has overflowed"); }

static void judge_qp_event(struct hca_qp *qp, enum hca_qp_event event)
{
	ck_assert_ptr_eq(qp, judge.qp);
	ck_assert_uint_lt(event, JUDGE_QP_EVENTS);
	judge.qp_events[event]++;
}

static void judge_event(struct hca_endpoint *ep, enum hca_endpoint_event event)
{
	ck_assert_ptr_eq(ep, &judge.ep);
	ck_assert_uint_lt(event, JUDGE_EVENTS);
	order_event(&judge.order, ep, event);
	judge.events[event]++;
	if (event == HCA_ENDPOINT_CONNECT_REPLY)
		judge.reply_status = ep->reply_status;
	if (event == HCA_ENDPOINT_CLOSE)
		judge.close_status = ep->close_status;
	if (judge.is_held && judge.order.state == ORDER_IDLE) {
		judge.is_held = false;
		hca_qp_put(judge.qp);
	}
}

static void judge_make_cq(struct hca_cq *cq)
{
	memset(cq, 0, sizeof(*cq));
	cq->notify = judge_cq_notify;
	cq->error = judge_cq_error;
	ck_assert_int_eq(hca_cq_init(cq, 2 * ENTRIES, false), 0);
}

static void judge_register(int i)
{
	struct hca_tpt_entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL);

	entry->kind = judge_mrs[i].is_fast ? HCA_TPT_FAST_MR : HCA_TPT_MR;
	entry->access = judge_mrs[i].access;
	entry->pd = judge_mrs[i].is_other ? (void *)&other_pd : (void *)&judge;
	entry->iova = judge_mrs[i].is_last ? -(u64)JUDGE_LENGTH : JUDGE_BASE;
	entry->length = JUDGE_LENGTH;
	entry->page = judge.page;
	ck_assert_int_eq(hca_tpt_entry_add(&judge.rnic.ci.tpt, entry), 0);
	judge.mr[i] = entry;
}

static void judge_make_memory(void)
{
	u32 i;

	for (i = 0; i < JUDGE_LENGTH; i++)
		judge.memory[i] = i * 2654435761u >> 13;
	memcpy(judge.before, judge.memory, JUDGE_LENGTH);
	for (i = 0; i < JUDGE_MRS; i++)
		judge_register(i);
}

static void judge_modify_init(struct hca_qp *qp)
{
	struct hca_qp_attr attr = {
		.state = IB_QPS_INIT,
		.access = IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ,
	};

	ck_assert_int_eq(hca_qp_modify(qp, &attr, IB_QP_STATE | IB_QP_ACCESS_FLAGS), 0);
}

struct hca_qp *judge_create_qp(void)
{
	const struct hca_qp_init init = {
		.type = IB_QPT_RC, .max_send_wr = ENTRIES, .max_recv_wr = ENTRIES,
		.max_send_sge = 2, .max_recv_sge = 2, .max_inline = 64, .pd = &judge,
		.send_cq = &judge.send_cq, .recv_cq = &judge.recv_cq, .owner = &judge,
	};
	struct hca_qp *qp = consumer_create_qp(&judge.rnic.ci, &init);

	ck_assert(!IS_ERR(qp));
	judge_modify_init(qp);
	return qp;
}

void judge_setup(void)
{
	u32 i;

	memset(&judge, 0, sizeof(judge));
	shim_reset(1);
	ck_assert_int_eq(hca_engine_start(), 0);
	ck_assert_int_eq(hca_rnic_init(&judge.rnic), 0);
	judge.rnic.ci.qp_event = judge_qp_event;
	judge.memory = aligned_alloc(PAGE_SIZE, JUDGE_LENGTH);
	judge.before = malloc(JUDGE_LENGTH);
	for (i = 0; i < JUDGE_LENGTH / PAGE_SIZE; i++)
		judge.page[i] = judge.memory + i * PAGE_SIZE;
}

static void judge_open_stream(const struct sim_stream_options *options)
{
	sim_stream_open(&judge.pair, options);
	judge.model = &judge.pair.end[0];
	judge.core = &judge.pair.end[1];
	memset(&judge.ep, 0, sizeof(judge.ep));
	hca_endpoint_init(&judge.ep, &judge.rnic, &judge.core->stream, judge_event);
	peer_init(&judge.peer);
	judge.is_begun = false;
	judge.is_held = false;
	judge.reply_status = 0;
	judge.close_status = 0;
	memset(judge.events, 0, sizeof(judge.events));
	memset(&judge.order, 0, sizeof(judge.order));
	memset(judge.qp_events, 0, sizeof(judge.qp_events));
}

void judge_open(const struct sim_stream_options *options)
{
	judge_make_memory();
	judge_make_cq(&judge.send_cq);
	judge_make_cq(&judge.recv_cq);
	judge.qp = judge_create_qp();
	judge.it = hca_iwarp_qp_of(judge.qp);
	judge_open_stream(options);
}

void judge_begin(const struct sim_stream_options *options)
{
	judge_setup();
	judge_open(options);
}

static void judge_end_stream(void)
{
	struct hca_qp_attr attr = { .state = IB_QPS_ERR };

	judge.is_stalled = false;
	if (judge.qp)
		hca_qp_modify(judge.qp, &attr, IB_QP_STATE);
	judge_exchange();
	if (!judge.is_begun)
		return;
	if (!judge.events[HCA_ENDPOINT_CLOSE]) {
		judge.model->stream.ops->reset(&judge.model->stream);
		judge_exchange();
	}
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
}

static void judge_close_stream(void)
{
	hca_endpoint_destroy(&judge.ep);
	ck_assert_int_eq(judge.core->is_released, judge.is_begun);
	judge.core->is_released = true;
	sim_stream_free(&judge.pair);
}

void judge_reopen(const struct sim_stream_options *options)
{
	judge_close_stream();
	judge_open_stream(options);
}

void judge_again(void)
{
	const struct sim_stream_options options = judge.pair.options;
	struct hca_qp_attr attr = { .state = IB_QPS_RESET };

	judge_exchange();
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CLOSE], 1);
	if (judge.qp->common.state != IB_QPS_INIT) {
		ck_assert_int_eq(hca_qp_modify(judge.qp, &attr, IB_QP_STATE), 0);
		judge_modify_init(judge.qp);
	}
	judge_reopen(&options);
}

void judge_close(void)
{
	int i;

	judge_end_stream();
	if (judge.qp)
		hca_qp_destroy(judge.qp);
	judge_close_stream();
	hca_cq_destroy(&judge.send_cq);
	hca_cq_destroy(&judge.recv_cq);
	for (i = 0; i < JUDGE_MRS; i++)
		ck_assert_int_eq(hca_tpt_entry_remove(&judge.rnic.ci.tpt, judge.mr[i]), 0);
}

void judge_teardown(void)
{
	hca_ci_destroy(&judge.rnic.ci);
	hca_engine_stop();
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
	free(judge.memory);
	free(judge.before);
}

void judge_end(void)
{
	judge_close();
	judge_teardown();
}

void judge_destroy(void)
{
	judge.is_held = judge.it->ep;
	if (judge.is_held)
		ck_assert_ptr_nonnull(hca_qp_use(judge.qp));
	hca_qp_destroy(judge.qp);
	judge.qp = NULL;
}

static void judge_send(void)
{
	struct peer *peer = &judge.peer;

	sim_stream_write(judge.model, peer->out, peer->out_length);
	peer->out_length = 0;
	if (peer->fin)
		judge.model->stream.ops->close(&judge.model->stream);
	if (peer->reset)
		judge.model->stream.ops->reset(&judge.model->stream);
	peer->fin = false;
	peer->reset = false;
}

/* The model reads after each step, since a RST would discard what it has not read. */
bool judge_run_qp(int budget)
{
	struct hca_runnable *r = &judge.qp->common.run;
	bool again;

	local_bh_disable();
	again = r->run(r, &budget);
	local_bh_enable();
	return again;
}

void judge_exchange(void)
{
	u8 octets[4096];
	u32 length;
	bool busy;

	judge_send();
	do {
		busy = sim_stream_step(&judge.pair);
		shim_run_until_idle();
		length = judge.is_stalled ? 0 :
			 sim_stream_read(judge.model, octets, sizeof(octets));
		peer_receive(&judge.peer, octets, length);
	} while (length || busy);
}

void judge_wait(u32 seconds)
{
	shim_advance(seconds * 1000000000ull);
	judge_exchange();
}

void judge_run(const char *script)
{
	char text[1024];
	size_t used = 0;
	int i;

	while (*script) {
		for (i = 0; i < JUDGE_MRS; i++)
			if (!strncmp(script, judge_mrs[i].name, strlen(judge_mrs[i].name)))
				break;
		ck_assert_uint_lt(used, sizeof(text) - 16);
		if (i < JUDGE_MRS) {
			used += sprintf(text + used, "0x%x", judge.mr[i]->key);
			script += strlen(judge_mrs[i].name);
		} else {
			text[used++] = *script++;
		}
	}
	text[used] = '\0';
	peer_run(&judge.peer, text);
	judge_exchange();
}

void judge_listen(const char *request)
{
	judge.is_begun = true;
	hca_startup_listen(&judge.ep);
	judge_run(request);
}

int judge_accept(u16 ird, u16 ord)
{
	const struct hca_connect connect = { .ird = ird, .ord = ord };
	int ret = hca_startup_accept(&judge.ep, judge.it, &connect);

	judge_exchange();
	return ret;
}

void judge_agree(void)
{
	ck_assert(peer_next_start(&judge.peer));
	ck_assert(judge.peer.start.has_key);
	peer_agree(&judge.peer);
}

void judge_establish(const char *request)
{
	judge_listen(request);
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_CONNECT_REQUEST], 1);
	ck_assert_int_eq(judge_accept(4, 4), 0);
	judge_agree();
	judge_run("write");
	ck_assert_uint_eq(judge.events[HCA_ENDPOINT_ESTABLISHED], 1);
	ck_assert_uint_eq(judge.qp->common.state, IB_QPS_RTS);
}

int judge_connect(u16 ird, u16 ord)
{
	const struct hca_connect connect = {
		.ird = ird, .ord = ord, .private_length = 5, .private_data = "hello",
	};
	int ret = hca_startup_connect(&judge.ep, judge.it, &connect);

	judge.is_begun = true;
	judge_exchange();
	return ret;
}

void judge_recv(u64 wr_id, u32 offset, u32 length, u32 lkey)
{
	struct hca_queue *rq = &judge.qp->rq;
	struct hca_recv_wqe *wqe = hca_queue_entry(rq, rq->ring->producer);

	wqe->wr_id = wr_id;
	wqe->num_sge = 1;
	wqe->sge[0] = (struct hca_sge){ .addr = JUDGE_BASE + offset, .length = length,
					.lkey = lkey };
	rq->ring->producer++;
	consumer_ring(judge.qp, rq->ring);
}

void judge_post(u8 opcode, u64 wr_id, u32 offset, u32 length, u32 stag, u64 to)
{
	judge_post_key(opcode, wr_id, offset, length, stag, to, judge.mr[JUDGE_RW]->key);
}

void judge_post_key(u8 opcode, u64 wr_id, u32 offset, u32 length, u32 stag, u64 to, u32 lkey)
{
	struct hca_queue *sq = &judge.qp->sq;
	struct hca_send_wqe *wqe = hca_queue_entry(sq, sq->ring->producer);
	struct hca_sge *sge = (struct hca_sge *)((u8 *)wqe + HCA_SEND_WQE_HEADER);

	memset(wqe, 0, sizeof(*wqe));
	wqe->wr_id = wr_id;
	wqe->opcode = opcode;
	wqe->flags = HCA_WQE_SIGNALED | judge.send_flags;
	wqe->invalidate_rkey = stag;
	wqe->num_sge = 1;
	wqe->rdma.remote_addr = to;
	wqe->rdma.rkey = stag;
	*sge = (struct hca_sge){ .addr = JUDGE_BASE + offset, .length = length, .lkey = lkey };
	sq->ring->producer++;
	consumer_ring(judge.qp, sq->ring);
	judge_exchange();
}

void judge_post_invalidate(u64 wr_id, u32 key)
{
	struct hca_queue *sq = &judge.qp->sq;
	struct hca_send_wqe *wqe = hca_queue_entry(sq, sq->ring->producer);

	memset(wqe, 0, sizeof(*wqe));
	wqe->wr_id = wr_id;
	wqe->opcode = IB_UVERBS_WR_LOCAL_INV;
	wqe->flags = HCA_WQE_SIGNALED;
	wqe->invalidate_rkey = key;
	sq->ring->producer++;
	consumer_ring(judge.qp, sq->ring);
	judge_exchange();
}

struct hca_cqe judge_expect(struct hca_cq *cq, u64 wr_id, enum ib_wc_status status)
{
	struct hca_cqe cqe;

	ck_assert_msg(consumer_poll_cq(cq, &cqe), "no completion of %lu", (unsigned long)wr_id);
	ck_assert_uint_eq(cqe.wr_id, wr_id);
	ck_assert_uint_eq(cqe.status, status);
	return cqe;
}

void judge_expect_none(struct hca_cq *cq)
{
	struct hca_cqe cqe;

	ck_assert(!consumer_poll_cq(cq, &cqe));
}

bool judge_is_untouched(void)
{
	bool is_same = !memcmp(judge.memory, judge.before, JUDGE_LENGTH);

	memcpy(judge.before, judge.memory, JUDGE_LENGTH);
	return is_same;
}

bool judge_fin(void)
{
	return atomic_read(&judge.model->stream.events) & HCA_STREAM_PEER_CLOSED;
}

bool judge_reset(void)
{
	return atomic_read(&judge.model->stream.events) & HCA_STREAM_LOST;
}
