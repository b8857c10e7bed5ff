// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_ports ADDRESS
 *
 * Many sockets of SDP at one port, by SO_REUSEPORT. Prints results: a call costs as much where
 * there are many as where there are few, those that listen take turns, and /proc/net/sdp lists each
 * once while others come and go.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define IPPROTO_SDP 257
#define CROWDED 40001
#define EMPTY 40002
#define SHARED 40003
#define CROWD 3000
#define ROUNDS 30 /* measurements, of which the least counts */
#define CALLS 4096 /* maximum of a measurement */
#define SHARERS 4
#define TURNS 3
#define RATIO 5 /* with a walk through the crowd it is some 30 */

static struct sockaddr_in address = { .sin_family = AF_INET };

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void result(const char *name, bool good)
{
	printf("%s - %s\n", good ? "ok" : "not ok", name);
}

static int bound(int port)
{
	int fd = socket(AF_INET, SOCK_STREAM, IPPROTO_SDP), one = 1;

	address.sin_port = htons(port);
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof(one)) ||
	    bind(fd, (void *)&address, sizeof(address)))
		fail("bind");
	return fd;
}

static int listening(int port)
{
	int fd = bound(port);

	if (listen(fd, 10))
		fail("listen");
	return fd;
}

/* Return: nanoseconds that this thread has needed to listen, and to close, so many times. */
static long cost(int port, int calls)
{
	struct timespec from, to;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
	while (calls--)
		close(listening(port));
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
	return (to.tv_sec - from.tv_sec) * 1000000000 + to.tv_nsec - from.tv_nsec;
}

/*
 * The least of several costs, since the time of a thread goes on while its virtual machine stands
 * still. A walk through the sockets of a port would be in each call.
 */
static long least(int port, int calls)
{
	long least = LONG_MAX;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		long now = cost(port, calls);

		if (now < least)
			least = now;
	}
	return least;
}

/* User Mode Linux counts a thread's time by ticks, of which a single call takes none. */
static void compare(void)
{
	long crowded, empty;
	int calls = 1;

	while (!(empty = least(EMPTY, calls)) && calls < CALLS)
		calls *= 4;
	crowded = least(CROWDED, calls);
	printf("# %ld ns among %d sockets, %ld ns among two\n", crowded, CROWD, empty);
	result("no call goes through the sockets of a port",
	       crowded < RATIO * empty);
}

static void alternate(void)
{
	struct pollfd sharers[SHARERS];
	int i, turn, counts[SHARERS] = {}, fds[SHARERS * TURNS];
	bool even = true;

	for (i = 0; i < SHARERS; i++)
		sharers[i] = (struct pollfd){ .fd = listening(SHARED), .events = POLLIN };
	for (turn = 0; turn < SHARERS * TURNS; turn++) {
		fds[turn] = socket(AF_INET, SOCK_STREAM, IPPROTO_SDP);
		if (connect(fds[turn], (void *)&address, sizeof(address)))
			fail("connect");
		poll(sharers, SHARERS, -1);
		for (i = 0; i < SHARERS; i++) {
			if (!(sharers[i].revents & POLLIN))
				continue;
			close(accept(sharers[i].fd, NULL, NULL));
			counts[i]++;
		}
	}
	for (i = 0; i < SHARERS; i++) {
		even &= counts[i] == TURNS;
		close(sharers[i].fd);
	}
	for (turn = 0; turn < SHARERS * TURNS; turn++)
		close(fds[turn]);
	result("sockets that share a port take turns", even);
}

/* Half of the crowd goes while the list is read, in pieces of a line or two. */
static void list(int *crowd)
{
	static char text[CROWD * 256];
	int fd = open("/proc/net/sdp", O_RDONLY), listed = 0, i = 0;
	size_t octets = 0;
	const char *at;
	ssize_t some;

	while ((some = read(fd, text + octets, 200)) > 0) {
		octets += some;
		if (i < CROWD / 2)
			close(crowd[2 * i++]);
	}
	text[octets] = '\0';
	for (; i < CROWD / 2; i++)
		close(crowd[2 * i]);
	close(fd);
	for (at = text; (at = strstr(at, ":40001 -")); at++)
		listed++;
	printf("# %d lines of %d to %d sockets\n", listed, CROWD / 2, CROWD);
	result("/proc/net/sdp lists those that stay", listed >= CROWD / 2 && listed <= CROWD + 1);
}

int main(int argc, char **argv)
{
	const struct rlimit limit = { CROWD + 100, CROWD + 100 };
	int i, empty, first, crowd[CROWD];

	if (argc != 2 || inet_pton(AF_INET, argv[1], &address.sin_addr) != 1)
		return 2;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		fail("setrlimit");
	first = listening(CROWDED);
	empty = listening(EMPTY);
	for (i = 0; i < CROWD; i++)
		crowd[i] = bound(CROWDED);
	compare();
	alternate();
	list(crowd);
	close(first);
	close(empty);
	return 0;
}
