// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The RNIC of the fuzzers: its parts, its ULP, and its end (see rnic.h). */
#include "tests/fuzz/iwarp/rnic.h"
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/slab.h>
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "tests/fuzz/iwarp/oracle.h"

#define TPT_ENTRIES 64
#define QPN_BITS 4
#define LOCAL_WRITE IB_UVERBS_ACCESS_LOCAL_WRITE
#define REMOTE_WRITE IB_UVERBS_ACCESS_REMOTE_WRITE
#define REMOTE_READ IB_UVERBS_ACCESS_REMOTE_READ
#define ALL_RIGHTS (LOCAL_WRITE | REMOTE_WRITE | REMOTE_READ)

struct fuzz fuzz;
static char other_pd; /* its address is another protection domain */
static u8 memory[FUZZ_MRS][FUZZ_MEMORY] __attribute__((aligned(PAGE_SIZE)));

static const u32 mr_access[FUZZ_MRS] = {
	[FUZZ_RW] = ALL_RIGHTS,
	[FUZZ_RO] = REMOTE_READ,
	[FUZZ_WO] = LOCAL_WRITE | REMOTE_WRITE,
	[FUZZ_LOCAL] = LOCAL_WRITE,
	[FUZZ_OTHER] = ALL_RIGHTS,
	[FUZZ_FAST] = ALL_RIGHTS,
	[FUZZ_END] = ALL_RIGHTS,
};

static void fuzz_cq_notify(struct hca_cq *cq) { }
static void fuzz_cq_error(struct hca_cq *cq) { }
static void fuzz_srq_event(struct hca_srq *srq, enum hca_srq_event event) { }

static void fuzz_qp_event(struct hca_qp *qp, enum hca_qp_event event)
{
	fuzz_require(qp == fuzz.qp && !fuzz.is_destroyed);
	fuzz.events[event]++;
}

/* The orders of events: nothing follows the end, and each event is reported once (endpoint.h). */
static bool fuzz_is_in_order(enum hca_endpoint_event event)
{
	const unsigned int *reported = fuzz.reported;

	switch (event) {
	case HCA_ENDPOINT_CONNECT_REPLY:
		return fuzz.is_initiator;
	case HCA_ENDPOINT_ESTABLISHED:
		return reported[HCA_ENDPOINT_CONNECT_REQUEST];
	case HCA_ENDPOINT_DISCONNECT:
		return reported[HCA_ENDPOINT_ESTABLISHED] ||
		       (reported[HCA_ENDPOINT_CONNECT_REPLY] && !fuzz.reply_status);
	case HCA_ENDPOINT_CLOSE:
		return fuzz.is_initiator ? reported[HCA_ENDPOINT_CONNECT_REPLY] :
		       reported[HCA_ENDPOINT_ESTABLISHED] || !fuzz.is_accepted;
	default:
		return !fuzz.is_initiator;
	}
}

static void fuzz_reported(struct hca_endpoint *ep, enum hca_endpoint_event event)
{
	fuzz_require(ep == &fuzz.ep && !fuzz.reported[HCA_ENDPOINT_CLOSE]);
	fuzz_require(fuzz_is_in_order(event));
	fuzz_require(!fuzz.reported[event]++);
	if (event == HCA_ENDPOINT_CONNECT_REPLY)
		fuzz.reply_status = ep->reply_status;
	if (event == HCA_ENDPOINT_CLOSE)
		fuzz.close_status = ep->close_status;
}

u64 fuzz_address(u8 mr, u32 offset)
{
	u64 last = mr == FUZZ_END ? 0 : 0x100000ull * (mr + 1);

	return last - FUZZ_LENGTH + offset;
}

static void fuzz_register(u8 mr)
{
	struct hca_tpt_entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	u32 i;

	for (i = 0; i < FUZZ_PAGES; i++)
		fuzz.page[mr][i] = memory[mr] + i * PAGE_SIZE;
	entry->kind = mr == FUZZ_FAST ? HCA_TPT_FAST_MR : HCA_TPT_MR;
	entry->access = mr_access[mr];
	entry->pd = mr == FUZZ_OTHER ? (void *)&other_pd : (void *)&fuzz;
	entry->iova = fuzz_address(mr, 0);
	entry->length = FUZZ_LENGTH;
	entry->first_offset = FUZZ_FIRST;
	entry->page = fuzz.page[mr];
	fuzz_require(!hca_tpt_entry_add(&fuzz.rnic.ci.tpt, entry));
	fuzz.mr[mr] = entry;
}

