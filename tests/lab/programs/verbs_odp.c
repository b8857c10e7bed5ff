// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_odp [DEVICE [DEVICE]]
 * On-demand paging: MRs that pin nothing, of which pages come when they are accessed and go when
 * the process loses them. Runs in the guest with Active ports.
 */
#include "verbs_pair.h"
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define SOURCE 0u
#define BYTES (256u << 10)
#define PAGE 4096u
#define RIGHTS (ALL_RIGHTS | IBV_ACCESS_ON_DEMAND)

static struct pair pair;

/* Memory of b on demand, which a writes to and reads. */
static struct {
	uint8_t *memory;
	struct ibv_mr *mr;
} dest;

static uint8_t *memory_of(int fd)
{
	uint8_t *p = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
			  fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		give_up("memory");
	return p;
}

static bool begin(int fd)
{
	dest.memory = memory_of(fd);
	dest.mr = ibv_reg_mr(pair.b.pd, dest.memory, BYTES, RIGHTS);
	return expect_made(dest.mr, "reg_mr") && pair_connect(&pair, &default_setup);
}

static void end(const char *what)
{
	pair_disconnect(&pair);
	if (dest.mr)
		expect_ok(ibv_dereg_mr(dest.mr), "dereg_mr");
	dest.mr = NULL;
	munmap(dest.memory, BYTES);
	verdict("%s", what);
}

static bool ends_at(enum ibv_wr_opcode opcode, const void *to, uint32_t length,
		    enum ibv_wc_status status)
{
	return pair_request(&pair, opcode, SOURCE, length, dest.mr->rkey, (uintptr_t)to, status);
}

static bool ends(enum ibv_wr_opcode opcode, uint32_t offset, uint32_t length,
		 enum ibv_wc_status status)
{
	return ends_at(opcode, dest.memory + offset, length, status);
}

static void pattern(uint8_t seed)
{
	uint32_t i;

	for (i = 0; i < BYTES; i++)
		pair.a.memory[SOURCE + i] = seed + i / 7;
}

/* Return: kB, of a line of /proc/self/status. */
static unsigned long status_of(const char *name)
{
	FILE *f = fopen("/proc/self/status", "r");
	unsigned long value = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)))
			value = strtoul(line + strlen(name) + 1, NULL, 10);
	if (f)
		fclose(f);
	return value;
}

static void fresh_memory(void)
{
	uint64_t *counter;

	if (begin(-1)) {
		pattern(1);
		ends(IBV_WR_RDMA_WRITE, 100, 200000, IBV_WC_SUCCESS);
		expect(!memcmp(dest.memory + 100, pair.a.memory + SOURCE, 200000),
		       "what was written is not there");
		expect(!dest.memory[99] && !dest.memory[200100], "octets around it have changed");
		counter = (uint64_t *)(dest.memory + 50 * PAGE + 8);
		*counter = 35;
		ends(IBV_WR_ATOMIC_FETCH_AND_ADD, 50 * PAGE + 8, 8, IBV_WC_SUCCESS);
		expect_value(*counter, 42, "the sum");
		memset(dest.memory, 0x33, 70000);
		ends(IBV_WR_RDMA_READ, 3, 69000, IBV_WC_SUCCESS);
		expect(!memcmp(dest.memory + 3, pair.a.memory + SOURCE, 69000), "other data are read");
	}
	end("a peer writes memory that was never touched, reads it, and adds to it");
}

/* Both ends' memory is on demand. */
static void messages(void)
{
	struct ibv_mr *from_mr;
	uint8_t *from = memory_of(-1);
	struct ibv_recv_wr recv = { .wr_id = 1, .num_sge = 1 }, *bad;
	struct ibv_send_wr send;
	struct ibv_sge sge[2];
	struct ibv_wc wc;

	memset(from + 5, 0x4e, 100000);
	from_mr = ibv_reg_mr(pair.a.pd, from, BYTES, RIGHTS);
	if (expect_made(from_mr, "reg_mr") && begin(-1)) {
		sge[0] = (struct ibv_sge){ (uintptr_t)from + 5, 100000, from_mr->lkey };
		sge[1] = (struct ibv_sge){ (uintptr_t)dest.memory + 9, 100000, dest.mr->lkey };
		recv.sg_list = &sge[1];
		send = send_wr(2, &sge[0]);
		expect_ok(ibv_post_recv(pair.b.qp, &recv, &bad), "post_recv");
		post_wr(&pair.a, &send);
		completes(pair.a.send_cq, 2, IBV_WC_SUCCESS, &wc);
		completes(pair.b.recv_cq, 1, IBV_WC_SUCCESS, &wc);
		expect(!memcmp(from + 5, dest.memory + 9, 100000), "another message has arrived");
		/* A Read into memory on demand. */
		madvise(from, BYTES, MADV_DONTNEED);
		send = rdma_wr(3, IBV_WR_RDMA_READ, &sge[0], &pair.b, 0);
		send.wr.rdma.remote_addr = (uintptr_t)dest.memory + 9;
		send.wr.rdma.rkey = dest.mr->rkey;
		post_wr(&pair.a, &send);
		completes(pair.a.send_cq, 3, IBV_WC_SUCCESS, &wc);
		expect(!memcmp(from + 5, dest.memory + 9, 100000), "other data are read");
	}
	end("messages and Reads between memory on demand");
	if (from_mr)
		expect_ok(ibv_dereg_mr(from_mr), "dereg_mr");
	munmap(from, BYTES);
}

