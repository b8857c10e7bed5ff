// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "route.h"
#include "tools/lib/rng.h"

struct route *route_get(struct route_table *table, const struct packet *sent)
{
	u16 interface = sent->interface, dlid = sent->h.lrh.dlid;
	struct route *route;

	route = &table->routes[rng_mix((u32)interface << 16 | dlid) % NUM_ROUTES];
	if (route->interface != interface || route->dlid != dlid)
		*route = (struct route){ .interface = interface, .dlid = dlid };
	return route;
}

void route_learn(struct route *route, const struct packet *sent, const struct packet *received)
{
	u64 ns = received->time_ns - sent->time_ns;

	if (route->state != ROUTE_KNOWN || route->peer_interface != received->interface)
		route->longest_ns = 0;
	route->state = ROUTE_KNOWN;
	route->peer_interface = received->interface;
	route->peer_port = received->port;
	/* the clock may have been set back in between */
	if (received->time_ns > sent->time_ns && ns > route->longest_ns)
		route->longest_ns = ns;
}
