// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_dmabuf [DEVICE [DEVICE]]
 * MRs of DMA buffers, which kmod/hca_dmabuf.c exports and takes back, or Linux's udmabuf exports.
 * Runs in the guest with Active ports.
 */
#include "verbs_pair.h"
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <linux/udmabuf.h>
#include "tests/lab/kmod/hca_dmabuf.h"

#define SOURCE 0u
#define PAGE 4096u
#define PAGES 64u
#define BYTES (PAGES * PAGE)
#define AT (3 * PAGE + 100) /* where the MR begins in the buffer */
#define IOVA 0x7000000064ull
#define LENGTH (BYTES - AT - 50)
#define LOCAL IBV_ACCESS_LOCAL_WRITE

static struct pair pair;
static int exporter;

/* A buffer of b, and an MR of it. */
static struct {
	int fd;
	uint8_t *memory; /* the buffer, as the process sees it; or NULL */
	struct ibv_mr *mr;
} dest;

static int make(uint32_t flags)
{
	struct lab_dmabuf_make make = { .flags = flags, .pages = PAGES };
	int fd = ioctl(exporter, LAB_DMABUF_MAKE, &make);

	if (fd < 0)
		give_up("a DMA buffer");
	return fd;
}

static bool begin_with(int fd)
{
	dest.fd = fd;
	dest.memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (dest.memory == MAP_FAILED)
		give_up("a DMA buffer's memory");
	dest.mr = ibv_reg_dmabuf_mr(pair.b.pd, AT, LENGTH, IOVA, fd, ALL_RIGHTS);
	return expect_made(dest.mr, "reg_dmabuf_mr") && pair_connect(&pair, &default_setup);
}

static bool begin(uint32_t flags)
{
	return begin_with(make(flags));
}

static void release(void)
{
	if (dest.memory)
		munmap(dest.memory, BYTES);
	dest.memory = NULL;
	close(dest.fd);
}

static void end(const char *what)
{
	pair_disconnect(&pair);
	if (dest.mr)
		expect_ok(ibv_dereg_mr(dest.mr), "dereg_mr");
	dest.mr = NULL;
	release();
	expect_value(ioctl(exporter, LAB_DMABUF_COUNT), 0, "the number of buffers left");
	verdict("%s", what);
}

/* An RDMA request or atomic of the peer, which ends with @status. */
static bool ends(enum ibv_wr_opcode opcode, uint64_t offset, uint32_t length,
		 enum ibv_wc_status status)
{
	return pair_request(&pair, opcode, SOURCE, length, dest.mr->rkey, IOVA + offset, status);
}

/* A message of @length octets of the buffer, whose sending ends with @status. */
static bool sends(uint32_t length, enum ibv_wc_status status)
{
	struct ibv_sge sge = { .addr = IOVA, .length = length, .lkey = dest.mr->lkey };
	struct ibv_send_wr wr = send_wr(6, &sge);
	struct ibv_wc wc;

	return post_wr(&pair.b, &wr) && completes(pair.b.send_cq, 6, status, &wc);
}

static void pattern(uint8_t seed)
{
	uint32_t i;

	for (i = 0; i < BYTES; i++)
		pair.a.memory[SOURCE + i] = seed + i / 7;
}

static bool is_all(uint8_t value)
{
	uint32_t i;

	for (i = 0; i < BYTES; i++)
		if (dest.memory[i] != value)
			return expect(false, "octet %u is %#x", i, dest.memory[i]);
	return true;
}

static void written_and_read(void)
{
	uint64_t value;
	struct ibv_wc wc;

	pattern(3);
	memset(dest.memory, 0x11, BYTES);
	ends(IBV_WR_RDMA_WRITE, 0, LENGTH, IBV_WC_SUCCESS);
	expect(!memcmp(dest.memory + AT, pair.a.memory + SOURCE, LENGTH), "other octets are there");
	expect(dest.memory[AT - 1] == 0x11 && dest.memory[AT + LENGTH] == 0x11,
	       "octets around them have changed");
	memset(dest.memory, 0x22, BYTES);
	ends(IBV_WR_RDMA_READ, 5, LENGTH - 5, IBV_WC_SUCCESS);
	expect(!memcmp(dest.memory + AT + 5, pair.a.memory + SOURCE, LENGTH - 5),
	       "other octets were read");
	value = 35;
	memcpy(dest.memory + AT + 4, &value, 8);
	ends(IBV_WR_ATOMIC_FETCH_AND_ADD, 4, 8, IBV_WC_SUCCESS);
	memcpy(&value, dest.memory + AT + 4, 8);
	expect_value(value, 42, "the sum");
	memset(dest.memory, 0x44, BYTES);
	post_recv(&pair.a, 1, SOURCE, 9000);
	sends(9000, IBV_WC_SUCCESS);
	completes(pair.a.recv_cq, 1, IBV_WC_SUCCESS, &wc);
	expect(!memcmp(dest.memory + AT, pair.a.memory + SOURCE, 9000), "another message arrived");
	ends(IBV_WR_RDMA_WRITE, 1, LENGTH, IBV_WC_REM_ACCESS_ERR);
}

