// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The client of SDP's port mapper in libhca-sdprun.so. It queries the port mapper for each
 * connection, unless the cache contains a mapping for the service.
 */
#include "tools/sdp/mapper.h"
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>
#include "tools/sdp/endpoint.h"
#include "tools/sdp/real.h"
#include "tools/sdpmap/cache.h"
#include "tools/sdpmap/client.h"
#include "tools/sdpmap/clock.h"

/*
 * Number of tries. PMReq is sent at 0, 250, 750 and 1,750 ms. The client gives up at 3,750 ms
 * (S2-120, S2-308).
 */
#define TRIES 4
/* Time to wait after the first try. It doubles with each try. */
#define FIRST_WAIT_MS 250

/* A transaction with the port mapper, and the UDP socket that it uses */
struct query {
	struct sdpmap_client client;
	int fd;
	int error; /* errno of a failure to reach the port mapper, or 0 */
};

/*
 * The cache, which is used by one thread at a time. A thread or a signal handler that finds the
 * cache in use continues without it. If another thread uses the cache during fork(), the child
 * never uses its copy. Link-local addresses are not cached, because they mean different hosts at
 * different interfaces.
 */
static struct sdpmap_cache cache;
static atomic_flag is_cache_used = ATOMIC_FLAG_INIT;

static bool cache_find(struct sdpmap_mapping *mapping)
{
	const struct sdpmap_mapping *known;

	if (endpoint_is_of_link(&mapping->service) || atomic_flag_test_and_set(&is_cache_used))
		return false;
	known = sdpmap_cache_find(&cache, clock_ms(), &mapping->service);
	if (known)
		*mapping = *known;
	atomic_flag_clear(&is_cache_used);
	return known;
}

/*
 * Adds a mapping to the cache, and removes an older mapping of the service. A mapping with PmTime 0
 * is not added (S2-102).
 */
static void cache_add(const struct sdpmap_mapping *mapping)
{
	if (endpoint_is_of_link(&mapping->service) || atomic_flag_test_and_set(&is_cache_used))
		return;
	sdpmap_cache_add(&cache, clock_ms(), mapping);
	atomic_flag_clear(&is_cache_used);
}

static void query_fail(struct query *query)
{
	if (errno == EINTR || errno == EAGAIN || errno == ENOBUFS)
		return; /* another try may succeed */
	query->error = errno;
	sdpmap_client_unreachable(&query->client);
}

static void query_send(struct query *query, const struct sdpmap_message *message)
{
	uint8_t octets[SDPMAP_OCTETS];

	sdpmap_pack(message, octets);
	if (send(query->fd, octets, sizeof(octets), MSG_DONTWAIT) < 0)
		query_fail(query);
}

/*
 * Receives a reply, and sends PMAck. PMAck goes to the sender of PMAccept (S2-112), because the
 * socket is connected.
 */
static void query_receive(struct query *query)
{
	uint8_t octets[SDPMAP_OCTETS + 1];
	struct sdpmap_message ack;
	ssize_t received = recv(query->fd, octets, sizeof(octets), MSG_DONTWAIT);

	if (received < 0)
		query_fail(query);
	else if (sdpmap_client_receive(&query->client, octets, received, &ack))
		query_send(query, &ack);
}

static void query_wait(struct query *query)
{
	struct pollfd polled = { .fd = query->fd, .events = POLLIN };
	uint64_t now = clock_ms(), deadline = query->client.deadline;
	int ready = poll(&polled, 1, deadline > now ? deadline - now : 0);

	if (ready < 0)
		query_fail(query);
	else if (ready)
		query_receive(query); /* this also receives errors of ICMP */
}

static void query_run(struct query *query)
{
	while (query->client.state == SDPMAP_WAITING) {
		if (sdpmap_client_run(&query->client, clock_ms()))
			query_send(query, &query->client.request);
		if (query->client.state == SDPMAP_WAITING)
			query_wait(query);
	}
}

/*
 * Makes a connected UDP socket. This does not send packets. Return: the descriptor, or -1 with
 * errno.
 */
