// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_zerocopy PROTOCOL FAMILY [lost]
 *
 * MSG_ZEROCOPY: what its calls return, which numbers are notified, and that each octet arrives,
 * whatever happens to the memory or the program meanwhile. What is printed is what sdp_lab.h has
 * said; sections whose names begin with `by RDMA` are of SDP alone. With `lost`
 * it makes one connection, sends, and waits for its end.
 */
#define _GNU_SOURCE
#include "sdp_zerocopy.h"
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#define SOME 1000u /* octets, which are copied */
#define SOON 50 /* ms: until another process waits, most times */
#define LATE 1000 /* ms: what is advertised is copied by then */
#define NOBODY 65534

static void option(void)
{
	uint16_t port = next_port++;
	int server = listening(port), client = new_socket(1), child;

	CALL(get_zerocopy(client));
	CALL(set_zerocopy(client, 2));
	CALL(set_zerocopy(client, -1));
	CALL(set_zerocopy(client, 1));
	CALL(get_zerocopy(client));
	CALL(set_zerocopy(server, 1));
	if (connect(client, address(0, port), name_len()))
		fail("connect");
	child = accept(server, NULL, NULL);
	CALL(get_zerocopy(child));
	CALL(set_zerocopy(child, 0));
	CALL(get_zerocopy(child));
	CALL(setsockopt(child, SOL_SOCKET, SO_RCVLOWAT, &(int){ 2 }, sizeof(int)));
	CALL(setsockopt(child, SOL_SOCKET, 9999, &(int){ 2 }, sizeof(int)));
	close(child);
	close(client);
	close(server);
}

static void ignored(void)
{
	int pair[2];

	connected(pair);
	CALL(send_zero(pair[1], data, SOME, 0));
	CALL(read_pattern(pair[0], SOME, SOME, false));
	CALL(read_errors(pair[1]));
	CALL(wait_for(pair[1], POLLOUT, POLLOUT | POLLERR));
	both_close(pair);
}

static void small(void)
{
	int pair[2], i;

	pair_of(pair);
	CALL(read_errors(pair[1]));
	for (i = 0; i < 3; i++) {
		CALL(send_zero(pair[1], data, SOME, 0));
		CALL(read_pattern(pair[0], SOME, SOME, false));
	}
	CALL(send_zero(pair[1], data, 0, 0));
	CALL(send(pair[1], data, SOME, 0));
	CALL(read_pattern(pair[0], SOME, SOME, false));
	CALL(send_zero(pair[1], data, 1, MSG_OOB));
	CALL(wait_for(pair[1], 0, POLLERR));
	CALL(notified(pair[1], 4));
	CALL(read_errors(pair[1]));
	CALL(wait_for(pair[1], POLLOUT, POLLOUT | POLLERR));
	both_close(pair);
}

static void large(void)
{
	int pair[2], i;
	pid_t pid;

	pair_of(pair);
	for (i = 0; i < 4; i++) {
		pid = reader(pair[0], sizeof(data), BIG);
		CALL(send_zero(pair[1], data, sizeof(data), 0));
		CALL(end_of(pid));
	}
	CALL(notified(pair[1], 4));
	CALL(read_errors(pair[1]));
	both_close(pair);
}

/* Each call that sends something has a number, however much it sends. */
static long send_polling(int fd, size_t octets, uint32_t *calls)
{
	struct pollfd poller = { .fd = fd, .events = POLLOUT };
	size_t at = 0;
	ssize_t some;

	while (at < octets) {
		some = send_zero(fd, data + at, octets - at, MSG_DONTWAIT);
		if (some > 0) {
			at += some;
			++*calls;
			continue;
		}
		if (errno != EAGAIN || poll(&poller, 1, SECONDS * 1000) <= 0)
			return -1;
		if (poller.revents & POLLERR && read_errors(fd) && errno != EAGAIN)
			return -1;
	}
	return at;
}

static void polling(void)
{
	uint32_t calls = 0;
	int pair[2];
	pid_t pid;

	pair_of(pair);
	pid = reader(pair[0], sizeof(data), BIG);
	CALL(send_polling(pair[1], sizeof(data), &calls));
	CALL(end_of(pid));
	CALL(notified(pair[1], calls));
	CALL(read_errors(pair[1]));
	both_close(pair);
}

