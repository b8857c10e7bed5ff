// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_dm [DEVICE [DEVICE]]
 * Device memory: allocated, copied to and from, registered, read and written by a peer, imported,
 * and not to be had by others. Runs in the guest with Active ports.
 */
#include "verbs_pair.h"
#include <sys/mman.h>
#include <sys/resource.h>

#define SOURCE 0u
#define BYTES 6000u
#define RIGHTS (ALL_RIGHTS | IBV_ACCESS_ZERO_BASED)

static struct pair pair;

/* Device memory of b, and an MR of a part of it. */
static struct {
	struct ibv_dm *dm;
	struct ibv_mr *mr;
} dest;

static struct ibv_dm *make(struct end *end, size_t length)
{
	struct ibv_alloc_dm_attr attr = { .length = length, .log_align_req = 6 };

	return ibv_alloc_dm(end->context, &attr);
}

static bool begin(uint64_t offset, size_t length)
{
	dest.dm = make(&pair.b, BYTES);
	if (!expect_made(dest.dm, "alloc_dm"))
		return false;
	dest.mr = ibv_reg_dm_mr(pair.b.pd, dest.dm, offset, length, RIGHTS);
	return expect_made(dest.mr, "reg_dm_mr") && pair_connect(&pair, &default_setup);
}

static void end(const char *what)
{
	pair_disconnect(&pair);
	if (dest.mr)
		expect_ok(ibv_dereg_mr(dest.mr), "dereg_mr");
	if (dest.dm)
		expect_ok(ibv_free_dm(dest.dm), "free_dm");
	dest.mr = NULL;
	dest.dm = NULL;
	verdict("%s", what);
}

/* A request of @length octets by the key of b's MR, at @address in it, ends with @status. */
static bool ends(enum ibv_wr_opcode opcode, uint64_t address, uint32_t length,
		 enum ibv_wc_status status)
{
	return pair_request(&pair, opcode, SOURCE, length, dest.mr->rkey, address, status);
}

static void peer_writes_and_reads(void)
{
	uint8_t got[BYTES];
	uint32_t i;

	if (begin(1000, 5000)) {
		for (i = 0; i < BYTES; i++)
			pair.a.memory[SOURCE + i] = i * 7;
		expect_ok(ibv_memcpy_from_dm(got, dest.dm, 0, BYTES), "memcpy_from_dm");
		for (i = 0; i < BYTES; i++)
			expect_value(got[i], 0, "an octet of new device memory");
		ends(IBV_WR_RDMA_WRITE, 3, 4500, IBV_WC_SUCCESS);
		expect_ok(ibv_memcpy_from_dm(got, dest.dm, 0, BYTES), "memcpy_from_dm");
		expect(!memcmp(got + 1003, pair.a.memory + SOURCE, 4500), "what was written is not there");
		expect_value(got[1002] | got[5503], 0, "the octets around it");
		memset(got, 0x5a, BYTES);
		expect_ok(ibv_memcpy_to_dm(dest.dm, 4000, got, 2000), "memcpy_to_dm");
		ends(IBV_WR_RDMA_READ, 3000, 2000, IBV_WC_SUCCESS);
		expect(!memcmp(got, pair.a.memory + SOURCE, 2000), "what was copied is not read");
	}
	end("a peer writes and reads device memory, from any octet of it");
}

static void atomics(void)
{
	uint64_t value = 35;
	uint32_t i;

	if (begin(1000, 5000)) {
		expect_ok(ibv_memcpy_to_dm(dest.dm, 1016, &value, 8), "memcpy_to_dm");
		for (i = 0; i < 10; i++)
			ends(IBV_WR_ATOMIC_FETCH_AND_ADD, 16, 8, IBV_WC_SUCCESS);
		expect_ok(ibv_memcpy_from_dm(&value, dest.dm, 1016, 8), "memcpy_from_dm");
		expect_value(value, 35 + 10 * 7, "the sum");
	}
	end("atomics on device memory");
}

