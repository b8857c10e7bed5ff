// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_rings DEVICE BLOCKDEV
 *        verbs_rings DEVICE hold
 * Checks the memory of rings that a process maps: it cannot be pinned, and exists as long as it is
 * mapped. BLOCKDEV is read with O_DIRECT. With `hold`, the program creates objects, prints that,
 * waits for SIGUSR1, and then uses and destroys them. Runs in the guest; ports may be in any state.
 */
#include "verbs_lab.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <sys/wait.h>

#define PAGE 4096ul
#define PATTERN 0x5a

/* A shared mapping of this process: a ring, if it was not there before. */
struct area {
	uint8_t *addr;
	size_t size;
	off_t offset;
};

struct areas {
	struct area area[64];
	unsigned int n;
};

static struct ibv_context *context;
static struct ibv_pd *pd; /* NULL: the device is gone, and nothing can be registered */
static int block = -1;

static bool is_in(const struct areas *areas, const uint8_t *addr)
{
	unsigned int i;

	for (i = 0; i < areas->n; i++)
		if (areas->area[i].addr == addr)
			return true;
	return false;
}

/* Finds all shared writable mappings that are not in @but. */
static void areas_find(struct areas *areas, const struct areas *but)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long begin, end;
	char line[256], mode[5];
	long long offset;

	areas->n = 0;
	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%lx-%lx %4s %llx", &begin, &end, mode, &offset) != 4)
			continue;
		if (strcmp(mode, "rw-s") || (but && is_in(but, (uint8_t *)begin)))
			continue;
		if (areas->n < COUNT(areas->area))
			areas->area[areas->n++] = (struct area){ (uint8_t *)begin, end - begin,
								 offset };
	}
	if (maps)
		fclose(maps);
}

/* --- pinning ---------------------------------------------------------------------------------- */

static void touch(const struct area *ring)
{
	volatile uint8_t *octet;

	for (octet = ring->addr; octet < ring->addr + ring->size; octet += PAGE)
		*octet = *octet;
}

static void no_mr(uint8_t *addr, size_t size)
{
	struct ibv_mr *mr;

	if (!pd)
		return;
	mr = ibv_reg_mr(pd, addr, size,
			IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE |
				IBV_ACCESS_REMOTE_ATOMIC);
	expect_refused(mr, EFAULT, "reg_mr");
	if (mr)
		ibv_dereg_mr(mr);
}

static void no_direct_io(uint8_t *page)
{
	ssize_t n;

	if (block < 0) /* no block device is given */
		return;
	n = pread(block, page, PAGE, 0);
	expect_error(n < 0 ? errno : 0, EFAULT, "read with O_DIRECT");
	n = pwrite(block, page, PAGE, 0);
	expect_error(n < 0 ? errno : 0, EFAULT, "write with O_DIRECT");
}

static void no_splice(uint8_t *page, unsigned int flags, const char *what)
{
	struct iovec part = { page, PAGE };
	int end[2];

	if (!expect_ok(pipe(end) ? errno : 0, "pipe"))
		return;
	expect_error(vmsplice(end[1], &part, 1, flags) < 0 ? errno : 0, EFAULT, what);
	/* Copying from the ring is allowed. */
	expect_value(write(end[1], page, 64), 64, "what write() returns");
	close(end[0]);
	close(end[1]);
}

static void no_remote_access(uint8_t *page)
{
	static uint8_t copy[PAGE];
	const struct iovec to = { copy, PAGE }, from = { page, PAGE };

	expect_error(process_vm_readv(getpid(), &to, 1, &from, 1, 0) < 0 ? errno : 0, EFAULT,
		     "process_vm_readv");
	expect_error(process_vm_writev(getpid(), &to, 1, &from, 1, 0) < 0 ? errno : 0, EFAULT,
		     "process_vm_writev");
}

