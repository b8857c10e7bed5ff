// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: stream PROTOCOL ADDRESS [NAMESPACE NAMESPACE]
 *
 * The costs of a stream socket of PROTOCOL (6 is TCP, 257 SDP): one octet there and back, and
 * writes of 64 KiB and of 1 MiB that the other end reads. The end that listens, at ADDRESS, is in
 * the first network namespace, the other in the second; without them both are where this program
 * is.
 *
 * Prints lines NAME NANOSECONDS, each a mean of many repetitions.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PORT 7300
#define ROUND_TRIPS 2000

static const struct {
	size_t size; /* octets of a write, and of a read at most */
	int writes;
} streams[] = { { 65536, 1000 }, { 1048576, 100 } };

#define STREAMS (sizeof(streams) / sizeof(streams[0]))

static char data[1048576];
static struct sockaddr_in address = { .sin_family = AF_INET };
static int protocol;

static void enter(const char *name)
{
	char path[100];
	int fd;

	if (!name)
		return;
	snprintf(path, sizeof(path), "/run/netns/%s", name);
	fd = open(path, O_RDONLY);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		err(1, "%s", path);
	close(fd);
}

static int new_socket(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, protocol), one = 1;

	if (fd < 0)
		err(1, "socket");
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) ||
	    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)))
		err(1, "setsockopt");
	return fd;
}

static void send_all(int fd, size_t size)
{
	size_t sent = 0;
	ssize_t more;

	while (sent < size) {
		more = write(fd, data + sent, size - sent);
		if (more <= 0)
			err(1, "write");
		sent += more;
	}
}

static void receive_octet(int fd)
{
	if (read(fd, data, 1) != 1)
		err(1, "read");
}

/* Returns single octets, reads all else, and says when all of it has come. */
static void answer(int server, size_t size, int round_trips)
{
	int fd = accept(server, NULL, NULL), i;
	ssize_t more;

	if (fd < 0)
		err(1, "accept");
	for (i = 0; i < round_trips; i++) {
		receive_octet(fd);
		send_all(fd, 1);
	}
	do
		more = read(fd, data, size);
	while (more > 0);
	send_all(fd, 1);
	close(fd);
}

static void answer_all(int server)
{
	size_t i;

	for (i = 0; i < STREAMS; i++)
		answer(server, streams[i].size, i ? 0 : ROUND_TRIPS);
	exit(0);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

static void measure_round_trip(int fd)
{
	double begin = now();
	int i;

	for (i = 0; i < ROUND_TRIPS; i++) {
		send_all(fd, 1);
		receive_octet(fd);
	}
	printf("round-trip %.1f\n", (now() - begin) / ROUND_TRIPS);
}

static void measure_writes(int fd, size_t size, int writes)
{
	double begin = now();
	int i;

	for (i = 0; i < writes; i++)
		send_all(fd, size);
	if (shutdown(fd, SHUT_WR))
		err(1, "shutdown");
	receive_octet(fd);
	printf("write-%zu %.1f\n", size, (now() - begin) / writes);
}

static void measure(void)
{
	size_t i;
	int fd;

	for (i = 0; i < STREAMS; i++) {
		fd = new_socket();
		if (connect(fd, (const void *)&address, sizeof(address)))
			err(1, "connect");
		if (!i)
			measure_round_trip(fd);
		measure_writes(fd, streams[i].size, streams[i].writes);
		close(fd);
	}
}

int main(int argc, char **argv)
{
	int server;

	if (argc != 3 && argc != 5)
		errx(2, "usage: stream PROTOCOL ADDRESS [NAMESPACE NAMESPACE]");
	memset(data, 1, sizeof(data)); /* else all of its pages were the one of zeros */
	protocol = atoi(argv[1]);
	address.sin_port = htons(PORT);
	if (inet_pton(AF_INET, argv[2], &address.sin_addr) != 1)
		errx(2, "%s is no IPv4 address", argv[2]);
	enter(argv[3]);
	server = new_socket();
	if (bind(server, (const void *)&address, sizeof(address)) || listen(server, 2))
		err(1, "listen at %s", argv[2]);
	switch (fork()) {
	case -1:
		err(1, "fork");
	case 0:
		answer_all(server);
	}
	enter(argc == 5 ? argv[4] : NULL);
	measure();
	return 0;
}