/* It is also where a Send comes from, and where one arrives. */
static void local(void)
{
	struct ibv_dm *from = make(&pair.a, 4096);
	struct ibv_mr *mr = from ? ibv_reg_dm_mr(pair.a.pd, from, 0, 4096, RIGHTS) : NULL;
	uint8_t out[4096], in[4096];
	struct ibv_recv_wr recv = { .wr_id = 1, .num_sge = 1 }, *bad;
	struct ibv_send_wr send;
	struct ibv_sge sge[2];
	struct ibv_wc wc;

	memset(out, 0xc3, sizeof(out));
	if (expect_made(mr, "reg_dm_mr") && begin(0, BYTES)) {
		sge[0] = (struct ibv_sge){ .addr = 100, .length = 3000, .lkey = mr->lkey };
		sge[1] = (struct ibv_sge){ .addr = 200, .length = 3000, .lkey = dest.mr->lkey };
		recv.sg_list = &sge[1];
		send = send_wr(2, &sge[0]);
		expect_ok(ibv_memcpy_to_dm(from, 0, out, 4096), "memcpy_to_dm");
		expect_ok(ibv_post_recv(pair.b.qp, &recv, &bad), "post_recv");
		post_wr(&pair.a, &send);
		completes(pair.a.send_cq, 2, IBV_WC_SUCCESS, &wc);
		completes(pair.b.recv_cq, 1, IBV_WC_SUCCESS, &wc);
		expect_ok(ibv_memcpy_from_dm(in, dest.dm, 200, 3000), "memcpy_from_dm");
		expect(!memcmp(in, out, 3000), "another message has arrived");
	}
	end("messages from device memory to device memory");
	if (mr)
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	if (from)
		expect_ok(ibv_free_dm(from), "free_dm");
	verdict("... which is given back");
}

static void beyond(void)
{
	if (begin(1000, 5000)) {
		ends(IBV_WR_RDMA_WRITE, 4990, 11, IBV_WC_REM_ACCESS_ERR);
		pair_disconnect(&pair);
		if (pair_connect(&pair, &default_setup))
			ends(IBV_WR_RDMA_WRITE, 4990, 10, IBV_WC_SUCCESS);
	}
	end("an MR of device memory ends where it ends");
}

static void refused(void)
{
	struct ibv_alloc_dm_attr attr = { .length = 100, .log_align_req = 20 };
	struct ibv_device_attr_ex limits;
	uint8_t octets[64] = {};

	expect_ok(ibv_query_device_ex(pair.b.context, NULL, &limits), "query_device_ex");
	expect(limits.max_dm_size >= 65536, "there is little device memory");
	expect_refused(make(&pair.b, 0), EINVAL, "no octets");
	expect_refused(make(&pair.b, limits.max_dm_size + 1), EINVAL, "more than there is");
	expect_refused(ibv_alloc_dm(pair.b.context, &attr), EINVAL, "an alignment of a megabyte");
	attr.log_align_req = 0;
	attr.comp_mask = 1 << 7;
	expect_refused(ibv_alloc_dm(pair.b.context, &attr), EOPNOTSUPP, "an unknown comp_mask");
	if (begin(0, BYTES)) {
		expect_refused(ibv_reg_dm_mr(pair.b.pd, dest.dm, 0, BYTES, ALL_RIGHTS), EINVAL,
			       "an MR that is not zero-based");
		expect_refused(ibv_reg_dm_mr(pair.b.pd, dest.dm, 1, BYTES, RIGHTS), EINVAL,
			       "an octet beyond the end");
		expect_refused(ibv_reg_dm_mr(pair.b.pd, dest.dm, -4ull, 8, RIGHTS), EINVAL,
			       "octets before the beginning");
		expect_error(ibv_memcpy_to_dm(dest.dm, BYTES - 60, octets, 64), EINVAL,
			     "memcpy_to_dm beyond the end");
		expect_error(ibv_memcpy_from_dm(octets, dest.dm, -4ull, 8), EINVAL,
			     "memcpy_from_dm before the beginning");
		expect_error(ibv_memcpy_to_dm(dest.dm, 2, octets, 8), EINVAL, "an odd offset");
		expect_error(ibv_memcpy_to_dm(dest.dm, 4, octets, 7), EINVAL, "an odd length");
		expect_error(ibv_free_dm(dest.dm), EBUSY, "free_dm with an MR");
		expect_error(ibv_rereg_mr(dest.mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
					  IBV_ACCESS_LOCAL_WRITE) ? EINVAL : 0,
			     EINVAL, "rereg_mr");
		ends(IBV_WR_RDMA_WRITE, 0, 100, IBV_WC_SUCCESS);
	}
	end("what cannot be is refused by name, and changes nothing");
}

