// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_scope PROTOCOL 6
 *
 * Uses link-local addresses of IPv6, which mean a host only together with an interface, of SDP
 * (PROTOCOL 257) as of TCP (PROTOCOL 6). The results are printed as sdp_lab.h says.
 */
#include "sdp_lab.h"
#include <ifaddrs.h>
#include <net/if.h>

/* The link-local address of an end, with its interface. */
static struct sockaddr_in6 local[2];

/* Finds the link-local address of the only interface of InfiniBand in a namespace. */
static void find_local(int at)
{
	struct ifaddrs *all, *one;

	if (setns(namespaces[at], CLONE_NEWNET) || getifaddrs(&all))
		fail("getifaddrs");
	for (one = all; one; one = one->ifa_next) {
		const struct sockaddr_in6 *in6 = (void *)one->ifa_addr;

		if (in6 && in6->sin6_family == AF_INET6 && !strncmp(one->ifa_name, "ib", 2) &&
		    IN6_IS_ADDR_LINKLOCAL(&in6->sin6_addr))
			local[at] = *in6;
	}
	freeifaddrs(all);
	if (!local[at].sin6_scope_id) {
		errno = EADDRNOTAVAIL;
		fail("a link-local address");
	}
}

/*
 * The link-local address of an end, as the other end or itself uses it: with the interface of the
 * end @by, changed by @scope.
 */
static struct sockaddr *at_scope(int of, int by, uint16_t port, int scope)
{
	struct sockaddr_in6 *in6 = (void *)&name;

	memset(&name, 0, sizeof(name));
	*in6 = local[of];
	in6->sin6_port = htons(port);
	in6->sin6_scope_id = scope < 0 ? 0 : local[by].sin6_scope_id + scope;
	return (void *)in6;
}

#define SIN6_LEN_SHORT 24 /* a sockaddr_in6 as RFC 2133 has it, without the interface */
#define NO_SCOPE (-1)
#define RIGHT 0
#define OTHER 1 /* an interface that does not exist */

/* Whether a name has the interface of @at: 1, or 0 if it has none, or another one. */
static long has_scope(int fd, int at, int (*get)(int, struct sockaddr *, socklen_t *))
{
	struct sockaddr_in6 in6 = { 0 };
	socklen_t len = sizeof(in6);

	return get(fd, (void *)&in6, &len) ? -1 : in6.sin6_scope_id == local[at].sin6_scope_id;
}

/* The interface of a global address, or of the wildcard address, is 0. */
static long scope_of(int fd)
{
	struct sockaddr_in6 in6 = { 0 };
	socklen_t len = sizeof(in6);

	return getsockname(fd, (void *)&in6, &len) ? -1 : (long)in6.sin6_scope_id;
}

static long bound_device(int fd, int at)
{
	char text[IF_NAMESIZE] = "";
	socklen_t len = sizeof(text);

	if (getsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, text, &len))
		return -1;
	return len ? if_nametoindex(text) == local[at].sin6_scope_id : 0;
}

static void binds(void)
{
	int fd = new_socket(0);
	uint16_t port = next_port++;

	CALL(bind(fd, at_scope(0, 0, port, NO_SCOPE), name_len()));
	CALL(bind(fd, at_scope(0, 0, port, OTHER), name_len()));
	CALL(bind(fd, at_scope(1, 0, port, RIGHT), name_len()));
	/* A bind() that fails does not keep its interface from the next one. */
	CALL(bind(fd, at_scope(0, 0, port, RIGHT), name_len()));
	close(fd);
	fd = new_socket(0);
	CALL(bind(fd, at_scope(0, 0, port, RIGHT), SIN6_LEN_SHORT));
	CALL(bind(fd, at_scope(0, 0, port, RIGHT), name_len()));
	CALL(has_scope(fd, 0, getsockname));
	CALL(bound_device(fd, 0));
	CALL(bind(fd, at_scope(0, 0, port, RIGHT), name_len()));
	close(fd);
	fd = new_socket(0);
	CALL(bind(fd, address(0, port), name_len()));
	CALL(scope_of(fd));
	CALL(bound_device(fd, 0));
	close(fd);
}

static void refused(void)
{
	int fd = new_socket(1);
	uint16_t port = next_port++;

	CALL(connect(fd, at_scope(0, 1, port, NO_SCOPE), name_len()));
	CALL(connect(fd, at_scope(0, 1, port, RIGHT), name_len()));
	CALL(connect(fd, at_scope(0, 1, port, OTHER), name_len()));
	close(fd);
}

/* A connection between link-local addresses, and from one to itself. */
static void connections(void)
{
	int by;

	for (by = 0; by < 2; by++) {
		int server = new_socket(0), client, child;
		uint16_t port = next_port++;
		char octet;

		CALL(bind(server, at_scope(0, 0, port, RIGHT), name_len()));
		CALL(listen(server, 5));
		client = new_socket(by);
		CALL(connect(client, at_scope(0, by, port, RIGHT), name_len()));
		child = accept(server, NULL, NULL);
		CALL(has_scope(client, by, getsockname));
		CALL(has_scope(client, by, getpeername));
		CALL(has_scope(child, 0, getsockname));
		CALL(has_scope(child, 0, getpeername));
		CALL(send(client, "x", 1, 0));
		CALL(recv(child, &octet, 1, 0));
		close(child);
		close(client);
		close(server);
	}
}

/* A listener at all addresses is reached by a link-local one. */
static void wildcard(void)
{
	int server = new_socket(0), client, child;
	uint16_t port = next_port++;
	struct sockaddr_in6 any = { .sin6_family = AF_INET6, .sin6_port = htons(port) };

	CALL(bind(server, (void *)&any, sizeof(any)));
	CALL(listen(server, 5));
	CALL(scope_of(server));
	client = new_socket(1);
	CALL(connect(client, at_scope(0, 1, port, RIGHT), name_len()));
	child = accept(server, NULL, NULL);
	CALL(has_scope(child, 0, getsockname));
	CALL(has_scope(child, 0, getpeername));
	close(child);
	close(client);
	close(server);
}

static void find_both(void)
{
	find_local(0);
	find_local(1);
}

static const struct section sections[] = {
	{ "local addresses", find_both },
	{ "bind", binds },
	{ "refused", refused },
	{ "connections", connections },
	{ "wildcard", wildcard },
};

int main(int argc, char **argv)
{
	next_port = 7500; /* not one that TCP waits with after other programs */
	return SECTIONS_RUN(argc, argv, sections);
}
