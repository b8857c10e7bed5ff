// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_windows [DEVICE [DEVICE]]
 * Checks memory windows of both types: they are bound, used and invalidated in every way, and wrong
 * uses are refused. Runs in the guest; ports are Active.
 */
#include "verbs_pair.h"
#include <sys/wait.h>

#define AT 5000u /* offset of the window in its owner's memory */
#define BYTES 20000u
#define REMOTE (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)

static struct pair pair;
static struct ibv_mr *mr; /* b's memory; remote access is by windows only */
static struct ibv_mw *mw;

static struct ibv_mw_bind_info part(uint32_t at, uint32_t length, unsigned int access)
{
	return (struct ibv_mw_bind_info){
		.mr = mr,
		.addr = (uintptr_t)pair.b.memory + at,
		.length = length,
		.mw_access_flags = access,
	};
}

static struct ibv_send_wr bind_wr(uint64_t wr_id, const struct ibv_mw_bind_info *info)
{
	struct ibv_send_wr wr = send_wr(wr_id, NULL);

	wr.opcode = IBV_WR_BIND_MW;
	wr.bind_mw.mw = mw;
	wr.bind_mw.rkey = ibv_inc_rkey(mw->rkey);
	wr.bind_mw.bind_info = *info;
	return wr;
}

/* Binds the window by a request of b; mw->rkey is its key then. */
static bool bound(const struct ibv_mw_bind_info *info)
{
	struct ibv_send_wr wr = bind_wr(100, info);
	struct ibv_wc wc;

	if (!post_wr(&pair.b, &wr) || !completes(pair.b.send_cq, 100, IBV_WC_SUCCESS, &wc) ||
	    !expect_value(wc.opcode, IBV_WC_BIND_MW, "the opcode"))
		return false;
	mw->rkey = wr.bind_mw.rkey;
	return true;
}

static bool open_window(enum ibv_mw_type type)
{
	mr = ibv_reg_mr(pair.b.pd, pair.b.memory, MR_LENGTH,
			IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_MW_BIND);
	mw = ibv_alloc_mw(pair.b.pd, type);
	return expect_made(mr, "reg_mr for windows") && expect_made(mw, "alloc_mw") &&
	       pair_connect(&pair, &default_setup);
}

static void close_window(const char *name)
{
	if (mw)
		expect_ok(ibv_dealloc_mw(mw), "dealloc_mw");
	pair_disconnect(&pair);
	if (mr)
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	mw = NULL;
	mr = NULL;
	verdict("%s", name);
}

static void fill(struct end *end, uint32_t at, unsigned int seed)
{
	uint32_t i;

	for (i = 0; i < BYTES; i++)
		end->memory[at + i] = i * 7 + (i >> 8) + seed;
}

/* Accesses memory by a key from a; @addr is the address that belongs to the key. */
static bool accesses(enum ibv_wr_opcode opcode, uint32_t rkey, uint64_t addr,
		     enum ibv_wc_status status)
{
	struct ibv_sge sge = sge_of(&pair.a, 0, BYTES);
	struct ibv_send_wr wr = rdma_wr(200, opcode, &sge, &pair.b, 0);
	struct ibv_wc wc;

	wr.wr.rdma.remote_addr = addr;
	wr.wr.rdma.rkey = rkey;
	return post_wr(&pair.a, &wr) && completes(pair.a.send_cq, 200, status, &wc);
}

static uint64_t address(uint32_t at)
{
	return (uintptr_t)pair.b.memory + at;
}

static bool same(const char *what)
{
	return expect(!memcmp(pair.a.memory, pair.b.memory + AT, BYTES), "%s: other data", what);
}

static bool writes_and_reads(uint64_t addr)
{
	fill(&pair.a, 0, 1);
	if (!accesses(IBV_WR_RDMA_WRITE, mw->rkey, addr, IBV_WC_SUCCESS) || !same("write"))
		return false;
	fill(&pair.b, AT, 2);
	return accesses(IBV_WR_RDMA_READ, mw->rkey, addr, IBV_WC_SUCCESS) && same("read");
}

static bool is_refused(uint32_t rkey)
{
	return accesses(IBV_WR_RDMA_WRITE, rkey, address(AT), IBV_WC_REM_ACCESS_ERR);
}