/*
 * A message arrives intact although its memory is unmapped, or a child process writes to its own
 * copy, once the call has returned. An address without memory is an error of the call.
 */
static void memory(void)
{
	uint8_t *map = mmap(NULL, BIG, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int pair[2];
	pid_t pid;

	fill(map, BIG);
	pair_of(pair);
	pid = reader(pair[0], BIG, BIG);
	CALL(send_zero(pair[1], map + 1, 0, 0));
	CALL(send_zero(pair[1], map, BIG, 0));
	CALL(munmap(map, BIG));
	CALL(end_of(pid));
	CALL(notified(pair[1], 1));
	pid = reader(pair[0], BIG, BIG);
	CALL(send_zero(pair[1], data, BIG, 0));
	if (!fork()) {
		memset(data, 0, BIG);
		_exit(0);
	}
	CALL(end_of(pid));
	wait(NULL);
	CALL(notified(pair[1], 2));
	CALL(send_zero(pair[1], (void *)4096, BIG, 0));
	CALL(send_zero(pair[1], data, SOME, 0));
	CALL(read_pattern(pair[0], SOME, SOME, false));
	CALL(notified(pair[1], 3));
	both_close(pair);
}

/* The end that sends goes away at once: all that it has sent arrives. */
static void sender_ends(void)
{
	const struct linger linger = { .l_onoff = 1, .l_linger = SECONDS };
	int pair[2];
	pid_t pid;

	pair_of(pair);
	CALL(send_zero(pair[1], data, BIG, MSG_DONTWAIT) > 0);
	CALL(shutdown(pair[1], SHUT_WR));
	CALL(send_zero(pair[1], data, BIG, MSG_NOSIGNAL));
	CALL(recv(pair[0], back, SOME, MSG_WAITALL));
	while (recv(pair[0], back, BIG, 0) > 0)
		;
	CALL(notified(pair[1], 1));
	both_close(pair);

	pair_of(pair);
	pid = reader(pair[0], BIG, BIG);
	CALL(send_zero(pair[1], data, BIG, 0));
	CALL(setsockopt(pair[1], SOL_SOCKET, SO_LINGER, &linger, sizeof(linger)));
	CALL(close(pair[1]));
	CALL(end_of(pid));
	CALL(recv(pair[0], back, 1, 0));
	close(pair[0]);

	pair_of(pair);
	pid = fork();
	if (!pid) {
		if (send_zero(pair[1], data, BIG / 2, 0) == BIG / 2)
			kill(getpid(), SIGKILL);
		_exit(1);
	}
	close(pair[1]);
	CALL(read_pattern(pair[0], BIG / 2, BIG, true));
	CALL(end_of(pid));
	close(pair[0]);
}

/* The end that reads goes away, so that the connection is lost: the program has its memory back. */
static void reader_ends(void)
{
	int pair[2], gone[2];
	pid_t pid;

	pair_of(pair);
	CALL(send_zero(pair[1], data, BIG, MSG_DONTWAIT) > 0);
	close(pair[0]);
	CALL(notified(pair[1], 1));
	CALL(wait_for(pair[1], POLLIN, POLLHUP));
	close(pair[1]);

	pair_of(pair);
	if (pipe(gone))
		fail("pipe");
	pid = fork();
	if (!pid)
		_exit(read(gone[0], back, 1));
	close(pair[0]);
	CALL(send_zero(pair[1], data, BIG, MSG_DONTWAIT) > 0);
	CALL(kill(pid, SIGKILL));
	CALL(end_of(pid));
	CALL(notified(pair[1], 1));
	CALL(wait_for(pair[1], POLLIN, POLLHUP));
	close(pair[1]);
	close(gone[0]);
	close(gone[1]);
}

/* A process that may not lock memory cannot send any by MSG_ZEROCOPY. */
static void locked(void)
{
	const struct rlimit none = { 0, 0 };
	int pair[2];
	pid_t pid;

	pair_of(pair);
	pid = fork();
	if (!pid) {
		if (setresuid(NOBODY, NOBODY, NOBODY) || setrlimit(RLIMIT_MEMLOCK, &none))
			_exit(1);
		CALL(send_zero(pair[1], data, BIG, MSG_DONTWAIT));
		CALL(send_zero(pair[1], data, SOME, MSG_DONTWAIT));
		CALL(send(pair[1], data, SOME, 0));
		_exit(0);
	}
	CALL(end_of(pid));
	CALL(read_pattern(pair[0], SOME, SOME, false));
	CALL(read_errors(pair[1]));
	both_close(pair);
}

/* Sends @count times, each when the one before is notified. */
static void one_by_one(size_t size, int count)
{
	int pair[2], i;
	pid_t pid;

	pair_of(pair);
	for (i = 0; i < count; i++) {
		pid = reader(pair[0], BIG, size);
		usleep(i % 2 ? 0 : SOON * 1000);
		CALL(send_zero(pair[1], data, BIG, 0));
		CALL(end_of(pid));
		CALL(notified(pair[1], i + 1));
	}
	CALL(copied);
	both_close(pair);
}

/* After the first the peer's program waits for the next, and has it by RDMA Write. */
static void reads_much(void)
{
	one_by_one(BIG, 8);
}

/* Some of it is written, and the rest advertised anew. */
static void reads_some(void)
{
	one_by_one(200000, 8);
}

static void reads_little(void)
{
	one_by_one(4000, 3);
}

/* The other end writes and waits, and reads only then. */
static void both_send(void)
{
	int pair[2];
	pid_t pid;

	pair_of(pair);
	pid = fork();
	if (!pid) {
		if (send(pair[0], data, BIG, 0) != BIG)
			_exit(9);
		_exit(read_pattern(pair[0], BIG, BIG, false));
	}
	CALL(send_zero(pair[1], data, BIG, 0));
	CALL(read_pattern(pair[1], BIG, BIG, false));
	CALL(end_of(pid));
	CALL(notified(pair[1], 1));
	both_close(pair);
}

/* Nobody reads for long, and the call has returned; what is left is copied then. */
static void reads_late(void)
{
	int pair[2], queued = -1;

	pair_of(pair);
	CALL(send_zero(pair[1], data, BIG, 0));
	CALL(send_zero(pair[1], data, BIG, MSG_DONTWAIT));
	usleep(LATE * 1000);
	if (!ioctl(pair[1], TIOCOUTQ, &queued))
		CALL(queued > 0 && queued < (int)BIG);
	CALL(read_pattern(pair[0], BIG, BIG, false));
	CALL(notified(pair[1], 1));
	CALL(copied);
	CALL(wait_for(pair[1], POLLOUT, POLLOUT | POLLERR));
	both_close(pair);
}

static const struct section sections[] = {
	{ "option", option },
	{ "ignored", ignored },
	{ "small", small },
	{ "large", large },
	{ "polling", polling },
	{ "memory", memory },
	{ "sender ends", sender_ends },
	{ "reader ends", reader_ends },
	{ "locked", locked },
	{ "by RDMA, reads of 1 MiB", reads_much },
	{ "by RDMA, reads of 200,000 octets", reads_some },
	{ "by RDMA, reads of 4,000 octets", reads_little },
	{ "by RDMA, reads later", reads_late },
	{ "by RDMA, both send", both_send },
};

/* The connection ends otherwise while nobody reads. */
static void lost(void)
{
	int pair[2];

	pair_of(pair);
	CALL(send_zero(pair[1], data, BIG, 0));
	CALL(wait_for(pair[1], POLLIN, POLLHUP));
	CALL(notified(pair[1], 1));
	CALL(read_errors(pair[1]));
	both_close(pair);
}

static const struct section losing[] = {
	{ "by RDMA, is lost", lost },
};

int main(int argc, char **argv)
{
	size_t count = sizeof(sections) / sizeof(sections[0]);

	fill(data, sizeof(data));
	if (argc > 1 && atoi(argv[1]) != 257)
		count -= 5;
	if (argc == 4)
		return SECTIONS_RUN(3, argv, losing);
	return sections_run(argc, argv, sections, count);
}
