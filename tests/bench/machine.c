// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The costs of the machine itself: a system call, waking another process and being woken by it, and
 * copying into another process's memory. Those of verbs are compared with them.
 *
 * Prints lines NAME NANOSECONDS, each a mean of many repetitions.
 */
#define _GNU_SOURCE
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#define LARGEST 65536

static char *from, *to;
static pid_t child;
static int ping, pong;

static void call(size_t unused)
{
	(void)unused;
	syscall(SYS_getppid);
}

static void signal_fd(int fd)
{
	uint64_t one = 1;

	if (write(fd, &one, sizeof(one)) != sizeof(one))
		err(1, "write");
}

static void wait_fd(int fd)
{
	uint64_t count;

	if (read(fd, &count, sizeof(count)) != sizeof(count))
		err(1, "read");
}

static void round_trip(size_t unused)
{
	(void)unused;
	signal_fd(ping);
	wait_fd(pong);
}

static void copy(size_t size)
{
	struct iovec local = { from, size }, remote = { to, size };

	if (process_vm_writev(child, &local, 1, &remote, 1, 0) != (ssize_t)size)
		err(1, "process_vm_writev");
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

static void measure(const char *name, void (*once)(size_t), size_t size, int times)
{
	double begin;
	int i;

	for (i = 0; i < times / 10; i++)
		once(size);
	begin = now();
	for (i = 0; i < times; i++)
		once(size);
	printf("%s %.1f\n", name, (now() - begin) / times);
	fflush(stdout);
}

/* Answer for ever, and provide the memory. */
static void serve(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	memset(to, 1, LARGEST);
	for (;;) {
		wait_fd(ping);
		signal_fd(pong);
	}
}

static char *buffer(void)
{
	char *memory = mmap(NULL, LARGEST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);

	if (memory == MAP_FAILED)
		err(1, "mmap");
	memset(memory, 2, LARGEST);
	return memory;
}

int main(void)
{
	from = buffer();
	to = buffer();
	ping = eventfd(0, 0);
	pong = eventfd(0, 0);
	if (ping < 0 || pong < 0)
		err(1, "eventfd");
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (child == 0)
		serve();
	round_trip(0);

	measure("getppid", call, 0, 10000);
	measure("eventfd", round_trip, 0, 10000);
	measure("writev-64", copy, 64, 10000);
	measure("writev-4096", copy, 4096, 10000);
	measure("writev-65536", copy, LARGEST, 2000);

	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	return 0;
}
