// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_wr [DEVICE [DEVICE]]
 * Checks posting by ibv_wr_start() and its companions: which functions queue pairs have, what
 * arrives, and that a list with an error is not posted at all. Runs in the guest; ports are Active.
 */
#include "verbs_pair.h"

#define SENDS (IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM)
#define WRITES (IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM)
#define DEPTH 8

static struct pair pair;

static struct ibv_qp *make(struct end *end, enum ibv_qp_type type, uint64_t ops, uint32_t mask)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = end->send_cq,
		.recv_cq = end->recv_cq,
		.cap = { .max_send_wr = DEPTH, .max_recv_wr = 64, .max_send_sge = 2,
			 .max_recv_sge = 2, .max_inline_data = 64 },
		.qp_type = type,
		.pd = end->pd,
		.comp_mask = mask,
		.send_ops_flags = ops,
	};

	return ibv_create_qp_ex(end->context, &attr);
}

#define MASK (IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS)

static bool connect_ends(enum ibv_qp_type type, uint64_t ops)
{
	struct setup setup = default_setup;

	setup.type = type;
	pair.a.qp = make(&pair.a, type, ops, MASK);
	expect_made(pair.a.qp, "create_qp_ex");
	pair.b.qp = make(&pair.b, type, ops, MASK);
	expect_made(pair.b.qp, "create_qp_ex");
	return pair.a.qp && pair.b.qp &&
	       end_ready(&pair.a, &setup, &pair.b, pair.b.qp->qp_num) &&
	       end_ready(&pair.b, &setup, &pair.a, pair.a.qp->qp_num);
}

static struct ibv_qp_ex *begin(uint64_t wr_id)
{
	struct ibv_qp_ex *ex = ibv_qp_to_qp_ex(pair.a.qp);

	ibv_wr_start(ex);
	ex->wr_id = wr_id;
	ex->wr_flags = IBV_SEND_SIGNALED;
	return ex;
}

static void sge(struct ibv_qp_ex *ex, uint32_t offset, uint32_t length)
{
	struct ibv_sge segment = sge_of(&pair.a, offset, length);

	ibv_wr_set_sge(ex, segment.lkey, segment.addr, segment.length);
}

static void refused(enum ibv_qp_type type, uint64_t ops, uint32_t mask, int error, const char *what)
{
	struct ibv_qp *qp = make(&pair.a, type, ops, mask);

	expect_refused(qp, error, what);
	if (qp)
		ibv_destroy_qp(qp);
}

static void flagged(enum ibv_qp_type type, uint32_t flags, int error)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = pair.a.send_cq,
		.recv_cq = pair.a.recv_cq,
		.cap = { .max_send_wr = DEPTH, .max_send_sge = 1 },
		.qp_type = type,
		.pd = pair.a.pd,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_CREATE_FLAGS,
		.create_flags = flags,
	};
	struct ibv_qp *qp = ibv_create_qp_ex(pair.a.context, &attr);

	expect_refused(qp, error, "creation flags");
	if (qp)
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
}

static void granting(void)
{
	struct ibv_qp *qp;

	refused(IBV_QPT_UD, IBV_QP_EX_WITH_RDMA_READ, MASK, EOPNOTSUPP, "a read by datagram");
	refused(IBV_QPT_UD, IBV_QP_EX_WITH_RDMA_WRITE, MASK, EOPNOTSUPP, "a write by datagram");
	refused(IBV_QPT_RC, IBV_QP_EX_WITH_TSO, MASK, EOPNOTSUPP, "TSO");
	refused(IBV_QPT_RC, 1ull << 40, MASK, EOPNOTSUPP, "an operation that there is not");
	refused(IBV_QPT_RC, SENDS, MASK | IBV_QP_INIT_ATTR_MAX_TSO_HEADER, EOPNOTSUPP,
		"a TSO header");
	refused(IBV_QPT_RC, SENDS, IBV_QP_INIT_ATTR_SEND_OPS_FLAGS, EINVAL, "no protection domain");
	refused(IBV_QPT_DRIVER, 0, MASK, EINVAL, "a driver's type without its part");
	refused(IBV_QPT_DRIVER, SENDS, MASK, EOPNOTSUPP, "what a driver's type may do, unknown");
	verdict("create_qp_ex refuses what there is not");
	flagged(IBV_QPT_UD, IBV_QP_CREATE_BLOCK_SELF_MCAST_LB, 0);
	flagged(IBV_QPT_UD, 0, 0);
	flagged(IBV_QPT_RC, 0, 0);
	flagged(IBV_QPT_RC, IBV_QP_CREATE_BLOCK_SELF_MCAST_LB, EINVAL);
	flagged(IBV_QPT_UC, IBV_QP_CREATE_BLOCK_SELF_MCAST_LB, EINVAL);
	flagged(IBV_QPT_UD, IBV_QP_CREATE_SCATTER_FCS, EOPNOTSUPP);
	flagged(IBV_QPT_UD, IBV_QP_CREATE_SOURCE_QPN, EOPNOTSUPP);
	flagged(IBV_QPT_UD, IBV_QP_CREATE_PCI_WRITE_END_PADDING, EOPNOTSUPP);
	flagged(IBV_QPT_UD, 1u << 31, EOPNOTSUPP);
	verdict("create_qp_ex takes the flag that has a meaning here, of the type that it has");

	qp = make(&pair.a, IBV_QPT_RC, 0, IBV_QP_INIT_ATTR_PD);
	if (expect_made(qp, "create_qp_ex")) {
		expect(!ibv_qp_to_qp_ex(qp), "a queue pair without operations has them");
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	}
	qp = make(&pair.a, IBV_QPT_RC, SENDS, MASK);
	if (expect_made(qp, "create_qp_ex")) {
		expect(ibv_qp_to_qp_ex(qp) == (struct ibv_qp_ex *)qp, "no struct ibv_qp_ex");
		expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	}
	verdict("ibv_qp_to_qp_ex() knows which queue pairs have operations");
}

