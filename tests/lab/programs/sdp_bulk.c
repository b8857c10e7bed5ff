// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_bulk listen ADDRESS [SIZE [MS]]   receive from one connection at ADDRESS, in reads of
 *                                          SIZE octets, from MS milliseconds later on
 *        sdp_bulk limited ADDRESS SIZE MS  the same, where a read waits for MS milliseconds at most
 *                                          and is tried again; how many waited in vain is printed
 *        sdp_bulk meet ADDRESS SIZE        write so much to one connection, and read as much then
 *        sdp_bulk send ADDRESS OCTETS [SIZE [MS]]   send as many, in writes of SIZE, each MS
 *                                          milliseconds after the one before, and wait until the
 *                                          other end has closed
 *        sdp_bulk poll ADDRESS OCTETS SIZE MS   the same; after the first, by calls that do not
 *                                          wait
 *        sdp_bulk cross ADDRESS SIZE       what `meet` does, from the other end
 *        sdp_bulk holes ADDRESS SIZE       ... with memory whose second half is missing
 *        sdp_bulk peek ADDRESS             accept one connection, peek at what comes, and read it
 *                                          meanwhile; how many octets the peek has found is printed
 *        sdp_bulk urgent ADDRESS           its other end: an octet out of band, later ten others
 *        sdp_bulk idle ADDRESS COUNT       make COUNT connections, and keep them for a minute
 *        sdp_bulk keep ADDRESS             make one, wait for data, keepalive time a second
 *        sdp_bulk stuck ADDRESS            ... and send from a page that never comes
 *        sdp_bulk early ADDRESS            begin to connect, and set an option from such a page
 *
 * A stream of SDP on port 7001, each octet of which is checked. The ends print, at last,
 * `N octets, then RESULT`: end, or the name of the error. Who accepts prints `listening`
 * first; `listen` also serves the last three, whose connections it keeps until they end.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define IPPROTO_SDP 257
#define PORT 7001
#define CHUNK 50000 /* octets of a write or a read, if nothing else is said */
#define CHUNK_MAX (8 << 20)

static uint8_t buf[CHUNK_MAX];

static uint8_t octet_of(uint64_t at)
{
	return at * 7 + (at >> 8) * 13 + (at >> 16) * 5;
}

static void end(uint64_t octets, long ret)
{
	printf("%llu octets, then %s\n", (unsigned long long)octets,
	       ret < 0 ? strerrorname_np(errno) : "end");
	exit(ret < 0);
}

static int new_socket(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, IPPROTO_SDP);

	if (fd < 0)
		end(0, -1);
	return fd;
}

static struct sockaddr_in address_of(const char *text)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(PORT) };

	if (inet_pton(AF_INET, text, &address.sin_addr) != 1) {
		fprintf(stderr, "sdp_bulk: %s is no IPv4 address\n", text);
		exit(2);
	}
	return address;
}

static int connected_to(const struct sockaddr_in *address)
{
	int fd = new_socket();

	if (connect(fd, (const void *)address, sizeof(*address)))
		end(0, -1);
	return fd;
}

static void check(uint64_t at, ssize_t count)
{
	ssize_t i;

	for (i = 0; i < count; i++) {
		if (buf[i] == octet_of(at + i))
			continue;
		printf("octet %llu is wrong\n", (unsigned long long)at + i);
		exit(1);
	}
}

static void make(uint64_t at, ssize_t count)
{
	ssize_t i;

	for (i = 0; i < count; i++)
		buf[i] = octet_of(at + i);
}

static void receive_all(int fd, size_t size)
{
	uint64_t octets = 0;
	ssize_t got;

	while ((got = recv(fd, buf, size, 0)) > 0) {
		check(octets, got);
		octets += got;
	}
	end(octets, got);
}

