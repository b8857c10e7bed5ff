// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: stream PROTOCOL ADDRESS [NAMESPACE NAMESPACE]
 *
 * The costs of a stream socket of PROTOCOL (6 is TCP, 257 SDP): one octet there and back, and a
 * write of 64 KiB that the other end reads. The end that listens, at ADDRESS, is in the first
 * network namespace, the other in the second; without them both are where this program is.
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
#define WRITES 1000
#define SIZE 65536

static char data[SIZE];
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

/* Returns what was sent, and reads the rest; says when all of it has come. */
static void answer(int server)
{
	int fd = accept(server, NULL, NULL), i;
	ssize_t more;

	if (fd < 0)
		err(1, "accept");
	for (i = 0; i < ROUND_TRIPS; i++) {
		receive_octet(fd);
		send_all(fd, 1);
	}
	do
		more = read(fd, data, SIZE);
	while (more > 0);
	send_all(fd, 1);
	exit(0);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1e9 + time.tv_nsec;
}

static void measure(int fd)
{
	double begin = now();
	int i;

	for (i = 0; i < ROUND_TRIPS; i++) {
		send_all(fd, 1);
		receive_octet(fd);
	}
	printf("round-trip %.1f\n", (now() - begin) / ROUND_TRIPS);
	begin = now();
	for (i = 0; i < WRITES; i++)
		send_all(fd, SIZE);
	if (shutdown(fd, SHUT_WR))
		err(1, "shutdown");
	receive_octet(fd);
	printf("write-65536 %.1f\n", (now() - begin) / WRITES);
}

int main(int argc, char **argv)
{
	int server, client;

	if (argc != 3 && argc != 5)
		errx(2, "usage: stream PROTOCOL ADDRESS [NAMESPACE NAMESPACE]");
	protocol = atoi(argv[1]);
	address.sin_port = htons(PORT);
	if (inet_pton(AF_INET, argv[2], &address.sin_addr) != 1)
		errx(2, "%s is no IPv4 address", argv[2]);
	enter(argv[3]);
	server = new_socket();
	if (bind(server, (const void *)&address, sizeof(address)) || listen(server, 1))
		err(1, "listen at %s", argv[2]);
	switch (fork()) {
	case -1:
		err(1, "fork");
	case 0:
		answer(server);
	}
	enter(argc == 5 ? argv[4] : NULL);
	client = new_socket();
	if (connect(client, (const void *)&address, sizeof(address)))
		err(1, "connect to %s", argv[2]);
	measure(client);
	return 0;
}
