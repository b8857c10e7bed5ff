// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: direct_mr [DEVICE [DEVICE]]
 * Direct verbs of memory: MRs that share pages, and queries of MRs and windows. Runs in the guest
 * with Active ports.
 */
#include "verbs_pair.h"
#include <infiniband/hcadv.h>
#include <rdma/hca-abi.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#define SOURCE 0u
#define PAGE 4096u
#define BYTES (3 * PAGE)
#define FIRST 100u /* offset of the MR in its first page */
#define LOCAL IBV_ACCESS_LOCAL_WRITE
#define WRITE (LOCAL | IBV_ACCESS_REMOTE_WRITE)
#define IOVA 0x500000000000ull

static struct pair pair;
static uint8_t *memory;
static struct ibv_mr *mr; /* of b: memory from FIRST on */

static bool begin(int access)
{
	memory = mmap(NULL, FIRST + BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		      0);
	if (memory == MAP_FAILED)
		give_up("memory");
	if (access & LOCAL)
		memset(memory, 1, FIRST + BYTES);
	mr = ibv_reg_mr(pair.b.pd, memory + FIRST, BYTES, access);
	return expect_made(mr, "reg_mr") && pair_connect(&pair, &default_setup);
}

static void end(const char *what)
{
	pair_disconnect(&pair);
	if (mr)
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	mr = NULL;
	munmap(memory, FIRST + BYTES);
	verdict("%s", what);
}

/* A Write of 16 octets by a key, after which the pair is connected again if it fails. */
static bool writes(uint32_t rkey, uint64_t address, enum ibv_wc_status status, const char *what)
{
	if (!pair_request(&pair, IBV_WR_RDMA_WRITE, SOURCE, 16, rkey, address, status))
		return expect(false, "%s", what);
	if (status == IBV_WC_SUCCESS)
		return true;
	pair_disconnect(&pair);
	return pair_connect(&pair, &default_setup);
}

static uint64_t address(void)
{
	return (uintptr_t)memory + FIRST;
}

static void query(struct ibv_mr *of, uint64_t iova, uint32_t access, uint32_t flags,
		  const char *what)
{
	struct hcadv_mr_attr attr = {};

	if (!expect_ok(hcadv_query_mr(of, &attr), what))
		return;
	expect_value(attr.iova, iova, "iova");
	expect_value(attr.length, BYTES, "length");
	expect_value(attr.pages, 4, "pages");
	expect_value(attr.lkey, of->lkey, "lkey");
	expect_value(attr.rkey, of->rkey, "rkey");
	expect_value(attr.access, access, "access");
	expect_value(attr.pd_handle, of->pd->handle, "the domain");
	expect_value(attr.flags, flags, "flags");
}

static void queried(void)
{
	struct hcadv_mr_attr attr = { .comp_mask = 1 };
	struct ibv_mr *null = ibv_alloc_null_mr(pair.b.pd);
	uint32_t handle;

	if (begin(WRITE | IBV_ACCESS_MW_BIND)) {
		query(mr, address(), WRITE | IBV_ACCESS_MW_BIND, HCADV_MR_VALID, "query_mr");
		expect_ok(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
				       LOCAL | IBV_ACCESS_ZERO_BASED | IBV_ACCESS_RELAXED_ORDERING),
			  "rereg_mr");
		query(mr, 0, LOCAL | IBV_ACCESS_ZERO_BASED, HCADV_MR_VALID, "query_mr, zero-based");
		expect_error(hcadv_query_mr(mr, &attr), EINVAL, "a comp_mask");
		attr.comp_mask = 0;
		expect_error(hcadv_query_mr(null, &attr), EINVAL, "the null MR");
	}
	end("Query MR: keys, domain, bounds, rights, as registered and as reregistered (V3-254, R0-338, R0-497)");
	expect_ok(ibv_dereg_mr(null), "dereg_mr");
	handle = pair.b.mr->handle;
	pair.b.mr->handle = 54321;
	expect_error(hcadv_query_mr(pair.b.mr, &attr), ENOENT, "a handle of no MR");
	pair.b.mr->handle = handle;
	verdict("Query MR of what is none (R0-281)");
}

/* A request of @end that invalidates @key fails, and so does its queue pair. */
static void refuses_to_invalidate(struct end *end, enum ibv_wr_opcode opcode, uint32_t key,
				  enum ibv_wc_status status, const char *what)
{
	struct ibv_send_wr wr = { .wr_id = 11, .opcode = opcode, .invalidate_rkey = key,
				  .send_flags = IBV_SEND_SIGNALED };
	struct ibv_wc wc;

	expect(post_recv(&pair.b, 12, 0, 100) && post_wr(end, &wr) &&
	       completes(end->send_cq, 11, status, &wc), "%s", what);
	pair_disconnect(&pair);
	pair_connect(&pair, &default_setup);
}

