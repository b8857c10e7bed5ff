// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The sockets of the daemon. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include "tools/lib/message.h"
#include "tools/sdpmap/datagram.h"
#include "tools/sdpmap/listen.h"

/* What to do about an error of bind(), or an empty text. */
static const char *remedy_of(int error)
{
	switch (error) {
	case EADDRINUSE:
		return "; another port mapper has it, such as iwpmd of rdma-core: stop that one, or use --port";
	case EADDRNOTAVAIL:
		return "; --address is one of this host's";
	case EACCES:
		return "; ports below 1024 are root's";
	default:
		return "";
	}
}

/* Return: its port, which the kernel may have chosen. */
static uint16_t report(int fd)
{
	struct sdpmap_endpoint endpoint;
	char text[ADDRESS_TEXT];
	struct address bound;
	socklen_t size = sizeof(bound);

	if (getsockname(fd, &bound.any, &size))
		die_errno("cannot find the address of a socket");
	endpoint = address_endpoint(&bound);
	print_message("answers at %s", address_text(&endpoint, text));
	return endpoint.port;
}

/*
 * @port: changed from 0 to the port that the kernel has chosen, so that it is that of all sockets
 * @is_optional: there may be no such family
 * Return: whether there is a socket.
 */
static bool add(const char *text, uint16_t *port, bool is_optional, struct pollfd *polled)
{
	struct sdpmap_endpoint endpoint;
	char shown[ADDRESS_TEXT];
	struct address address;

	address_parse(&address, text, *port);
	*polled = (struct pollfd){ .fd = datagram_socket(&address), .events = POLLIN };
	if (polled->fd >= 0) {
		*port = report(polled->fd);
		return true;
	}
	if (is_optional && (errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL))
		return false;
	endpoint = address_endpoint(&address);
	die("cannot receive at %s: %s%s", address_text(&endpoint, shown), strerror(errno),
	    remedy_of(errno));
}

unsigned int listen_at(const struct options *options, struct pollfd *polled)
{
	uint16_t port = options->port;
	unsigned int i;

	for (i = 0; i < options->num_addresses; i++)
		add(options->addresses[i], &port, false, &polled[i]);
	if (i)
		return i;
	add("0.0.0.0", &port, false, &polled[0]);
	return 1 + add("::", &port, true, &polled[1]);
}
