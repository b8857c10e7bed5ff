// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: verbs_silent DEVICE fuse|userfaultfd NUMBER
 * As user 65534, sends from NUMBER MRs on demand, whose pages never come. Prints the process that
 * would bring them, and `waits`; then it waits to be killed. Started by root.
 */
#include "verbs_pair.h"
#include "silent.h"
#include <sys/resource.h>

#define NOBODY 65534
#define PAGE 4096u

static struct end end;
static struct ibv_ah *ah;

static uint8_t *silent_memory(const char *kind, size_t octets)
{
	const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };
	bool is_file = !strcmp(kind, "fuse");
	int fd = is_file ? silent_mount(NOBODY) : silent_userfaultfd();
	uint8_t *memory;
	pid_t child = 0;

	if (fd < 0 || setrlimit(RLIMIT_MEMLOCK, &all) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		give_up(kind);
	memory = is_file ? silent_file(fd, octets, &child) : silent_anonymous(fd, octets, &child);
	if (memory == MAP_FAILED)
		give_up("memory that never comes");
	printf("%d\n", child);
	return memory;
}

static void send_from(uint8_t *memory)
{
	const struct setup setup = { .type = IBV_QPT_UD, .max_wr = 1, .max_sge = 1 };
	struct ibv_sge sge = { .addr = (uintptr_t)memory, .length = 64 };
	struct ibv_send_wr wr = send_wr(1, &sge);
	struct ibv_mr *mr = ibv_reg_mr(end.pd, memory, PAGE,
				       IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_ON_DEMAND);

	end.qp = end_create_qp(&end, &setup);
	if (!expect_made(mr, "reg_mr") || !expect_made(end.qp, "create_qp") ||
	    !end_ready(&end, &setup, &end, end.qp->qp_num))
		give_up("a queue pair");
	sge.lkey = mr->lkey;
	wr.wr.ud.ah = ah;
	wr.wr.ud.remote_qpn = end.qp->qp_num;
	wr.wr.ud.remote_qkey = QKEY;
	post_wr(&end, &wr);
}

int main(int argc, char **argv)
{
	unsigned int i, number = argc > 3 ? strtoul(argv[3], NULL, 0) : 0;
	struct ibv_ah_attr self;
	uint8_t *memory;

	if (!number) {
		fprintf(stderr, "usage: verbs_silent DEVICE fuse|userfaultfd NUMBER\n");
		return EXIT_FAILURE;
	}
	memory = silent_memory(argv[2], (size_t)number * PAGE);
	end_open(&end, argv[1]);
	self = path_to(&end, false);
	ah = ibv_create_ah(end.pd, &self);
	if (!ah)
		give_up("an address");
	for (i = 0; i < number; i++)
		send_from(memory + (size_t)i * PAGE);
	/* This needs the mmap lock, which whoever waits for a page does not hold. */
	sleep_ms(SILENCE_MS);
	if (mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
		give_up("mmap");
	printf("%s\n", lab_reason[0] ? lab_reason : "waits");
	fflush(stdout);
	for (;;)
		pause();
}