/* Posts one list of four Sends, each with another way to set its data. */
static void sends(void)
{
	uint8_t *from = pair.a.memory, *to = pair.b.memory;
	struct ibv_data_buf bufs[2] = { { from + 300, 10 }, { from + 400, 20 } };
	struct ibv_sge sges[2] = { sge_of(&pair.a, 5000, 3000), sge_of(&pair.a, 100, 1) };
	struct ibv_qp_ex *ex;
	struct ibv_wc wc;
	uint32_t i;

	for (i = 0; i < 10000; i++)
		from[i] = i * 7 + i / 256;
	memset(to, 0, 50000);
	for (i = 0; i < 5; i++)
		post_recv(&pair.b, i, i * 10000, 10000);
	ex = begin(10);
	ibv_wr_send(ex);
	sge(ex, 0, 5000);
	ex->wr_id = 11;
	ibv_wr_send_imm(ex, htobe32(0xabcd));
	ibv_wr_set_inline_data(ex, from + 200, 64);
	ex->wr_id = 12;
	ibv_wr_send(ex);
	ibv_wr_set_sge_list(ex, 2, sges);
	ex->wr_id = 13;
	ibv_wr_send(ex);
	ibv_wr_set_inline_data_list(ex, 2, bufs);
	ex->wr_id = 14;
	ibv_wr_send(ex);
	expect_value(poll_all(pair.b.recv_cq), 0, "completions before ibv_wr_complete()");
	expect_ok(ibv_wr_complete(ex), "wr_complete");
	for (i = 0; i < 5; i++)
		completes(pair.a.send_cq, 10 + i, IBV_WC_SUCCESS, &wc);
	completes(pair.b.recv_cq, 0, IBV_WC_SUCCESS, &wc);
	expect_value(wc.byte_len, 5000, "byte_len");
	expect(!memcmp(to, from, 5000), "other data from an SGE");
	completes(pair.b.recv_cq, 1, IBV_WC_SUCCESS, &wc);
	expect_value(wc.byte_len, 64, "byte_len");
	expect_value(be32toh(wc.imm_data), 0xabcd, "immediate data");
	expect(!memcmp(to + 10000, from + 200, 64), "other data from inline data");
	completes(pair.b.recv_cq, 2, IBV_WC_SUCCESS, &wc);
	expect_value(wc.byte_len, 3001, "byte_len");
	expect(!memcmp(to + 20000, from + 5000, 3000) && to[23000] == from[100],
	       "other data from a list of SGEs");
	completes(pair.b.recv_cq, 3, IBV_WC_SUCCESS, &wc);
	expect_value(wc.byte_len, 30, "byte_len");
	expect(!memcmp(to + 30000, from + 300, 10) && !memcmp(to + 30010, from + 400, 20),
	       "other data from a list of inline data");
	completes(pair.b.recv_cq, 4, IBV_WC_SUCCESS, &wc);
	expect_value(wc.byte_len, 0, "byte_len");
	verdict("one list of sends: SGE, SGEs, inline data, a list of it, nothing (V3-267)");
}

