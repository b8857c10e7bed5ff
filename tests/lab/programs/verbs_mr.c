// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_mr [DEVICE [DEVICE]]
 * Memory MRs that are reregistered, parent domains and thread domains, and domains and MRs
 * that are imported by another context of the same file. Runs in the guest with Active ports.
 */
#include "verbs_pair.h"
#include <pthread.h>
#include <sys/mman.h>

#define SOURCE 0u
#define BYTES 8192u

static struct pair pair;

/* Memory of b that a writes to, in an MR of its own. */
static struct {
	uint8_t *first, *second;
	struct ibv_mr *mr;
} dest;

static bool begin(int access)
{
	dest.first = aligned_alloc(4096, BYTES);
	dest.second = aligned_alloc(4096, BYTES);
	memset(dest.first, 1, BYTES);
	memset(dest.second, 2, BYTES);
	dest.mr = ibv_reg_mr(pair.b.pd, dest.first, BYTES, access);
	return expect_made(dest.mr, "reg_mr") && pair_connect(&pair, &default_setup);
}

static void end(const char *what)
{
	pair_disconnect(&pair);
	if (dest.mr)
		expect_ok(ibv_dereg_mr(dest.mr), "dereg_mr");
	free(dest.first);
	free(dest.second);
	verdict("%s", what);
}

/*
 * An RDMA request of 16 octets with a key: it ends with @status. The connection is made anew then.
 */
static bool ends(enum ibv_wr_opcode opcode, const void *address, uint32_t rkey,
		 enum ibv_wc_status status, const char *what)
{
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, 16);
	struct ibv_send_wr wr = rdma_wr(5, opcode, &sge, &pair.b, 0);
	struct ibv_wc wc;

	wr.wr.rdma.remote_addr = (uintptr_t)address;
	wr.wr.rdma.rkey = rkey;
	if (!post_wr(&pair.a, &wr) || !completes(pair.a.send_cq, 5, status, &wc))
		return expect(false, "%s", what);
	if (status == IBV_WC_SUCCESS)
		return true;
	pair_disconnect(&pair);
	return pair_connect(&pair, &default_setup);
}

static bool writes(const void *address, enum ibv_wc_status status, const char *what)
{
	return ends(IBV_WR_RDMA_WRITE, address, dest.mr->rkey, status, what);
}

#define LOCAL IBV_ACCESS_LOCAL_WRITE
#define WRITE (LOCAL | IBV_ACCESS_REMOTE_WRITE)

static void access_changes(void)
{
	uint32_t rkey;

	if (begin(LOCAL)) {
		rkey = dest.mr->rkey;
		writes(dest.first, IBV_WC_REM_ACCESS_ERR, "without the right");
		expect_ok(ibv_rereg_mr(dest.mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, WRITE),
			  "rereg_mr, more rights");
		expect_value(dest.mr->rkey, rkey, "the key");
		writes(dest.first, IBV_WC_SUCCESS, "with the right");
		expect_ok(ibv_rereg_mr(dest.mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, LOCAL),
			  "rereg_mr, fewer rights");
		writes(dest.first, IBV_WC_REM_ACCESS_ERR, "with the right taken away");
	}
	end("rereg_mr, access: old rights end, new ones hold, under the same key (R0-298)");
}

/* Pages pinned for reading are pinned for writing when they are needed. */
static void reading_to_writing(void)
{
	uint8_t *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			       -1, 0);

	if (begin(0)) {
		ibv_dereg_mr(dest.mr);
		dest.mr = ibv_reg_mr(pair.b.pd, memory, BYTES, IBV_ACCESS_REMOTE_READ);
		expect_made(dest.mr, "reg_mr of what was never written");
		ends(IBV_WR_RDMA_READ, memory, dest.mr->rkey, IBV_WC_SUCCESS, "to be read");
		expect_ok(ibv_rereg_mr(dest.mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, WRITE),
			  "rereg_mr");
		memset(pair.a.memory + SOURCE, 0x5a, 16);
		writes(memory + 100, IBV_WC_SUCCESS, "to be written");
		expect(memory[100] == 0x5a && memory[115] == 0x5a && !memory[116],
		       "the process does not see what was written");
	}
	end("rereg_mr, access: an MR that was only read is written, and the process sees it");
	munmap(memory, BYTES);
}

