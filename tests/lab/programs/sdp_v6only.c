// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * usage: sdp_v6only PROTOCOL 6
 *
 * Whether sockets of IPv6 stand for IPv4 as well, by net.ipv6.bindv6only and by IPV6_V6ONLY, of SDP
 * (PROTOCOL 257) as of TCP (PROTOCOL 6). What is printed is what sdp_lab.h says.
 */
#include "sdp_lab.h"

static void bindv6only(const char *value)
{
	for (int at = 0; at < 2; at++) {
		FILE *file;

		if (setns(namespaces[at], CLONE_NEWNET))
			fail("setns");
		file = fopen("/proc/sys/net/ipv6/bindv6only", "w");
		if (!file || fputs(value, file) < 0 || fclose(file))
			fail("bindv6only");
	}
}

static long v6only_of(int fd)
{
	int value = -1;
	socklen_t len = sizeof(value);

	return getsockopt(fd, SOL_IPV6, IPV6_V6ONLY, &value, &len) ? -1 : value;
}

static long set_v6only(int fd, int value)
{
	return setsockopt(fd, SOL_IPV6, IPV6_V6ONLY, &value, sizeof(value));
}

static long set_addrform(int fd, int value)
{
	return setsockopt(fd, SOL_IPV6, IPV6_ADDRFORM, &value, sizeof(value));
}

static long family_of(int fd)
{
	struct sockaddr_storage name;
	socklen_t len = sizeof(name);

	return getsockname(fd, (void *)&name, &len) ? -1 : name.ss_family;
}

static long of_unknown_level(int fd, int level)
{
	int value;
	socklen_t len = sizeof(value);

	return getsockopt(fd, level, 1, &value, &len);
}

/* An IPv6 address in text, with a port, in the place of address(). */
static struct sockaddr *ipv6(const char *text, uint16_t port)
{
	struct sockaddr_in6 *in6 = (void *)address(0, port);

	inet_pton(AF_INET6, text, &in6->sin6_addr);
	return (void *)in6;
}

static struct sockaddr *any_ipv4(uint16_t port)
{
	struct sockaddr_in *in = (void *)address(0, port);

	in->sin_addr.s_addr = htonl(INADDR_ANY);
	return (void *)in;
}

/* Whether the peer is an IPv4 address that is mapped. */
static long has_mapped_peer(int fd)
{
	struct sockaddr_in6 peer = { 0 };
	socklen_t len = sizeof(peer);

	return getpeername(fd, (void *)&peer, &len) ? -1 : IN6_IS_ADDR_V4MAPPED(&peer.sin6_addr);
}

/* Options, and the addresses that they refuse. */
static void options(void)
{
	int fd = new_socket(0), other;

	CALL(v6only_of(fd));
	CALL(set_v6only(fd, 0));
	CALL(v6only_of(fd));
	CALL(bind(fd, ipv6("::ffff:10.9.9.1", next_port++), name_len()));
	CALL(set_addrform(fd, AF_INET));
	CALL(set_addrform(fd, AF_INET6));
	CALL(of_unknown_level(fd, 500));
	CALL(set_v6only(fd, 1));
	CALL(v6only_of(fd));
	close(fd);
	fd = new_socket(0);
	CALL(set_v6only(fd, 5));
	CALL(v6only_of(fd));
	CALL(bind(fd, ipv6("::ffff:10.9.9.1", next_port), name_len()));
	CALL(connect(fd, ipv6("::ffff:10.9.9.2", next_port), name_len()));
	CALL(bind(fd, ipv6("::", next_port++), name_len()));
	close(fd);
	fd = new_socket(0);
	CALL(bind(fd, ipv6("::ffff:10.9.9.1", next_port++), name_len()));
	other = new_socket(0);
	CALL(connect(other, ipv6("::ffff:10.9.9.2", next_port), name_len()));
	close(other);
	close(fd);
}

/* A port is bound by an IPv6 socket at all addresses, then by an IPv4 socket, and in reverse. */
static void wildcards(void)
{
	int fd = new_socket(0), other;
	uint16_t port = next_port++;

	CALL(bind(fd, ipv6("::", port), name_len()));
	CALL(listen(fd, 5));
	family = 4;
	other = new_socket(0);
	CALL(bind(other, any_ipv4(port), name_len()));
	CALL(listen(other, 5));
	close(other);
	other = new_socket(0);
	CALL(bind(other, address(0, port), name_len()));
	close(other);
	family = 6;
	close(fd);
	family = 4;
	other = new_socket(0);
	CALL(bind(other, any_ipv4(port), name_len()));
	family = 6;
	fd = new_socket(0);
	CALL(bind(fd, ipv6("::", port), name_len()));
	close(fd);
	close(other);
}

/* Clients of either family, of a socket that listens at all addresses of IPv6. */
static void clients(void)
{
	int server = new_socket(0), client, child;
	uint16_t port = next_port++;
	bool only = v6only_of(server) == 1;

	CALL(bind(server, ipv6("::", port), name_len()));
	CALL(listen(server, 5));
	client = new_socket(1);
	CALL(connect(client, address(0, port), name_len()));
	child = accept(server, NULL, NULL);
	CALL(v6only_of(child));
	CALL(has_mapped_peer(child));
	CALL(set_addrform(child, AF_INET));
	close(child);
	close(client);
	family = 4;
	client = new_socket(1);
	CALL(connect(client, address(0, port), name_len()));
	CALL(set_addrform(client, AF_INET));
	CALL(of_unknown_level(client, 500));
	CALL(of_unknown_level(client, SOL_IPV6));
	family = 6;
	if (!only) {
		child = accept(server, NULL, NULL);
		CALL(v6only_of(child));
		CALL(has_mapped_peer(child));
		CALL(set_addrform(child, AF_INET6));
		CALL(family_of(child));
		CALL(set_addrform(child, AF_INET));
		CALL(family_of(child));
		close(child);
	}
	close(client);
	close(server);
}

static void not_set(void)
{
	bindv6only("0");
	options();
	wildcards();
	clients();
}

/* The setting counts for sockets that are made later. */
static void set(void)
{
	int before = new_socket(0), after;

	bindv6only("1");
	CALL(v6only_of(before));
	after = new_socket(0);
	close(before);
	options();
	wildcards();
	clients();
	bindv6only("0");
	CALL(v6only_of(after));
	close(after);
}

static const struct section sections[] = {
	{ "bindv6only = 0", not_set },
	{ "bindv6only = 1", set },
};

int main(int argc, char **argv)
{
	next_port = 7400; /* not one that TCP waits with after other programs */
	return SECTIONS_RUN(argc, argv, sections);
}
