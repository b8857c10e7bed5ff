// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include "link/port/port_init.h"
#include "link/state/state.h"
#include "packet/batch.h"
#include "pair.h"
#include "phy/cable.h"
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "transport/watch.h"

#define CONNECTED \
	.mtu = IB_MTU_1024, .send_wr = 128, .recv_wr = 128, .cqe = 1024, .psn = { 0xfffff0, 5 }
#define RELIABLE CONNECTED, .retry = 7, .rnr_retry = 7, .timeout = 14, .rd_atomic = 4

const struct pair_qp pair_rc = { .type = IB_QPT_RC, RELIABLE };
const struct pair_qp pair_rd = { .type = HCA_QPT_RD, RELIABLE };
const struct pair_qp pair_xrc = { .type = IB_QPT_XRC_INI, RELIABLE };
const struct pair_qp pair_uc = { .type = IB_QPT_UC, CONNECTED };

const struct pair_qp pair_ud = {
	.type = IB_QPT_UD,
	.mtu = IB_MTU_4096,
	.send_wr = 64,
	.recv_wr = 64,
	.cqe = 1024,
	.psn = { 1, 2 },
};

static struct pair *current;

static struct pair_end *end_of(const struct hca_port *port)
{
	return port->node == &current->end[0].ca.node ? &current->end[0] : &current->end[1];
}

static void pair_pass(struct hca_port *port, struct hca_packet *pkt)
{
	struct pair_end *end = end_of(port);

	if (current->filter && !current->filter(current, end - current->end, pkt)) {
		hca_packet_free(pkt);
		return;
	}
	end->received += pkt->packets;
	hca_transport_receive(port, pkt);
}

/*
 * Filters see single packets: a segment batch is split for them. A batch that cannot be split is
 * dropped.
 */
static void pair_receive(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_packet *first;

	while (current->filter && pkt->packets > 1) {
		first = hca_batch_split(pkt, 1);
		if (!first) {
			hca_packet_free(pkt);
			return;
		}
		pair_pass(port, first);
	}
	pair_pass(port, pkt);
}

static void pair_port_event(struct hca_port *port, enum hca_port_event event)
{
	end_of(port)->port_events[event]++;
}

static void pair_qp_event(struct hca_qp *qp, enum hca_qp_event event)
{
	((struct pair_end *)qp->context)->events[event]++;
}

void pair_srq_event(struct hca_srq *srq, enum hca_srq_event event)
{
	((struct pair_end *)srq->context)->srq_events[event]++;
}

static void pair_rd_eec_event(struct hca_rd_eec *rd_eec, enum hca_qp_event event)
{
	((struct pair_end *)rd_eec->context)->rd_eec_events[event]++;
}

static void pair_notify(struct hca_cq *cq)
{
	((struct pair_end *)cq->context)->notified++;
}

static void pair_cq_error(struct hca_cq *cq)
{
	((struct pair_end *)cq->context)->cq_errors++;
}

static const struct hca_port_ops pair_ops = {
	.receive = pair_receive,
	.receive_smp = pair_receive,
	.event = pair_port_event,
};

/*
 * The MR's pages are in a shuffled order, but some are one behind the other, and it begins in the
 * middle of one.
 */
#define PAIR_FIRST 1001
#define PAIR_PAGES (PAIR_MEMORY / PAGE_SIZE + 1)
#define PAIR_RUN 3 /* pages that are one behind the other */
#define PAIR_RUNS DIV_ROUND_UP(PAIR_PAGES, PAIR_RUN)

static void pair_register(struct pair_end *end)
{
	struct hca_tpt_entry mr = {
		.first_offset = PAIR_FIRST,
		.iova = 0x7f0000000000ull + PAIR_FIRST,
		.length = PAIR_MEMORY,
		.pd = end,
		.access = IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE |
			  IB_UVERBS_ACCESS_REMOTE_READ | IB_UVERBS_ACCESS_REMOTE_ATOMIC,
	};
	unsigned int i, at;

	end->backing = aligned_alloc(PAGE_SIZE, PAIR_RUNS * PAIR_RUN * PAGE_SIZE);
	memset(end->backing, 0, PAIR_RUNS * PAIR_RUN * PAGE_SIZE);
	mr.page = calloc(PAIR_PAGES, sizeof(*mr.page));
	for (i = 0; i < PAIR_PAGES; i++) {
		at = i / PAIR_RUN * 97 % PAIR_RUNS * PAIR_RUN + i % PAIR_RUN;
		mr.page[i] = end->backing + at * PAGE_SIZE;
	}
	end->entry = consumer_reg_mr(end->ci, &mr);
	ck_assert_ptr_nonnull(end->entry);
}

