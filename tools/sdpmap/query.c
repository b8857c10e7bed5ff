// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The client (--query), which asks a port mapper for the SDP addresses of services. */
#include "tools/sdpmap/query.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>
#include "tools/lib/message.h"
#include "tools/lib/number.h"
#include "tools/sdpmap/cache.h"
#include "tools/sdpmap/client.h"
#include "tools/sdpmap/clock.h"
#include "tools/sdpmap/result.h"
#include "tools/sdpmap/route.h"

/* A transaction with the port mapper, and the UDP socket that it uses */
struct query {
	struct sdpmap_client client;
	struct address mapper;
	int fd;
	int error; /* errno of the last error of the socket, or 0 */
};

static struct sdpmap_cache cache;

static void query_transmit(struct query *query, const struct address *to,
			   const struct sdpmap_message *message)
{
	uint8_t octets[SDPMAP_OCTETS];

	sdpmap_pack(message, octets);
	if (sendto(query->fd, octets, sizeof(octets), 0, &to->any, address_size(to)) < 0)
		query->error = errno;
}

/*
 * Receives ICMP errors. The error queue is emptied, because poll() would otherwise return at once
 * again.
 */
static void receive_errors(struct query *query)
{
	struct msghdr message = {};
	int error = 0;
	socklen_t size = sizeof(error);

	if (!getsockopt(query->fd, SOL_SOCKET, SO_ERROR, &error, &size) && error)
		query->error = error;
	while (recvmsg(query->fd, &message, MSG_ERRQUEUE | MSG_DONTWAIT) >= 0)
		;
}

static void query_receive(struct query *query)
{
	uint8_t octets[SDPMAP_OCTETS + 1];
	struct sdpmap_message ack;
	struct address from;
	socklen_t size = sizeof(from);
	ssize_t received = recvfrom(query->fd, octets, sizeof(octets), MSG_DONTWAIT, &from.any,
				    &size);

	if (received < 0)
		return;
	/* PMAck goes to the sender of PMAccept (S2-112). */
	if (sdpmap_client_receive(&query->client, octets, received, &ack))
		query_transmit(query, &from, &ack);
}

static void wait_for_reply(struct query *query)
{
	struct pollfd polled = { .fd = query->fd, .events = POLLIN };
	uint64_t now = clock_ms(), deadline = query->client.deadline;

	if (poll(&polled, 1, deadline > now ? deadline - now : 0) < 0)
		die_errno("cannot wait for an answer");
	if (polled.revents & POLLERR)
		receive_errors(query);
	if (polled.revents & POLLIN)
		query_receive(query);
}

static void query_explain(const struct query *query)
{
	if (query->error == ECONNREFUSED)
		print_message("nobody has that UDP port there: is sdpmapd running, and --port right?");
	else if (query->error)
		print_message("the last error was: %s", strerror(query->error));
}

/*
 * Returns the next AssocHandle. The first handle of a process is random, and the others follow
 * consecutively (S2-121).
 */
static uint64_t next_handle(void)
{
	static uint64_t handle;

	if (!handle && getrandom(&handle, sizeof(handle), 0) < 0)
		die_errno("there are no random numbers");
	return handle++;
}

static void query_ask(const struct options *options, const struct address *service,
		      struct query *query)
{
	struct sdpmap_endpoint endpoint = address_endpoint(service);
	struct route route = route_to(service);

	query->client = (struct sdpmap_client){ .max_tries = options->tries,
						.wait = options->wait };
	query->fd = route_socket(query->mapper.any.sa_family);
	sdpmap_client_start(&query->client, clock_ms(), &endpoint, &route.from, next_handle());
	while (query->client.state == SDPMAP_WAITING) {
		if (sdpmap_client_run(&query->client, clock_ms()))
			query_transmit(query, &query->mapper, &query->client.request);
		if (query->client.state == SDPMAP_WAITING)
			wait_for_reply(query);
	}
	close(query->fd);
	close(route.fd);
}

static void fill_in(struct result *result, const struct query *query)
{
	result->state = query->client.state;
	result->tries = query->client.tries;
	if (result->state != SDPMAP_ACCEPTED)
		return;
	result->mapping.sdp = sdpmap_ap(&query->client.reply);
	result->mapping.pm_time = query->client.reply.pm_time;
	sdpmap_cache_add(&cache, clock_ms(), &result->mapping);
}

static struct result query_find(const struct options *options, const struct address *service,
				const struct address *mapper)
{
	struct result result = { .mapping.service = address_endpoint(service),
				 .mapper = address_endpoint(mapper) };
	struct query query = { .mapper = *mapper };
	const struct sdpmap_mapping *known;

	known = sdpmap_cache_find(&cache, clock_ms(), &result.mapping.service);
	if (known) {
		result.state = SDPMAP_ACCEPTED;
		result.mapping = *known;
		return result;
	}
	query_ask(options, service, &query);
	fill_in(&result, &query);
	if (result.state == SDPMAP_NO_ANSWER)
		query_explain(&query);
	return result;
}

static struct address query_parse(const char *text, uint16_t port, const char *what)
{
	struct address address;

	if (!address_parse(&address, text, port))
		die_usage("%s'%s' is not an IP address, such as 10.9.9.1 or 2001:db8::1", what, text);
	return address;
}

static struct address parse_service(char **operands)
{
	uint64_t port;

	if (!number_parse_range(operands[1], 10, 1, UINT16_MAX, &port))
		die_usage("'%s' is not a port from 1 to %u", operands[1], UINT16_MAX);
	return query_parse(operands[0], port, "");
}

static int query_one(const struct options *options, char **operands, bool is_first)
{
	static const int statuses[] = {
		[SDPMAP_ACCEPTED] = 0,
		[SDPMAP_DENIED] = 1,
		[SDPMAP_NO_ANSWER] = 2,
	};
	struct address service = parse_service(operands), mapper;
	struct result result;

	mapper = options->mapper ? query_parse(options->mapper, options->port, "--mapper ") :
				   query_parse(operands[0], options->port, "");
	result = query_find(options, &service, &mapper);
	if (options->json)
		result_print_json(&result, is_first);
	else
		result_print(&result);
	return statuses[result.state];
}

int query_run(const struct options *options)
{
	char **operands = options->services_asked;
	int status = 0, one;

	for (; *operands; operands += 2) {
		one = query_one(options, operands, operands == options->services_asked);
		if (one > status)
			status = one;
	}
	if (options->json)
		puts("\n]");
	if (fflush(stdout) || ferror(stdout))
		die_errno("cannot write");
	return status;
}
