/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Routes: the ports where packets from a port to a LID arrive, as far as the capture has shown. A
 * packet that does not arrive at the end of a known route is lost.
 */
#ifndef HCADUMP_ROUTE_H
#define HCADUMP_ROUTE_H

#include "packet.h"

enum route_state {
	ROUTE_UNKNOWN, /* packets were not sent there, or may still arrive */
	ROUTE_EXPECTED, /* packets of the opposite direction have arrived from a captured port */
	ROUTE_KNOWN, /* packets arrive at a captured port */
	ROUTE_UNCAPTURED, /* packets do not arrive at a captured port */
};

struct route {
	enum route_state state;
	u16 interface, dlid; /* the sending port, and the destination LID */
	u16 peer_interface; /* the receiving port, if the route is known or expected */
	const char *peer_port;
	u64 longest_ns; /* the longest time between sending and receiving a packet */
};

#define NUM_ROUTES 1024
#define NUM_INTERFACES 65536

/*
 * A table of routes. A new route replaces an older one with its hash. A table that is all zero is
 * empty.
 */
struct route_table {
	struct route routes[NUM_ROUTES];
	/* the LID that a port sends from; HCA_LID_MULTICAST: several LIDs */
	u16 slids[NUM_INTERFACES];
};

/* Returns the route of a sent packet. The state of a new route is ROUTE_UNKNOWN. */
struct route *route_get(struct route_table *table, const struct packet *sent);

/* Notes the LID that a port sends from. */
void route_note_source(struct route_table *table, const struct packet *sent);

/* Notes that a packet has arrived. The route back is then expected to lead to the sending port. */
void route_learn(struct route_table *table, const struct packet *sent,
		 const struct packet *received);

/*
 * Returns whether the port at the end of a route is captured. The port of an expected route is
 * captured only if it sends from this LID alone. A switch port sends from many LIDs, and packets to
 * these LIDs may take another route.
 */
bool route_has_peer(const struct route_table *table, const struct route *route);

#endif
