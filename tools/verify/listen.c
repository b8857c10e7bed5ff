// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Finds the IP address of an end's port, and listens there for connections by rdma_cm. */
#include <errno.h>
#include <ifaddrs.h>
#include <rdma/rdma_cma.h>
#include <string.h>
#include "end.h"
#include "outcome.h"
#include "tools/lib/message.h"

#define BACKLOG 16
/* An ephemeral port that rdma_cm chooses may be one that TCP has in use. */
#define TRIES 8

static bool is_of_end(const struct end *end, const struct rdma_cm_id *id)
{
	return id->verbs && id->port_num == end->port_num &&
	       !strcmp(ibv_get_device_name(id->verbs->device),
		       ibv_get_device_name(end->context->device));
}

/* Listens at an address if it is one of the end's port. Return: false with errno set. */
static bool listen_at(struct end *end, struct sockaddr *address)
{
	struct rdma_cm_id *id;
	int error;

	if (rdma_create_id(end->channel, &id, NULL, RDMA_PS_TCP))
		return false;
	errno = 0;
	if (!rdma_bind_addr(id, address) && is_of_end(end, id) && !rdma_listen(id, BACKLOG)) {
		end->listener = id;
		return true;
	}
	error = errno;
	rdma_destroy_id(id);
	errno = error;
	return false;
}

static bool listen_by_family(struct end *end, const struct ifaddrs *address, int family)
{
	int tries;

	for (; address; address = address->ifa_next) {
		if (!address->ifa_addr || address->ifa_addr->sa_family != family)
			continue;
		for (tries = 0; tries < TRIES; tries++) {
			if (listen_at(end, address->ifa_addr))
				return true;
			if (errno != EADDRINUSE)
				break;
		}
	}
	return false;
}

bool end_listen(struct end *end)
{
	struct ifaddrs *addresses;
	bool found;

	end->channel = rdma_create_event_channel();
	if (!end->channel)
		return print_message("%s: rdma_cm is not there: %s", end->name, error_name(errno));
	if (getifaddrs(&addresses))
		return print_message("IP addresses cannot be listed: %s", error_name(errno));
	found = listen_by_family(end, addresses, AF_INET) ||
		listen_by_family(end, addresses, AF_INET6);
	freeifaddrs(addresses);
	if (!found)
		return print_message("%s has no IP address at which rdma_cm can listen", end->name);
	ibv_close_device(end->context);
	end->context = end->listener->verbs;
	return true;
}

void end_unlisten(struct end *end)
{
	if (end->listener)
		rdma_destroy_id(end->listener);
	if (end->channel)
		rdma_destroy_event_channel(end->channel);
}
