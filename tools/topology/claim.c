// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Makes links from claims. The claims of a link's two ports must match. */
#define _GNU_SOURCE
#include "claim.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "tools/lib/memory.h"
#include "unique.h"

struct claim *claims_add(struct claims *claims, const char *peer, size_t length)
{
	struct claim *claim;

	claims->claims = grow(claims->claims, claims->count, sizeof(*claim));
	claim = &claims->claims[claims->count++];
	*claim = (struct claim){ .peer = need(strndup(peer, length)) };
	return claim;
}

void claims_clear(struct claims *claims)
{
	while (claims->count)
		free(claims->claims[--claims->count].peer);
	free(claims->claims);
	*claims = (struct claims){};
}

struct join {
	struct topology *topology;
	struct report *report;
	const size_t *sorted; /* indices of all nodes, sorted by name */
	/* claims by [node][port]; NULL: the file does not have a claim of this port */
	const struct claim ***of;
};

/* Finds the peer port of a claim, and checks that it exists and has the claimed GUID. */
static bool find_peer(const struct join *join, const struct claim *claim,
		      struct topology_end *peer)
{
	const struct topology_node *node;

	peer->node = topology_find(join->topology, join->sorted, claim->peer, strlen(claim->peer));
	peer->port = claim->peer_port;
	if (peer->node == NO_NODE) {
		report(join->report, &claim->place,
		       "there is no node \"%s\"; the file must have one, or not this line",
		       claim->peer);
		return false;
	}
	node = &join->topology->nodes[peer->node];
	if (peer->port < 1 || peer->port > node->num_ports) {
		report(join->report, &claim->place, "\"%s\" has no port %u, but 1 to %u",
		       node->name, peer->port, node->num_ports);
		return false;
	}
	if (claim->peer_guid && node->type == NODE_CA &&
	    claim->peer_guid != node->ports[peer->port].guid) {
		report(join->report, &claim->place,
		       "\"%s\" port %u has GUID 0x%016" PRIx64 ", not 0x%016" PRIx64, node->name,
		       peer->port, node->ports[peer->port].guid, claim->peer_guid);
		return false;
	}
	return true;
}

/* Checks that the port at the other end has a claim, and that its claim names this port. */
static bool check_back(const struct join *join, const struct claim *claim,
		       const struct topology_end *peer)
{
	const struct topology_node *node = &join->topology->nodes[claim->from.node];
	const struct claim *back = join->of[peer->node][peer->port];

	if (back == claim) {
		report(join->report, &claim->place, "a port cannot be linked with itself");
		return false;
	}
	if (!back) {
		report(join->report, &claim->place,
		       "only this end has the link: \"%s\" must have a line [%u] \"%s\"[%u]",
		       claim->peer, peer->port, node->name, claim->from.port);
		return false;
	}
	if (strcmp(back->peer, node->name) || back->peer_port != claim->from.port) {
		report(join->report, &claim->place,
		       "line %u has \"%s\" port %u linked with \"%s\" port %u; both ends must "
		       "agree",
		       back->place.line, claim->peer, peer->port, back->peer, back->peer_port);
		return false;
	}
	return true;
}

/* Finds the rate of a link. It is the lower rate if the claims have different rates. */
static bool find_rate(const struct join *join, const struct claim *claim,
		      const struct claim *back, struct rate *rate)
{
	char here[RATE_TEXT], there[RATE_TEXT], lower[RATE_TEXT];

	*rate = claim->rate.speed ? claim->rate : back->rate;
	if (!rate->speed)
		*rate = rate_of_masks(&claim->masks, &back->masks);
	else if (back->rate.speed && !rate_equal(rate, &back->rate)) {
		*rate = rate_lower(rate, &back->rate);
		report_warning(join->report, &claim->place,
			       "the link is %s here and %s on line %u; %s is taken",
			       rate_format(&claim->rate, here), rate_format(&back->rate, there),
			       back->place.line, rate_format(rate, lower));
	}
	if (rate->width && rate->speed)
		return true;
	if (claim->state == LINK_DOWN || back->state == LINK_DOWN) {
		*rate = (struct rate){};
		return true;
	}
	if (!claim->rate.speed && !back->rate.speed)
		report(join->report, &claim->place,
		       "this end and that on line %u have no %s in common", back->place.line,
		       rate->width ? "speed" : "width");
	return false;
}

static void join_claim(const struct join *join, const struct claim *claim)
{
	struct topology_end peer;
	struct topology_link *link;
	const struct claim *back;
	struct rate rate;

	if (!find_peer(join, claim, &peer) || !check_back(join, claim, &peer))
		return;
	back = join->of[peer.node][peer.port];
	/* Only the first of the two claims creates the link. */
	if (back < claim || !find_rate(join, claim, back, &rate))
		return;
	link = topology_add_link(join->topology, claim->from, peer, rate);
	link->state = link_state_of_ports(claim->state, back->state);
	link->place = claim->place;
}

static void claim_enter(const struct join *join, const struct claim *claim)
{
	const struct claim **entry = &join->of[claim->from.node][claim->from.port];

	if (*entry)
		report(join->report, &claim->place, "port %u is on line %u, too",
		       claim->from.port, (*entry)->place.line);
	else
		*entry = claim;
}

void claims_join(struct claims *claims, struct topology *topology, struct report *report)
{
	size_t *sorted = topology_sort_names(topology), i;
	struct join join = {
		.topology = topology, .report = report, .sorted = sorted,
		.of = need(calloc(topology->num_nodes + 1, sizeof(*join.of))),
	};

	check_unique_names(topology, sorted, report);
	check_unique_guids(topology, report);
	for (i = 0; i < topology->num_nodes; i++)
		join.of[i] = need(calloc(topology->nodes[i].num_ports + 1, sizeof(**join.of)));
	for (i = 0; i < claims->count; i++)
		claim_enter(&join, &claims->claims[i]);
	/* Names and ports must be unique before claims can be matched. */
	for (i = 0; !report->count && i < claims->count; i++)
		join_claim(&join, &claims->claims[i]);
	for (i = 0; i < topology->num_nodes; i++)
		free(join.of[i]);
	free(join.of);
	free(sorted);
}