/*
 * A thread takes pages away again and again, but less often than a peer sends again after an RNR
 * NAK: it would not get on otherwise. Their contents are those of a file, so they stay.
 */
static struct {
	bool over;
	unsigned int times;
} evictor;

static void *evict(void *arg)
{
	(void)arg;
	while (!__atomic_load_n(&evictor.over, __ATOMIC_RELAXED)) {
		madvise(dest.memory, BYTES, MADV_DONTNEED);
		__atomic_add_fetch(&evictor.times, 1, __ATOMIC_RELAXED);
		sleep_ms(30);
	}
	return NULL;
}

static unsigned int evictions(void)
{
	return __atomic_load_n(&evictor.times, __ATOMIC_RELAXED);
}

static void under_writes(void)
{
	int fd = memfd_create("odp", 0);
	pthread_t thread;
	unsigned int i;

	if (fd < 0 || ftruncate(fd, BYTES))
		give_up("memfd");
	if (begin(fd)) {
		if (pthread_create(&thread, NULL, evict, NULL))
			give_up("a thread");
		for (i = 0; i < 100 || evictions() < 10; i++) {
			pattern(i);
			if (!ends(IBV_WR_RDMA_WRITE, 0, BYTES, IBV_WC_SUCCESS) ||
			    !expect(!memcmp(dest.memory, pair.a.memory + SOURCE, BYTES),
				    "write %u is not there as a whole", i))
				break;
		}
		__atomic_store_n(&evictor.over, true, __ATOMIC_RELAXED);
		pthread_join(thread, NULL);
	}
	end("100 writes or more, and all pages go away 10 times or more: nothing is lost");
	close(fd);
}

/* After fork() writes of either process make copies: the parent's memory is what is written to. */
static void after_fork(void)
{
	int status = 0;
	pid_t child;

	if (begin(-1)) {
		memset(dest.memory, 1, BYTES);
		pattern(9);
		ends(IBV_WR_RDMA_WRITE, 0, 8 * PAGE, IBV_WC_SUCCESS);
		memset(dest.memory, 2, 8 * PAGE);
		child = fork();
		if (!child) {
			sleep_ms(300);
			_exit(dest.memory[0] == 2 && dest.memory[8 * PAGE - 1] == 2 ? 0 : 1);
		}
		ends(IBV_WR_RDMA_WRITE, 0, 8 * PAGE, IBV_WC_SUCCESS);
		expect(!memcmp(dest.memory, pair.a.memory + SOURCE, 8 * PAGE),
		       "the parent does not see what was written");
		waitpid(child, &status, 0);
		expect(WIFEXITED(status) && !WEXITSTATUS(status), "the child sees what was written");
	}
	end("after fork() the parent is written to, and the child is not");
}

static void reconnect(void)
{
	pair_disconnect(&pair);
	pair_connect(&pair, &default_setup);
}