/* V3-112, V3-047: the device reports windows. */
static void capable(void)
{
	struct ibv_device_attr attr;

	if (expect_ok(ibv_query_device(pair.b.context, &attr), "query_device")) {
		expect(attr.device_cap_flags & IBV_DEVICE_MEM_WINDOW, "no windows");
		expect(attr.device_cap_flags & IBV_DEVICE_MEM_WINDOW_TYPE_2B, "no type 2B");
		expect(!(attr.device_cap_flags & IBV_DEVICE_MEM_WINDOW_TYPE_2A), "type 2A");
		expect(attr.max_mw > 0, "max_mw is %d", attr.max_mw);
	}
	verdict("the device has windows of type 1 and 2B");
}

static void type_2(void)
{
	struct ibv_mw_bind_info info;

	if (open_window(IBV_MW_TYPE_2)) {
		info = part(AT, BYTES, REMOTE);
		expect(mw->rkey && mw->type == IBV_MW_TYPE_2 && mw->pd == pair.b.pd,
		       "the window is not what was asked for"); /* V3-347, V3-348 */
		if (bound(&info) && writes_and_reads(address(AT))) /* R0-358, R0-361, R0-373 */
			is_refused(mr->rkey); /* V3-258 */
	}
	close_window("type 2: the peer writes and reads by it, not by the MR's key");
}

/* R0-357 */
static void zero_based(void)
{
	struct ibv_mw_bind_info info;

	if (open_window(IBV_MW_TYPE_2)) {
		info = part(AT, BYTES, REMOTE | IBV_ACCESS_ZERO_BASED);
		if (bound(&info) && writes_and_reads(0))
			accesses(IBV_WR_RDMA_READ, mw->rkey, 1, IBV_WC_REM_ACCESS_ERR);
	}
	close_window("type 2: its addresses begin at 0");
}

static bool binds_1(uint32_t at, uint32_t length, unsigned int access)
{
	struct ibv_mw_bind bind = { .wr_id = 300, .send_flags = IBV_SEND_SIGNALED };
	uint32_t before = mw->rkey;
	struct ibv_wc wc;

	bind.bind_info = part(at, length, access);
	return expect_ok(ibv_bind_mw(pair.b.qp, mw, &bind), "bind_mw") && /* B4-253 */
	       completes(pair.b.send_cq, 300, IBV_WC_SUCCESS, &wc) &&
	       expect_value(wc.opcode, IBV_WC_BIND_MW, "the opcode") &&
	       expect(mw->rkey != before, "the key is the same");
}

/* V3-259 to V3-262, V3-349 */
static void type_1(void)
{
	uint32_t first;

	if (open_window(IBV_MW_TYPE_1) && binds_1(0, 100, REMOTE)) {
		first = mw->rkey;
		if (binds_1(AT, BYTES, REMOTE) && writes_and_reads(address(AT)))
			is_refused(first);
	}
	close_window("type 1: bound, moved, and by the old key nothing is done");

	if (open_window(IBV_MW_TYPE_1) && binds_1(AT, BYTES, REMOTE) && binds_1(0, 0, 0)) {
		expect_ok(ibv_dereg_mr(mr), "dereg_mr once it is unbound");
		mr = NULL;
		is_refused(mw->rkey);
	}
	close_window("type 1: no octets unbind it");
}

static void post_inv(struct end *end, uint64_t wr_id, enum ibv_wr_opcode opcode, uint32_t rkey)
{
	struct ibv_send_wr wr = send_wr(wr_id, NULL);

	wr.opcode = opcode;
	wr.invalidate_rkey = rkey;
	post_wr(end, &wr);
}

/* R0-431, R0-341: a Send with invalidate invalidates the window. */
static void invalidated_by_send(void)
{
	struct ibv_mw_bind_info info;
	struct ibv_wc wc;

	if (open_window(IBV_MW_TYPE_2)) {
		info = part(AT, BYTES, REMOTE);
		if (bound(&info) && writes_and_reads(address(AT)) &&
		    post_recv(&pair.b, 1, 0, 100)) {
			post_inv(&pair.a, 2, IBV_WR_SEND_WITH_INV, mw->rkey);
			completes(pair.a.send_cq, 2, IBV_WC_SUCCESS, &wc);
			completes(pair.b.recv_cq, 1, IBV_WC_SUCCESS, &wc);
			expect(wc.wc_flags & IBV_WC_WITH_INV, "no IBV_WC_WITH_INV");
			expect_value(wc.invalidated_rkey, mw->rkey, "invalidated_rkey");
			is_refused(mw->rkey);
		}
	}
	close_window("type 2: a Send with invalidate takes it back");
}