void pair_write(struct pair_end *end, u32 offset, const void *data, u32 length)
{
	consumer_access(end->entry->page, PAIR_FIRST + offset, (u8 *)data, length, true);
}

void pair_read(struct pair_end *end, u32 offset, void *data, u32 length)
{
	consumer_access(end->entry->page, PAIR_FIRST + offset, data, length, false);
}

u64 pair_addr(const struct pair_end *end, u32 offset)
{
	return end->entry->iova + offset;
}

static void pair_cq(struct pair_end *end, struct hca_cq *cq, const struct pair_qp *how)
{
	cq->notify = pair_notify;
	cq->error = pair_cq_error;
	cq->context = end;
	ck_assert_int_eq(hca_cq_init(cq, how->cqe, how->kernel), 0);
}

struct hca_qp *pair_qp_new(struct pair_end *end, const struct pair_qp *how, struct hca_srq *srq)
{
	struct hca_qp_init init = {
		.type = how->type,
		.port_num = 1, /* QP0 and QP1 */
		.kernel = how->kernel,
		.max_send_wr = how->send_wr,
		.max_recv_wr = how->type == IB_QPT_XRC_INI ? 0 : how->recv_wr,
		.max_send_sge = 4,
		.max_recv_sge = 4,
		.max_inline = 200,
		.pd = end,
		.srq = srq,
		.rdd = end,
		.send_cq = &end->send_cq,
		.recv_cq = &end->recv_cq,
		.owner = end,
		.context = end,
		.cookie = how->kernel ? (uintptr_t)end : 0,
	};
	struct hca_qp *qp = consumer_create_qp(end->ci, &init);

	ck_assert(!IS_ERR(qp));
	return qp;
}

struct hca_qp *pair_tgt_new(struct pair_end *end, const void *xrcd)
{
	struct hca_qp_init init = {
		.type = IB_QPT_XRC_TGT,
		.xrcd = xrcd,
		.owner = end,
		.context = end,
	};
	struct hca_qp *qp = consumer_create_qp(end->ci, &init);

	ck_assert(!IS_ERR(qp));
	return qp;
}

static void pair_xrc_init(struct pair_end *end, const struct pair_qp *how)
{
	end->srq.notify = pair_srq_event;
	end->srq.pd = end;
	end->srq.context = end;
	ck_assert_int_eq(hca_srq_init(&end->srq, how->recv_wr, 4, 0), 0);
	end->xrc_srq = hca_xrc_srq_publish(&end->ca, &end->srq, &end->recv_cq, end);
	ck_assert(!IS_ERR(end->xrc_srq));
	end->tgt = pair_tgt_new(end, end);
}

struct hca_qp *pair_create_qp(struct pair_end *end, const struct pair_qp *how)
{
	return pair_qp_new(end, how, NULL);
}

struct hca_rd_eec *pair_create_rd_eec(struct pair_end *end)
{
	struct hca_rd_eec_init init = { .rdd = end, .owner = end, .context = end };
	struct hca_rd_eec *rd_eec = hca_rd_eec_create(&end->ca, &init);

	ck_assert(!IS_ERR(rd_eec));
	return rd_eec;
}

static u8 pair_ports(const struct pair_qp *how)
{
	return how->ports ? how->ports : 1;
}