void fuzz_deregister(u8 mr)
{
	if (fuzz.mr[mr])
		fuzz_require(!hca_tpt_entry_remove(&fuzz.rnic.ci.tpt, fuzz.mr[mr]));
	fuzz.mr[mr] = NULL;
}

static void fuzz_init_cq(struct hca_cq *cq)
{
	cq->notify = fuzz_cq_notify;
	cq->error = fuzz_cq_error;
	fuzz_require(!hca_cq_init(cq, fuzz.has_small_cq ? 2 : 4 * FUZZ_ENTRIES, false));
}

static int fuzz_init_qp(void)
{
	struct hca_qp_attr attr = { .state = IB_QPS_INIT, .access = fuzz.access };

	return hca_qp_modify(fuzz.qp, &attr, IB_QP_STATE | IB_QP_ACCESS_FLAGS);
}

static void fuzz_create_qp(bool kernel)
{
	const struct hca_qp_init init = {
		.type = IB_QPT_RC, .max_send_wr = FUZZ_ENTRIES, .max_recv_wr = FUZZ_ENTRIES,
		.max_send_sge = 2, .max_recv_sge = 1, .max_inline = 64, .pd = &fuzz,
		.srq = fuzz.with_srq ? &fuzz.srq : NULL, .send_cq = &fuzz.send_cq,
		.recv_cq = &fuzz.recv_cq, .owner = &fuzz, .kernel = kernel,
	};

	fuzz.qp = consumer_create_qp(&fuzz.rnic.ci, &init);
	fuzz_require(!IS_ERR(fuzz.qp));
	fuzz.it = hca_iwarp_qp_of(fuzz.qp);
	fuzz_require(!fuzz_init_qp());
	fuzz.run = fuzz.qp->common.run.run;
	fuzz.qp->common.run.run = fuzz_run;
}

/* The tables of hca_rnic_init() have so many places that it takes long to clear them. */
static void fuzz_init_rnic(struct hca_rnic *rnic)
{
	if (!rnic->ci.ops) {
		rnic->ci.qp_event = fuzz_qp_event;
		fuzz_require(!hca_rnic_init(rnic));
		hca_ci_destroy(&rnic->ci);
	}
	memset(&rnic->ci.tpt, 0, sizeof(rnic->ci.tpt));
	memset(&rnic->ci.qps, 0, sizeof(rnic->ci.qps));
	fuzz_require(!hca_tpt_init(&rnic->ci.tpt, TPT_ENTRIES));
	fuzz_require(!hca_id_table_init(&rnic->ci.qps, QPN_BITS, 2));
	rnic->removed = false;
	memset(rnic->count, 0, sizeof(rnic->count));
}

/* Octet 0: options of the RNIC; octet 1: of the queue pair. */
static void fuzz_begin_rnic(struct fuzz_input *in)
{
	struct hca_rnic_options *options = &fuzz.rnic.options;
	u8 how = fuzz_octet(in), qp = fuzz_octet(in), mr;

	fuzz_init_rnic(&fuzz.rnic);
	options->crc = !(how & 0x01);
	options->markers = how & 0x02;
	options->strict = !(how & 0x04);
	options->idle_after_close = how & 0x08;
	options->revision = how & 0x10 ? 1 : 2;
	options->rtr = how >> 5;
	fuzz.with_srq = qp & 0x01;
	fuzz.has_small_cq = qp & 0x02;
	fuzz.access = qp & 0x04 ? 0 : REMOTE_WRITE | REMOTE_READ;
	for (mr = 0; mr < FUZZ_MRS; mr++)
		fuzz_register(mr);
	fuzz_init_cq(&fuzz.send_cq);
	fuzz_init_cq(&fuzz.recv_cq);
	fuzz.srq.notify = fuzz_srq_event;
	fuzz.srq.pd = &fuzz;
	if (fuzz.with_srq)
		fuzz_require(!hca_srq_init(&fuzz.srq, FUZZ_ENTRIES, 1, 0));
	fuzz_create_qp(qp & 0x08);
}

