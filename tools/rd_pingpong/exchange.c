// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Exchanges the addresses of client and server by TCP. */
#include "exchange.h"
#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include "tools/lib/message.h"

#define MAX_QPS 1024

/*
 * The address of one end, as it is sent by TCP. @num_qps QP numbers of 32 bits follow.
 */
struct message {
	__be32 lid, eecn, psn, num_qps;
	union ibv_gid gid;
};

static int try_address(const struct options *options, const struct addrinfo *address)
{
	int fd = socket(address->ai_family, SOCK_STREAM, 0), on = 1;
	bool ok;

	if (fd < 0)
		return -1;
	if (options->server) {
		ok = !connect(fd, address->ai_addr, address->ai_addrlen);
	} else {
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		ok = !bind(fd, address->ai_addr, address->ai_addrlen) && !listen(fd, 1);
	}
	if (ok)
		return fd;
	close(fd);
	return -1;
}

int exchange_open(const struct options *options)
{
	const struct addrinfo hints = {
		.ai_flags = options->server ? 0 : AI_PASSIVE,
		.ai_socktype = SOCK_STREAM,
	};
	struct addrinfo *list, *address;
	int error, fd = -1, listener;

	error = getaddrinfo(options->server, options->tcp_port, &hints, &list);
	if (error) {
		die("%s port %s: %s", options->server ? options->server : "any", options->tcp_port,
		    gai_strerror(error));
	}
	for (address = list; address && fd < 0; address = address->ai_next)
		fd = try_address(options, address);
	if (fd < 0)
		die_errno("TCP port %s", options->tcp_port);
	freeaddrinfo(list);
	if (options->server)
		return fd;
	listener = fd;
	fd = accept(listener, NULL, NULL);
	if (fd < 0)
		die_errno("accept");
	close(listener);
	return fd;
}

static void write_all(int fd, const void *data, size_t length)
{
	const char *from = data;
	ssize_t n;

	for (; length; length -= n, from += n) {
		n = write(fd, from, length);
		if (n <= 0)
			die_errno("the other side cannot be written to");
	}
}

static void read_all(int fd, void *data, size_t length)
{
	char *to = data;
	ssize_t n;

	for (; length; length -= n, to += n) {
		errno = 0;
		n = read(fd, to, length);
		if (n <= 0)
			die_errno("the other side has gone");
	}
}

void exchange_send(int fd, const struct side *own)
{
	const struct message message = {
		.lid = htobe32(own->lid),
		.eecn = htobe32(own->eecn),
		.psn = htobe32(own->psn),
		.num_qps = htobe32(own->num_qps),
		.gid = own->gid,
	};
	uint32_t i;
	__be32 qpn;

	write_all(fd, &message, sizeof(message));
	for (i = 0; i < own->num_qps; i++) {
		qpn = htobe32(own->qpn[i]);
		write_all(fd, &qpn, sizeof(qpn));
	}
}

void exchange_receive(int fd, struct side *peer)
{
	struct message message;
	uint32_t i;
	__be32 qpn;

	read_all(fd, &message, sizeof(message));
	*peer = (struct side){
		.lid = be32toh(message.lid),
		.eecn = be32toh(message.eecn),
		.psn = be32toh(message.psn),
		.num_qps = be32toh(message.num_qps),
		.gid = message.gid,
	};
	errno = 0;
	if (!peer->num_qps || peer->num_qps > MAX_QPS)
		die_errno("the other side has %u queue pairs", peer->num_qps);
	peer->qpn = calloc(peer->num_qps, sizeof(*peer->qpn));
	if (!peer->qpn)
		die_errno("%u queue pairs", peer->num_qps);
	for (i = 0; i < peer->num_qps; i++) {
		read_all(fd, &qpn, sizeof(qpn));
		peer->qpn[i] = be32toh(qpn);
	}
}

void exchange_barrier(int fd)
{
	char octet = 'x';

	write_all(fd, &octet, 1);
	read_all(fd, &octet, 1);
}