static void rdma(void)
{
	uint64_t there = (uintptr_t)pair.b.memory;
	uint32_t rkey = pair.b.mr->rkey;
	struct ibv_qp_ex *ex;
	struct ibv_wc wc;

	memset(pair.a.memory, 0x5a, 4096);
	memset(pair.a.memory + 8192, 0, 8192);
	memset(pair.b.memory, 0, 8192);
	post_recv(&pair.b, 7, 0, 0);
	ex = begin(20);
	ibv_wr_rdma_write(ex, rkey, there);
	sge(ex, 0, 4096);
	ex->wr_id = 21;
	ibv_wr_rdma_write_imm(ex, rkey, there + 4096, htobe32(0x77));
	ibv_wr_set_inline_data(ex, "hello", 5);
	ex->wr_id = 22;
	ibv_wr_rdma_read(ex, rkey, there);
	sge(ex, 8192, 8192);
	expect_ok(ibv_wr_complete(ex), "wr_complete");
	completes(pair.a.send_cq, 20, IBV_WC_SUCCESS, &wc);
	completes(pair.a.send_cq, 21, IBV_WC_SUCCESS, &wc);
	completes(pair.a.send_cq, 22, IBV_WC_SUCCESS, &wc);
	completes(pair.b.recv_cq, 7, IBV_WC_SUCCESS, &wc);
	expect_value(be32toh(wc.imm_data), 0x77, "immediate data");
	expect(!memcmp(pair.a.memory, pair.a.memory + 8192, 4096) &&
		       !memcmp(pair.a.memory + 8192 + 4096, "hello", 5),
	       "what was written is not what is read");
	verdict("a list of write, write with immediate data, read");
}

static void atomics(void)
{
	uint64_t *there = (uint64_t *)pair.b.memory, *here = (uint64_t *)pair.a.memory;
	struct ibv_qp_ex *ex;
	struct ibv_wc wc;

	there[0] = 40;
	there[1] = 5;
	ex = begin(30);
	ibv_wr_atomic_fetch_add(ex, pair.b.mr->rkey, (uintptr_t)&there[0], 2);
	sge(ex, 0, 8);
	ex->wr_id = 31;
	ibv_wr_atomic_cmp_swp(ex, pair.b.mr->rkey, (uintptr_t)&there[1], 5, 6);
	sge(ex, 8, 8);
	expect_ok(ibv_wr_complete(ex), "wr_complete");
	completes(pair.a.send_cq, 30, IBV_WC_SUCCESS, &wc);
	completes(pair.a.send_cq, 31, IBV_WC_SUCCESS, &wc);
	expect_value(here[0], 40, "what was there before the addition");
	expect_value(here[1], 5, "what was there before the swap");
	expect_value(there[0], 42, "the sum");
	expect_value(there[1], 6, "what was swapped in");
	verdict("a list of atomics");
}

/* Ends a list with an error: neither that request nor the valid one before it is posted. */
static void not_posted(struct ibv_qp_ex *ex, int error, const char *what)
{
	expect_error(ibv_wr_complete(ex), error, what);
	silent(pair.a.send_cq, what);
}

/* Begins a list with a valid request; the caller adds a second one. */
static struct ibv_qp_ex *begin_badly(void)
{
	struct ibv_qp_ex *ex = begin(40);

	ibv_wr_send(ex);
	sge(ex, 0, 1);
	ex->wr_id = 41;
	return ex;
}

static void mistakes(void)
{
	struct ibv_sge sges[3] = { sge_of(&pair.a, 0, 1), sge_of(&pair.a, 0, 1),
				   sge_of(&pair.a, 0, 1) };
	struct ibv_ah_attr path = path_to(&pair.b, false);
	struct ibv_ah *ah = ibv_create_ah(pair.a.pd, &path);
	struct ibv_qp_ex *ex;
	uint8_t data[65] = {};
	int i;

	ex = begin_badly();
	ibv_wr_atomic_fetch_add(ex, 0, 0, 0);
	not_posted(ex, EINVAL, "an operation that was not granted");
	ex = begin_badly();
	ibv_wr_send(ex);
	ibv_wr_set_sge_list(ex, 3, sges);
	not_posted(ex, EINVAL, "one SGE too many");
	ex = begin_badly();
	ibv_wr_send(ex);
	ibv_wr_set_inline_data(ex, data, sizeof(data));
	not_posted(ex, EINVAL, "one octet of inline data too many");
	ex = begin_badly();
	ibv_wr_rdma_read(ex, 0, 0);
	ibv_wr_set_inline_data(ex, data, 1);
	not_posted(ex, EINVAL, "a read of inline data");
	ex = begin_badly();
	ex->wr_flags = 1 << 20;
	ibv_wr_send(ex);
	not_posted(ex, EINVAL, "a flag that there is not");
	ex = begin_badly();
	ibv_wr_send(ex);
	ibv_wr_set_ud_addr(ex, ah, 1, 1);
	not_posted(ex, EINVAL, "a connection's datagram"); /* B4-065 */
	ex = begin(50);
	for (i = 0; i <= DEPTH; i++) {
		ibv_wr_send(ex);
		sge(ex, 0, 1);
	}
	not_posted(ex, ENOMEM, "one request more than there is room for");
	verdict("a list with a mistake in it is not posted (V3-271, V3-272)");

	ex = begin_badly();
	ibv_wr_abort(ex);
	silent(pair.a.send_cq, "what was given up");
	verdict("a list that is given up is not posted");
	if (ah)
		expect_ok(ibv_destroy_ah(ah), "destroy_ah");
}