/* Every kernel refuses to pin pages that were never touched; these have been touched. */
static void unpinnable(const struct area *ring)
{
	uint8_t *page;

	touch(ring);
	no_mr(ring->addr, ring->size);
	for (page = ring->addr; page < ring->addr + ring->size; page += PAGE) {
		no_mr(page + 64, 64);
		no_direct_io(page);
		no_splice(page, 0, "vmsplice");
		no_splice(page, SPLICE_F_GIFT, "vmsplice with SPLICE_F_GIFT");
		no_remote_access(page);
	}
	touch(ring);
}

static void rings_unpinnable(const struct areas *before, unsigned int n, const char *what)
{
	struct areas rings;
	unsigned int i;

	areas_find(&rings, before);
	expect_value(rings.n, n, "the number of rings");
	for (i = 0; i < rings.n; i++)
		unpinnable(&rings.area[i]);
	verdict("nobody pins what is mapped of %s", what);
}

static struct ibv_qp *make_qp(struct ibv_cq *cq)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
		.cap = { .max_send_wr = 64, .max_recv_wr = 128, .max_send_sge = 2,
			 .max_recv_sge = 2 },
	};

	return ibv_create_qp(pd, &attr);
}

static struct ibv_srq *make_srq(void)
{
	struct ibv_srq_init_attr attr = { .attr = { .max_wr = 64, .max_sge = 2 } };

	return ibv_create_srq(pd, &attr);
}

static void pinning(void)
{
	unsigned long had = pinned();
	struct ibv_srq *srq;
	struct areas before;
	struct ibv_cq *cq;
	struct ibv_qp *qp;

	areas_find(&before, NULL);
	cq = ibv_create_cq(context, 100, NULL, NULL, 0);
	if (!expect_made(cq, "create_cq"))
		give_up("a completion queue");
	rings_unpinnable(&before, 1, "a completion queue");

	areas_find(&before, NULL);
	srq = make_srq();
	expect_made(srq, "create_srq");
	rings_unpinnable(&before, 1, "a shared receive queue");

	areas_find(&before, NULL);
	qp = make_qp(cq);
	expect_made(qp, "create_qp");
	rings_unpinnable(&before, 2, "a queue pair");

	expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	expect_ok(ibv_destroy_srq(srq), "destroy_srq");
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	expect_value(pinned(), had, "what is pinned when all are gone");
	verdict("they are destroyed, and nothing is pinned (V3-306)");
}

/* --- mapping ---------------------------------------------------------------------------------- */

static void no_map(const struct area *ring, size_t size, int prot, int flags, int error,
		   const char *what)
{
	void *map = mmap(NULL, size, prot, flags, context->cmd_fd, ring->offset);

	expect_error(map == MAP_FAILED ? errno : 0, error, what);
}