/* Octet 2: options of the stream. */
static void fuzz_begin_stream(struct fuzz_input *in)
{
	u8 how = fuzz_octet(in);
	const struct sim_stream_options options = {
		.seed = how,
		.window = how & 0x01 ? 1000 : 0,
		.buffer = how & 0x02 ? 600 : 0,
		.mss = how & 0x04 ? 536 : 0,
		.again = how & 0x08 ? 4 : 0,
		.segment = how & 0x10 ? 100 : 0,
		.contiguous = how & 0x20,
		.early = how & 0x40,
		.overtakes = how & 0x80,
	};

	sim_stream_open(&fuzz.pair, &options);
	fuzz.model = &fuzz.pair.end[0];
	fuzz.core = &fuzz.pair.end[1];
	hca_endpoint_init(&fuzz.ep, &fuzz.rnic, &fuzz.core->stream, fuzz_reported);
}

void fuzz_begin(struct fuzz_input *in)
{
	int i;

	memset((u8 *)&fuzz + sizeof(fuzz.rnic), 0, sizeof(fuzz) - sizeof(fuzz.rnic));
	shim_reset(1);
	fuzz_require(!hca_engine_start());
	fuzz_begin_rnic(in);
	fuzz_begin_stream(in);
	for (i = 0; i < 3; i++)
		fuzz.msn[i] = 1;
	memset(memory, 0x5a, sizeof(memory));
	fuzz_oracle_begin(memory);
}

/* The model reads after each step, since a RST would discard what it has not read. */
void fuzz_settle(void)
{
	u8 octets[4096];
	u32 length, steps = 0;
	bool busy;

	fuzz.runs = 0;
	do {
		busy = sim_stream_step(&fuzz.pair);
		shim_run_until_idle();
		length = fuzz.is_stalled ? 0 :
			 sim_stream_read(fuzz.model, octets, sizeof(octets));
		fuzz_require(steps++ < 100000);
	} while (length || busy);
	fuzz_check();
}

void fuzz_send(const u8 *octets, u32 length, u8 cut)
{
	u32 now;

	fuzz.position += length;
	for (; length; length -= now, octets += now) {
		now = cut ? min_t(u32, length, cut) : length;
		sim_stream_write(fuzz.model, octets, now);
		fuzz_settle();
	}
}

int fuzz_modify(enum ib_qp_state state)
{
	struct hca_qp_attr attr = { .state = state };
	int ret = hca_qp_modify(fuzz.qp, &attr, IB_QP_STATE);

	if (ret)
		return ret;
	fuzz.is_modified = true;
	if (state != IB_QPS_RESET)
		return 0;
	fuzz_oracle_reset();
	return fuzz_init_qp();
}

static u32 fuzz_key(u8 mr)
{
	return fuzz.mr[mr] ? fuzz.mr[mr]->key : 0x12345678;
}

const struct fuzz_request *fuzz_oldest_read(void)
{
	u32 i;

	for (i = fuzz.sends.completed; i < fuzz.sends.posted; i++)
		if (fuzz.sends.request[i].is_read)
			return &fuzz.sends.request[i];
	return NULL;
}

/* Note a request's range. Returns NULL if a queue has no place. */
static struct fuzz_request *fuzz_note(struct fuzz_queue *queue, struct fuzz_input *in)
{
	struct fuzz_request *request = &queue->request[queue->posted];

	if (queue->posted == FUZZ_REQUESTS || queue->posted - queue->completed == FUZZ_ENTRIES)
		return NULL;
	queue->posted++;
	request->mr = fuzz_octet(in) % FUZZ_MRS;
	request->offset = fuzz_number(in, 2) % FUZZ_LENGTH;
	request->length = fuzz_number(in, 2) % (FUZZ_LENGTH - request->offset + 1);
	return request;
}

static void fuzz_sge(struct hca_sge *sge, const struct fuzz_request *request)
{
	*sge = (struct hca_sge){
		.addr = fuzz_address(request->mr, request->offset), .length = request->length,
		.lkey = fuzz_key(request->mr),
	};
}

/* Whether a request may change its range, by the rights that this needs. */
static bool fuzz_may_change(const struct fuzz_request *request, u32 needed)
{
	u32 access = mr_access[request->mr] & (fuzz.access | ~REMOTE_WRITE);

	return fuzz.mr[request->mr] && request->mr != FUZZ_OTHER && (access & needed) == needed;
}