static void states(void)
{
	struct setup setup = default_setup;
	struct ibv_qp_ex *ex;

	pair.a.qp = make(&pair.a, IBV_QPT_RC, SENDS, MASK);
	if (expect_made(pair.a.qp, "create_qp_ex")) {
		ex = begin_badly();
		not_posted(ex, EINVAL, "in Reset");
		expect_ok(to_init(pair.a.qp, &setup), "to INIT");
		ex = begin_badly();
		not_posted(ex, EINVAL, "in Init");
	}
	pair_disconnect(&pair);
	verdict("nothing is posted before RTS (V3-179, B4-233)");
}

static void datagrams(void)
{
	struct ibv_ah_attr path = path_to(&pair.b, false);
	struct ibv_ah *ah = ibv_create_ah(pair.a.pd, &path), *other;
	struct ibv_pd *pd = ibv_alloc_pd(pair.a.context);
	struct ibv_qp_ex *ex;
	struct ibv_wc wc;

	memset(pair.b.memory, 0, 4096);
	memset(pair.a.memory, 0x33, 4096);
	post_recv(&pair.b, 1, 0, 4096);
	post_recv(&pair.b, 2, 4096, 4096);
	ex = begin(60);
	ibv_wr_send(ex);
	ibv_wr_set_ud_addr(ex, ah, pair.b.qp->qp_num, QKEY);
	sge(ex, 0, 1000);
	ex->wr_id = 61;
	ibv_wr_send_imm(ex, htobe32(9));
	ibv_wr_set_ud_addr(ex, ah, pair.b.qp->qp_num, QKEY);
	ibv_wr_set_inline_data(ex, "hello", 5);
	expect_ok(ibv_wr_complete(ex), "wr_complete");
	completes(pair.a.send_cq, 60, IBV_WC_SUCCESS, &wc);
	completes(pair.a.send_cq, 61, IBV_WC_SUCCESS, &wc);
	completes(pair.b.recv_cq, 1, IBV_WC_SUCCESS, &wc);
	expect_value(wc.byte_len, 1040, "byte_len");
	expect_value(wc.src_qp, pair.a.qp->qp_num, "src_qp");
	expect(!memcmp(pair.b.memory + 40, pair.a.memory, 1000), "other data");
	completes(pair.b.recv_cq, 2, IBV_WC_SUCCESS, &wc);
	expect_value(be32toh(wc.imm_data), 9, "immediate data");
	verdict("datagrams, with their addresses");

	other = ibv_create_ah(pd, &path);
	ex = begin(62);
	ibv_wr_send(ex);
	ibv_wr_set_ud_addr(ex, other, pair.b.qp->qp_num, QKEY);
	sge(ex, 0, 8);
	not_posted(ex, EINVAL, "an address handle of another protection domain");
	if (expect_made(other, "create_ah"))
		expect_ok(ibv_destroy_ah(other), "destroy_ah");
	verdict("an address handle of another protection domain is refused (V3-134)");
	ibv_dealloc_pd(pd);
	ibv_destroy_ah(ah);
}