static void used(void)
{
	if (begin(0))
		written_and_read();
	end("a peer writes and reads a DMA buffer and adds to it, a message is sent of it");
	if (begin(LAB_DMABUF_STATIC))
		written_and_read();
	end("... of an exporter that cannot take it back");
}

/* The MR keeps the buffer when the process does not. */
static void outlives_file(void)
{
	if (begin(0)) {
		pattern(9);
		ends(IBV_WR_RDMA_WRITE, 0, LENGTH, IBV_WC_SUCCESS);
		release();
		dest.fd = -1;
		expect_value(ioctl(exporter, LAB_DMABUF_COUNT), 1, "the number of buffers");
		memset(pair.a.memory + SOURCE, 0, LENGTH);
		ends(IBV_WR_RDMA_READ, 0, LENGTH, IBV_WC_SUCCESS);
		expect_value(pair.a.memory[SOURCE + 700], 9 + 100, "an octet");
	}
	end("an MR lives on when its file is closed, and the buffer ends with the MR");
}

static void reclaim(void)
{
	if (ioctl(exporter, LAB_DMABUF_REVOKE, (unsigned long)dest.fd))
		give_up("a buffer that is taken back");
}

static void revoked(void)
{
	static const enum ibv_wr_opcode opcodes[] = { IBV_WR_RDMA_WRITE, IBV_WR_RDMA_READ,
						      IBV_WR_ATOMIC_FETCH_AND_ADD };
	size_t i;

	for (i = 0; i < COUNT(opcodes); i++) {
		if (begin(0)) {
			pattern(1);
			ends(IBV_WR_RDMA_WRITE, 0, LENGTH, IBV_WC_SUCCESS);
			reclaim();
			ends(opcodes[i], 4, 8, IBV_WC_REM_ACCESS_ERR);
			is_all(LAB_DMABUF_POISON);
		}
		end("a buffer that was taken back: an access of a peer is refused");
	}
	if (begin(0)) {
		reclaim();
		sends(100, IBV_WC_LOC_PROT_ERR);
		reclaim();
		is_all(LAB_DMABUF_POISON);
	}
	end("a buffer that was taken back, twice: a local access is refused");
}

/* Writes are on their way when the memory goes: none arrives any more when that is said. */
static void revoked_under_load(void)
{
	struct ibv_sge sge;
	struct ibv_send_wr wr;
	unsigned int round, i, failed = 0;
	struct ibv_wc wc[16];

	for (round = 0; round < 20; round++) {
		if (!begin(0))
			break;
		pattern(round);
		sge = sge_of(&pair.a, SOURCE, LENGTH);
		wr = rdma_wr(0, IBV_WR_RDMA_WRITE, &sge, &pair.b, 0);
		wr.wr.rdma.remote_addr = IOVA;
		wr.wr.rdma.rkey = dest.mr->rkey;
		for (i = 0; i < 16; i++)
			post_wr(&pair.a, &wr);
		reclaim();
		is_all(LAB_DMABUF_POISON);
		collect(pair.a.send_cq, wc, 16, PATIENCE_MS);
		is_all(LAB_DMABUF_POISON);
		failed += wc[15].status != IBV_WC_SUCCESS;
		pair_disconnect(&pair);
		expect_ok(ibv_dereg_mr(dest.mr), "dereg_mr");
		dest.mr = NULL;
		release();
	}
	printf("# of 20 rounds, the memory was gone before the end of the writes in %u\n", failed);
	dest.fd = -1;
	end("memory that is taken back under writes is not touched any more");
}

static void register_refused(int fd, uint64_t offset, uint64_t length, int access, int error,
			     const char *what)
{
	struct ibv_mr *mr = ibv_reg_dmabuf_mr(pair.b.pd, offset, length, offset % PAGE, fd, access);

	expect_refused(mr, error, what);
	if (mr)
		ibv_dereg_mr(mr);
}

/* Arguments that a hostile process might pass are refused, each with its own errno. */
static void refused(void)
{
	int fd = make(0), file = memfd_create("file", 0);
	struct ibv_mr *mr;

	register_refused(fd, 0, 0, LOCAL, EINVAL, "no octets");
	register_refused(fd, BYTES, 1, LOCAL, EINVAL, "beyond the end");
	register_refused(fd, 1, BYTES, LOCAL, EINVAL, "across the end");
	register_refused(fd, BYTES + PAGE, 1, LOCAL, EINVAL, "far beyond the end");
	register_refused(fd, 0, UINT64_MAX, LOCAL, EINVAL, "all octets that can be named");
	register_refused(fd, UINT64_MAX - PAGE + 1, PAGE, LOCAL, EINVAL, "a sum of 2^64");
	register_refused(fd, UINT64_MAX, UINT64_MAX, LOCAL, EINVAL, "a sum above 2^64");
	register_refused(fd, 4, UINT64_MAX - 2, LOCAL, EINVAL, "a sum that wraps");
	mr = ibv_reg_dmabuf_mr(pair.b.pd, 0, BYTES, UINT64_MAX - PAGE + 1, fd, LOCAL);
	expect_refused(mr, EINVAL, "addresses that wrap");
	register_refused(-1, 0, PAGE, LOCAL, EBADF, "no file");
	register_refused(9999, 0, PAGE, LOCAL, EBADF, "a file that is not open");
	register_refused(file, 0, PAGE, LOCAL, EINVAL, "a file that is no DMA buffer");
	register_refused(fd, 0, PAGE, LOCAL | IBV_ACCESS_ON_DEMAND, EINVAL, "on-demand paging");
	register_refused(fd, 0, PAGE, LOCAL | IBV_ACCESS_MW_BIND, EINVAL, "windows");
	register_refused(fd, 0, PAGE, IBV_ACCESS_REMOTE_WRITE, EINVAL, "remote without local rights");
	close(file);
	close(fd);
	verdict("what is no range of a DMA buffer is refused, each with its errno");
}

