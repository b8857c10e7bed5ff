/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Functions of sdp_async: asynchronous reads by system calls, and processes that write. */
#ifndef HCA_TESTS_SDP_ASYNC_H
#define HCA_TESTS_SDP_ASYNC_H

#include "sdp_lab.h"
#include <linux/aio_abi.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

#define BIG (1u << 20) /* maximum octets of one read */
#define TOTAL (4 * BIG)
#define EVENTS 16

static uint8_t data[TOTAL] __attribute__((aligned(4096)));
static uint8_t back[4 * BIG] __attribute__((aligned(4096)));
static aio_context_t aio;
static struct iocb iocbs[EVENTS];

static inline void fill(uint8_t *to, size_t octets)
{
	size_t i;

	for (i = 0; i < octets; i++)
		to[i] = i * 7 + (i >> 8) * 13 + (i >> 16) * 5;
}

/*
 * Make an aio context. Its ring of events is mapped at the address @aio. When a process ends, the
 * kernel frees the ring and unmaps it from every process that has inherited it. flush_tlb_mm() of
 * User Mode Linux then walks the memory of that process without a lock, which the sanitizer kernel
 * reports. So forked processes do not inherit the ring.
 */
static inline long set_up(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF), err;
	size_t events = 2 * (4 * cpus > EVENTS ? 4 * cpus : EVENTS) + 2;

	aio = 0;
	err = syscall(SYS_io_setup, EVENTS, &aio);
	if (!err)
		madvise((void *)aio, (events + 1) * sizeof(struct io_event), MADV_DONTFORK);
	return err;
}

static inline void unmap_all(void)
{
	munmap(data, sizeof(data));
	munmap(back, sizeof(back));
}

static inline long destroy(void)
{
	return syscall(SYS_io_destroy, aio);
}

static inline void leave(int status)
{
	destroy();
	_exit(status);
}

/* Submit a read. Return: 1 if it was accepted: its event has the result or the error. */
static inline long submit(int fd, struct iocb *iocb, void *to, size_t octets)
{
	memset(iocb, 0, sizeof(*iocb));
	iocb->aio_fildes = fd;
	iocb->aio_lio_opcode = IOCB_CMD_PREAD;
	iocb->aio_buf = (uintptr_t)to;
	iocb->aio_nbytes = octets;
	return syscall(SYS_io_submit, aio, 1, &iocb);
}

/* Wait for the next event. Return: its result, or -1 and its errno; ETIME after @seconds. */
static inline long event_within(int seconds)
{
	struct timespec limit = { .tv_sec = seconds };
	struct io_event event;
	long count;

	do
		count = syscall(SYS_io_getevents, aio, 1, 1, &event, &limit);
	while (count < 0 && errno == EINTR);
	if (count != 1) {
		errno = count ? errno : ETIME;
		return -1;
	}
	if (event.res >= 0)
		return event.res;
	errno = -event.res;
	return -1;
}

static inline long event(void)
{
	return event_within(SECONDS);
}

static inline long no_event(void)
{
	return event_within(0) == -1 && errno == ETIME ? 0 : -1;
}

static inline long cancel(struct iocb *iocb)
{
	struct io_event unused;

	return syscall(SYS_io_cancel, aio, iocb, &unused);
}

/* Read @octets of the pattern by asynchronous reads of @size. Return: 0 if they are right. */
static inline int read_pattern(int fd, uint8_t *to, size_t octets, size_t size)
{
	size_t at = 0;
	long got;

	while (at < octets) {
		memset(to, 0xee, size);
		if (submit(fd, &iocbs[0], to, octets - at < size ? octets - at : size) != 1)
			return 1;
		got = event();
		if (got <= 0)
			return 2;
		if (memcmp(to, data + at, got))
			return 3;
		at += got;
	}
	return 0;
}

/* Start a process that writes @octets of the pattern by calls of @size, and ends. */
static inline pid_t writer(int fd, size_t octets, size_t size)
{
	pid_t pid = fork();
	size_t at = 0;
	ssize_t some;

	if (pid < 0)
		fail("fork");
	if (pid)
		return pid;
	while (at < octets) {
		some = send(fd, data + at, octets - at < size ? octets - at : size, MSG_NOSIGNAL);
		if (some <= 0)
			_exit(1);
		at += some;
	}
	_exit(0);
}

/* Wait for the end of a process, which is killed if it hangs. Return: its status. */
static inline long end_of(pid_t pid)
{
	int status, tries = SECONDS * 100;
	pid_t ended;

	while (!(ended = waitpid(pid, &status, WNOHANG)) && tries--)
		usleep(10000);
	if (!ended)
		kill(pid, SIGKILL);
	if (!ended && waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

/* Make a connection on which @pair[1] writes to @pair[0] in Pipelined mode. */
static inline void pipelined(int *pair)
{
	pid_t pid;

	connected(pair);
	pid = writer(pair[1], TOTAL, BIG);
	if (read_pattern(pair[0], back, TOTAL, BIG) || end_of(pid))
		fail("pipelined");
}

#endif