/* A read that has failed leaves its memory alone: nothing is written to it later. */
static void receive_limited(int fd, size_t size, int ms)
{
	struct timeval limit = { .tv_usec = 1000 * ms };
	uint64_t octets = 0;
	int in_vain = 0;
	ssize_t got;

	if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)))
		end(0, -1);
	while ((got = recv(fd, buf, size, 0)) > 0 || (got < 0 && errno == EAGAIN)) {
		if (got > 0) {
			check(octets, got);
			octets += got;
			continue;
		}
		in_vain++;
		memset(buf, 0xa5, size);
		usleep(1000);
		for (got = 0; got < (ssize_t)size; got++)
			if (buf[got] != 0xa5)
				printf("octet %zd was written later\n", got);
	}
	printf("%d waited in vain\n", in_vain);
	end(octets, got);
}

static int listening(const struct sockaddr_in *address)
{
	int fd = new_socket();

	if (bind(fd, (const void *)address, sizeof(*address)) || listen(fd, 100))
		end(0, -1);
	printf("listening\n");
	fflush(stdout);
	return fd;
}

static int accepted(const struct sockaddr_in *address)
{
	int fd = listening(address), child = accept(fd, NULL, NULL);

	/* Others are of `idle`. */
	while (child >= 0 && recv(child, buf, 1, MSG_PEEK) == 1 && buf[0] == 'i')
		child = accept(fd, NULL, NULL);
	if (child < 0)
		end(0, -1);
	return child;
}

/* Sends without waiting in the call, as an event loop does. */
static ssize_t send_by_poll(int fd, size_t size)
{
	struct pollfd poller = { .fd = fd, .events = POLLOUT };
	ssize_t some;

	while ((some = send(fd, buf, size, MSG_NOSIGNAL | MSG_DONTWAIT)) < 0 && errno == EAGAIN)
		poll(&poller, 1, -1);
	return some;
}

static void send_to(const struct sockaddr_in *address, uint64_t octets, size_t size, int ms,
		    bool by_poll)
{
	int fd = connected_to(address);
	uint64_t sent = 0;
	ssize_t some;

	while (sent < octets) {
		some = octets - sent < size ? octets - sent : size;
		make(sent, some);
		some = by_poll && sent ? send_by_poll(fd, some) :
					  send(fd, buf, some, MSG_NOSIGNAL);
		if (some < 0)
			end(sent, -1);
		sent += some;
		usleep(1000 * ms);
	}
	if (shutdown(fd, SHUT_WR))
		end(sent, -1);
	end(sent, recv(fd, buf, 1, 0));
}

/* Writes, and reads as much only then. */
static void cross(int fd, size_t size)
{
	ssize_t got;

	make(0, size);
	if (send(fd, buf, size, MSG_NOSIGNAL) != (ssize_t)size)
		end(0, -1);
	memset(buf, 0, size);
	got = recv(fd, buf, size, MSG_WAITALL);
	if (got > 0)
		check(0, got);
	end(got > 0 ? got : 0, got);
}

/* As many octets as there is memory for are sent, and received. */
static void holes(int fd, size_t size)
{
	int flags = MAP_PRIVATE | MAP_ANONYMOUS;
	uint8_t *half = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
	ssize_t sent, got;

	if (half == MAP_FAILED || munmap(half + size / 2, size / 2))
		end(0, -1);
	make(0, size / 2);
	memcpy(half, buf, size / 2);
	sent = send(fd, half, size, MSG_NOSIGNAL);
	if (sent < 0 || shutdown(fd, SHUT_WR))
		end(0, -1);
	memset(half, 0, size / 2);
	got = recv(fd, half, size, MSG_WAITALL);
	if (got > 0) {
		memcpy(buf, half, got);
		check(0, got);
	}
	/* Unread octets would abort the connection at close(), and octets not sent yet be lost. */
	while (recv(fd, buf, sizeof(buf), 0) > 0)
		;
	printf("%zd octets sent\n", sent);
	end(got > 0 ? got : 0, got);
}

/* Another process reads the octets that the peek has found, so that the peek begins anew. */
static void peek(int fd)
{
	pid_t reader = fork();
	ssize_t got;

	if (!reader) {
		usleep(500000);
		got = recv(fd, buf, 100, 0);
		_exit(got != 10);
	}
	got = recv(fd, buf, CHUNK_MAX, MSG_PEEK);
	end(got > 0 ? got : 0, got);
}