/* V3-250, V3-344 */
static void translation_changes(void)
{
	uint32_t old;

	if (begin(WRITE)) {
		old = dest.mr->rkey;
		expect_ok(ibv_rereg_mr(dest.mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, dest.second,
				       BYTES, 0),
			  "rereg_mr");
		expect(dest.mr->rkey != old, "the key is as before");
		memset(pair.a.memory + SOURCE, 0x77, 16);
		writes(dest.second, IBV_WC_SUCCESS, "the new address");
		expect_value(dest.second[15], 0x77, "an octet of the new memory");
		ends(IBV_WR_RDMA_WRITE, dest.second, old, IBV_WC_REM_ACCESS_ERR, "the old key");
		writes(dest.first, IBV_WC_REM_ACCESS_ERR, "the old address");
		expect_value(dest.first[0], 1, "an octet of the old memory");
	}
	end("rereg_mr, translation: other memory, another key, the old one is refused (R0-298, R0-299)");
}

static void pd_changes(void)
{
	struct ibv_pd *other = ibv_alloc_pd(pair.b.context);

	if (expect_made(other, "alloc_pd") && begin(WRITE)) {
		expect_ok(ibv_rereg_mr(dest.mr, IBV_REREG_MR_CHANGE_PD, other, NULL, 0, 0), "rereg_mr");
		writes(dest.first, IBV_WC_REM_ACCESS_ERR, "another domain");
		expect_error(ibv_dealloc_pd(other), EBUSY, "dealloc_pd of the new domain");
		expect_ok(ibv_rereg_mr(dest.mr, IBV_REREG_MR_CHANGE_PD, pair.b.pd, NULL, 0, 0),
			  "rereg_mr back");
		writes(dest.first, IBV_WC_SUCCESS, "the domain of before");
	}
	expect_ok(ibv_dealloc_pd(other), "dealloc_pd when it has gone back");
	end("rereg_mr, domain: the old one loses a user, the new one gains it (V3-251, R0-294)");
}

static void all_change(void)
{
	struct ibv_pd *other = ibv_alloc_pd(pair.b.context);
	int all = IBV_REREG_MR_CHANGE_TRANSLATION | IBV_REREG_MR_CHANGE_PD |
		  IBV_REREG_MR_CHANGE_ACCESS;

	if (expect_made(other, "alloc_pd") && begin(LOCAL)) {
		expect_ok(ibv_rereg_mr(dest.mr, all, other, dest.second, BYTES / 2, WRITE),
			  "rereg_mr");
		writes(dest.second, IBV_WC_REM_ACCESS_ERR, "another domain");
		expect_ok(ibv_rereg_mr(dest.mr, all, pair.b.pd, dest.second, BYTES / 2, WRITE),
			  "rereg_mr again");
		writes(dest.second + BYTES / 2 - 16, IBV_WC_SUCCESS, "the end");
		writes(dest.second + BYTES / 2 - 15, IBV_WC_REM_ACCESS_ERR, "beyond the end");
	}
	end("rereg_mr of everything, several times (R0-294)");
	expect_ok(ibv_dealloc_pd(other), "dealloc_pd");
}