static void refused_buffer(uint32_t flags, int access, int error, const char *what)
{
	int fd = make(flags);

	register_refused(fd, 0, PAGE, access, error, what);
	close(fd);
}

static void refused_buffers(void)
{
	struct ibv_mr *mr;
	int fd;

	refused_buffer(LAB_DMABUF_UNMAPPED, LOCAL, EOPNOTSUPP, "without a mapping");
	refused_buffer(LAB_DMABUF_DEVICE, LOCAL, EOPNOTSUPP, "memory of a device");
	refused_buffer(LAB_DMABUF_REFUSES, LOCAL, EBUSY, "an exporter that refuses");
	refused_buffer(LAB_DMABUF_READ_ONLY, LOCAL, EACCES, "writing what can be read only");
	refused_buffer(LAB_DMABUF_READ_ONLY, LOCAL | IBV_ACCESS_REMOTE_WRITE, EACCES,
		       "remote writing of what can be read only");
	fd = make(LAB_DMABUF_READ_ONLY);
	mr = ibv_reg_dmabuf_mr(pair.b.pd, 0, PAGE, 0, fd, IBV_ACCESS_REMOTE_READ);
	if (expect_made(mr, "reading what can be read only")) {
		expect(ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0, ALL_RIGHTS),
		       "it is reregistered for writing");
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	}
	close(fd);
	expect_value(ioctl(exporter, LAB_DMABUF_COUNT), 0, "the number of buffers left");
	verdict("buffers that the kernel cannot access, or the process not write, are refused");
}

/* A process that ends with MRs of a buffer, one of which is void. */
static void ends_with_buffers(const char *device)
{
	struct ibv_context *context = must_open(device);
	struct ibv_pd *pd = ibv_alloc_pd(context);

	dest.fd = make(0);
	if (!pd || !ibv_reg_dmabuf_mr(pd, 0, BYTES, 0, dest.fd, ALL_RIGHTS) ||
	    !ibv_reg_dmabuf_mr(pd, 0, PAGE, 0, make(LAB_DMABUF_STATIC), ALL_RIGHTS))
		_exit(1);
	reclaim();
	if (!ibv_reg_dmabuf_mr(pd, PAGE, PAGE, 0, dest.fd, ALL_RIGHTS))
		_exit(1);
	_exit(0);
}

static void death(const char *device)
{
	uint64_t deadline = now_ms() + PATIENCE_MS;
	pid_t child = fork();
	int status = -1;

	if (!child)
		ends_with_buffers(device);
	waitpid(child, &status, 0);
	expect_value(status, 0, "the child's status");
	while (ioctl(exporter, LAB_DMABUF_COUNT) > 0 && now_ms() < deadline)
		sleep_ms(10);
	expect_value(ioctl(exporter, LAB_DMABUF_COUNT), 0, "the number of buffers left");
	verdict("buffers of a process that ends are given back");
}

/* Memory of a memfd that Linux itself exports. */
static int make_udmabuf(void)
{
	int device = open("/dev/udmabuf", O_RDWR), memory, fd;
	struct udmabuf_create create = { .size = BYTES };

	if (device < 0)
		return -1;
	memory = memfd_create("udmabuf", MFD_ALLOW_SEALING);
	if (ftruncate(memory, BYTES) || fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK))
		give_up("a memfd");
	create.memfd = memory;
	fd = ioctl(device, UDMABUF_CREATE, &create);
	close(memory);
	close(device);
	if (fd < 0)
		give_up("a buffer of udmabuf");
	return fd;
}

static void udmabuf(void)
{
	int fd = make_udmabuf();

	if (fd < 0) {
		verdict("udmabuf: this kernel has none (%s)", error_name(errno));
		return;
	}
	if (begin_with(fd))
		written_and_read();
	end("udmabuf: a peer writes and reads memory of a memfd");
}

int main(int argc, char **argv)
{
	exporter = open("/dev/hca_dmabuf", O_RDWR);
	if (exporter < 0)
		give_up("/dev/hca_dmabuf");
	pair_open(&pair, argc, argv);
	used();
	outlives_file();
	revoked();
	revoked_under_load();
	refused();
	refused_buffers();
	death(argc > 1 ? argv[1] : "hca0");
	udmabuf();
	pair_close(&pair);
	return lab_status();
}
