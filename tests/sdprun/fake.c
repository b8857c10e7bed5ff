// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * A library to be preloaded behind libhca-sdprun.so: gives a kernel without SDP sockets of protocol
 * 257, which are TCP sockets with port numbers of their own: port n of SDP is port n + 1 of TCP.
 *   SDP_FAKE_LOG=FILE     appends a line for each call that libhca-sdprun.so might have made
 *   SDP_FAKE_NONE=1       there is no SDP
 *   SDP_FAKE_NO_BIND=1    SDP sockets cannot be bound: ENODEV
 *   SDP_FAKE_FAMILY=27    is the family of addresses that SDP sockets have
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROTOCOL 257
#define MAX_DESCRIPTORS 8192
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The inodes of SDP sockets. */
static ino_t inodes[MAX_DESCRIPTORS];

static ino_t inode_of(int fd)
{
	struct stat status;

	return fstat(fd, &status) ? 0 : status.st_ino;
}

static bool is_sdp(int fd)
{
	return fd >= 0 && fd < MAX_DESCRIPTORS && inodes[fd] && inodes[fd] == inode_of(fd);
}

static void record(const char *call, int fd, int a, int b)
{
	const char *name = getenv("SDP_FAKE_LOG");
	int error = errno, file;

	if (!name)
		return;
	file = open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
	dprintf(file, "%s %s %d %d\n", call, is_sdp(fd) ? "sdp" : "tcp", a, b);
	close(file);
	errno = error;
}

static in_port_t *port_of(struct sockaddr_storage *address)
{
	if (address->ss_family == AF_INET6)
		return &((struct sockaddr_in6 *)address)->sin6_port;
	return &((struct sockaddr_in *)address)->sin_port;
}

/* Return: the port before. */
static int shift_port(struct sockaddr_storage *address, int by)
{
	in_port_t *port = port_of(address);
	int before = ntohs(*port);

	if (before)
		*port = htons(before + by);
	return before;
}

int socket(int domain, int type, int protocol)
{
	int fd;

	if (protocol != PROTOCOL)
		return NEXT(socket)(domain, type, protocol);
	if (getenv("SDP_FAKE_NONE")) {
		errno = EPROTONOSUPPORT;
		return -1;
	}
	fd = NEXT(socket)(domain, type, 0);
	if (fd >= 0 && fd < MAX_DESCRIPTORS)
		inodes[fd] = inode_of(fd);
	record("socket", fd, domain, type);
	return fd;
}

/* The address of a call, in the form that @fd needs. Return: the port that the program means. */
static int translate(int fd, const struct sockaddr *address, socklen_t length,
		     struct sockaddr_storage *translated)
{
	memcpy(translated, address, length);
	return shift_port(translated, is_sdp(fd));
}

int bind(int fd, const struct sockaddr *address, socklen_t length)
{
	struct sockaddr_storage translated;

	record("bind", fd, translate(fd, address, length, &translated), 0);
	if (is_sdp(fd) && getenv("SDP_FAKE_NO_BIND")) {
		errno = ENODEV;
		return -1;
	}
	return NEXT(bind)(fd, (struct sockaddr *)&translated, length);
}

int connect(int fd, const struct sockaddr *address, socklen_t length)
{
	struct sockaddr_storage translated;

	record("connect", fd, translate(fd, address, length, &translated), 0);
	return NEXT(connect)(fd, (struct sockaddr *)&translated, length);
}

int listen(int fd, int backlog)
{
	record("listen", fd, backlog, 0);
	return NEXT(listen)(fd, backlog);
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t length)
{
	record("setsockopt", fd, level, name);
	return NEXT(setsockopt)(fd, level, name, value, length);
}

int getsockopt(int fd, int level, int name, void *value, socklen_t *length)
{
	int result = NEXT(getsockopt)(fd, level, name, value, length);

	if (!result && level == SOL_SOCKET && name == SO_PROTOCOL && is_sdp(fd))
		*(int *)value = PROTOCOL;
	return result;
}

int getsockname(int fd, struct sockaddr *address, socklen_t *length)
{
	int result = NEXT(getsockname)(fd, address, length);

	if (result || !is_sdp(fd))
		return result;
	shift_port((struct sockaddr_storage *)address, -1);
	if (getenv("SDP_FAKE_FAMILY"))
		address->sa_family = atoi(getenv("SDP_FAKE_FAMILY"));
	return 0;
}
