// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_bulk listen ADDRESS           receive from one connection at ADDRESS
 *        sdp_bulk send ADDRESS OCTETS      send as many, and wait until the other end has closed
 *        sdp_bulk idle ADDRESS COUNT       make COUNT connections, and keep them for a minute
 *        sdp_bulk keep ADDRESS             make one, wait for data, keepalive time a second
 *        sdp_bulk stuck ADDRESS            ... and send from a page that never comes
 *
 * A stream of SDP on port 7001, each octet of which is checked. The ends print, at last, `N octets,
 * then RESULT`: end, or the name of the error. `listen` prints `listening` first, and also serves
 * the last three, whose connections it accepts and keeps until they end.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
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
#define CHUNK 50000

static uint8_t buf[CHUNK];

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

static void receive_all(int fd)
{
	uint64_t octets = 0;
	ssize_t got, i;

	while ((got = recv(fd, buf, sizeof(buf), 0)) > 0) {
		for (i = 0; i < got; i++) {
			if (buf[i] == octet_of(octets + i))
				continue;
			printf("octet %llu is wrong\n", (unsigned long long)octets + i);
			exit(1);
		}
		octets += got;
	}
	end(octets, got);
}

static void listen_at(const struct sockaddr_in *address)
{
	int fd = new_socket(), child;

	if (bind(fd, (const void *)address, sizeof(*address)) || listen(fd, 100))
		end(0, -1);
	printf("listening\n");
	fflush(stdout);
	child = accept(fd, NULL, NULL);
	/* Others are of `idle`. */
	while (child >= 0 && recv(child, buf, 1, MSG_PEEK) == 1 && buf[0] == 'i')
		child = accept(fd, NULL, NULL);
	if (child < 0)
		end(0, -1);
	receive_all(child);
}

static void send_to(const struct sockaddr_in *address, uint64_t octets)
{
	int fd = connected_to(address);
	uint64_t sent = 0;
	ssize_t i, some;

	while (sent < octets) {
		some = octets - sent < CHUNK ? octets - sent : CHUNK;
		for (i = 0; i < some; i++)
			buf[i] = octet_of(sent + i);
		some = send(fd, buf, some, MSG_NOSIGNAL);
		if (some < 0)
			end(sent, -1);
		sent += some;
	}
	if (shutdown(fd, SHUT_WR))
		end(sent, -1);
	end(sent, recv(fd, buf, 1, 0));
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

/* The kernel waits for the page, and owns the lock of the socket. */
static void stuck(const struct sockaddr_in *address)
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
	end(0, send(watched(address), page, CHUNK, MSG_NOSIGNAL));
}

int main(int argc, char **argv)
{
	struct sockaddr_in address;

	if (argc < 3) {
		fprintf(stderr, "usage: sdp_bulk {listen|send|idle|keep|stuck} ADDRESS [OCTETS|COUNT]\n");
		return 2;
	}
	address = address_of(argv[2]);
	if (!strcmp(argv[1], "listen"))
		listen_at(&address);
	else if (!strcmp(argv[1], "send") && argc == 4)
		send_to(&address, strtoull(argv[3], NULL, 0));
	else if (!strcmp(argv[1], "idle") && argc == 4)
		idle(&address, atoi(argv[3]));
	else if (!strcmp(argv[1], "keep"))
		keep(&address);
	else if (!strcmp(argv[1], "stuck"))
		stuck(&address);
	return 2;
}
