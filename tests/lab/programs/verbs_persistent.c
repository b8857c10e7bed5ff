// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_persistent FILE [DEVICE [DEVICE]]
 * Flushes to persistent memory, of which FILE, such as /dev/dax0.0, has 4 MiB or more, and checks
 * that other memory does not permit that. Where the kernel has no memory placement extensions, that
 * is refused for persistent memory, too. Runs in the guest with Active ports.
 *
 * Requests are written to the ring, for libibverbs before rdma-core 45 cannot post a Flush; where
 * it can, some are posted by its calls as well.
 */
#include "verbs_pair.h"
#include "verbs_ring.h"
#include <fcntl.h>

/* Names that rdma-core 44 does not have all of, with the values that rdma-core gives them since. */
#define DEVICE_FLUSH_GLOBAL (1ull << 38)
#define DEVICE_FLUSH_PERSISTENT (1ull << 39)
#define ACCESS_FLUSH_GLOBAL (1 << 8)
#define ACCESS_FLUSH_PERSISTENT (1 << 9)
#define WR_FLUSH 14
#define WC_FLUSH 8
#define FLUSH_GLOBAL 1
#define FLUSH_PERSISTENT 2
#define FLUSH_RANGE 0
#define FLUSH_MR 1

#define RIGHTS (ALL_RIGHTS | ACCESS_FLUSH_GLOBAL)
#define LENGTH (4u << 20) /* octets of persistent memory, which more than one turn writes back */
#define HALF (LENGTH / 2) /* device memory is mapped in parts of so many octets */
#define MARK 0x5e4d5e4d00000000ull

static struct pair pair;
static struct queue sq;
static int bell;
static uint8_t *persistent; /* LENGTH octets of the file */

static struct ibv_mr *reg(void *memory, int access)
{
	return ibv_reg_mr(pair.b.pd, memory, LENGTH, access);
}

static void dereg(struct ibv_mr *mr)
{
	if (mr)
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
}

static void no_mr(void *memory, int access, int error, const char *what)
{
	struct ibv_mr *mr = reg(memory, access);

	if (expect(!mr, "%s was registered", what))
		expect_value(errno, error, what);
	dereg(mr);
}

/* Connects, and writes twice to the peer to find the send queue's ring. */
static bool begin(struct ibv_mr *mr)
{
	struct mapping before[MAPPINGS], added[MAPPINGS];
	struct setup setup = default_setup;
	struct ibv_send_wr wr;
	struct ibv_wc wc;
	int n = mappings(before), i;
	struct ibv_sge sge;

	setup.rights |= ACCESS_FLUSH_GLOBAL | ACCESS_FLUSH_PERSISTENT;
	if (!mr || !pair_connect(&pair, &setup))
		return expect(false, "no connection");
	for (i = 0; i < 2; i++) {
		sge = sge_of(&pair.a, 0, 8);
		wr = rdma_wr(MARK + i, IBV_WR_RDMA_WRITE, &sge, &pair.b, 0);
		if (!post_wr(&pair.a, &wr) ||
		    !completes(pair.a.send_cq, MARK + i, IBV_WC_SUCCESS, &wc))
			return false;
	}
	n = mappings_added(before, n, added);
	return queue_find(added, n, MARK, &sq);
}

static void end(const char *name)
{
	pair_disconnect(&pair);
	verdict("%s", name);
}

static void post_flush(uint32_t rkey, const uint8_t *at, uint32_t length, uint8_t type,
		       uint8_t level)
{
	uint32_t producer = sq.ring->producer;
	struct hca_send_wqe *wqe = entry_at(&sq, producer);

	memset(wqe, 0, HCA_SEND_WQE_HEADER);
	wqe->wr_id = 7;
	wqe->opcode = WR_FLUSH;
	wqe->flags = HCA_WQE_SIGNALED;
	wqe->rdma.remote_addr = (uintptr_t)at;
	wqe->rdma.rkey = rkey;
	wqe->rdma.flush.length = length;
	wqe->rdma.flush.placement = type;
	wqe->rdma.flush.selectivity = level;
	producer_write(&sq, producer + 1);
	expect_ok(ring_one(bell, pair.a.qp->qp_num), "ring the doorbell");
}

static void flushed(enum ibv_wc_status status)
{
	struct ibv_wc wc;

	if (completes(pair.a.send_cq, 7, status, &wc) && !status)
		expect_value(wc.opcode, WC_FLUSH, "the completion's opcode");
}