static void mappings(const struct area *ring)
{
	uint8_t *map, *room, *moved;

	no_map(ring, ring->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, EINVAL, "a private mapping");
	no_map(ring, ring->size, PROT_READ | PROT_EXEC, MAP_SHARED, EPERM, "an executable one");
	no_map(ring, ring->size + PAGE, PROT_READ, MAP_SHARED, EINVAL, "a longer one");
	no_map(ring, PAGE, PROT_READ, MAP_SHARED, EINVAL, "a shorter one");
	expect_error(mprotect(ring->addr, ring->size, PROT_READ | PROT_EXEC) ? errno : 0, EACCES,
		     "mprotect to executable");
	verdict("a ring is mapped as what it is, or not at all (V3-136)");

	map = mmap(NULL, ring->size, PROT_READ | PROT_WRITE, MAP_SHARED, context->cmd_fd,
		   ring->offset);
	expect(map != MAP_FAILED, "a second mapping: %s", error_name(errno));
	ring->addr[PAGE] = PATTERN;
	expect_value(map[PAGE], PATTERN, "what is written through the first mapping");
	expect(mremap(map, ring->size, ring->size + PAGE, MREMAP_MAYMOVE) == MAP_FAILED,
	       "a mapping grows beyond the ring");
	expect(mremap(map, 0, ring->size, MREMAP_MAYMOVE) == MAP_FAILED,
	       "mremap makes another mapping");
	room = mmap(NULL, ring->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	moved = mremap(map, ring->size, ring->size, MREMAP_MAYMOVE | MREMAP_FIXED, room);
	expect(moved == room, "it cannot be moved: %s", error_name(errno));
	expect_value(moved[PAGE], PATTERN, "what is there when it has been moved");
	moved[PAGE] = 0;
	expect_value(ring->addr[PAGE], 0, "what is written through the moved mapping");
	unpinnable(&(struct area){ moved, ring->size, 0 });
	munmap(moved, ring->size);
	touch(ring);
	verdict("a mapping moves, but does not grow");
}

static bool is_filled(const uint8_t *from, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (from[i] != PATTERN)
			return false;
	return true;
}

/* Allocates memory and writes zeros, to overwrite pages that were freed too early. */
static void use_memory(void)
{
	struct ibv_cq *cq[8];
	size_t size = 32 << 20;
	uint8_t *map = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	unsigned int i;

	for (i = 0; i < COUNT(cq); i++)
		cq[i] = ibv_create_cq(context, 1024, NULL, NULL, 0);
	for (i = 0; i < COUNT(cq); i++)
		if (cq[i])
			ibv_destroy_cq(cq[i]);
	if (map != MAP_FAILED)
		munmap(map, size);
}

/* Checks the ring in a child that has only the mapping. Exit status 0: the ring is intact. */
static int child_keeps(uint8_t *map, size_t size)
{
	int go[2], status = -1;
	pid_t child;
	char c;

	if (pipe(go))
		return errno;
	child = fork();
	if (!child) {
		close(go[1]);
		if (read(go[0], &c, 1)) /* until the parent closes it */
			_exit(2);
		_exit(is_filled(map, size) ? 0 : 1);
	}
	close(go[0]);
	munmap(map, size);
	use_memory();
	expect(pinned() != 0, "the child's mapping is not counted");
	close(go[1]);
	waitpid(child, &status, 0);
	return status;
}

static void outliving(void)
{
	unsigned long had = pinned();
	struct areas before, rings;
	size_t size, half;
	struct ibv_cq *cq;
	uint8_t *map;

	areas_find(&before, NULL);
	cq = ibv_create_cq(context, 1024, NULL, NULL, 0);
	areas_find(&rings, &before);
	if (!expect_made(cq, "create_cq") || rings.n != 1)
		give_up("a ring");
	mappings(&rings.area[0]);
	size = rings.area[0].size;
	expect_value(pinned(), had + size, "what is pinned");
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, context->cmd_fd,
		   rings.area[0].offset);
	if (!expect(map != MAP_FAILED, "mmap"))
		give_up("a second mapping");
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	no_map(&rings.area[0], size, PROT_READ, MAP_SHARED, EINVAL, "one that is gone");
	expect_value(pinned(), had + size, "what is pinned of a ring that is mapped still");
	memset(map, PATTERN, size);
	use_memory();
	expect(is_filled(map, size), "the ring's pages are somebody else's");
	unpinnable(&(struct area){ map, size, 0 });
	half = size / 2 & ~(PAGE - 1);
	expect_ok(munmap(map, half) ? errno : 0, "munmap");
	use_memory();
	expect(is_filled(map + half, size - half), "half of it is somebody else's");
	verdict("a ring stays as long as it is mapped, and is counted");
	expect_value(child_keeps(map + half, size - half), 0, "what the child says");
	expect_value(pinned(), had, "what is pinned in the end");
	verdict("it stays with the child that has it alone");
}

/* Closing the last descriptor destroys the context, but not what is mapped. */
static void closing(const char *name)
{
	struct ibv_context *other = must_open(name);
	unsigned long had = pinned();
	struct areas before, rings;
	struct ibv_cq *cq;
	size_t size;
	uint8_t *map;

	areas_find(&before, NULL);
	cq = ibv_create_cq(other, 1024, NULL, NULL, 0);
	areas_find(&rings, &before);
	if (!expect_made(cq, "create_cq") || rings.n != 1)
		give_up("a ring of another context");
	size = rings.area[0].size;
	map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, other->cmd_fd,
		   rings.area[0].offset);
	expect(map != MAP_FAILED, "a second mapping: %s", error_name(errno));
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	expect_ok(ibv_close_device(other), "close_device");
	memset(map, PATTERN, size);
	use_memory();
	expect(is_filled(map, size), "the ring's pages are somebody else's");
	munmap(map, size);
	expect_value(pinned(), had, "what is pinned in the end");
	verdict("a ring stays when its context is closed");
}