/* The offset of a context's mapping means nothing in another one. */
static void isolated(void)
{
	struct ibv_context *other = ibv_open_device(pair.b.context->device);
	struct ibv_dm *dm = make(&pair.b, BYTES);
	unsigned int n = 0;
	off_t at;
	void *p;

	if (expect_made(other, "open_device") && expect_made(dm, "alloc_dm")) {
		for (at = 0; at < 64 * 4096; at += 4096) {
			p = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, other->cmd_fd, at);
			n += p != MAP_FAILED;
		}
		expect_value(n, 0, "mappings of another context's device memory");
		expect_refused(ibv_import_dm(other, dm->handle), ENOENT, "import_dm by another context");
	}
	if (dm)
		expect_ok(ibv_free_dm(dm), "free_dm");
	if (other)
		expect_ok(ibv_close_device(other), "close_device");
	verdict("another context can neither map nor import it");
}

static void imports(void)
{
	struct ibv_context *context = ibv_import_device(dup(pair.b.context->cmd_fd));
	struct ibv_dm *dm = make(&pair.b, BYTES), *same = NULL;
	uint64_t value = 0x1234567890abcdefull, got = 0;

	if (expect_made(context, "import_device") && expect_made(dm, "alloc_dm"))
		same = ibv_import_dm(context, dm->handle);
	if (expect_made(same, "import_dm")) {
		expect_ok(ibv_memcpy_to_dm(same, 5000, &value, 8), "memcpy_to_dm");
		expect_ok(ibv_memcpy_from_dm(&got, dm, 5000, 8), "memcpy_from_dm");
		expect_value(got, value, "what was copied by the other");
		expect_refused(ibv_import_dm(context, 12345), ENOENT, "import_dm of none");
		ibv_unimport_dm(same);
		expect_ok(ibv_memcpy_from_dm(&got, dm, 5000, 8), "memcpy_from_dm afterwards");
	}
	if (dm)
		expect_ok(ibv_free_dm(dm), "free_dm");
	if (context)
		expect_ok(ibv_close_device(context), "close_device");
	verdict("it is imported by another user of the file (V3-254)");
}

/* It is locked memory of the process. */
static void charged(void)
{
	struct rlimit none = { 0, 0 }, before;
	uid_t uid = geteuid();
	struct ibv_dm *dm;

	getrlimit(RLIMIT_MEMLOCK, &before);
	none.rlim_max = before.rlim_max;
	setrlimit(RLIMIT_MEMLOCK, &none);
	if (seteuid(65534))
		give_up("seteuid");
	dm = make(&pair.b, 65536);
	expect_refused(dm, ENOMEM, "alloc_dm beyond RLIMIT_MEMLOCK");
	if (seteuid(uid))
		give_up("seteuid back");
	setrlimit(RLIMIT_MEMLOCK, &before);
	dm = make(&pair.b, 65536);
	if (expect_made(dm, "alloc_dm"))
		expect_ok(ibv_free_dm(dm), "free_dm");
	verdict("it counts as locked memory of its owner");
}

int main(int argc, char **argv)
{
	pair_open(&pair, argc, argv);
	peer_writes_and_reads();
	atomics();
	local();
	beyond();
	refused();
	isolated();
	imports();
	charged();
	pair_close(&pair);
	return lab_status();
}