/* R0-340 */
static void not_invalidated(void)
{
	struct ibv_mr *second;

	if (begin(WRITE)) {
		second = hcadv_reg_shared_mr(pair.b.pd, mr, address(), WRITE);
		if (expect_made(second, "reg_shared_mr")) {
			refuses_to_invalidate(&pair.b, IBV_WR_LOCAL_INV, second->rkey,
					      IBV_WC_MW_BIND_ERR, "its own side invalidates it");
			refuses_to_invalidate(&pair.a, IBV_WR_SEND_WITH_INV, second->rkey,
					      IBV_WC_REM_ACCESS_ERR, "a peer invalidates it");
			writes(second->rkey, address(), IBV_WC_SUCCESS, "afterwards");
			expect_ok(ibv_dereg_mr(second), "dereg_mr");
		}
	}
	end("to invalidate a shared MR is an error, and it stays (R0-340)");
}

/* R0-300 to R0-303, V3-255 */
static void shared(void)
{
	struct ibv_pd *other = ibv_alloc_pd(pair.b.context);
	struct ibv_mr *remote, *local;

	if (expect_made(other, "alloc_pd") && begin(WRITE)) {
		remote = hcadv_reg_shared_mr(pair.b.pd, mr, IOVA + FIRST,
					     WRITE | IBV_ACCESS_REMOTE_READ);
		local = hcadv_reg_shared_mr(other, mr, address(), LOCAL | IBV_ACCESS_ZERO_BASED);
		if (expect_made(remote, "reg_shared_mr") && expect_made(local, "reg_shared_mr")) {
			query(mr, address(), WRITE, HCADV_MR_VALID | HCADV_MR_SHARED, "the first");
			query(remote, IOVA + FIRST, WRITE | IBV_ACCESS_REMOTE_READ,
			      HCADV_MR_VALID | HCADV_MR_SHARED, "the second");
			query(local, 0, LOCAL | IBV_ACCESS_ZERO_BASED,
			      HCADV_MR_VALID | HCADV_MR_SHARED, "the third");
			expect(remote->rkey != mr->rkey && local->rkey != mr->rkey &&
			       local->rkey != remote->rkey, "a key is another one's");
			memset(pair.a.memory + SOURCE, 0x5a, 16);
			writes(remote->rkey, IOVA + FIRST + 50, IBV_WC_SUCCESS, "by its address");
			expect(memory[FIRST + 49] == 1 && memory[FIRST + 50] == 0x5a,
			       "something else was written");
			writes(remote->rkey, address(), IBV_WC_REM_ACCESS_ERR, "the other's address");
			writes(mr->rkey, address(), IBV_WC_SUCCESS, "by the first");
			writes(local->rkey, 0, IBV_WC_REM_ACCESS_ERR, "of another domain");
			expect_error(ibv_dealloc_pd(other), EBUSY, "dealloc_pd of a domain in use");
		}
		if (remote)
			expect_ok(ibv_dereg_mr(remote), "dereg_mr");
		if (local)
			expect_ok(ibv_dereg_mr(local), "dereg_mr");
		/* R0-016: what was shared once is a shared MR for ever. */
		query(mr, address(), WRITE, HCADV_MR_VALID | HCADV_MR_SHARED, "the last one");
	}
	end("Register Shared MR: own domain, rights and addresses, the same octets (R0-300, R0-303, V3-346)");
	expect_ok(ibv_dealloc_pd(other), "dealloc_pd");
	verdict("... and its domain has lost its users");
}

/* The pages stay as long as one MR has them (V3-256, V3-257, R0-348). */
static void outlives(void)
{
	struct ibv_mr *second, *third;

	if (begin(WRITE)) {
		second = hcadv_reg_shared_mr(pair.b.pd, mr, address(), WRITE);
		third = second ? hcadv_reg_shared_mr(pair.b.pd, second, IOVA + FIRST, WRITE) : NULL;
		if (expect_made(third, "reg_shared_mr of a shared MR")) {
			expect_ok(ibv_dereg_mr(mr), "dereg_mr of the first");
			mr = NULL;
			expect_ok(ibv_dereg_mr(second), "dereg_mr of the second");
			second = NULL;
			memset(pair.a.memory + SOURCE, 0x66, 16);
			writes(third->rkey, IOVA + FIRST, IBV_WC_SUCCESS, "by the third");
			expect_value(memory[FIRST], 0x66, "an octet");
			expect_ok(ibv_dereg_mr(third), "dereg_mr of the third");
		}
		if (second)
			ibv_dereg_mr(second);
	}
	end("a shared MR outlives the one that it was made of (V3-256, V3-257, R0-348)");
}