/* R0-370, R0-396 */
static void invalidated(void)
{
	struct ibv_mw_bind_info info;
	struct ibv_wc wc;

	if (open_window(IBV_MW_TYPE_2)) {
		info = part(AT, BYTES, REMOTE);
		if (bound(&info)) {
			post_inv(&pair.b, 1, IBV_WR_LOCAL_INV, mw->rkey);
			completes(pair.b.send_cq, 1, IBV_WC_SUCCESS, &wc);
			expect_value(wc.opcode, IBV_WC_LOCAL_INV, "the opcode");
			if (bound(&info) && writes_and_reads(address(AT))) {
				post_inv(&pair.b, 2, IBV_WR_LOCAL_INV, mw->rkey);
				completes(pair.b.send_cq, 2, IBV_WC_SUCCESS, &wc);
				is_refused(mw->rkey);
			}
		}
	}
	close_window("type 2: a local invalidate takes it back, and it is bound again");
}

/* Binds and invalidates by ibv_wr_start(), in one list (R0-435, R0-436). */
static void extended(void)
{
	struct ibv_qp_init_attr_ex attr = {
		.send_cq = pair.b.send_cq,
		.recv_cq = pair.b.recv_cq,
		.cap = { .max_send_wr = 16, .max_recv_wr = 16, .max_send_sge = 1,
			 .max_recv_sge = 1 },
		.qp_type = IBV_QPT_RC,
		.pd = pair.b.pd,
		.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
		.send_ops_flags = IBV_QP_EX_WITH_BIND_MW | IBV_QP_EX_WITH_LOCAL_INV,
	};
	struct ibv_qp_attr reset = { .qp_state = IBV_QPS_RESET };
	struct ibv_mw_bind_info info;
	struct ibv_qp_ex *ex;
	struct ibv_wc wc;
	uint32_t key;
	int i;

	if (open_window(IBV_MW_TYPE_2)) {
		expect_ok(ibv_destroy_qp(pair.b.qp), "destroy_qp");
		pair.b.qp = ibv_create_qp_ex(pair.b.context, &attr);
		if (expect_made(pair.b.qp, "create_qp_ex") &&
		    expect_ok(ibv_modify_qp(pair.a.qp, &reset, IBV_QP_STATE),
			      "the peer to RESET") &&
		    end_ready(&pair.a, &default_setup, &pair.b, pair.b.qp->qp_num) &&
		    end_ready(&pair.b, &default_setup, &pair.a, pair.a.qp->qp_num)) {
			info = part(AT, BYTES, REMOTE);
			ex = ibv_qp_to_qp_ex(pair.b.qp);
			key = ibv_inc_rkey(mw->rkey);
			ibv_wr_start(ex);
			for (i = 0; i < 3; i++) {
				ex->wr_flags = IBV_SEND_SIGNALED;
				ex->wr_id = 2 * i;
				ibv_wr_bind_mw(ex, mw, key, &info);
				ex->wr_id = 2 * i + 1;
				ibv_wr_local_inv(ex, key);
				key = ibv_inc_rkey(key);
			}
			expect_ok(ibv_wr_complete(ex), "wr_complete");
			for (i = 0; i < 6; i++)
				completes(pair.b.send_cq, i, IBV_WC_SUCCESS, &wc);
			/*
			 * The low octet of the key is the consumer's; the other octets are the
			 * window's in any case.
			 */
			ibv_wr_start(ex);
			ex->wr_id = 6;
			ibv_wr_bind_mw(ex, mw, key + 256, &info);
			expect_ok(ibv_wr_complete(ex), "a key with another's index");
			completes(pair.b.send_cq, 6, IBV_WC_SUCCESS, &wc);
			mw->rkey = key;
			writes_and_reads(address(AT));
		}
	}
	close_window("by ibv_wr_bind_mw() and ibv_wr_local_inv()");
}

/* R0-360, R0-368: a window of type 2 belongs to its queue pair. */
static void by_another(void)
{
	struct ibv_mw_bind_info info = part(AT, BYTES, REMOTE);
	struct pair other = pair;
	struct ibv_wc wc;

	if (open_window(IBV_MW_TYPE_2)) {
		struct ibv_qp *own = pair.a.qp;

		info.mr = mr;
		if (bound(&info) && pair_connect(&other, &default_setup)) {
			pair.a.qp = other.a.qp;
			is_refused(mw->rkey);
			pair.a.qp = own;
			pair_disconnect(&other);
		}
		if (pair_connect(&other, &default_setup)) {
			post_inv(&other.b, 1, IBV_WR_LOCAL_INV, mw->rkey);
			completes(pair.b.send_cq, 1, IBV_WC_MW_BIND_ERR, &wc);
			pair_disconnect(&other);
		}
		writes_and_reads(address(AT));
	}
	close_window("type 2: nobody else may use it, or end it");
}

