/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A claim is a line of the file for one port, which names the port at the other end of the cable.
 * The two matching claims of two ports make a link. A claim without its counterpart is an error.
 */
#ifndef TOPOLOGY_CLAIM_H
#define TOPOLOGY_CLAIM_H

#include "topology.h"

struct claim {
	struct topology_end from;
	char *peer; /* name of the node at the other end */
	unsigned int peer_port;
	uint64_t peer_guid; /* GUID of the port at the other end; 0: not given */
	struct rate rate; /* current rate; if it is unknown, the masks of both ports determine it */
	struct rate_masks masks; /* rates that the port supports */
	enum link_state state; /* state of the port; if it is Down, the rate may be unknown */
	struct place place;
};

struct claims {
	struct claim *claims;
	size_t count;
};

struct claim *claims_add(struct claims *claims, const char *peer, size_t length);
void claims_clear(struct claims *claims);

/* Checks nodes and claims, and makes links from the claims. Errors are reported to @report. */
void claims_join(struct claims *claims, struct topology *topology, struct report *report);

#endif