static void urgent(int fd)
{
	if (send(fd, "x", 1, MSG_OOB) != 1)
		end(0, -1);
	usleep(1500000);
	end(10, send(fd, "0123456789", 10, MSG_NOSIGNAL));
}

static void idle(const struct sockaddr_in *address, int count)
{
	while (count--) {
		if (send(connected_to(address), "i", 1, MSG_NOSIGNAL) != 1)
			end(0, -1);
	}
	printf("connected\n");
	fflush(stdout);
	sleep(60);
}

/* Makes a connection whose peer is looked after each second. */
static int watched(const struct sockaddr_in *address)
{
	int fd = connected_to(address), one = 1;

	if (send(fd, "i", 1, MSG_NOSIGNAL) != 1 ||
	    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof(one)) ||
	    setsockopt(fd, SOL_TCP, TCP_KEEPIDLE, &one, sizeof(one)))
		end(0, -1);
	printf("connected\n");
	fflush(stdout);
	return fd;
}

static void keep(const struct sockaddr_in *address)
{
	end(0, recv(watched(address), buf, 1, 0));
}

/* The kernel waits for the page that it is given, and owns the lock of the socket. */
static void *page_that_never_comes(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	int faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	void *page = mmap(NULL, CHUNK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	range.range.start = (uintptr_t)page;
	range.range.len = (CHUNK + 4095) / 4096 * 4096;
	if (faults < 0 || page == MAP_FAILED || ioctl(faults, UFFDIO_API, &api) ||
	    ioctl(faults, UFFDIO_REGISTER, &range))
		end(0, -1);
	return page;
}

static void stuck(const struct sockaddr_in *address)
{
	void *page = page_that_never_comes();

	end(0, send(watched(address), page, CHUNK, MSG_NOSIGNAL));
}

static void early(const struct sockaddr_in *address)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, IPPROTO_SDP);
	void *page = page_that_never_comes();

	if (!connect(fd, (const void *)address, sizeof(*address)) || errno != EINPROGRESS)
		end(0, -1);
	printf("connecting\n");
	fflush(stdout);
	end(0, setsockopt(fd, SOL_SOCKET, SO_LINGER, page, sizeof(struct linger)));
}

int main(int argc, char **argv)
{
	unsigned long long number[3] = { CHUNK, CHUNK, 0 };
	struct sockaddr_in address;
	int i;

	if (argc < 3 || argc > 6) {
		fprintf(stderr, "usage: sdp_bulk COMMAND ADDRESS [NUMBER [NUMBER [NUMBER]]]\n");
		return 2;
	}
	address = address_of(argv[2]);
	for (i = 3; i < argc; i++)
		number[i - 3] = strtoull(argv[i], NULL, 0);
	if (!strcmp(argv[1], "listen")) {
		i = accepted(&address);
		usleep(argc == 5 ? 1000 * number[1] : 0);
		receive_all(i, number[0]);
	} else if (!strcmp(argv[1], "meet")) {
		cross(accepted(&address), number[0]);
	} else if (!strcmp(argv[1], "send")) {
		send_to(&address, number[0], number[1], number[2], false);
	} else if (!strcmp(argv[1], "poll")) {
		send_to(&address, number[0], number[1], number[2], true);
	} else if (!strcmp(argv[1], "limited")) {
		receive_limited(accepted(&address), number[0], number[1]);
	} else if (!strcmp(argv[1], "cross")) {
		cross(connected_to(&address), number[0]);
	} else if (!strcmp(argv[1], "holes")) {
		holes(connected_to(&address), number[0]);
	} else if (!strcmp(argv[1], "peek")) {
		peek(accept(listening(&address), NULL, NULL));
	} else if (!strcmp(argv[1], "urgent")) {
		urgent(connected_to(&address));
	} else if (!strcmp(argv[1], "idle")) {
		idle(&address, number[0]);
	} else if (!strcmp(argv[1], "keep")) {
		keep(&address);
	} else if (!strcmp(argv[1], "stuck")) {
		stuck(&address);
	} else if (!strcmp(argv[1], "early")) {
		early(&address);
	}
	return 2;
}
