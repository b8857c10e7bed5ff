/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Two ends in one process, each with its own context, memory and completion queues, and connections
 * between them. Both may be ends of one device.
 */
#ifndef HCA_TESTS_VERBS_PAIR_H
#define HCA_TESTS_VERBS_PAIR_H

#include "verbs_lab.h"

#define MR_LENGTH (4u << 20) /* octets of each end's memory, in one MR with all rights */
#define CQ_ENTRIES 16384
#define ALL_RIGHTS                                                                                 \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |               \
	 IBV_ACCESS_REMOTE_ATOMIC)
#define QKEY 0x11223344

struct end {
	struct ibv_context *context;
	struct ibv_port_attr port;
	union ibv_gid gid;
	struct ibv_pd *pd;
	struct ibv_comp_channel *channel; /* of recv_cq */
	struct ibv_cq *send_cq, *recv_cq;
	struct ibv_mr *mr;
	uint8_t *memory;
	struct ibv_srq *srq; /* shared receive queue of the queue pairs, or NULL */
	struct ibv_qp *qp; /* queue pair of the current connection */
};

struct pair {
	struct end a, b;
};

/* Attributes of a connection; default_setup has their usual values. */
struct setup {
	enum ibv_qp_type type;
	enum ibv_mtu mtu;
	uint32_t max_wr, max_sge, max_inline;
	int signal_all;
	int rights; /* access rights of the peer */
	uint8_t reads; /* outstanding reads and atomics in each direction */
	uint8_t timeout, retries, rnr_retries, rnr_timer;
	uint64_t send_ops; /* enum ibv_qp_create_send_ops_flags: what is posted by ibv_wr_start() */
};

static const struct setup default_setup = {
	.type = IBV_QPT_RC,
	.mtu = IBV_MTU_4096,
	.max_wr = 256,
	.max_sge = 8,
	.max_inline = 64,
	.rights = ALL_RIGHTS,
	.reads = 4,
	.timeout = 14,
	.retries = 7,
	.rnr_retries = 7,
	.rnr_timer = 6, /* 80 us */
};

/* Waits for the port to become Active, if there is a subnet manager. */
static inline bool port_is_active(struct end *end)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;

	do {
		if (!expect_ok(ibv_query_port(end->context, 1, &end->port), "query_port"))
			return false;
		if (end->port.state == IBV_PORT_ACTIVE && end->port.lid)
			return true;
		sleep_ms(100);
	} while (now_ms() < deadline);
	return expect(false, "port 1 of %s is %s with LID %#x",
		      ibv_get_device_name(end->context->device),
		      ibv_port_state_str(end->port.state), end->port.lid);
}

static inline void end_open(struct end *end, const char *name)
{
	end->context = must_open(name);
	if (!port_is_active(end) || ibv_query_gid(end->context, 1, 0, &end->gid))
		give_up("an active port");
	end->memory = aligned_alloc(4096, MR_LENGTH);
	end->pd = ibv_alloc_pd(end->context);
	end->channel = ibv_create_comp_channel(end->context);
	end->send_cq = ibv_create_cq(end->context, CQ_ENTRIES, NULL, NULL, 0);
	end->recv_cq = ibv_create_cq(end->context, CQ_ENTRIES, end, end->channel, 0);
	if (end->memory && end->pd)
		end->mr = ibv_reg_mr(end->pd, end->memory, MR_LENGTH, ALL_RIGHTS);
	if (!end->channel || !end->send_cq || !end->recv_cq || !end->mr)
		give_up("objects of one end");
}

static inline void end_close(struct end *end)
{
	expect_ok(ibv_dereg_mr(end->mr), "dereg_mr");
	expect_ok(ibv_destroy_cq(end->send_cq), "destroy_cq");
	expect_ok(ibv_destroy_cq(end->recv_cq), "destroy_cq");
	expect_ok(ibv_destroy_comp_channel(end->channel), "destroy_comp_channel");
	expect_ok(ibv_dealloc_pd(end->pd), "dealloc_pd");
	expect_ok(ibv_close_device(end->context), "close_device");
	free(end->memory);
}

/* Opens the two devices that argv names, by default hca0 and hca1. */
static inline void pair_open(struct pair *pair, int argc, char **argv)
{
	end_open(&pair->a, argc > 1 ? argv[1] : "hca0");
	end_open(&pair->b, argc > 2 ? argv[2] : argc > 1 ? argv[1] : "hca1");
}

static inline void pair_close(struct pair *pair)
{
	end_close(&pair->a);
	end_close(&pair->b);
	verdict("everything is given back");
}

