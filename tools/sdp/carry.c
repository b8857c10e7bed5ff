// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Replaces an SDP socket by a TCP socket that has the same properties. */
#include "tools/sdp/carry.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "tools/sdp/real.h"

/*
 * Copies the recorded options. Failures are ignored, because TCP sockets do not have all options of
 * SDP sockets.
 */
static void carry_options(int tcp, const struct pending *pending)
{
	const struct pending_option *option;
	unsigned int i;

	for (i = 0; i < PENDING_OPTIONS; i++) {
		option = &pending->options[i];
		if (option->complete)
			real.setsockopt(tcp, option->level, option->name, option->value,
					option->length);
	}
}

static int carry_address(int fd, int tcp, const struct pending *pending)
{
	struct sockaddr_storage address;
	socklen_t length = sizeof(address);

	if (!pending->is_bound)
		return 0;
	if (getsockname(fd, (struct sockaddr *)&address, &length))
		return -1;
	/* the kernel may return AF_INET_SDP for an SDP socket */
	address.ss_family = pending->domain;
	return real.bind(tcp, (const struct sockaddr *)&address, length);
}

/*
 * Copies the settings of signal-driven I/O (O_ASYNC): the process that receives the signal, and the
 * number of the signal.
 */
static int carry_owner(int fd, int tcp)
{
	struct f_owner_ex owner;

	if (fcntl(fd, F_GETOWN_EX, &owner) || fcntl(tcp, F_SETOWN_EX, &owner))
		return -1;
	return fcntl(tcp, F_SETSIG, fcntl(fd, F_GETSIG));
}

static int carry_flags(int fd, int tcp)
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || (flags & O_ASYNC && carry_owner(fd, tcp)))
		return -1;
	return fcntl(tcp, F_SETFL, flags & (O_NONBLOCK | O_ASYNC));
}

static int carry_replace(int fd, int tcp)
{
	int flags = fcntl(fd, F_GETFD);

	if (flags < 0)
		return -1;
	return dup3(tcp, fd, flags & FD_CLOEXEC ? O_CLOEXEC : 0) < 0 ? -1 : 0;
}

static int carry_all(int fd, int tcp, const struct pending *pending)
{
	carry_options(tcp, pending);
	if (carry_address(fd, tcp, pending) || carry_flags(fd, tcp))
		return -1;
	return carry_replace(fd, tcp);
}

int carry_to_tcp(int fd, const struct pending *pending)
{
	int tcp = real.socket(pending->domain, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int result, error;

	if (tcp < 0)
		return -1;
	result = carry_all(fd, tcp, pending);
	error = errno;
	close(tcp);
	errno = error;
	return result;
}