/* Sends a datagram by @ah, in both ways to post. */
static void sends_by(struct ibv_ah *ah, const char *what)
{
	struct ibv_sge segment = sge_of(&pair.a, 0, 8);
	struct ibv_send_wr *bad, wr = {
		.wr_id = 71,
		.sg_list = &segment,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = IBV_SEND_SIGNALED,
		.wr.ud = { ah, pair.b.qp->qp_num, QKEY },
	};
	struct ibv_qp_ex *ex;
	struct ibv_wc wc;

	if (!expect_made(ah, what))
		return;
	post_recv(&pair.b, 1, 0, 4096);
	post_recv(&pair.b, 2, 4096, 4096);
	ex = begin(70);
	ibv_wr_send(ex);
	ibv_wr_set_ud_addr(ex, ah, pair.b.qp->qp_num, QKEY);
	sge(ex, 0, 8);
	expect_ok(ibv_wr_complete(ex), what);
	expect_ok(ibv_post_send(pair.a.qp, &wr, &bad), what);
	completes(pair.a.send_cq, 70, IBV_WC_SUCCESS, &wc);
	completes(pair.a.send_cq, 71, IBV_WC_SUCCESS, &wc);
	completes(pair.b.recv_cq, 1, IBV_WC_SUCCESS, &wc);
	completes(pair.b.recv_cq, 2, IBV_WC_SUCCESS, &wc);
	expect_ok(ibv_destroy_ah(ah), what);
}

/* Another context's domain whose handle is that of the domain of this queue pair. */
static struct ibv_pd *namesake(struct ibv_context *context)
{
	struct ibv_pd *pds[64], *found = NULL;
	unsigned int n, i;

	for (n = 0; n < 64 && !found; n++) {
		pds[n] = ibv_alloc_pd(context);
		if (!pds[n])
			break;
		if (pds[n]->handle == pair.a.pd->handle)
			found = pds[n];
	}
	for (i = 0; i < n; i++)
		if (pds[i] != found)
			ibv_dealloc_pd(pds[i]);
	return found;
}

static void refuses_namesake(const struct ibv_ah_attr *path)
{
	struct ibv_context *context = ibv_open_device(pair.a.context->device);
	struct ibv_pd *pd = expect_made(context, "open_device") ? namesake(context) : NULL;
	struct ibv_ah *ah = NULL;
	struct ibv_qp_ex *ex;

	if (expect_made(pd, "a domain with an equal handle"))
		ah = ibv_create_ah(pd, (struct ibv_ah_attr *)path);
	if (pd && expect_made(ah, "create_ah")) {
		ex = begin(72);
		ibv_wr_send(ex);
		ibv_wr_set_ud_addr(ex, ah, pair.b.qp->qp_num, QKEY);
		sge(ex, 0, 8);
		not_posted(ex, EINVAL, "another context's domain with an equal handle");
		expect_ok(ibv_destroy_ah(ah), "destroy_ah");
	}
	if (pd)
		expect_ok(ibv_dealloc_pd(pd), "dealloc_pd");
	if (context)
		expect_ok(ibv_close_device(context), "close_device");
}

/* A domain under several names: a parent domain, and an import into another context (V3-134). */
static void names_of_a_domain(void)
{
	struct ibv_context *context = ibv_import_device(dup(pair.a.context->cmd_fd));
	struct ibv_parent_domain_init_attr attr = { .pd = pair.a.pd };
	struct ibv_ah_attr path = path_to(&pair.b, false);
	struct ibv_pd *parent, *imported = NULL;

	parent = ibv_alloc_parent_domain(pair.a.context, &attr);
	if (expect_made(parent, "alloc_parent_domain")) {
		sends_by(ibv_create_ah(parent, &path), "an address handle of a parent domain");
		expect_ok(ibv_dealloc_pd(parent), "dealloc_pd of the parent domain");
	}
	if (expect_made(context, "import_device"))
		imported = ibv_import_pd(context, pair.a.pd->handle);
	if (context && expect_made(imported, "import_pd")) {
		sends_by(ibv_create_ah(imported, &path), "an address handle of an imported domain");
		ibv_unimport_pd(imported);
	}
	refuses_namesake(&path);
	if (context)
		expect_ok(ibv_close_device(context), "close_device");
	verdict("an address handle is good under each name of its domain, and for no namesake");
}

int main(int argc, char **argv)
{
	struct ibv_device_attr device = {};

	pair_open(&pair, argc, argv);
	granting();
	states();
	if (connect_ends(IBV_QPT_RC, SENDS | WRITES | IBV_QP_EX_WITH_RDMA_READ)) {
		sends();
		rdma();
		mistakes();
		sends(); /* posting still works after all these errors */
	}
	pair_disconnect(&pair);
	verdict("connections");
	ibv_query_device(pair.a.context, &device);
	if (device.atomic_cap != IBV_ATOMIC_NONE) {
		if (connect_ends(IBV_QPT_RC, IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP |
						     IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD))
			atomics();
		pair_disconnect(&pair);
	}
	if (connect_ends(IBV_QPT_UD, SENDS)) {
		datagrams();
		names_of_a_domain();
	}
	pair_disconnect(&pair);
	verdict("datagram queue pairs");
	pair_close(&pair);
	return lab_status();
}