static void pair_end_init(struct pair_end *end, int which, const struct pair_qp *how)
{
	u8 port;

	ck_assert_int_eq(hca_ca_init(&end->ca), 0);
	end->ci = &end->ca.ci;
	end->ci->qp_event = pair_qp_event;
	end->ca.rd_eec_event = pair_rd_eec_event;
	end->ca.node.pool = &end->ca.pool;
	end->ca.node.type = RDMA_NODE_IB_CA;
	end->ca.node.num_ports = pair_ports(how);
	end->ca.node.ports = end->ports;
	for (port = 1; port <= pair_ports(how); port++) {
		u16 lid = pair_lid(which, port);

		ck_assert_int_eq(hca_node_init_port(&end->ports[port], &end->ca.node, port,
						    &pair_ops, cpu_to_be64(lid)),
				 0);
		end->ports[port].info.lid = lid;
	}
	pair_register(end);
	pair_cq(end, &end->send_cq, how);
	pair_cq(end, &end->recv_cq, how);
	end->qp = pair_qp_new(end, how, NULL);
	if (how->type == HCA_QPT_RD)
		end->rd_eec = pair_create_rd_eec(end);
	if (how->type == IB_QPT_XRC_INI)
		pair_xrc_init(end, how);
}

static struct hca_qp_attr pair_attr(const struct pair_qp *how, u32 number, u16 lid, u32 sq_psn,
				    u32 rq_psn)
{
	return (struct hca_qp_attr){
		.iba.port_num = 1,
		.iba.qkey = PAIR_QKEY,
		.access = IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ |
			  IB_UVERBS_ACCESS_REMOTE_ATOMIC,
		.iba.path_mtu = how->mtu,
		.iba.dest_qpn = number,
		.iba.rq_psn = rq_psn,
		.iba.sq_psn = sq_psn,
		.max_rd_atomic = how->rd_atomic,
		.max_dest_rd_atomic = how->rd_atomic,
		.iba.min_rnr_timer = 12,
		.iba.timeout = how->timeout,
		.iba.retry_cnt = how->retry,
		.iba.rnr_retry = how->rnr_retry,
		.iba.av = { .dlid = lid, .port_num = 1 },
	};
}

void pair_connect(struct hca_qp *qp, const struct pair_qp *how, u32 qpn, u16 lid, u32 sq_psn,
		  u32 rq_psn)
{
	struct hca_qp_attr attr = pair_attr(how, qpn, lid, sq_psn, rq_psn);

	for (attr.state = IB_QPS_INIT; attr.state <= IB_QPS_RTS; attr.state++)
		ck_assert_int_eq(
			hca_qp_modify(qp, &attr, consumer_qp_mask(qp->type, attr.state)), 0);
}

void pair_connect_rd_eec(struct hca_rd_eec *rd_eec, const struct pair_qp *how, u32 eecn,
			 u16 lid, u32 sq_psn, u32 rq_psn)
{
	struct hca_qp_attr attr = pair_attr(how, eecn, lid, sq_psn, rq_psn);

	for (attr.state = IB_QPS_INIT; attr.state <= IB_QPS_RTS; attr.state++)
		ck_assert_int_eq(
			hca_rd_eec_modify(rd_eec, &attr, consumer_rd_eec_mask(attr.state)), 0);
}

static void pair_join(struct pair *pair, const struct pair_qp *how, int i)
{
	struct pair_end *end = &pair->end[i], *peer = &pair->end[!i];
	u16 lid = pair_lid(!i, 1);

	if (end->tgt) {
		pair_connect(end->qp, how, peer->tgt->qpn, lid, how->psn[i], how->psn[i]);
		pair_connect(end->tgt, how, peer->qp->qpn, lid, how->psn[!i], how->psn[!i]);
		end->to_srqn = peer->xrc_srq->srqn;
		return;
	}
	pair_connect(end->qp, how, peer->qp->qpn, lid, how->psn[i], how->psn[!i]);
	if (!end->rd_eec)
		return;
	pair_connect_rd_eec(end->rd_eec, how, peer->rd_eec->eecn, lid, how->psn[i],
			    how->psn[!i]);
	end->to_eecn = end->rd_eec->eecn;
	end->to_qpn = peer->qp->qpn;
	end->to_qkey = PAIR_QKEY;
}

static void pair_connect_port(struct pair *pair, u8 port)
{
	u8 state;
	int i;

	ck_assert_int_eq(hca_cable_connect(&pair->end[0].ports[port], &pair->end[1].ports[port]),
			 0);
	for (state = IB_PORT_ARMED; state <= IB_PORT_ACTIVE; state++)
		for (i = 0; i < 2; i++)
			ck_assert_int_eq(hca_port_set_state(&pair->end[i].ports[port], state), 0);
}

