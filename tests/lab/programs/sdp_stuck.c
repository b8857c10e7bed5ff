// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_stuck listen ADDRESS         accept connections, and send each 100 octets
 *        sdp_stuck ADDRESS KIND...        connect once for each KIND by a process of its own, which
 *                                         makes a call whose memory never comes: send, recv, large
 *                                         (a write that is not copied), zerocopy (by
 *                                         MSG_ZEROCOPY) or option (of level SOL_SOCKET)
 *
 * At port 7001. The first prints `listening`, the second `stuck` once all calls wait for memory. A
 * call that ends prints `KIND: RESULT`.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
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
#define PAGE 4096
#define SIZE (1 << 20) /* octets of memory that never come, behind a page */

static struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = 0 };

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static int new_socket(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, IPPROTO_SDP);

	if (fd < 0)
		fail("socket");
	return fd;
}

static void serve(void)
{
	static const char data[100];
	int fd = new_socket(), child;

	if (bind(fd, (void *)&address, sizeof(address)) || listen(fd, 10))
		fail("listen");
	printf("listening\n");
	fflush(stdout);
	while ((child = accept(fd, NULL, NULL)) >= 0) {
		if (send(child, data, sizeof(data), MSG_NOSIGNAL) < 0)
			fail("send");
	}
	fail("accept");
}

static long stuck_send(int fd, char *memory)
{
	return send(fd, memory, 100, MSG_NOSIGNAL);
}

static long stuck_recv(int fd, char *memory)
{
	return recv(fd, memory, 100, 0);
}

static long stuck_large(int fd, char *memory)
{
	return send(fd, memory, SIZE, MSG_NOSIGNAL);
}

static long stuck_zerocopy(int fd, char *memory)
{
	return send(fd, memory, SIZE, MSG_NOSIGNAL | MSG_ZEROCOPY);
}

/* The kernel reads an int before it locks the socket, and the whole with the lock. */
static long stuck_option(int fd, char *memory)
{
	return setsockopt(fd, SOL_SOCKET, SO_LINGER, memory - sizeof(int), sizeof(struct linger));
}

static const struct kind {
	const char *name;
	long (*call)(int fd, char *memory);
} kinds[] = {
	{ "send", stuck_send },
	{ "recv", stuck_recv },
	{ "large", stuck_large },
	{ "zerocopy", stuck_zerocopy },
	{ "option", stuck_option },
};

static int faults; /* descriptor by which one learns that the memory is wanted */
static int ready; /* a pipe, to write an octet to then */

static char *memory_that_never_comes(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	char *memory = mmap(NULL, PAGE + SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (faults < 0 || memory == MAP_FAILED || ioctl(faults, UFFDIO_API, &api))
		fail("userfaultfd");
	memset(memory, 0, PAGE);
	range.range.start = (uintptr_t)memory + PAGE;
	range.range.len = SIZE;
	if (ioctl(faults, UFFDIO_REGISTER, &range))
		fail("UFFDIO_REGISTER");
	return memory + PAGE;
}

static void *notify_when_wanted(void *unused)
{
	struct pollfd wanted = { .fd = faults, .events = POLLIN };

	(void)unused;
	if (poll(&wanted, 1, -1) != 1 || write(ready, "w", 1) != 1)
		fail("poll");
	return NULL;
}

static void be_stuck(const struct kind *kind)
{
	char *memory = memory_that_never_comes();
	int fd = new_socket(), one = 1;
	pthread_t thread;
	long ret;

	if (connect(fd, (void *)&address, sizeof(address)))
		fail("connect");
	if (setsockopt(fd, IPPROTO_SDP, SO_ZEROCOPY, &one, sizeof(one)))
		fail("SO_ZEROCOPY");
	if (pthread_create(&thread, NULL, notify_when_wanted, NULL))
		fail("pthread_create");
	ret = kind->call(fd, memory);
	printf("%s: %s\n", kind->name, ret < 0 ? strerrorname_np(errno) : "done");
	exit(0);
}

static const struct kind *kind_of(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	}
	fprintf(stderr, "sdp_stuck: there is no %s\n", name);
	exit(2);
}

/* Returns once the process waits for its memory. */
static void begin(const struct kind *kind)
{
	int pipes[2];
	char octet;

	if (pipe(pipes))
		fail("pipe");
	if (!fork()) {
		close(pipes[0]);
		ready = pipes[1];
		be_stuck(kind);
	}
	close(pipes[1]);
	if (read(pipes[0], &octet, 1) != 1)
		exit(1);
	close(pipes[0]);
}

int main(int argc, char **argv)
{
	bool serves = argc == 3 && !strcmp(argv[1], "listen");
	int i;

	if (argc < 3 || inet_pton(AF_INET, argv[serves ? 2 : 1], &address.sin_addr) != 1)
		return 2;
	address.sin_port = htons(7001);
	if (serves)
		serve();
	for (i = 2; i < argc; i++)
		begin(kind_of(argv[i]));
	printf("stuck\n");
	fflush(stdout);
	pause();
	return 0;
}