static inline struct ibv_qp *end_create_qp(struct end *end, const struct setup *setup)
{
	struct ibv_qp_init_attr_ex init = {
		.send_cq = end->send_cq,
		.recv_cq = end->recv_cq,
		.srq = end->srq,
		.pd = end->pd,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.send_ops_flags = setup->send_ops,
		.cap = {
			.max_send_wr = setup->max_wr,
			.max_recv_wr = setup->max_wr,
			.max_send_sge = setup->max_sge,
			.max_recv_sge = setup->max_sge,
			.max_inline_data = setup->max_inline,
		},
		.qp_type = setup->type,
		.sq_sig_all = setup->signal_all,
	};

	if (setup->send_ops)
		init.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	return ibv_create_qp_ex(end->context, &init);
}

/* Returns an address of the other end; with a GRH if @grh. */
static inline struct ibv_ah_attr path_to(const struct end *to, bool grh)
{
	struct ibv_ah_attr attr = {
		.dlid = to->port.lid,
		.port_num = 1,
		.is_global = grh,
	};

	if (grh) {
		attr.grh.dgid = to->gid;
		attr.grh.hop_limit = 64;
		attr.grh.traffic_class = 0x5a;
		attr.grh.flow_label = 0x12345;
	}
	return attr;
}

static inline int to_init(struct ibv_qp *qp, const struct setup *setup)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = 1,
		.qkey = QKEY,
		.qp_access_flags = setup->rights,
	};

	return ibv_modify_qp(qp, &attr,
			     IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
				     (qp->qp_type == IBV_QPT_UD ? IBV_QP_QKEY :
								  IBV_QP_ACCESS_FLAGS));
}

/*
 * Attributes that connect to a peer; a reliable connection also has those of its responder and
 * requester. Of an extended one the target has the former and a time-out, the initiator the
 * latter.
 */
#define TO_PEER (IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN)
#define TO_ANSWER (IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER)
#define TO_ASK                                                                                     \
	(IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC)

static inline bool answers(enum ibv_qp_type type)
{
	return type == IBV_QPT_RC || type == IBV_QPT_XRC_RECV;
}

static inline bool asks(enum ibv_qp_type type)
{
	return type == IBV_QPT_RC || type == IBV_QPT_XRC_SEND;
}

static inline int to_rtr(struct ibv_qp *qp, const struct setup *setup, const struct end *peer,
			 uint32_t peer_qpn)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTR,
		.path_mtu = setup->mtu,
		.dest_qp_num = peer_qpn,
		.rq_psn = 0xfffff0, /* the PSN wraps soon */
		.max_dest_rd_atomic = setup->reads,
		.min_rnr_timer = setup->rnr_timer,
		.ah_attr = path_to(peer, false),
	};

	return ibv_modify_qp(qp, &attr,
			     IBV_QP_STATE | (qp->qp_type == IBV_QPT_UD ? 0 : TO_PEER) |
				     (answers(qp->qp_type) ? TO_ANSWER : 0));
}

static inline int to_rts(struct ibv_qp *qp, const struct setup *setup)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_RTS,
		.sq_psn = 0xfffff0,
		.timeout = setup->timeout,
		.retry_cnt = setup->retries,
		.rnr_retry = setup->rnr_retries,
		.max_rd_atomic = setup->reads,
	};

	return ibv_modify_qp(qp, &attr,
			     IBV_QP_STATE | IBV_QP_SQ_PSN |
				     (asks(qp->qp_type)		   ? TO_ASK :
				      qp->qp_type == IBV_QPT_XRC_RECV ? IBV_QP_TIMEOUT :
									0));
}

static inline int to_error(struct ibv_qp *qp)
{
	struct ibv_qp_attr attr = { .qp_state = IBV_QPS_ERR };

	return ibv_modify_qp(qp, &attr, IBV_QP_STATE);
}

static inline bool end_ready(struct end *end, const struct setup *setup, const struct end *peer,
			     uint32_t peer_qpn)
{
	return expect_ok(to_init(end->qp, setup), "to INIT") &&
	       expect_ok(to_rtr(end->qp, setup, peer, peer_qpn), "to RTR") &&
	       expect_ok(to_rts(end->qp, setup), "to RTS");
}

/* Creates queue pairs at both ends in RTS; connected types are connected to each other. */
static inline bool pair_connect(struct pair *pair, const struct setup *setup)
{
	pair->a.qp = end_create_qp(&pair->a, setup);
	expect_made(pair->a.qp, "create_qp");
	pair->b.qp = end_create_qp(&pair->b, setup);
	expect_made(pair->b.qp, "create_qp");
	return pair->a.qp && pair->b.qp &&
	       end_ready(&pair->a, setup, &pair->b, pair->b.qp->qp_num) &&
	       end_ready(&pair->b, setup, &pair->a, pair->a.qp->qp_num);
}