struct pair *pair_new(const struct pair_qp *how)
{
	struct pair *pair = calloc(1, sizeof(*pair));
	u8 port;
	int i;

	shim_reset(1);
	current = pair;
	ck_assert_int_eq(hca_engine_start(), 0);
	ck_assert_int_eq(hca_watch_start(), 0);
	for (i = 0; i < 2; i++)
		pair_end_init(&pair->end[i], i, how);
	for (port = 1; port <= pair_ports(how); port++)
		pair_connect_port(pair, port);
	for (i = 0; i < 2; i++)
		pair_join(pair, how, i);
	return pair;
}

void pair_srq_gone(struct pair_end *end)
{
	hca_xrc_srq_withdraw(&end->ca, end->xrc_srq);
	hca_srq_destroy(&end->srq);
	end->xrc_srq = NULL;
}

static void pair_end_free(struct pair_end *end)
{
	void **page = end->entry->page;
	int i;

	if (end->qp)
		hca_qp_destroy(end->qp);
	for (i = 0; i < PAIR_MORE; i++)
		if (end->more[i])
			hca_qp_destroy(end->more[i]);
	if (end->rd_eec)
		hca_rd_eec_destroy(end->rd_eec);
	if (end->tgt)
		hca_qp_destroy(end->tgt);
	if (end->xrc_srq)
		pair_srq_gone(end);
	hca_cq_destroy(&end->send_cq);
	hca_cq_destroy(&end->recv_cq);
	hca_tpt_entry_remove(&end->ci->tpt, end->entry);
	free(page);
	free(end->backing);
}

