/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The routes of packets, as far as the capture shows them. A route is given by the sending port and
 * a destination LID, and ends at the port where these packets arrive. A packet that does not arrive
 * at the end of a known route is lost.
 */
#ifndef HCADUMP_ROUTE_H
#define HCADUMP_ROUTE_H

#include "packet.h"

enum route_state {
	ROUTE_UNKNOWN, /* it is not known yet whether packets arrive at a captured port */
	/*
	 * it is not known yet, but the captured port with the LID @dlid has sent packets to the
	 * sending port
	 */
	ROUTE_EXPECTED,
	ROUTE_KNOWN, /* packets arrive at a captured port */
	ROUTE_UNCAPTURED, /* packets do not arrive at a captured port */
};

struct route {
	enum route_state state;
	u16 interface, dlid; /* the sending port, and the destination LID */
	u16 peer_interface; /* the receiving port, if the route is ROUTE_KNOWN or ROUTE_EXPECTED */
	const char *peer_port;
	u64 longest_ns; /* the longest time in ns between sending and receiving a packet */
};

#define NUM_ROUTES 1024
#define NUM_INTERFACES 65536

/*
 * A table of routes. A new route replaces an older one that has the same hash. A table that is all
 * zero does not have any routes.
 */
struct route_table {
	struct route routes[NUM_ROUTES];
	/* for each port, the LID that it sends from; HCA_LID_MULTICAST: several LIDs */
	u16 slids[NUM_INTERFACES];
};

/* Returns the route of a sent packet. A new route is ROUTE_UNKNOWN. */
struct route *route_get(struct route_table *table, const struct packet *sent);

/* Records the LID from which a packet was sent. */
void route_note_source(struct route_table *table, const struct packet *sent);

/*
 * Records that a packet has arrived. Packets in the opposite direction are then expected to arrive
 * at the port that has sent this packet.
 */
void route_learn(struct route_table *table, const struct packet *sent,
		 const struct packet *received);

/*
 * Returns whether the port at the end of a route is captured. For an expected route, this is known
 * only if that port sends from a single LID. A switch port sends from many LIDs, and packets to
 * these LIDs may take another route.
 */
bool route_has_peer(const struct route_table *table, const struct route *route);

#endif