/* Writes to persistent memory, and flushes it. */
static void flush(const char *name, struct ibv_mr *mr, uint8_t type, uint8_t level)
{
	static uint8_t salt;
	uint32_t at = 4000, length = 100000;

	memset(pair.a.memory, ++salt, length);
	if (begin(mr) && pair_request(&pair, IBV_WR_RDMA_WRITE, 0, length, mr->rkey,
				      (uintptr_t)persistent + at, IBV_WC_SUCCESS)) {
		post_flush(mr->rkey, persistent + at, length, type, level);
		flushed(IBV_WC_SUCCESS);
		expect(!memcmp(persistent + at, pair.a.memory, length), "other octets are there");
	}
	end(name);
}

#if HAVE_DECL_IBV_WR_FLUSH
/* The same by libibverbs' own calls. */
static void flush_by_calls(struct ibv_mr *mr)
{
	struct setup setup = default_setup;
	uint32_t at = 8000, length = 70000;
	struct ibv_qp_ex *qp;

	setup.rights |= IBV_ACCESS_FLUSH_GLOBAL | IBV_ACCESS_FLUSH_PERSISTENT;
	setup.send_ops = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_FLUSH;
	memset(pair.a.memory, 0x5c, length);
	if (expect(pair_connect(&pair, &setup), "no connection")) {
		qp = ibv_qp_to_qp_ex(pair.a.qp);
		ibv_wr_start(qp);
		qp->wr_id = 6;
		qp->wr_flags = 0;
		ibv_wr_rdma_write(qp, mr->rkey, (uintptr_t)persistent + at);
		ibv_wr_set_sge(qp, pair.a.mr->lkey, (uintptr_t)pair.a.memory, length);
		qp->wr_id = 7;
		qp->wr_flags = IBV_SEND_SIGNALED;
		ibv_wr_flush(qp, mr->rkey, (uintptr_t)persistent + at, length,
			     IBV_FLUSH_GLOBAL | IBV_FLUSH_PERSISTENT, IBV_FLUSH_RANGE);
		expect_ok(ibv_wr_complete(qp), "wr_complete");
		flushed(IBV_WC_SUCCESS);
		expect(!memcmp(persistent + at, pair.a.memory, length), "other octets are there");
	}
	end("a Write and a Flush by ibv_wr_flush()");
}
#endif

static void flushes(struct ibv_mr *mr)
{
	flush("a range becomes persistent", mr, FLUSH_PERSISTENT, FLUSH_RANGE);
	flush("an MR becomes persistent", mr, FLUSH_PERSISTENT, FLUSH_MR);
	flush("a range becomes visible and persistent", mr, FLUSH_GLOBAL | FLUSH_PERSISTENT,
	      FLUSH_RANGE);
	flush("an MR becomes visible and persistent", mr, FLUSH_GLOBAL | FLUSH_PERSISTENT,
	      FLUSH_MR);
	flush("a range of persistent memory becomes visible", mr, FLUSH_GLOBAL, FLUSH_RANGE);
#if HAVE_DECL_IBV_WR_FLUSH
	flush_by_calls(mr);
#endif
}

static void flush_fails(const char *name, struct ibv_mr *mr, uint32_t length, uint8_t level)
{
	if (begin(mr)) {
		post_flush(mr->rkey, mr->addr, length, FLUSH_PERSISTENT, level);
		flushed(IBV_WC_REM_ACCESS_ERR);
	}
	end(name);
}

/* An atomic is executed behind a Flush that takes several turns, and completes behind it. */
static void atomic_behind(struct ibv_mr *mr)
{
	struct ibv_sge sge = sge_of(&pair.a, 64, 8);
	struct ibv_send_wr wr = rdma_wr(8, IBV_WR_ATOMIC_FETCH_AND_ADD, &sge, &pair.b, 0);
	uint64_t value = 5;
	struct ibv_wc wc;

	wr.wr.atomic.remote_addr = (uintptr_t)persistent;
	wr.wr.atomic.rkey = mr->rkey;
	wr.wr.atomic.compare_add = 3;
	memcpy(persistent, &value, sizeof(value));
	if (begin(mr)) {
		post_flush(mr->rkey, persistent, LENGTH, FLUSH_PERSISTENT, FLUSH_RANGE);
		post_wr(&pair.a, &wr);
		flushed(IBV_WC_SUCCESS);
		completes(pair.a.send_cq, 8, IBV_WC_SUCCESS, &wc);
		memcpy(&value, persistent, sizeof(value));
		expect_value(value, 8, "the sum");
		memcpy(&value, pair.a.memory + 64, sizeof(value));
		expect_value(value, 5, "what was there");
	}
	end("an atomic behind a Flush of much memory");
}