/* A reregistration that fails changes nothing. */
static void refused(void)
{
	struct ibv_mw_bind mw_bind;
	uint32_t rkey;
	struct ibv_mw *mw;
	struct ibv_wc wc;

	if (!begin(WRITE | IBV_ACCESS_MW_BIND))
		goto out;
	rkey = dest.mr->rkey;
	expect(ibv_rereg_mr(dest.mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, (void *)4096, BYTES, 0),
	       "memory that is not there is registered");
	expect(ibv_rereg_mr(dest.mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, dest.second, 0, 0),
	       "no octet is registered");
	expect(ibv_rereg_mr(dest.mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
			    IBV_ACCESS_ON_DEMAND | WRITE),
	       "a right that there is not is granted");
	expect(ibv_rereg_mr(dest.mr, 1 << 5, NULL, NULL, 0, 0), "an unknown flag is accepted");
	expect_value(dest.mr->rkey, rkey, "the key");
	writes(dest.first, IBV_WC_SUCCESS, "as before");
	mw = ibv_alloc_mw(pair.b.pd, IBV_MW_TYPE_1);
	mw_bind = (struct ibv_mw_bind){
		.wr_id = 9,
		.send_flags = IBV_SEND_SIGNALED,
		.bind_info = { .mr = dest.mr, .addr = (uintptr_t)dest.first, .length = 64,
			       .mw_access_flags = IBV_ACCESS_REMOTE_WRITE },
	};
	if (expect_made(mw, "alloc_mw") && expect_ok(ibv_bind_mw(pair.b.qp, mw, &mw_bind), "bind_mw") &&
	    completes(pair.b.send_cq, 9, IBV_WC_SUCCESS, &wc)) {
		expect(ibv_rereg_mr(dest.mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, dest.second,
				    BYTES, 0),
		       "an MR with a window is reregistered");
		expect_value(dest.mr->rkey, rkey, "the key");
		writes(dest.first, IBV_WC_SUCCESS, "as before");
		ends(IBV_WR_RDMA_WRITE, dest.first, mw->rkey, IBV_WC_SUCCESS, "by the window");
	}
	expect_ok(ibv_dealloc_mw(mw), "dealloc_mw");
out:
	end("rereg_mr that is refused, with a window too: the MR is unchanged (R0-295, R0-499)");
}

/* A zero-based MR from octet 100 of the memory on. */
static bool begin_at_zero(uint64_t iova)
{
	if (!begin(WRITE) || !expect_ok(ibv_dereg_mr(dest.mr), "dereg_mr"))
		return false;
	dest.mr = ibv_reg_mr_iova(pair.b.pd, dest.first + 100, BYTES - 100, iova,
				  WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_MW_BIND |
					  IBV_ACCESS_ZERO_BASED);
	return expect_made(dest.mr, "reg_mr");
}

static void *offset(size_t n)
{
	return (void *)n;
}

static void zero_based(void)
{
	struct ibv_sge sge;
	struct ibv_recv_wr recv = { .wr_id = 7, .sg_list = &sge, .num_sge = 1 }, *bad;
	struct ibv_send_wr send;
	struct ibv_wc wc;

	if (begin_at_zero(100)) {
		memset(pair.a.memory + SOURCE, 0x66, 16);
		writes(offset(0), IBV_WC_SUCCESS, "the first octet");
		expect(dest.first[99] == 1 && dest.first[100] == 0x66 && dest.first[115] == 0x66 &&
		       dest.first[116] == 1, "other octets were written");
		writes(offset(BYTES - 116), IBV_WC_SUCCESS, "the last octet");
		expect_value(dest.first[BYTES - 1], 0x66, "the last octet");
		writes(offset(BYTES - 115), IBV_WC_REM_ACCESS_ERR, "beyond the end");
		writes(dest.first + 100, IBV_WC_REM_ACCESS_ERR, "by the address in the process");
		writes(offset(-1), IBV_WC_REM_ACCESS_ERR, "around zero");
		sge = (struct ibv_sge){ .addr = 50, .length = 16, .lkey = dest.mr->lkey };
		expect_ok(ibv_post_recv(pair.b.qp, &recv, &bad), "post_recv");
		sge = sge_of(&pair.a, SOURCE, 16);
		send = send_wr(8, &sge);
		post_wr(&pair.a, &send);
		completes(pair.b.recv_cq, 7, IBV_WC_SUCCESS, &wc);
		expect(dest.first[149] == 1 && dest.first[150] == 0x66, "a message arrived elsewhere");
	}
	end("zero-based: addresses begin at 0, for the peer and locally (R0-287, R0-331)");

	if (begin_at_zero(0x700000000064)) {
		writes(offset(0), IBV_WC_SUCCESS, "the first octet");
		writes(offset(0x700000000064), IBV_WC_REM_ACCESS_ERR, "the iova");
	}
	end("zero-based, with an iova: the iova has no effect (R0-331)");
}

