/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What a file says of a port: where its cable leads. A link is what two ports claim of
 * each other; one alone is believed nothing.
 */
#ifndef TOPOLOGY_CLAIM_H
#define TOPOLOGY_CLAIM_H

#include "topology.h"

struct claim {
	struct topology_end from;
	char *peer; /* a node's name */
	unsigned int peer_port;
	uint64_t peer_guid; /* of the port; 0: not told */
	struct rate rate; /* as it is; if it is not told: */
	struct rate_masks masks; /* what the port could do */
	struct place place;
};

struct claims {
	struct claim *claims;
	size_t count;
};

struct claim *claims_add(struct claims *claims, const char *peer, size_t length);
void claims_clear(struct claims *claims);

/* Check nodes and claims, and make links of these. What is wrong is reported. */
void claims_join(struct claims *claims, struct topology *topology, struct report *report);

#endif
