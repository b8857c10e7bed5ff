// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_large [DEVICE [DEVICE]]
 * An MR of 16 GiB of addresses, which are those of one memfd of 2 MiB, mapped again and again. A
 * huge page, if the system has one to spare, saves millions of page faults. Runs in the guest with
 * Active ports.
 */
#include "verbs_pair.h"
#include <sys/mman.h>

#define SOURCE 0u
#define PART (2ull << 20) /* octets of the memfd */
#define PARTS 8192u
#define BYTES (PARTS * PART)
#define LENGTH 10000u

static struct pair pair;

/* Return: the file, and that it has @length octets that can be used. */
static int make_file(unsigned int flags)
{
	int fd = memfd_create("large", flags);
	void *probe;

	if (fd < 0)
		return -1;
	if (ftruncate(fd, PART)) {
		close(fd);
		return -1;
	}
	probe = mmap(NULL, PART, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (probe == MAP_FAILED) {
		close(fd);
		return -1;
	}
	munmap(probe, PART);
	return fd;
}

static int make_any_file(void)
{
	int fd = make_file(MFD_HUGETLB);

	printf("# a huge page: %s\n", fd < 0 ? "no" : "yes");
	return fd < 0 ? make_file(0) : fd;
}

/* Addresses for all parts, of which the first begins at a multiple of its size. */
static uint8_t *map_parts(int fd)
{
	uint8_t *all = mmap(NULL, BYTES + PART, PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	uint8_t *first = (uint8_t *)(((uintptr_t)all + PART - 1) / PART * PART);
	uint32_t i;

	if (all == MAP_FAILED)
		give_up("16 GiB of addresses");
	for (i = 0; i < PARTS; i++)
		if (mmap(first + i * PART, PART, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
			 0) == MAP_FAILED)
			give_up("a part of 16 GiB");
	return first;
}

/* A Write of @length octets, which are found at the same place of any part. */
static void writes(const struct ibv_mr *mr, const uint8_t *first, uint64_t offset, uint32_t length,
		   enum ibv_wc_status status)
{
	struct ibv_sge sge = sge_of(&pair.a, SOURCE, length);
	struct ibv_send_wr wr = rdma_wr(5, IBV_WR_RDMA_WRITE, &sge, &pair.b, 0);
	struct ibv_wc wc;

	memset(pair.a.memory + SOURCE, 1 + offset / 7, length);
	wr.wr.rdma.remote_addr = (uintptr_t)first + offset;
	wr.wr.rdma.rkey = mr->rkey;
	if (post_wr(&pair.a, &wr) && completes(pair.a.send_cq, 5, status, &wc) &&
	    status == IBV_WC_SUCCESS && offset / PART == (offset + length - 1) / PART)
		expect(!memcmp(first + 3 * PART + offset % PART, pair.a.memory + SOURCE, length),
		       "octets at %#llx are others", (unsigned long long)offset);
}

int main(int argc, char **argv)
{
	uint8_t *first;
	struct ibv_mr *mr;
	int fd;

	pair_open(&pair, argc, argv);
	fd = make_any_file();
	if (fd < 0)
		give_up("a memfd");
	first = map_parts(fd);
	mr = ibv_reg_mr(pair.b.pd, first, BYTES, ALL_RIGHTS);
	if (expect_made(mr, "reg_mr") && pair_connect(&pair, &default_setup)) {
		writes(mr, first, 0, LENGTH, IBV_WC_SUCCESS);
		writes(mr, first, BYTES - LENGTH, LENGTH, IBV_WC_SUCCESS);
		writes(mr, first, BYTES / 2 + 12345, LENGTH, IBV_WC_SUCCESS);
		writes(mr, first, (4ull << 30) - 100, 200, IBV_WC_SUCCESS);
		writes(mr, first, BYTES - LENGTH + 1, LENGTH, IBV_WC_REM_ACCESS_ERR);
	}
	pair_disconnect(&pair);
	if (mr)
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	verdict("an MR of 16 GiB is written at both ends, and not beyond (V3-243)");
	pair_close(&pair);
	return lab_status();
}