/* Destroys the queue pairs, also after a failed pair_connect(), and discards their completions. */
static inline void pair_disconnect(struct pair *pair)
{
	if (pair->a.qp)
		expect_ok(ibv_destroy_qp(pair->a.qp), "destroy_qp");
	if (pair->b.qp)
		expect_ok(ibv_destroy_qp(pair->b.qp), "destroy_qp");
	pair->a.qp = pair->b.qp = NULL;
	poll_all(pair->a.send_cq);
	poll_all(pair->a.recv_cq);
	poll_all(pair->b.send_cq);
	poll_all(pair->b.recv_cq);
}

static inline struct ibv_sge sge_of(const struct end *end, uint32_t offset, uint32_t length)
{
	return (struct ibv_sge){
		.addr = (uintptr_t)end->memory + offset,
		.length = length,
		.lkey = end->mr->lkey,
	};
}

/* Posts a receive request for @length octets at @offset of the end's memory. */
static inline bool post_recv(struct end *end, uint64_t wr_id, uint32_t offset, uint32_t length)
{
	struct ibv_sge sge = sge_of(end, offset, length);
	struct ibv_recv_wr wr = { .wr_id = wr_id, .sg_list = &sge, .num_sge = 1 }, *bad;

	if (end->srq)
		return expect_ok(ibv_post_srq_recv(end->srq, &wr, &bad), "post_srq_recv");
	return expect_ok(ibv_post_recv(end->qp, &wr, &bad), "post_recv");
}

/*
 * Returns a Send of @length octets at @offset, which the caller may change and posts by post_wr().
 */
static inline struct ibv_send_wr send_wr(uint64_t wr_id, struct ibv_sge *sge)
{
	return (struct ibv_send_wr){
		.wr_id = wr_id,
		.sg_list = sge,
		.num_sge = sge ? 1 : 0,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
	};
}

/* Returns an RDMA request with @opcode to @offset of the peer's memory. */
static inline struct ibv_send_wr rdma_wr(uint64_t wr_id, enum ibv_wr_opcode opcode,
					 struct ibv_sge *sge, const struct end *peer,
					 uint32_t offset)
{
	struct ibv_send_wr wr = send_wr(wr_id, sge);

	wr.opcode = opcode;
	wr.wr.rdma.remote_addr = (uintptr_t)peer->memory + offset;
	wr.wr.rdma.rkey = peer->mr->rkey;
	return wr;
}

static inline bool post_wr(struct end *end, struct ibv_send_wr *wr)
{
	struct ibv_send_wr *bad;

	return expect_ok(ibv_post_send(end->qp, wr, &bad), "post_send");
}

static inline bool post_send(struct end *end, uint64_t wr_id, uint32_t offset, uint32_t length)
{
	struct ibv_sge sge = sge_of(end, offset, length);
	struct ibv_send_wr wr = send_wr(wr_id, &sge);

	return post_wr(end, &wr);
}

/* Expects the next completion to be this one. */
static inline bool completes(struct ibv_cq *cq, uint64_t wr_id, enum ibv_wc_status status,
			     struct ibv_wc *wc)
{
	memset(wc, 0xee, sizeof(*wc));
	return expect(collect(cq, wc, 1, PATIENCE_MS) == 1, "no completion for %#llx",
		      (unsigned long long)wr_id) &&
	       expect_wc(wc, wr_id, status);
}

/*
 * A request of the first end, with @length octets at @offset of its memory, by a key of the second
 * end's, at @address. It ends with @status. A fetch-and-add adds 7.
 */
static inline bool pair_request(struct pair *pair, enum ibv_wr_opcode opcode, uint32_t offset,
				uint32_t length, uint32_t rkey, uint64_t address,
				enum ibv_wc_status status)
{
	struct ibv_sge sge = sge_of(&pair->a, offset, length);
	struct ibv_send_wr wr = rdma_wr(5, opcode, &sge, &pair->b, 0);
	struct ibv_wc wc;

	if (opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		wr.wr.atomic.remote_addr = address;
		wr.wr.atomic.rkey = rkey;
		wr.wr.atomic.compare_add = 7;
	} else {
		wr.wr.rdma.remote_addr = address;
		wr.wr.rdma.rkey = rkey;
	}
	return post_wr(&pair->a, &wr) && completes(pair->a.send_cq, 5, status, &wc);
}

/* Waits until another thread has counted to @least, however busy the machine is. */
static inline bool has_counted(const unsigned int *count, unsigned int least, const char *what)
{
	unsigned int ms;

	for (ms = 0; ms < PATIENCE_MS; ms++) {
		if (__atomic_load_n(count, __ATOMIC_RELAXED) >= least)
			return true;
		sleep_ms(1);
	}
	return expect(false, "only %u %s", *count, what);
}

static inline bool silent(struct ibv_cq *cq, const char *what)
{
	struct ibv_wc wc = {};

	return expect(!collect(cq, &wc, 1, SILENCE_MS), "%s completes with %s", what,
		      ibv_wc_status_str(wc.status));
}

#endif
