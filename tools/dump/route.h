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
	ROUTE_EXPECTED, /* only packets the other way have arrived, from a port that is captured */
	ROUTE_KNOWN, /* it arrives at a port that is captured */
	ROUTE_UNCAPTURED, /* it arrives at no port that is captured */
};

struct route {
	enum route_state state;
	u16 interface, dlid; /* the sending port, and the destination */
	u16 peer_interface; /* the receiving port, if it is known or expected */
	const char *peer_port;
	u64 longest_ns; /* the longest time that a packet has taken */
};

#define NUM_ROUTES 1024
#define NUM_INTERFACES 65536

/* Of routes with one hash, the last one is in the table. All zero is an empty table. */
struct route_table {
	struct route routes[NUM_ROUTES];
	u16 slids[NUM_INTERFACES]; /* the LID that a port sends from; HCA_LID_MULTICAST: several */
};

/* Returns the route of a sent packet, which is unknown if it is not in the table yet. */
struct route *route_get(struct route_table *table, const struct packet *sent);

/* Notes the LID that a port sends from. */
void route_note_source(struct route_table *table, const struct packet *sent);

/* A packet has arrived, by which the way back is expected to lead to the sending port. */
void route_learn(struct route_table *table, const struct packet *sent,
		 const struct packet *received);

/*
 * Whether the port at the end of a route is captured. An expected one is if it sends from this LID
 * alone: a port of a switch sends from many, and packets to them may take another way.
 */
bool route_has_peer(const struct route_table *table, const struct route *route);

#endif
