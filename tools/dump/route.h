/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Where packets that a port sends to a LID arrive, as far as the capture has shown it. By this a
 * packet that does not arrive is known to be lost.
 */
#ifndef HCADUMP_ROUTE_H
#define HCADUMP_ROUTE_H

#include "packet.h"

enum route_state {
	ROUTE_UNKNOWN, /* nothing was sent there, or it may still arrive */
	ROUTE_KNOWN, /* it arrives at a port that is captured */
	ROUTE_UNCAPTURED, /* it arrives at no port that is captured */
};

struct route {
	enum route_state state;
	u16 interface, dlid; /* the sending port, and the destination */
	u16 peer_interface; /* the receiving port, if it is known */
	const char *peer_port;
	u64 longest_ns; /* the longest time that a packet has taken */
};

#define NUM_ROUTES 1024

/* Of routes with one hash, the last one is in the table. All zero is an empty table. */
struct route_table {
	struct route routes[NUM_ROUTES];
};

/* Returns the route of a sent packet, which is unknown if it is not in the table yet. */
struct route *route_get(struct route_table *table, const struct packet *sent);

/* A packet has arrived. */
void route_learn(struct route *route, const struct packet *sent, const struct packet *received);

#endif
