// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: rds_exchange ADDRESS            return to its sender each message that arrives at ADDRESS
 *        rds_exchange ADDRESS PEER      send messages to the program that runs at PEER
 *
 * Reliable datagrams of RDS, in both directions at once, of 0 to 200,000 octets, each octet of
 * which is checked when it has come back. Both use the same port of RDS. Prints `ok - ` or
 * `not ok - ` and a name for each thing checked. The one that returns says when it listens, and
 * ends at a message of one octet; the other ends after its last answer, or when none comes for a
 * minute.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define RDS_PORT 4321
#define LONGEST 200000 /* octets */
#define IN_FLIGHT 4 /* messages sent and not returned */
#define MESSAGES 64
#define SECONDS 60 /* until a message is taken as lost */

static uint8_t out[LONGEST], in[LONGEST + 1];

static void fail(const char *what)
{
	fprintf(stderr, "rds_exchange: %s: %s\n", what, strerror(errno));
	exit(1);
}

static struct sockaddr_in address_of(const char *text)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(RDS_PORT) };

	if (inet_pton(AF_INET, text, &address.sin_addr) != 1) {
		fprintf(stderr, "rds_exchange: %s is no IPv4 address\n", text);
		exit(2);
	}
	return address;
}

/* Waits until the socket can be read or, if @events has POLLOUT, written. Returns what it can. */
static short wait_for(int fd, short events)
{
	struct pollfd poller = { .fd = fd, .events = events };
	int ready = poll(&poller, 1, SECONDS * 1000);

	if (ready < 0)
		fail("poll");
	if (!ready) {
		printf("not ok - a message arrives within %d s\n", SECONDS);
		exit(1);
	}
	return poller.revents;
}

/* Returns whether RDS has accepted the message; if not, RDS or the peer has no room for it. */
static bool offer(int fd, const void *data, size_t size, const struct sockaddr_in *to)
{
	ssize_t sent = sendto(fd, data, size, MSG_DONTWAIT, (const void *)to, sizeof(*to));

	if (sent < 0 && errno != EAGAIN && errno != ENOBUFS)
		fail("sendto");
	return sent >= 0;
}

static ssize_t receive(int fd, struct sockaddr_in *from)
{
	socklen_t length = sizeof(*from);
	ssize_t size = recvfrom(fd, in, sizeof(in), MSG_DONTWAIT, (void *)from, &length);

	if (size < 0 && errno != EAGAIN)
		fail("recvfrom");
	return size;
}

static void return_all(int fd)
{
	struct sockaddr_in from;
	ssize_t size;

	do {
		size = receive(fd, &from);
		if (size < 0)
			wait_for(fd, POLLIN);
		while (size >= 0 && !offer(fd, in, size, &from))
			usleep(1000);
	} while (size != 1);
	/* A message that is not acknowledged yet may be lost when the socket is closed. */
	sleep(1);
}

static size_t size_of(int message)
{
	static const size_t sizes[] = { 0, 2, 100, 4096, 4097, 65536, 131072, LONGEST };

	return sizes[message % (sizeof(sizes) / sizeof(sizes[0]))];
}

static uint8_t octet_of(int message, size_t i)
{
	return message * 31 + i * 7 + (i >> 8) * 3;
}

static bool came_back(int message, ssize_t size)
{
	size_t i;

	if (size != (ssize_t)size_of(message))
		return false;
	for (i = 0; i < (size_t)size; i++)
		if (in[i] != octet_of(message, i))
			return false;
	return true;
}

/* Messages of one sender to one receiver stay in order, and so do those that come back. */
static bool exchange(int fd, const struct sockaddr_in *peer)
{
	int sent = 0, received = 0, right = 0;
	struct sockaddr_in from;
	ssize_t size;
	size_t i;

	while (received < MESSAGES) {
		if (sent < MESSAGES && sent - received < IN_FLIGHT) {
			for (i = 0; i < size_of(sent); i++)
				out[i] = octet_of(sent, i);
			if (offer(fd, out, size_of(sent), peer))
				sent++;
		}
		size = receive(fd, &from);
		if (size >= 0)
			right += came_back(received++, size);
		else if (sent == MESSAGES || sent - received == IN_FLIGHT)
			wait_for(fd, POLLIN);
		else
			usleep(1000);
	}
	printf("%s - RDS returns %d messages, each octet as it was sent, in their order\n",
	       right == MESSAGES ? "ok" : "not ok", MESSAGES);
	offer(fd, out, 1, peer);
	sleep(1);
	return right == MESSAGES;
}

int main(int argc, char **argv)
{
	struct sockaddr_in own, peer;
	int fd, space = 4 * LONGEST;

	if (argc != 2 && argc != 3) {
		fprintf(stderr, "usage: rds_exchange ADDRESS [PEER]\n");
		return 2;
	}
	own = address_of(argv[1]);
	fd = socket(AF_RDS, SOCK_SEQPACKET, 0);
	if (fd < 0)
		fail("socket");
	/* More than net.core.wmem_max allows by itself. */
	setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &space, sizeof(space));
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &space, sizeof(space));
	if (bind(fd, (void *)&own, sizeof(own)))
		fail("bind");
	if (argc == 2) {
		printf("listening\n");
		fflush(stdout);
		return_all(fd);
		return 0;
	}
	peer = address_of(argv[2]);
	return exchange(fd, &peer) ? 0 : 1;
}