static int udp_socket(const struct address *peer)
{
	int fd = real.socket(peer->any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0), error;

	if (fd < 0 || !real.connect(fd, &peer->any, address_size(peer)))
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

/* Sets *name to the address and port of a socket. Return: 0, or -1 with errno. */
static int name_of(int fd, int domain, struct sdpmap_endpoint *name)
{
	struct address own = {};
	socklen_t length = sizeof(own);

	if (getsockname(fd, &own.any, &length))
		return -1;
	own.any.sa_family = domain; /* the kernel may return AF_INET_SDP for an SDP socket */
	*name = endpoint_of(&own.any);
	return 0;
}

/*
 * Binds a socket to a port before connect() does, because PMReq contains the port of the client
 * (S2-106, S2-110). connect() still chooses the address. Return: 0, or -1 with errno.
 */
static int need_port(int fd, int domain, struct sdpmap_endpoint *own)
{
	struct address any = { .any.sa_family = domain };

	if (name_of(fd, domain, own))
		return -1;
	if (own->port)
		return 0;
	return real.bind(fd, &any.any, address_size(&any)) ? -1 : name_of(fd, domain, own);
}

/*
 * Sets the address of @own to the source address of the route to @service. Return: 0, or -1 with
 * errno.
 */
static int find_source(const struct address *service, struct sdpmap_endpoint *own)
{
	struct sdpmap_endpoint source;
	int fd = udp_socket(service), failed;

	if (fd < 0)
		return -1;
	failed = name_of(fd, service->any.sa_family, &source);
	close(fd);
	if (failed)
		return -1;
	source.port = own->port;
	*own = source;
	return 0;
}

/*
 * Sets @own to the port and address of the client, which are CpPort and CpIPAddr. Return: 0, or -1
 * with errno.
 */
static int need_name(int fd, int domain, const struct address *service, struct sdpmap_endpoint *own)
{
	if (need_port(fd, domain, own) || (endpoint_is_any(own) && find_source(service, own)))
		return -1;
	if ((own->ip_version == 4) == (service->any.sa_family == AF_INET))
		return 0;
	errno = EADDRNOTAVAIL;
	return -1;
}

static struct address address_of_mapper(const struct sdp_rules_mapper *mapper,
					const struct sdpmap_endpoint *service,
					const struct sockaddr *like)
{
	struct sdpmap_endpoint endpoint = *service;

	if (mapper->family != AF_UNSPEC) {
		endpoint.ip_version = mapper->family == AF_INET ? 4 : 6;
		memcpy(endpoint.address, mapper->address, SDPMAP_ADDRESS);
	}
	endpoint.port = mapper->port ? mapper->port : SDPMAP_PORT;
	return endpoint_plain(&endpoint, like);
}

/*
 * Starts a transaction. Its AssocHandle is random (S2-121). If handles were consecutive, a child of
 * fork() would use the same ones as its parent. Return: 0, or -1 with errno.
 */
static int query_start(struct query *query, const struct sdpmap_endpoint *service,
		       const struct sdpmap_endpoint *own)
{
	uint64_t handle;

	if (getrandom(&handle, sizeof(handle), GRND_NONBLOCK) != sizeof(handle))
		return -1;
	query->client.max_tries = TRIES;
	query->client.wait = FIRST_WAIT_MS;
	sdpmap_client_start(&query->client, clock_ms(), service, own, handle);
	return 0;
}

/*
 * Sets *mapping from the reply. Return: NULL; or, with errno set, the reason why the program
 * connects to the service by TCP.
 */
static const char *query_end(const struct query *query, struct sdpmap_mapping *mapping)
{
	if (query->client.state == SDPMAP_DENIED) {
		errno = ECONNREFUSED;
		return "connects by TCP, since the port mapper denies SDP";
	}
	if (query->client.state != SDPMAP_ACCEPTED) {
		errno = query->error ? query->error : ETIMEDOUT;
		return "connects by TCP, since no port mapper answers";
	}
	mapping->sdp = sdpmap_ap(&query->client.reply);
	mapping->pm_time = query->client.reply.pm_time;
	return NULL;
}

static const char *mapper_ask(const struct address *mapper, const struct sdpmap_endpoint *own,
			      struct sdpmap_mapping *mapping)
{
	struct query query = { .fd = udp_socket(mapper) };

	if (query.fd < 0)
		return "connects by TCP, since no port mapper can be asked";
	if (query_start(&query, &mapping->service, own))
		query_fail(&query);
	else
		query_run(&query);
	close(query.fd);
	return query_end(&query, mapping);
}

const char *mapper_find(const struct sdp_rules_mapper *mapper, int fd, int domain,
			const struct sockaddr *service, struct address *sdp)
{
	struct sdpmap_mapping mapping = { .service = endpoint_of(service) };
	struct address plain = endpoint_plain(&mapping.service, service), peer;
	struct sdpmap_endpoint own;
	const char *why;

	if (!cache_find(&mapping)) {
		if (need_name(fd, domain, &plain, &own))
			return "connects by TCP, since SDP does not";
		peer = address_of_mapper(mapper, &mapping.service, service);
		why = mapper_ask(&peer, &own, &mapping);
		if (why)
			return why;
		cache_add(&mapping);
	}
	*sdp = endpoint_like(&mapping.sdp, service);
	return NULL;
}

void mapper_remove(const struct sockaddr *service)
{
	const struct sdpmap_mapping none = { .service = endpoint_of(service) };

	cache_add(&none);
}