static void share_refused(struct ibv_mr *from, uint64_t iova, int access, int error,
			  const char *what)
{
	struct ibv_mr *got = hcadv_reg_shared_mr(pair.b.pd, from, iova, access);

	expect_refused(got, error, what);
	if (got)
		ibv_dereg_mr(got);
}

static void refused(void)
{
	struct ibv_mr *odp, *second;

	if (begin(WRITE)) {
		share_refused(mr, address() + 1, LOCAL, EINVAL, "another offset in the page");
		share_refused(mr, UINT64_MAX - PAGE + 1 + FIRST, LOCAL, EINVAL, "addresses that wrap");
		share_refused(mr, address(), IBV_ACCESS_REMOTE_WRITE, EINVAL, "remote without local");
		share_refused(mr, address(), 1 << 15, EINVAL, "an unknown right");
		share_refused(mr, address(), LOCAL | IBV_ACCESS_ON_DEMAND, EOPNOTSUPP,
			      "on-demand paging");
		odp = ibv_reg_mr(pair.b.pd, memory, PAGE, LOCAL | IBV_ACCESS_ON_DEMAND);
		if (expect_made(odp, "reg_mr on demand")) {
			share_refused(odp, (uintptr_t)memory, LOCAL, EOPNOTSUPP, "an MR on demand");
			expect_ok(ibv_dereg_mr(odp), "dereg_mr");
		}
		mr->lkey++;
		share_refused(mr, address(), LOCAL, EINVAL, "another key (R0-301)");
		mr->lkey--;
		query(mr, address(), WRITE, HCADV_MR_VALID, "it is no shared one by that");
		second = hcadv_reg_shared_mr(pair.b.pd, mr, address(), LOCAL);
		if (expect_made(second, "reg_shared_mr")) {
			expect(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, LOCAL),
			       "a shared MR is reregistered (R0-284)");
			expect(ibv_rereg_mr(second, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
					    WRITE),
			       "the other one is");
			expect_ok(ibv_dereg_mr(second), "dereg_mr");
		}
	}
	end("Register Shared MR with wrong key, address or rights is refused (R0-301, R0-302, R0-500)");

	if (begin(IBV_ACCESS_REMOTE_READ)) {
		share_refused(mr, address(), WRITE, EACCES, "rights to write what was pinned to read");
		second = hcadv_reg_shared_mr(pair.b.pd, mr, address(), 0);
		if (expect_made(second, "reg_shared_mr"))
			expect_ok(ibv_dereg_mr(second), "dereg_mr");
	}
	end("pages that were pinned to be read cannot be shared to be written");
}

static void query_window(struct ibv_mw *mw, uint64_t iova, uint64_t length, uint32_t access,
			 uint32_t qp_num)
{
	struct hcadv_mw_attr attr = {};

	if (!expect_ok(hcadv_query_mw(mw, &attr), "query_mw"))
		return;
	expect_value(attr.iova, iova, "iova");
	expect_value(attr.length, length, "length");
	expect_value(attr.rkey, mw->rkey, "rkey");
	expect_value(attr.lkey, length ? mr->lkey : 0, "lkey");
	expect_value(attr.access, access, "access");
	expect_value(attr.pd_handle, mw->pd->handle, "the domain");
	expect_value(attr.qp_num, qp_num, "the queue pair");
	expect_value(attr.bound, length != 0, "bound");
}

static void bind(struct ibv_mw *mw, uint64_t at, uint64_t length, unsigned int access)
{
	struct ibv_send_wr wr = {
		.wr_id = 9,
		.opcode = IBV_WR_BIND_MW,
		.send_flags = IBV_SEND_SIGNALED,
		.bind_mw = { .mw = mw, .rkey = ibv_inc_rkey(mw->rkey),
			     .bind_info = { .mr = mr, .addr = at, .length = length,
					    .mw_access_flags = access } },
	};
	struct ibv_wc wc;

	post_wr(&pair.b, &wr);
	completes(pair.b.send_cq, 9, IBV_WC_SUCCESS, &wc);
	mw->rkey = wr.bind_mw.rkey;
}