void pair_free(struct pair *pair)
{
	u8 port, ports = pair->end[0].ca.node.num_ports;
	int i;

	for (i = 0; i < 2; i++)
		pair_end_free(&pair->end[i]);
	for (port = 1; port <= ports; port++)
		hca_cable_disconnect(&pair->end[0].ports[port]);
	pair_settle();
	for (i = 0; i < 2; i++)
		for (port = 1; port <= ports; port++)
			hca_port_destroy(&pair->end[i].ports[port]);
	for (i = 0; i < 2; i++)
		hca_ca_destroy(&pair->end[i].ca);
	hca_watch_stop();
	hca_engine_stop();
	free(pair);
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

struct hca_send_wqe *pair_wqe(struct pair_end *end, u64 wr_id, u8 opcode, u8 flags)
{
	struct hca_queue *sq = &end->qp->sq;
	struct hca_send_wqe *wqe = hca_queue_entry(sq, sq->ring->producer);

	ck_assert_uint_lt(sq->ring->producer - sq->ring->consumer, sq->entries);
	memset(wqe, 0, sq->stride);
	wqe->wr_id = wr_id;
	wqe->opcode = opcode;
	wqe->flags = flags;
	if (end->qp->type == HCA_QPT_RD) {
		wqe->rdma.eecn = end->to_eecn;
		wqe->rdma.remote_qpn = end->to_qpn;
		wqe->rdma.remote_qkey = end->to_qkey;
	} else if (end->qp->type == IB_QPT_XRC_INI) {
		wqe->rdma.remote_srqn = end->to_srqn;
	}
	return wqe;
}

void pair_sge(struct pair_end *end, struct hca_send_wqe *wqe, u32 offset, u32 length)
{
	struct hca_sge *sge = (void *)((u8 *)wqe + HCA_SEND_WQE_HEADER);

	sge += wqe->num_sge++;
	sge->addr = pair_addr(end, offset);
	sge->length = length;
	sge->lkey = end->entry->key;
}

void pair_post(struct pair_end *end)
{
	struct hca_ring *ring = end->qp->sq.ring;

	ring->producer++;
	consumer_ring(end->qp, ring);
}

static void pair_produce(struct pair_end *end, struct hca_queue *rq, u64 wr_id, u32 offset,
			 u32 length)
{
	struct hca_recv_wqe *wqe = hca_queue_entry(rq, rq->ring->producer);

	ck_assert_uint_lt(rq->ring->producer - rq->ring->consumer, rq->entries);
	wqe->wr_id = wr_id;
	wqe->num_sge = 1;
	wqe->sge[0].addr = pair_addr(end, offset);
	wqe->sge[0].length = length;
	wqe->sge[0].lkey = end->entry->key;
	rq->ring->producer++;
}

void pair_recv(struct pair_end *end, u64 wr_id, u32 offset, u32 length)
{
	struct hca_queue *rq = &end->qp->rq;

	if (end->xrc_srq) {
		pair_srq_recv(end, &end->srq, wr_id, offset, length);
		return;
	}
	pair_produce(end, rq, wr_id, offset, length);
	consumer_ring(end->qp, rq->ring);
}

void pair_srq_recv(struct pair_end *end, struct hca_srq *srq, u64 wr_id, u32 offset, u32 length)
{
	pair_produce(end, &srq->rq, wr_id, offset, length);
}

void pair_queue_is_full(struct pair_end *end, bool full)
{
	struct hca_vl_queue *queue = &end->ports[1].tx.vl_queue[0];

	queue->count += full ? HCA_VL_QUEUE_PACKETS : -HCA_VL_QUEUE_PACKETS;
}

bool pair_poll(struct hca_cq *cq, struct hca_cqe *cqe)
{
	return consumer_poll_cq(cq, cqe);
}

void pair_settle(void)
{
	shim_run_until_idle();
}

void pair_wait(unsigned int ms)
{
	shim_advance(ms * 1000000ull);
	shim_run_until_idle();
}

void pair_fill(struct pair_end *end, u32 offset, u32 length, unsigned int seed)
{
	u8 *data = malloc(length);
	u32 i;

	for (i = 0; i < length; i++)
		data[i] = (i * 2654435761u + seed * 40503u) >> 13;
	pair_write(end, offset, data, length);
	free(data);
}

bool pair_same(struct pair_end *a, u32 at_a, struct pair_end *b, u32 at_b, u32 length)
{
	u8 *one = malloc(length + 1), *two = malloc(length + 1);
	bool equal;

	pair_read(a, at_a, one, length);
	pair_read(b, at_b, two, length);
	equal = !memcmp(one, two, length);
	free(one);
	free(two);
	return equal;
}

void pair_expect(struct hca_cq *cq, u64 wr_id, enum ib_wc_status status)
{
	struct hca_cqe cqe;

	ck_assert(pair_poll(cq, &cqe));
	ck_assert_uint_eq(cqe.wr_id, wr_id);
	ck_assert_uint_eq(cqe.status, status);
}

void pair_expect_none(struct hca_cq *cq)
{
	struct hca_cqe cqe;

	ck_assert(!pair_poll(cq, &cqe));
}

void pair_rdma(struct pair_end *from, struct pair_end *to, u64 wr_id, u8 opcode, u8 flags,
		      u32 local, u32 remote, u32 length)
{
	struct hca_send_wqe *wqe = pair_wqe(from, wr_id, opcode, flags);

	wqe->rdma.remote_addr = pair_addr(to, remote);
	wqe->rdma.rkey = to->entry->key;
	wqe->imm_data = cpu_to_be32((u32)wr_id);
	pair_sge(from, wqe, local, length);
	pair_post(from);
}

void pair_send(struct pair_end *from, u64 wr_id, u8 flags, u32 local, u32 length)
{
	struct hca_send_wqe *wqe = pair_wqe(from, wr_id, IB_UVERBS_WR_SEND_WITH_IMM, flags);

	wqe->imm_data = cpu_to_be32((u32)wr_id);
	pair_sge(from, wqe, local, length);
	pair_post(from);
}

void pair_invalidate(struct pair_end *end, u64 wr_id, u32 key)
{
	pair_wqe(end, wr_id, IB_UVERBS_WR_LOCAL_INV, HCA_WQE_SIGNALED)->invalidate_rkey = key;
	pair_post(end);
}

void pair_rdma_by_key(struct pair_end *from, u64 wr_id, u8 opcode, u32 key, u64 addr, u32 length)
{
	struct hca_send_wqe *wqe = pair_wqe(from, wr_id, opcode, HCA_WQE_SIGNALED);

	wqe->rdma.remote_addr = addr;
	wqe->rdma.rkey = key;
	pair_sge(from, wqe, SRC, length);
	pair_post(from);
}