static void zero_based_later(void)
{
	uint32_t first;

	if (begin(WRITE)) {
		first = dest.mr->rkey;
		expect_ok(ibv_rereg_mr(dest.mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
				       WRITE | IBV_ACCESS_ZERO_BASED),
			  "rereg_mr");
		expect(dest.mr->rkey != first, "addresses change, and the key does not");
		writes(offset(0), IBV_WC_SUCCESS, "the first octet");
		writes(dest.first, IBV_WC_REM_ACCESS_ERR, "by the address in the process");
		expect_ok(ibv_rereg_mr(dest.mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, WRITE),
			  "rereg_mr back");
		writes(dest.first, IBV_WC_SUCCESS, "by the address in the process");
		writes(offset(0), IBV_WC_REM_ACCESS_ERR, "by an offset");
	}
	end("rereg_mr makes an MR zero-based, and back, with other keys");
}

static void zero_based_window(void)
{
	struct ibv_mw *mw = ibv_alloc_mw(pair.b.pd, IBV_MW_TYPE_1);
	struct ibv_mw_bind mw_bind;
	struct ibv_wc wc;

	if (expect_made(mw, "alloc_mw") && begin_at_zero(100)) {
		mw_bind = (struct ibv_mw_bind){
			.wr_id = 9,
			.send_flags = IBV_SEND_SIGNALED,
			.bind_info = { .mr = dest.mr, .length = 64,
				       .mw_access_flags = IBV_ACCESS_REMOTE_WRITE },
		};
		expect_ok(ibv_bind_mw(pair.b.qp, mw, &mw_bind), "bind_mw");
		completes(pair.b.send_cq, 9, IBV_WC_MW_BIND_ERR, &wc);
	}
	end("zero-based: no window can be bound to it (R0-332, R0-359)");
	expect_ok(ibv_dealloc_mw(mw), "dealloc_mw");
}

static void optional_rights(void)
{
	if (begin(WRITE | IBV_ACCESS_RELAXED_ORDERING | IBV_ACCESS_HUGETLB))
		writes(dest.first, IBV_WC_SUCCESS, "an RDMA Write");
	end("RELAXED_ORDERING and HUGETLB are accepted");
}

/* Reads of the null MR return zeroes, writes to it are discarded, and no peer may use its key. */
static void null_mr(void)
{
	struct ibv_mr *null = ibv_alloc_null_mr(pair.b.pd);
	struct ibv_recv_wr recv = { .wr_id = 7, .num_sge = 1 }, *bad;
	struct ibv_sge sge;
	struct ibv_send_wr send;
	struct ibv_wc wc;

	if (expect_made(null, "alloc_null_mr") && begin(WRITE)) {
		sge = (struct ibv_sge){ .addr = 12345, .length = 5000, .lkey = null->lkey };
		expect_value(null->length, SIZE_MAX, "the length");
		memset(pair.a.memory + SOURCE, 0x55, 5001);
		post_recv(&pair.a, 6, SOURCE, 5000);
		send = send_wr(8, &sge);
		post_wr(&pair.b, &send);
		completes(pair.a.recv_cq, 6, IBV_WC_SUCCESS, &wc);
		expect(!pair.a.memory[SOURCE] && !pair.a.memory[SOURCE + 4999] &&
		       pair.a.memory[SOURCE + 5000] == 0x55, "other octets than zeroes arrive");
		recv.sg_list = &sge;
		expect_ok(ibv_post_recv(pair.b.qp, &recv, &bad), "post_recv");
		post_send(&pair.a, 9, SOURCE, 5000);
		completes(pair.b.recv_cq, 7, IBV_WC_SUCCESS, &wc);
		expect_value(wc.byte_len, 5000, "octets that were discarded");
		completes(pair.a.send_cq, 9, IBV_WC_SUCCESS, &wc);
		ends(IBV_WR_RDMA_WRITE, NULL, null->lkey, IBV_WC_REM_ACCESS_ERR, "by a peer");
		expect(ibv_rereg_mr(null, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, WRITE),
		       "it is reregistered");
	}
	end("the null MR: zeroes are read, what is written is discarded, no peer may use it");
	expect_ok(ibv_dereg_mr(null), "dereg_mr");
	verdict("... which is given back");
}