/* A window of a shared MR, too (R0-354). */
static void windows(void)
{
	struct ibv_mw *mw1 = ibv_alloc_mw(pair.b.pd, IBV_MW_TYPE_1);
	struct ibv_mw *mw2 = ibv_alloc_mw(pair.b.pd, IBV_MW_TYPE_2), bad;
	struct hcadv_mw_attr attr = { .comp_mask = 1 };
	struct ibv_send_wr wr = { .wr_id = 10, .opcode = IBV_WR_LOCAL_INV,
				  .send_flags = IBV_SEND_SIGNALED };
	struct ibv_wc wc;

	if (expect_made(mw1, "alloc_mw") && expect_made(mw2, "alloc_mw") &&
	    begin(WRITE | IBV_ACCESS_MW_BIND)) {
		struct ibv_mr *second = hcadv_reg_shared_mr(pair.b.pd, mr, address(), LOCAL);

		expect_made(second, "reg_shared_mr");
		query_window(mw1, 0, 0, 0, 0);
		query_window(mw2, 0, 0, 0, 0);
		bind(mw1, address() + 10, 100, IBV_ACCESS_REMOTE_READ);
		query_window(mw1, address() + 10, 100, IBV_ACCESS_REMOTE_READ, 0);
		bind(mw2, address() + 20, 200, IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_ZERO_BASED);
		query_window(mw2, 0, 200, IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_ZERO_BASED,
			     pair.b.qp->qp_num);
		writes(mw2->rkey, 0, IBV_WC_SUCCESS, "by a window of a shared MR");
		wr.invalidate_rkey = mw2->rkey;
		post_wr(&pair.b, &wr);
		completes(pair.b.send_cq, 10, IBV_WC_SUCCESS, &wc);
		query_window(mw2, 0, 0, 0, 0);
		expect_error(hcadv_query_mw(mw2, &attr), EINVAL, "a comp_mask");
		attr.comp_mask = 0;
		bad = *mw2;
		bad.handle = 54321;
		expect_error(hcadv_query_mw(&bad, &attr), ENOENT, "a handle of no window");
		bad.handle = mr->handle;
		expect_error(hcadv_query_mw(&bad, &attr), EINVAL, "a handle of an MR");
		expect_ok(ibv_dealloc_mw(mw1), "dealloc_mw");
		expect_ok(ibv_dealloc_mw(mw2), "dealloc_mw");
		if (second)
			expect_ok(ibv_dereg_mr(second), "dereg_mr");
	}
	end("Query MW: not bound, bound, invalidated (R0-367, R0-502, R0-354)");
}

/* --- what a hostile process writes by itself */

static int share_by(uint16_t req_length, const void *req, uint32_t from, uint32_t in, void *key)
{
	struct {
		struct ib_uverbs_ioctl_hdr header;
		struct ib_uverbs_attr attrs[5];
	} cmd = {
		.header = { .length = sizeof(cmd), .object_id = UVERBS_OBJECT_MR,
			    .method_id = HCA_METHOD_MR_SHARE, .num_attrs = 5 },
		.attrs = {
			{ .attr_id = HCA_ATTR_MR_SHARE_HANDLE, .flags = UVERBS_ATTR_F_MANDATORY },
			{ .attr_id = HCA_ATTR_MR_SHARE_PD, .flags = UVERBS_ATTR_F_MANDATORY,
			  .data = in },
			{ .attr_id = HCA_ATTR_MR_SHARE_FROM, .flags = UVERBS_ATTR_F_MANDATORY,
			  .data = from },
			{ .attr_id = HCA_ATTR_MR_SHARE_REQ, .flags = UVERBS_ATTR_F_MANDATORY,
			  .len = req_length, .data = (uintptr_t)req },
			{ .attr_id = HCA_ATTR_MR_SHARE_RESP_KEY, .flags = UVERBS_ATTR_F_MANDATORY,
			  .len = 4, .data = (uintptr_t)key },
		},
	};

	return ioctl(pair.b.context->cmd_fd, RDMA_VERBS_IOCTL, &cmd) ? errno : 0;
}

static void hostile(void)
{
	struct hca_share_mr_req req[2] = {};
	uint32_t key, i;

	if (begin(WRITE)) {
		uint32_t from = mr->handle, in = pair.b.pd->handle;

		req[0] = (struct hca_share_mr_req){ .iova = address(), .lkey = mr->lkey,
						    .access = LOCAL };
		expect_error(share_by(8, req, from, in, &key), EINVAL, "a request that is too short");
		expect_error(share_by(16, (void *)8, from, in, &key), EFAULT, "a request nowhere");
		expect_error(share_by(16, req, 54321, in, &key), ENOENT, "no MR");
		expect_error(share_by(16, req, in, in, &key), EINVAL, "a domain as MR");
		expect_error(share_by(16, req, from, 54321, &key), ENOENT, "no domain");
		/* The MR that an attempt has made is destroyed, however many attempts fail. */
		for (i = 0; i < 1000; i++)
			expect_error(share_by(16, req, from, in, (void *)8), EFAULT, "a key nowhere");
		query(mr, address(), WRITE, HCADV_MR_VALID, "the MR");
		writes(mr->rkey, address(), IBV_WC_SUCCESS, "by the MR");
	}
	end("Register Shared MR with bad pointers, lengths and handles leaves nothing behind");
}

int main(int argc, char **argv)
{
	pair_open(&pair, argc, argv);
	queried();
	shared();
	outlives();
	refused();
	not_invalidated();
	windows();
	hostile();
	pair_close(&pair);
	return lab_status();
}