void fuzz_post_recv(struct fuzz_input *in)
{
	struct hca_queue *rq = fuzz.with_srq ? &fuzz.srq.rq : &fuzz.qp->rq;
	struct hca_recv_wqe *wqe = hca_queue_entry(rq, rq->ring->producer);
	struct fuzz_request *request = fuzz_note(&fuzz.recvs, in);

	if (!request)
		return;
	wqe->wr_id = request - fuzz.recvs.request;
	wqe->num_sge = 1;
	fuzz_sge(&wqe->sge[0], request);
	request->may_change = fuzz_may_change(request, LOCAL_WRITE);
	fuzz_oracle_posted(request);
	rq->ring->producer++;
	consumer_ring(fuzz.qp, rq->ring);
}

static const u8 send_opcodes[] = {
	IB_UVERBS_WR_SEND, IB_UVERBS_WR_RDMA_WRITE, IB_UVERBS_WR_RDMA_READ,
	IB_UVERBS_WR_SEND_WITH_INV, IB_UVERBS_WR_RDMA_READ_WITH_INV, IB_UVERBS_WR_LOCAL_INV,
	IB_UVERBS_WR_RDMA_READ, IB_UVERBS_WR_BIND_MW,
};

/* An octet selects the opcode, fence, solicited event, and a second SGE. */
void fuzz_post_send(struct fuzz_input *in)
{
	struct hca_queue *sq = &fuzz.qp->sq;
	struct hca_send_wqe *wqe = hca_queue_entry(sq, sq->ring->producer);
	struct hca_sge *sge = (struct hca_sge *)((u8 *)wqe + HCA_SEND_WQE_HEADER);
	struct fuzz_request *request = fuzz_note(&fuzz.sends, in);
	u8 how = fuzz_octet(in);

	if (!request)
		return;
	memset(wqe, 0, sizeof(*wqe));
	wqe->wr_id = request - fuzz.sends.request;
	wqe->opcode = send_opcodes[how % ARRAY_SIZE(send_opcodes)];
	wqe->flags = HCA_WQE_SIGNALED | (how & 0x08 ? HCA_WQE_FENCE : 0) |
		     (how & 0x10 ? HCA_WQE_SOLICITED : 0);
	wqe->num_sge = how & 0x20 ? 2 : !!request->length;
	wqe->invalidate_rkey = fuzz_key(request->mr);
	fuzz_sge(&sge[0], request);
	fuzz_sge(&sge[1], request);
	request->is_read = wqe->opcode == IB_UVERBS_WR_RDMA_READ ||
			   wqe->opcode == IB_UVERBS_WR_RDMA_READ_WITH_INV;
	if (wqe->opcode != IB_UVERBS_WR_LOCAL_INV) {
		wqe->rdma.remote_addr = 0x10000;
		wqe->rdma.rkey = 0x1234;
	}
	request->may_change = request->is_read &&
		fuzz_may_change(request, fuzz.rnic.options.strict ? REMOTE_WRITE : LOCAL_WRITE);
	fuzz_oracle_posted(request);
	sq->ring->producer++;
	consumer_ring(fuzz.qp, sq->ring);
}

/* The ULP and the peer end what is left. */
static void fuzz_end_connection(void)
{
	const struct hca_connect none = { .ird = 0 };

	fuzz.is_stalled = false;
	shim_fail_alloc(0);
	if (fuzz.ep.state == HCA_STARTUP_WAIT_ULP)
		hca_startup_reject(&fuzz.ep, &none);
	fuzz_settle();
	if (!fuzz.model->is_lost && !fuzz.model->is_closed_raised)
		fuzz.model->stream.ops->reset(&fuzz.model->stream);
	fuzz_settle();
	shim_advance(20 * 1000000000ull);
	fuzz_settle();
}

void fuzz_end(void)
{
	u8 mr;

	fuzz_end_connection();
	fuzz_check_end();
	if (!fuzz.is_destroyed) {
		fuzz_modify(IB_QPS_ERR);
		fuzz_settle();
		fuzz_check_flushed();
		fuzz.is_destroyed = true;
		hca_qp_destroy(fuzz.qp);
	}
	fuzz_check();
	hca_endpoint_destroy(&fuzz.ep);
	fuzz.core->is_released = true;
	sim_stream_free(&fuzz.pair);
	if (fuzz.with_srq)
		hca_srq_destroy(&fuzz.srq);
	for (mr = 0; mr < FUZZ_MRS; mr++)
		fuzz_deregister(mr);
	hca_cq_destroy(&fuzz.send_cq);
	hca_cq_destroy(&fuzz.recv_cq);
	hca_ci_destroy(&fuzz.rnic.ci);
	hca_engine_stop();
	shim_quiesce();
	fuzz_require(!shim_live_allocations());
}
