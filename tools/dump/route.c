// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The routes of packets, as far as the capture shows them. */
#include "route.h"
#include "tools/lib/rng.h"

/*
 * Value in route_table.slids for a port that sends from several LIDs. It is a multicast LID, which
 * is never the source LID of a packet.
 */
#define SEVERAL_LIDS HCA_LID_MULTICAST

static struct route *route_find(struct route_table *table, u16 interface, u16 dlid)
{
	struct route *route;

	route = &table->routes[rng_mix((u32)interface << 16 | dlid) % NUM_ROUTES];
	if (route->interface != interface || route->dlid != dlid)
		*route = (struct route){ .interface = interface, .dlid = dlid };
	return route;
}

struct route *route_get(struct route_table *table, const struct packet *sent)
{
	return route_find(table, sent->interface, sent->h.lrh.dlid);
}

void route_note_source(struct route_table *table, const struct packet *sent)
{
	u16 slid = sent->h.lrh.slid, *known = &table->slids[sent->interface];

	if (slid && slid < HCA_LID_MULTICAST && *known != slid)
		*known = *known ? SEVERAL_LIDS : slid;
}

static void lead_to(struct route *route, enum route_state state, const struct packet *peer, u64 ns)
{
	if (route->state != state || route->peer_interface != peer->interface)
		route->longest_ns = 0;
	route->state = state;
	route->peer_interface = peer->interface;
	route->peer_port = peer->port;
	if (ns > route->longest_ns)
		route->longest_ns = ns;
}

void route_learn(struct route_table *table, const struct packet *sent,
		 const struct packet *received)
{
	/*
	 * The packet may seem to arrive before it was sent, because the clock may have been set
	 * back between sending and receiving.
	 */
	u64 ns = received->time_ns > sent->time_ns ? received->time_ns - sent->time_ns : 0;
	struct route *back;

	lead_to(route_get(table, sent), ROUTE_KNOWN, received, ns);
	back = route_find(table, received->interface, sent->h.lrh.slid);
	if (back->state == ROUTE_UNKNOWN || back->state == ROUTE_EXPECTED)
		lead_to(back, ROUTE_EXPECTED, sent, ns);
}

bool route_has_peer(const struct route_table *table, const struct route *route)
{
	return route->state == ROUTE_KNOWN || (route->state == ROUTE_EXPECTED &&
					       table->slids[route->peer_interface] == route->dlid);
}
