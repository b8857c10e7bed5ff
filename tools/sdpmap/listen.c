// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Makes the sockets of the daemon. */
#include "tools/sdpmap/listen.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "tools/lib/message.h"
#include "tools/sdpmap/datagram.h"

/* Returns advice on what to do about an error of bind(); an empty text if there is none. */
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

/*
 * Largest number of attempts to bind all sockets if the kernel chooses the port. The port that it
 * chooses for the first socket may be in use at another address.
 */
#define TRIES 100

/* An address where the daemon receives requests */
struct place {
	const char *text;
	bool is_optional; /* the address is skipped if the host does not have its IP version */
};

static struct sdpmap_endpoint bound_endpoint(int fd)
{
	struct address bound;
	socklen_t size = sizeof(bound);

	if (getsockname(fd, &bound.any, &size))
		die_errno("cannot find the address of a socket");
	return address_endpoint(&bound);
}

static void listen_report(int fd)
{
	struct sdpmap_endpoint endpoint = bound_endpoint(fd);
	char text[ADDRESS_TEXT];

	print_message("answers at %s", address_text(&endpoint, text));
}

static void refuse_place(const struct place *place, uint16_t port)
{
	struct sdpmap_endpoint endpoint;
	char shown[ADDRESS_TEXT];
	struct address address;
	int error = errno;

	address_parse(&address, place->text, port);
	endpoint = address_endpoint(&address);
	die("cannot receive at %s: %s%s", address_text(&endpoint, shown), strerror(error),
	    remedy_of(error));
}

/*
 * Binds a socket to each of @places. If *@port is 0, the kernel chooses the port of the first
 * socket, and the other sockets are bound to that port. @polled is filled with the sockets, and
 * *@found is set to their number. Return: NULL; or, with errno set, the first place whose socket
 * cannot be bound. An optional place may be skipped.
 */
static const struct place *bind_all(const struct place *places, unsigned int count, uint16_t *port,
				    struct pollfd *polled, unsigned int *found)
{
	struct address address;
	unsigned int i;
	int fd;

	*found = 0;
	for (i = 0; i < count; i++) {
		address_parse(&address, places[i].text, *port);
		fd = datagram_socket(&address);
		if (fd < 0 && places[i].is_optional &&
		    (errno == EAFNOSUPPORT || errno == EADDRNOTAVAIL))
			continue;
		if (fd < 0)
			return &places[i];
		polled[(*found)++] = (struct pollfd){ .fd = fd, .events = POLLIN };
		*port = bound_endpoint(fd).port;
	}
	return NULL;
}

static void close_all(const struct pollfd *polled, unsigned int count)
{
	int error = errno;

	while (count--)
		close(polled[count].fd);
	errno = error;
}

static unsigned int listen_at_places(const struct place *places, unsigned int count,
				     uint16_t wanted, struct pollfd *polled)
{
	const struct place *failed = NULL;
	unsigned int tries, found, i;
	uint16_t port;

	for (tries = 0; tries < TRIES; tries++) {
		port = wanted;
		failed = bind_all(places, count, &port, polled, &found);
		if (!failed)
			break;
		close_all(polled, found);
		if (wanted || !found || errno != EADDRINUSE)
			break;
	}
	if (failed)
		refuse_place(failed, port);
	for (i = 0; i < found; i++)
		listen_report(polled[i].fd);
	return found;
}

unsigned int listen_at(const struct options *options, struct pollfd *polled)
{
	static const struct place all[] = { { "0.0.0.0", false }, { "::", true } };
	struct place places[OPTIONS_ADDRESSES];
	unsigned int i;

	if (!options->num_addresses)
		return listen_at_places(all, 2, options->port, polled);
	for (i = 0; i < options->num_addresses; i++)
		places[i] = (struct place){ options->addresses[i], false };
	return listen_at_places(places, i, options->port, polled);
}
