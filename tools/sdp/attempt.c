// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Tries to connect a socket by SDP. If that fails, the caller may use TCP. */
#include "tools/sdp/attempt.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <time.h>
#include "tools/sdp/real.h"

bool attempt_means_no_sdp(int error)
{
	switch (error) {
	case EADDRNOTAVAIL:
	case EAFNOSUPPORT:
	case ECONNREFUSED:
	case ECONNRESET:
	case EHOSTDOWN:
	case EHOSTUNREACH:
	case ENETDOWN:
	case ENETUNREACH:
	case ENODEV:
	case ENXIO:
	case EOPNOTSUPP:
	case EPROTONOSUPPORT:
	case ETIMEDOUT:
		return true;
	default:
		return false;
	}
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int error_of(int fd)
{
	int error = 0;
	socklen_t length = sizeof(error);

	return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) ? errno : error;
}

/*
 * Waits until a socket is connected. A signal does not end the wait, because connect() of a
 * non-blocking socket never fails with EINTR. Return: 0, or an errno value.
 */
static int wait_until_connected(int fd)
{
	struct pollfd pollfd = { .fd = fd, .events = POLLOUT };
	int64_t end = now_ms() + ATTEMPT_SECONDS * 1000, left;
	int ready;

	do {
		left = end - now_ms();
		ready = poll(&pollfd, 1, left > 0 ? left : 0);
	} while (ready < 0 && errno == EINTR);
	if (ready < 0)
		return errno;
	return ready ? error_of(fd) : ETIMEDOUT;
}

int attempt_connect(int fd, const struct sockaddr *address, socklen_t length)
{
	if (!real.connect(fd, address, length))
		return 0;
	if (errno != EINPROGRESS || !(fcntl(fd, F_GETFL) & O_NONBLOCK))
		return errno;
	return wait_until_connected(fd);
}
