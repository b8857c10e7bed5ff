/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* MSG_ZEROCOPY for sdp_zerocopy: pairs of sockets that have it, notifications, and readers. */
#ifndef HCA_TESTS_SDP_ZEROCOPY_H
#define HCA_TESTS_SDP_ZEROCOPY_H

#include "sdp_lab.h"
#include <linux/errqueue.h>
#include <sys/wait.h>

#define BIG (1u << 20) /* octets: one advertisement */

static uint8_t data[4 * BIG], back[4 * BIG];
static uint32_t next_number; /* of the next call that is to be notified */
static unsigned int copied; /* notifications that have SO_EE_CODE_ZEROCOPY_COPIED */

static inline void fill(uint8_t *to, size_t octets)
{
	size_t i;

	for (i = 0; i < octets; i++)
		to[i] = i * 7 + (i >> 8) * 13 + (i >> 16) * 5;
}

/* Before Linux 6.3 SDP has the option at its own level. */
static inline long set_zerocopy(int fd, int value)
{
	long ret = setsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &value, sizeof(value));

	if (ret && errno == EOPNOTSUPP && protocol == 257)
		ret = setsockopt(fd, protocol, SO_ZEROCOPY, &value, sizeof(value));
	return ret;
}

static inline long get_zerocopy(int fd)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_SOCKET, SO_ZEROCOPY, &value, &len) ? -1 : value;
}

static inline void pair_of(int *pair)
{
	connected(pair);
	if (set_zerocopy(pair[1], 1))
		fail("SO_ZEROCOPY");
	next_number = copied = 0;
}

/* Return: whether the message is what a notification looks like; then it counts. */
static inline bool is_notification(struct msghdr *msg)
{
	struct cmsghdr *cmsg = CMSG_FIRSTHDR(msg);
	struct sock_extended_err err;
	bool right = family == 6 ? cmsg && cmsg->cmsg_level == SOL_IPV6 &&
					   cmsg->cmsg_type == IPV6_RECVERR :
				   cmsg && cmsg->cmsg_level == SOL_IP &&
					   cmsg->cmsg_type == IP_RECVERR;

	if (!right || !(msg->msg_flags & MSG_ERRQUEUE) || msg->msg_namelen)
		return false;
	memcpy(&err, CMSG_DATA(cmsg), sizeof(err));
	if (err.ee_origin != SO_EE_ORIGIN_ZEROCOPY || err.ee_errno || err.ee_info != next_number)
		return false;
	next_number = err.ee_data + 1;
	copied += err.ee_code & SO_EE_CODE_ZEROCOPY_COPIED;
	return true;
}

static inline long read_errors(int fd)
{
	char control[200];
	struct msghdr msg = { .msg_control = control, .msg_controllen = sizeof(control) };

	if (recvmsg(fd, &msg, MSG_ERRQUEUE))
		return -1;
	if (is_notification(&msg))
		return 0;
	errno = EBADMSG;
	return -1;
}

/* Waits until calls up to @end, without it, are notified: each once, in order. Return: 0. */
static inline long notified(int fd, uint32_t end)
{
	int tries = SECONDS * 100;

	while (next_number < end) {
		if (wait_for(fd, 0, POLLERR) < 0)
			return -1;
		if (!read_errors(fd))
			continue;
		if (errno != EAGAIN || !tries--)
			return -1;
		usleep(10000);
	}
	return 0;
}

static inline long send_zero(int fd, const void *from, size_t octets, int flags)
{
	return send(fd, from, octets, MSG_ZEROCOPY | flags);
}

/* Return: 0 if @octets of the pattern arrive in reads of @size, then what @ends has. */
static inline int read_pattern(int fd, size_t octets, size_t size, bool ends)
{
	size_t at = 0;
	ssize_t got;

	while (at < octets) {
		got = recv(fd, back + at, octets - at < size ? octets - at : size, 0);
		if (got <= 0)
			return 1;
		at += got;
	}
	if (memcmp(back, data, octets))
		return 2;
	return ends && recv(fd, back, 1, 0) ? 3 : 0;
}

/* A process that reads. */
static inline pid_t reader(int fd, size_t octets, size_t size)
{
	pid_t pid = fork();

	if (pid < 0)
		fail("fork");
	if (!pid)
		_exit(read_pattern(fd, octets, size, false));
	return pid;
}

static inline long end_of(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

#endif
