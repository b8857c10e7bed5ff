/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Functions for programs of the lab that compare calls of SDP sockets with those of TCP sockets:
 * each call prints a line `SECTION: CALL = RESULT`, in which nothing depends on time. One end is in
 * the network namespace hca0 at 10.9.9.1 or fd00:9::1, the other in hca1.
 */
#ifndef HCA_TESTS_SDP_LAB_H
#define HCA_TESTS_SDP_LAB_H

#define _GNU_SOURCE /* strerrorname_np(), setns() */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SECONDS 30 /* until an event is taken as lost */

static int protocol; /* 6 or 257 */
static int family; /* 4, 6, or 27 for sockets of that family with addresses of IPv4 */
static int namespaces[2];
static uint16_t next_port = 7100;
static const char *section; /* which lines begin with */

/* One more line, of a call that returned @ret. */
static inline long result(const char *call, long ret)
{
	int err = errno;

	if (ret < 0)
		printf("%s: %s = %s\n", section, call, strerrorname_np(err));
	else
		printf("%s: %s = %ld\n", section, call, ret);
	fflush(stdout);
	return ret;
}

#define CALL(call) result(#call, call)

static inline void fail(const char *what)
{
	fprintf(stderr, "%s: %s: %s\n", section, what, strerror(errno));
	exit(1);
}

static inline int new_socket(int at)
{
	int domain = family == 4 ? AF_INET : family == 6 ? AF_INET6 : family;
	int fd;

	if (setns(namespaces[at], CLONE_NEWNET))
		fail("setns");
	fd = socket(domain, SOCK_STREAM, family == 27 ? 0 : protocol);
	if (fd < 0)
		fail("socket");
	return fd;
}

static struct sockaddr_storage name;

/* Octets of an address of the family. */
static inline socklen_t name_len(void)
{
	return family == 6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
}

static inline struct sockaddr *address(int at, uint16_t port)
{
	struct sockaddr_in *in = (void *)&name;
	struct sockaddr_in6 *in6 = (void *)&name;

	memset(&name, 0, sizeof(name));
	if (family == 6) {
		in6->sin6_family = AF_INET6;
		in6->sin6_port = htons(port);
		inet_pton(AF_INET6, at ? "fd00:9::2" : "fd00:9::1", &in6->sin6_addr);
	} else {
		in->sin_family = AF_INET;
		in->sin_port = htons(port);
		inet_pton(AF_INET, at ? "10.9.9.2" : "10.9.9.1", &in->sin_addr);
	}
	return (void *)&name;
}

static inline int listening(uint16_t port)
{
	int fd = new_socket(0), one = 1;

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, address(0, port), name_len()) || listen(fd, 5))
		fail("listen");
	return fd;
}

/* Waits for @events, and returns all that there are of @seen then. */
static inline long wait_for(int fd, short events, short seen)
{
	struct pollfd poller = { .fd = fd, .events = events };
	int ready;

	do
		ready = poll(&poller, 1, SECONDS * 1000);
	while (ready < 0 && errno == EINTR);
	if (ready <= 0)
		return -1;
	poller.events = seen;
	if (poll(&poller, 1, 0) < 0)
		return -1;
	return poller.revents & seen;
}

/* Two ends of a connection: @pair[0] has been accepted. */
static inline void connected(int *pair)
{
	uint16_t port = next_port++;
	int server = listening(port);

	pair[1] = new_socket(1);
	if (connect(pair[1], address(0, port), name_len()))
		fail("connect");
	pair[0] = accept(server, NULL, NULL);
	if (pair[0] < 0)
		fail("accept");
	close(server);
}

static inline void both_close(int *pair)
{
	close(pair[0]);
	close(pair[1]);
}

static inline long error_of(int fd)
{
	int err;
	socklen_t len = sizeof(err);

	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &len) ? -1 : err;
}

struct section {
	const char *name;
	void (*calls)(void);
};

/* The body of main() in a program whose arguments are PROTOCOL FAMILY: it calls each section. */
static inline int sections_run(int argc, char **argv, const struct section *sections, size_t count)
{
	size_t i;

	section = "usage";
	if (argc != 3) {
		fprintf(stderr, "usage: %s PROTOCOL FAMILY\n", argv[0]);
		return 2;
	}
	protocol = atoi(argv[1]);
	family = atoi(argv[2]);
	namespaces[0] = open("/run/netns/hca0", O_RDONLY);
	namespaces[1] = open("/run/netns/hca1", O_RDONLY);
	if (namespaces[0] < 0 || namespaces[1] < 0)
		fail("/run/netns");
	signal(SIGPIPE, SIG_IGN);
	for (i = 0; i < count; i++) {
		section = sections[i].name;
		sections[i].calls();
	}
	return 0;
}

#define SECTIONS_RUN(argc, argv, sections) \
	sections_run(argc, argv, sections, sizeof(sections) / sizeof((sections)[0]))

#endif