static void does_not_bind(const char *what, const struct ibv_mw_bind_info *info)
{
	struct ibv_send_wr wr;
	struct ibv_wc wc;

	wr = bind_wr(1, info);
	post_wr(&pair.b, &wr);
	completes(pair.b.send_cq, 1, IBV_WC_MW_BIND_ERR, &wc);
	await_state(pair.b.qp, IBV_QPS_ERR);
	close_window(what);
}

/* Local rights of the owner do not matter; without a remote right all access is refused. */
static void few_rights(unsigned int access)
{
	struct ibv_mw_bind_info info;

	if (open_window(IBV_MW_TYPE_2)) {
		info = part(AT, BYTES, access);
		if (bound(&info)) {
			if (access & REMOTE)
				writes_and_reads(address(AT));
			else
				is_refused(mw->rkey);
		}
	}
	close_window(access & REMOTE ? "type 2: local rights besides" :
				       "type 2: no remote right, nobody gets in");
}

/* R0-372, R0-453 */
static void refused(void)
{
	struct ibv_mw_bind_info info;

	if (open_window(IBV_MW_TYPE_2)) {
		info = part(AT, BYTES, REMOTE);
		info.mr = pair.b.mr; /* it has all rights but that to bind windows */
		does_not_bind("an MR that is not for windows", &info);
	}
	if (open_window(IBV_MW_TYPE_2)) {
		info = part(AT, MR_LENGTH, REMOTE);
		does_not_bind("more than the MR has", &info);
	}
	if (open_window(IBV_MW_TYPE_2)) {
		info = part(AT, 0, REMOTE);
		does_not_bind("type 2: no octets", &info);
	}
	if (open_window(IBV_MW_TYPE_2)) {
		info = part(AT, BYTES, REMOTE | IBV_ACCESS_ON_DEMAND);
		does_not_bind("a right that there is not", &info);
	}
	if (open_window(IBV_MW_TYPE_2)) {
		info = part(AT, BYTES, REMOTE);
		if (bound(&info))
			does_not_bind("type 2: what is bound already", &info);
	}
	if (open_window(IBV_MW_TYPE_2)) {
		struct ibv_mw_bind bind = { .bind_info = part(AT, BYTES, REMOTE) };

		expect_error(ibv_bind_mw(pair.b.qp, mw, &bind), EINVAL, "bind_mw of type 2");
	}
	close_window("refused when posted");
}

static void in_use(void)
{
	struct ibv_mw_bind_info info;

	if (open_window(IBV_MW_TYPE_2)) {
		info = part(AT, BYTES, REMOTE);
		if (bound(&info)) {
			/* R0-352, R0-498 */
			expect_error(ibv_dereg_mr(mr), EBUSY, "dereg_mr with a window");
			/* R0-127 */
			expect_error(ibv_destroy_qp(pair.b.qp), EBUSY, "destroy_qp with a window");
			/* B4-297, V3-263 */
			expect_error(ibv_dealloc_pd(pair.b.pd), EBUSY, "dealloc_pd with a window");
			writes_and_reads(address(AT));
		}
	}
	close_window("what has windows stays; a window goes, bound or not"); /* R0-351, V3-350 */
}

/* R0-127: objects of a process that is killed are destroyed. */
static void killed(int argc, char **argv)
{
	pid_t child = fork();
	int status = -1;

	if (!child) {
		struct ibv_mw_bind_info info;

		pair_open(&pair, argc, argv);
		if (!open_window(IBV_MW_TYPE_2))
			_exit(1);
		info = part(AT, BYTES, REMOTE);
		_exit(!bound(&info));
	}
	expect(child > 0 && waitpid(child, &status, 0) == child && !status,
	       "the child ends with %#x", status);
	verdict("a process ends with a window bound");
}

int main(int argc, char **argv)
{
	killed(argc, argv);
	pair_open(&pair, argc, argv);
	capable();
	type_2();
	zero_based();
	type_1();
	invalidated_by_send();
	invalidated();
	extended();
	by_another();
	few_rights(REMOTE | IBV_ACCESS_LOCAL_WRITE);
	few_rights(IBV_ACCESS_LOCAL_WRITE);
	few_rights(0);
	refused();
	in_use();
	pair_close(&pair);
	return lab_status();
}