static void gone(void)
{
	void *back;

	if (begin(-1)) {
		ends(IBV_WR_RDMA_WRITE, 0, 3 * PAGE, IBV_WC_SUCCESS);
		munmap(dest.memory + PAGE, PAGE);
		ends(IBV_WR_RDMA_WRITE, 0, 100, IBV_WC_SUCCESS);
		ends(IBV_WR_RDMA_WRITE, PAGE - 10, 20, IBV_WC_REM_ACCESS_ERR);
		reconnect();
		ends(IBV_WR_RDMA_READ, PAGE, 20, IBV_WC_REM_ACCESS_ERR);
		reconnect();
		back = mmap(dest.memory + PAGE, PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		expect(back == dest.memory + PAGE, "the address cannot be mapped again");
		ends(IBV_WR_RDMA_WRITE, PAGE - 10, 20, IBV_WC_SUCCESS);
		mprotect(dest.memory + PAGE, PAGE, PROT_READ);
		ends(IBV_WR_RDMA_READ, PAGE, 20, IBV_WC_SUCCESS);
		ends(IBV_WR_RDMA_WRITE, PAGE, 20, IBV_WC_REM_ACCESS_ERR);
	}
	end("memory that is unmapped, or read only, is refused; mapped again it is used");
}

static void implicit(void)
{
	uint8_t *first = memory_of(-1), *second = memory_of(-1);

	dest.memory = memory_of(-1);
	dest.mr = ibv_reg_mr(pair.b.pd, NULL, SIZE_MAX, RIGHTS);
	if (expect_made(dest.mr, "reg_mr of all memory") && pair_connect(&pair, &default_setup)) {
		pattern(3);
		ends_at(IBV_WR_RDMA_WRITE, first + 1, 50000, IBV_WC_SUCCESS);
		ends_at(IBV_WR_RDMA_WRITE, second + 2, 50000, IBV_WC_SUCCESS);
		expect(!memcmp(first + 1, pair.a.memory + SOURCE, 50000) &&
		       !memcmp(second + 2, pair.a.memory + SOURCE, 50000), "what was written is not there");
		ends_at(IBV_WR_RDMA_WRITE, (void *)64, 16, IBV_WC_REM_ACCESS_ERR);
		reconnect();
		ends_at(IBV_WR_RDMA_READ, (void *)(uintptr_t)-4096, 16, IBV_WC_REM_ACCESS_ERR);
		reconnect();
		ends_at(IBV_WR_RDMA_READ, (void *)0xffff888000000000u, 16, IBV_WC_REM_ACCESS_ERR);
		reconnect();
		ends_at(IBV_WR_RDMA_WRITE, first, 16, IBV_WC_SUCCESS);
	}
	end("an MR of the whole address space: what there is, and nothing of the kernel's");
	munmap(first, BYTES);
	munmap(second, BYTES);
}

static void nothing_pinned(void)
{
	size_t huge = 64ull << 30;
	unsigned long pinned = status_of("VmPin"), resident;
	void *p = mmap(NULL, huge, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct ibv_mr *mr;

	expect(p != MAP_FAILED, "64 GiB of addresses");
	resident = status_of("VmRSS");
	mr = ibv_reg_mr(pair.b.pd, p, huge, RIGHTS);
	if (expect_made(mr, "reg_mr of 64 GiB")) {
		expect_value(status_of("VmPin"), pinned, "VmPin");
		expect(status_of("VmRSS") < resident + 1000, "memory was touched");
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	}
	munmap(p, huge);
	verdict("64 GiB are registered, and nothing is pinned");
}

static int advise(enum ib_uverbs_advise_mr_advice advice, const void *addr, uint32_t length,
		  uint32_t lkey, uint32_t flags)
{
	struct ibv_sge sge = { (uintptr_t)addr, length, lkey };

	return ibv_advise_mr(pair.b.pd, advice, flags, &sge, 1);
}

/*
 * Memory of memfd_secret() is in no address space but the process's, not even the kernel's. It is
 * refused as memory that is not there, whether the MR or the whole address space has it.
 */
static void secret(void)
{
	int fd = syscall(SYS_memfd_secret, 0);

	if (fd < 0) {
		expect_value(errno, ENOSYS, "errno of memfd_secret");
		verdict("this kernel has no memfd_secret(): nothing to refuse");
		return;
	}
	if (ftruncate(fd, BYTES))
		give_up("memfd_secret");
	if (begin(fd)) {
		memset(dest.memory, 0x5e, 2 * PAGE);
		expect_refused(ibv_reg_mr(pair.b.pd, dest.memory, BYTES, ALL_RIGHTS), EFAULT,
			       "secret memory that is to be pinned");
		ends(IBV_WR_RDMA_READ, 0, 100, IBV_WC_REM_ACCESS_ERR);
		reconnect();
		ends(IBV_WR_RDMA_WRITE, PAGE, 100, IBV_WC_REM_ACCESS_ERR);
		expect_error(advise(IBV_ADVISE_MR_ADVICE_PREFETCH, dest.memory, 2 * PAGE,
				    dest.mr->lkey, IBV_ADVISE_MR_FLAG_FLUSH), EFAULT, "prefetch");
		expect(dest.memory[0] == 0x5e && dest.memory[PAGE] == 0x5e, "it was written");
	}
	end("secret memory is refused");
	close(fd);
}

static void advice(void)
{
	unsigned char resident[8] = {};
	uint32_t key;

	if (begin(-1)) {
		key = dest.mr->lkey;
		expect_ok(advise(IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE, dest.memory, 8 * PAGE, key,
				 IBV_ADVISE_MR_FLAG_FLUSH), "prefetch for writing");
		mincore(dest.memory, 8 * PAGE, resident);
		expect(resident[0] & resident[7] & 1, "pages are not there");
		expect_ok(advise(IBV_ADVISE_MR_ADVICE_PREFETCH, dest.memory, BYTES, key, 0), "prefetch");
		expect_ok(advise(IBV_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT, dest.memory, BYTES, key,
				 0),
			  "prefetch without faults");
		expect_error(advise(IBV_ADVISE_MR_ADVICE_PREFETCH, dest.memory, BYTES + 1, key, 0),
			     EINVAL, "beyond the MR");
		expect_error(advise(IBV_ADVISE_MR_ADVICE_PREFETCH, pair.b.memory, 16,
				    pair.b.mr->lkey, 0), EINVAL, "an MR that is pinned");
		expect_error(advise(IBV_ADVISE_MR_ADVICE_PREFETCH, dest.memory, 16, key ^ 0x100, 0),
			     EINVAL, "no MR");
		expect_error(advise(IBV_ADVISE_MR_ADVICE_PREFETCH, dest.memory, 16, key, 1 << 5),
			     EINVAL, "an unknown flag");
		munmap(dest.memory + PAGE, PAGE);
		expect_error(advise(IBV_ADVISE_MR_ADVICE_PREFETCH, dest.memory, 3 * PAGE, key,
				    IBV_ADVISE_MR_FLAG_FLUSH), EFAULT, "memory that is not there");
		ends(IBV_WR_RDMA_WRITE, 0, PAGE, IBV_WC_SUCCESS);
	}
	end("ibv_advise_mr: prefetches, and refuses what it cannot do");
}

/* Return: a value that rdma-statistic(8) shows of the one MR that is on demand. */
static uint64_t statistic(const char *name)
{
	FILE *pipe = popen("rdma statistic show mr", "r");
	unsigned long long value = ~0ull;
	char line[512];
	const char *found;

	while (pipe && fgets(line, sizeof(line), pipe)) {
		found = strstr(line, name);
		if (found)
			value = strtoull(found + strlen(name), NULL, 10);
	}
	expect(pipe && !pclose(pipe), "rdma statistic show mr fails");
	return value;
}

/* Return: how often an access at the receiving port has found a page absent. */
static uint64_t port_faults(void)
{
	char path[128];
	unsigned long long value = ~0ull;
	FILE *f;

	sleep_ms(30); /* values are kept for 10 ms */
	snprintf(path, sizeof(path), "/sys/class/infiniband/%s/ports/1/hw_counters/odp_faults",
		 ibv_get_device_name(pair.b.context->device));
	f = fopen(path, "r");
	expect(f && fscanf(f, "%llu", &value) == 1, "%s cannot be read", path);
	if (f)
		fclose(f);
	return value;
}

static void statistics(void)
{
	uint64_t before = port_faults();

	if (begin(-1)) {
		expect_ok(advise(IBV_ADVISE_MR_ADVICE_PREFETCH_WRITE, dest.memory, 2 * PAGE,
				 dest.mr->lkey, IBV_ADVISE_MR_FLAG_FLUSH), "prefetch");
		madvise(dest.memory, 2 * PAGE, MADV_DONTNEED);
		expect_value(statistic("page_prefetch"), 2, "page_prefetch");
		expect_value(statistic("page_invalidations"), 2, "page_invalidations");
		expect_value(statistic("page_faults"), 0, "page_faults");
		expect_value(port_faults(), before, "the port's odp_faults");
		ends(IBV_WR_RDMA_WRITE, 10 * PAGE, 100, IBV_WC_SUCCESS);
		expect(statistic("page_faults") > 0, "page_faults is 0");
		expect(port_faults() > before, "the port counts no fault");
	}
	end("rdma statistic tells faults, invalidations and prefetches of an MR, and a port's faults");
}

/* Return: the chunks of the one MR that is on demand. */
static uint64_t chunks(void)
{
	FILE *pipe = popen("rdma res show mr -dd | grep -o 'odp_chunks [0-9]*'", "r");
	unsigned long long n, sum = 0;

	while (pipe && fscanf(pipe, " odp_chunks %llu", &n) == 1)
		sum += n;
	expect(pipe && !pclose(pipe), "rdma res show mr -dd fails");
	return sum;
}

#define LIMIT "/sys/module/hca/parameters/user_odp_chunks"

static void set_limit(unsigned int n)
{
	FILE *f = fopen(LIMIT, "w");

	expect(f && fprintf(f, "%u", n) > 0 && !fclose(f), "%s cannot be written", LIMIT);
}

/* Each page is in a chunk of its own. The oldest ones are forgotten, and come again. */
static void limited(void)
{
	const size_t step = 2u << 20, length = 30 * step;
	struct ibv_mr *mr;
	uint8_t *memory;
	size_t i;

	set_limit(10);
	memory = mmap(NULL, length, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		give_up("memory");
	mr = ibv_reg_mr(pair.b.pd, memory, length, RIGHTS);
	if (expect_made(mr, "reg_mr") && pair_connect(&pair, &default_setup)) {
		pattern(1);
		for (i = 0; i < length; i += step)
			pair_request(&pair, IBV_WR_RDMA_WRITE, SOURCE, 100, mr->rkey,
				     (uintptr_t)memory + i, IBV_WC_SUCCESS);
		expect(chunks() >= 8 && chunks() <= 10, "%llu chunks are known, of 10 at most",
		       (unsigned long long)chunks());
		pair_request(&pair, IBV_WR_RDMA_WRITE, SOURCE, 200, mr->rkey, (uintptr_t)memory,
			     IBV_WC_SUCCESS);
		for (i = 0; i < length; i += step)
			expect(!memcmp(memory + i, pair.a.memory + SOURCE, i ? 100 : 200),
			       "what was written at %zu is not there", i);
	}
	pair_disconnect(&pair);
	if (mr)
		expect_ok(ibv_dereg_mr(mr), "dereg_mr");
	munmap(memory, length);
	set_limit(65536);
	verdict("a user has so many chunks, and each page comes nevertheless");
}

static void refused(void)
{
	if (begin(-1)) {
		expect_refused(ibv_reg_mr(pair.b.pd, dest.memory, BYTES,
					  RIGHTS | IBV_ACCESS_MW_BIND),
			       EOPNOTSUPP, "windows of memory on demand");
		expect_refused(ibv_reg_mr(pair.b.pd, dest.memory, 0, RIGHTS), EINVAL, "no octets");
		expect_refused(ibv_reg_mr(pair.b.pd, (void *)-4096ul, 8192, RIGHTS), EINVAL,
			       "addresses that wrap");
		expect(ibv_rereg_mr(dest.mr, IBV_REREG_MR_CHANGE_ACCESS, NULL, NULL, 0,
				    IBV_ACCESS_LOCAL_WRITE), "it is reregistered");
		ends(IBV_WR_RDMA_WRITE, 0, 100, IBV_WC_SUCCESS);
	}
	end("what there is not is refused, and the MR stays as it is");
}

/* A process that is killed in the middle of traffic leaves nothing. */
static void killed(const char *device)
{
	int status, ready[2];
	pid_t child;
	char c;

	if (pipe(ready))
		give_up("a pipe");
	child = fork();
	if (!child) {
		unsigned int i;

		memset(&pair, 0, sizeof(pair));
		pair_open(&pair, 2, (char *[]){ "", (char *)device });
		if (!begin(-1) || write(ready[1], "x", 1) != 1) {
			verdict("the child begins");
			_exit(1);
		}
		for (i = 0;; i++) {
			madvise(dest.memory, BYTES, MADV_DONTNEED);
			ends(IBV_WR_RDMA_WRITE, 0, BYTES, IBV_WC_SUCCESS);
		}
	}
	close(ready[1]);
	expect(read(ready[0], &c, 1) == 1, "the child does not begin");
	sleep_ms(200);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	expect(WIFSIGNALED(status), "the child has ended before");
	close(ready[0]);
	verdict("a process is killed while its pages come and go");
}

int main(int argc, char **argv)
{
	pair_open(&pair, argc, argv);
	fresh_memory();
	messages();
	under_writes();
	after_fork();
	gone();
	implicit();
	nothing_pinned();
	advice();
	statistics();
	limited();
	secret();
	refused();
	pair_close(&pair);
	killed(argc > 1 ? argv[1] : "hca0");
	return lab_status();
}