/* A peer writes all the time, while rights that it does not need come and go. */
static struct {
	bool over;
	unsigned int changes, wrong;
} changer;

static void *change(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&changer.over, __ATOMIC_RELAXED)) {
		int access = changer.changes % 2 ? WRITE : WRITE | IBV_ACCESS_REMOTE_READ;

		changer.wrong += !!ibv_rereg_mr(dest.mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
						access);
		changer.changes++;
	}
	return NULL;
}

/* Posts a write of @length octets; what it ends with is in @wc. */
static bool write_all(uint32_t length, struct ibv_wc *wc)
{
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, length);
	struct ibv_send_wr wr = rdma_wr(6, IBV_WR_RDMA_WRITE, &sge, &pair.b, 0);

	wr.wr.rdma.remote_addr = (uintptr_t)dest.first;
	wr.wr.rdma.rkey = dest.mr->rkey;
	return post_wr(&pair.a, &wr) &&
	       expect(collect(pair.a.send_cq, wc, 1, PATIENCE_MS) == 1, "a write does not complete");
}

/*
 * A change is an end and a beginning: a write that comes in between may be refused, no other way.
 */
static void under_load(void)
{
	pthread_t thread;
	unsigned int i, done = 0;
	struct ibv_wc wc;

	if (begin(WRITE)) {
		if (pthread_create(&thread, NULL, change, NULL))
			give_up("a thread");
		for (i = 0; i < 300; i++) {
			memset(pair.a.memory + SOURCE, i, BYTES);
			if (!has_counted(&changer.changes, i / 25, "changes meanwhile") ||
			    !write_all(BYTES, &wc))
				break;
			if (wc.status == IBV_WC_SUCCESS) {
				expect(!memcmp(dest.first, pair.a.memory + SOURCE, BYTES),
				       "write %u is not there as a whole", i);
				done++;
				continue;
			}
			expect_wc(&wc, 6, IBV_WC_REM_ACCESS_ERR);
			pair_disconnect(&pair);
			if (!pair_connect(&pair, &default_setup))
				break;
		}
		__atomic_store_n(&changer.over, true, __ATOMIC_RELAXED);
		pthread_join(thread, NULL);
		expect(done > 10, "only %u writes were done", done);
		expect(changer.changes > 10, "only %u changes meanwhile", changer.changes);
		expect_value(changer.wrong, 0, "changes that were refused");
		writes(dest.first, IBV_WC_SUCCESS, "afterwards");
	}
	end("300 writes while rights are changed all the time: each is done, or refused (R0-299)");
}

/* Parent domains and thread domains. */