/* Returns memory of which only the first half is persistent. */
static uint8_t *map_half(int fd)
{
	uint8_t *room = mmap(NULL, LENGTH + HALF, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *at = (uint8_t *)(((uintptr_t)room + HALF - 1) & -(uintptr_t)HALF);

	if (room == MAP_FAILED || mmap(at, HALF, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
				       fd, 0) != at)
		give_up("persistent memory beside memory that is not");
	return at;
}

static void other_memory(uint8_t *half)
{
	const int access = RIGHTS | ACCESS_FLUSH_PERSISTENT;
	struct ibv_alloc_dm_attr attr = { .length = 4096 };
	struct ibv_dm *dm = ibv_alloc_dm(pair.b.context, &attr);
	struct ibv_mr *mr;

	no_mr(pair.b.memory, access, EINVAL, "memory that is not persistent");
	no_mr(half, access, EINVAL, "memory that is persistent in part");
	no_mr(persistent, access | IBV_ACCESS_ON_DEMAND, EOPNOTSUPP, "memory on demand");
	mr = dm ? ibv_reg_dm_mr(pair.b.pd, dm, 0, 4096, access | IBV_ACCESS_ZERO_BASED) : NULL;
	expect(dm && !mr, "memory of the device was registered");
	dereg(mr);
	if (dm)
		expect_ok(ibv_free_dm(dm), "free_dm");
	verdict("what is not persistent, or may go, is not registered so");
}

static void reregister(void)
{
	const int access = RIGHTS | ACCESS_FLUSH_PERSISTENT;
	struct ibv_mr *ordinary = reg(pair.b.memory, RIGHTS), *mr = reg(persistent, RIGHTS);

	if (expect_made(ordinary, "reg_mr") && expect_made(mr, "reg_mr")) {
		flush_fails("persistent memory of an MR without the right", mr, LENGTH,
			    FLUSH_RANGE);
		expect(ibv_rereg_mr(ordinary, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, access),
		       "an MR of ordinary memory got the right");
		expect_ok(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, access),
			  "rereg_mr");
		verdict("an MR gets the right if its memory is persistent");
		flush("then it may be flushed", mr, FLUSH_PERSISTENT, FLUSH_MR);
		expect(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, NULL, pair.b.memory,
				    LENGTH, 0),
		       "an MR kept the right with ordinary memory");
		verdict("an MR with the right gets no other memory");
	}
	dereg(ordinary);
	dereg(mr);
	verdict("both are deregistered");
}

static void persistence(uint8_t *half)
{
	struct ibv_mr *mr = reg(persistent, RIGHTS | ACCESS_FLUSH_PERSISTENT);

	if (!expect_made(mr, "reg_mr"))
		give_up("an MR of persistent memory");
	flushes(mr);
	atomic_behind(mr);
	flush_fails("a range beyond persistent memory", mr, LENGTH + 1, FLUSH_RANGE);
	dereg(mr);
	other_memory(half);
	reregister();
}

static bool is_claimed(void)
{
	struct ibv_device_attr_ex attr = {};

	expect_ok(ibv_query_device_ex(pair.b.context, NULL, &attr), "query_device_ex");
	expect_value(!!(attr.device_cap_flags_ex & DEVICE_FLUSH_PERSISTENT),
		     !!(attr.device_cap_flags_ex & DEVICE_FLUSH_GLOBAL), "both, or neither");
	verdict("what the device says that it has");
	return attr.device_cap_flags_ex & DEVICE_FLUSH_PERSISTENT;
}

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDWR) : -1;

	persistent = mmap(NULL, LENGTH, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (persistent == MAP_FAILED)
		give_up("persistent memory");
	pair_open(&pair, argc - 1, argv + 1);
	bell = open_doorbell(pair.a.context);
	if (bell < 0)
		give_up("a doorbell");
	if (is_claimed()) {
		persistence(map_half(fd));
	} else {
		no_mr(persistent, RIGHTS | ACCESS_FLUSH_PERSISTENT, EINVAL, "persistent memory");
		verdict("a kernel without Flush: it is refused by name");
	}
	close(bell);
	pair_close(&pair);
	return lab_status();
}