/* --- the device goes -------------------------------------------------------------------------- */

static void keep(void)
{
	struct ibv_cq *cq;
	struct ibv_srq *srq;
	struct ibv_qp *qp;
	struct areas before, rings;
	unsigned long size = 0;
	sigset_t wanted;
	unsigned int i;
	int got;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGUSR1);
	sigprocmask(SIG_BLOCK, &wanted, NULL);
	areas_find(&before, NULL);
	cq = ibv_create_cq(context, 100, NULL, NULL, 0);
	srq = make_srq();
	if (!expect_made(cq, "create_cq") || !expect_made(srq, "create_srq"))
		give_up("queues");
	qp = make_qp(cq);
	if (!expect_made(qp, "create_qp"))
		give_up("a queue pair");
	areas_find(&rings, &before);
	expect_value(rings.n, 4, "the number of rings");
	printf("holding\n");
	fflush(stdout);
	sigwait(&wanted, &got);

	pd = NULL;
	for (i = 0; i < rings.n; i++) {
		touch(&rings.area[i]);
		size += rings.area[i].size;
	}
	expect_value(pinned(), size, "what is pinned");
	use_memory();
	for (i = 0; i < rings.n; i++)
		unpinnable(&rings.area[i]);
	verdict("rings stay with a process whose device has gone");
	expect_ok(ibv_destroy_qp(qp), "destroy_qp");
	expect_ok(ibv_destroy_srq(srq), "destroy_srq");
	expect_ok(ibv_destroy_cq(cq), "destroy_cq");
	expect_value(pinned(), 0, "what is pinned in the end");
	verdict("they are destroyed, and nothing is pinned");
}

/*
 * Without room for its rings an object cannot be used: the kernel's object is released again, and
 * what it refers to can be destroyed (V3-297, V3-301).
 */
static void no_room(void)
{
	struct ibv_cq *cq = ibv_create_cq(context, 100, NULL, NULL, 0);
	struct rlimit limit, none = {};
	unsigned long had = pinned();
	struct ibv_qp *qp;

	if (!expect_made(cq, "create_cq") || getrlimit(RLIMIT_AS, &limit))
		give_up("a completion queue");
	none.rlim_max = limit.rlim_max;
	free(malloc(64 * 1024)); /* room on the heap for what the provider allocates */
	expect_ok(setrlimit(RLIMIT_AS, &none) ? errno : 0, "no more address space");
	qp = make_qp(cq);
	expect_refused(qp, ENOMEM, "a queue pair");
	expect_refused(ibv_create_cq(context, 1000, NULL, NULL, 0), ENOMEM, "a completion queue");
	expect_ok(setrlimit(RLIMIT_AS, &limit) ? errno : 0, "address space again");
	expect_value(pinned(), had, "what is pinned when nothing was made");
	expect_ok(ibv_destroy_cq(cq), "destroy_cq, which no queue pair uses");
	verdict("rings that cannot be mapped: nothing is created (V3-297, V3-301)");
}

int main(int argc, char **argv)
{
	bool holding = argc == 3 && !strcmp(argv[2], "hold");

	if (argc != 3) {
		fprintf(stderr, "usage: verbs_rings DEVICE {BLOCKDEV | hold}\n");
		return EXIT_FAILURE;
	}
	context = must_open(argv[1]);
	pd = ibv_alloc_pd(context);
	if (!expect_made(pd, "alloc_pd"))
		give_up("a protection domain");
	if (holding) {
		keep();
		return lab_status();
	}
	block = open(argv[2], O_RDWR | O_DIRECT);
	if (!expect(block >= 0, "%s: %s", argv[2], error_name(errno)))
		give_up("a block device");
	pinning();
	no_room();
	outliving();
	closing(argv[1]);
	return lab_status();
}