static void parents(void)
{
	struct ibv_td_init_attr td_attr = {};
	struct ibv_td *td = ibv_alloc_td(pair.b.context, &td_attr);
	struct ibv_parent_domain_init_attr attr = { .pd = pair.b.pd, .td = td };
	struct ibv_pd *parent = ibv_alloc_parent_domain(pair.b.context, &attr), *pd = pair.b.pd;
	struct ibv_ah_attr ah_attr = path_to(&pair.a, false);
	struct ibv_ah *ah;

	if (expect_made(td, "alloc_td") && expect_made(parent, "alloc_parent_domain")) {
		expect_error(ibv_dealloc_td(td), EBUSY, "dealloc_td of a thread domain in use");
		ah = ibv_create_ah(parent, &ah_attr);
		expect_made(ah, "create_ah");
		expect_error(ibv_dealloc_pd(parent), EBUSY, "dealloc_pd of a parent domain in use");
		expect_ok(ibv_destroy_ah(ah), "destroy_ah");
		pair.b.pd = parent;
		if (begin(WRITE)) /* the queue pair, and the MR, are the parent domain's */
			writes(dest.first, IBV_WC_SUCCESS, "an RDMA Write");
		pair_disconnect(&pair);
		expect_ok(ibv_dereg_mr(dest.mr), "dereg_mr");
		dest.mr = NULL;
		pair.b.pd = pd;
		expect_ok(ibv_dealloc_pd(parent), "dealloc_pd of the parent domain");
		expect_ok(ibv_dealloc_td(td), "dealloc_td");
	}
	end("objects of a parent domain are those of its domain; users keep all of them (V3-143)");
}

static void parents_refused(void)
{
	struct ibv_parent_domain_init_attr attr = {
		.pd = pair.b.pd,
		.comp_mask = IBV_PARENT_DOMAIN_INIT_ATTR_ALLOCATORS,
	};
	struct ibv_td_init_attr td_attr = { .comp_mask = 1 };

	expect_refused(ibv_alloc_parent_domain(pair.b.context, &attr), EOPNOTSUPP, "allocators");
	attr.comp_mask = 1 << 9;
	expect_refused(ibv_alloc_parent_domain(pair.b.context, &attr), EOPNOTSUPP, "an unknown comp_mask");
	attr = (struct ibv_parent_domain_init_attr){};
	expect_refused(ibv_alloc_parent_domain(pair.b.context, &attr), EINVAL, "no domain");
	expect_refused(ibv_alloc_td(pair.b.context, &td_attr), EOPNOTSUPP, "alloc_td, comp_mask");
	verdict("parent domains with allocators, or of nothing, are refused");
}

/* Contexts, domains and MRs of another user of the file. */

/* V3-342 */
static void imports(void)
{
	struct ibv_context *context = ibv_import_device(dup(pair.b.context->cmd_fd));
	struct ibv_pd *pd = NULL;
	struct ibv_mr *mr = NULL;

	if (!expect_made(context, "import_device") || !begin(WRITE))
		goto out;
	pd = ibv_import_pd(context, pair.b.pd->handle);
	expect_refused(ibv_import_pd(context, 12345), ENOENT, "import_pd of none");
	if (expect_made(pd, "import_pd")) {
		mr = ibv_import_mr(pd, dest.mr->handle);
		expect_refused(ibv_import_mr(pd, 12345), ENOENT, "import_mr of none");
	}
	if (expect_made(mr, "import_mr")) {
		expect_value(mr->rkey, dest.mr->rkey, "the key");
		expect_value(mr->length, BYTES, "the length");
		ends(IBV_WR_RDMA_WRITE, dest.first, mr->rkey, IBV_WC_SUCCESS, "by the imported MR");
		ibv_unimport_mr(mr);
	}
	if (pd)
		ibv_unimport_pd(pd);
	writes(dest.first, IBV_WC_SUCCESS, "when it is no longer imported");
out:
	if (context)
		expect_ok(ibv_close_device(context), "close_device");
	end("a context, a domain and an MR are imported, and what is not there is refused (V3-254)");
}

int main(int argc, char **argv)
{
	pair_open(&pair, argc, argv);
	access_changes();
	reading_to_writing();
	translation_changes();
	pd_changes();
	all_change();
	refused();
	zero_based();
	zero_based_later();
	zero_based_window();
	optional_rights();
	null_mr();
	under_load();
	parents();
	parents_refused();
	imports();
	pair_close(&pair);
	return lab_status();
}
