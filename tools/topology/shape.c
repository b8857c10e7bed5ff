// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Matches nodes of two topologies by their links, without comparing names. If two nodes are a pair,
 * the peers at each port number of these nodes must be a pair, too. Therefore only one pair must be
 * found for each connected component.
 */
#include <stdlib.h>
#include <string.h>
#include "match.h"
#include "tools/lib/memory.h"

/*
 * Largest distance in links up to which the surroundings of a component's first pair are compared.
 * If no pair agrees so far, smaller distances are tried, down to 0.
 */
#define ROUNDS 4
/* The largest number of nodes of the second topology that are tried as the match of a node. */
#define TRIES 64

/*
 * A topology, and hashes of the surroundings of each node. hashes[n] covers n links around a node.
 */
struct hashed {
	const struct topology *topology;
	uint64_t *hashes[ROUNDS + 1];
};

static uint64_t shape_mix(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 32;
}

static uint64_t hash_node(const struct hashed *hashed, unsigned int round, size_t node)
{
	const struct topology *topology = hashed->topology;
	struct topology_end from = { .node = node }, to;
	uint64_t hash = shape_mix(topology->nodes[node].type, topology->nodes[node].num_ports);

	for (from.port = 1; round && from.port <= topology->nodes[node].num_ports; from.port++)
		if (topology_peer(topology, from, &to)) {
			hash = shape_mix(shape_mix(hash, from.port), to.port);
			hash = shape_mix(hash, hashed->hashes[round - 1][to.node]);
		}
	return hash;
}

static void hash_all(struct hashed *hashed, const struct topology *topology)
{
	unsigned int round;
	size_t i;

	hashed->topology = topology;
	for (round = 0; round <= ROUNDS; round++) {
		hashed->hashes[round] = need(calloc(topology->num_nodes + 1, sizeof(uint64_t)));
		for (i = 0; i < topology->num_nodes; i++)
			hashed->hashes[round][i] = hash_node(hashed, round, i);
	}
}

static void free_hashes(struct hashed *hashed)
{
	unsigned int round;

	for (round = 0; round <= ROUNDS; round++)
		free(hashed->hashes[round]);
}

/* A trial of a first pair. @nodes are the nodes of topology @a that the trial has matched. */
struct trial {
	struct match *match;
	const struct topology *a, *b;
	size_t *nodes;
	size_t count;
	size_t conflicts; /* number of links at equal ports whose peers cannot be a pair */
};

static void trial_pair(struct trial *trial, size_t a, size_t b)
{
	trial->match->to[a] = b;
	trial->match->from[b] = a;
	trial->nodes[trial->count++] = a;
}

static void trial_undo(struct trial *trial)
{
	while (trial->count) {
		size_t a = trial->nodes[--trial->count];

		trial->match->from[trial->match->to[a]] = NO_NODE;
		trial->match->to[a] = NO_NODE;
	}
}

static bool are_alike(const struct trial *trial, size_t a, size_t b)
{
	return trial->a->nodes[a].type == trial->b->nodes[b].type &&
	       trial->a->nodes[a].num_ports == trial->b->nodes[b].num_ports;
}

/* Matches the two peers at each port number of a pair, or counts them as a conflict. */
static void trial_follow(struct trial *trial, size_t a, size_t b)
{
	struct topology_end from_a = { .node = a }, from_b = { .node = b }, to_a, to_b;
	unsigned int port, most = trial->a->nodes[a].num_ports;

	for (port = 1; port <= most; port++) {
		from_a.port = from_b.port = port;
		if (!topology_peer(trial->a, from_a, &to_a) ||
		    !topology_peer(trial->b, from_b, &to_b))
			continue;
		if (to_a.port == to_b.port && trial->match->to[to_a.node] == to_b.node)
			continue;
		if (to_a.port == to_b.port && trial->match->to[to_a.node] == NO_NODE &&
		    trial->match->from[to_b.node] == NO_NODE &&
		    are_alike(trial, to_a.node, to_b.node))
			trial_pair(trial, to_a.node, to_b.node);
		else
			trial->conflicts++;
	}
}

static void run_trial(struct trial *trial, size_t a, size_t b)
{
	size_t i;

	trial->conflicts = 0;
	trial_pair(trial, a, b);
	for (i = 0; i < trial->count; i++)
		trial_follow(trial, trial->nodes[i], trial->match->to[trial->nodes[i]]);
}

/*
 * Matches a node, and all nodes that can be reached from it, with those nodes of the second
 * topology that fit best.
 */
static void match_part(struct trial *trial, const struct hashed *a, const struct hashed *b,
		       unsigned int round, size_t node)
{
	size_t i, best = NO_NODE, tries = 0;
	long score, best_score = 0;

	for (i = 0; i < trial->b->num_nodes && tries < TRIES; i++) {
		if (trial->match->from[i] != NO_NODE ||
		    a->hashes[round][node] != b->hashes[round][i] || !are_alike(trial, node, i))
			continue;
		tries++;
		run_trial(trial, node, i);
		score = (long)trial->count - (long)trial->conflicts;
		if (!trial->conflicts) {
			trial->count = 0; /* keep the pairs of the trial */
			return;
		}
		trial_undo(trial);
		if (best == NO_NODE || score > best_score) {
			best = i;
			best_score = score;
		}
	}
	if (best != NO_NODE) {
		run_trial(trial, node, best);
		trial->count = 0;
	}
}

void match_shape(struct match *match, const struct topology *a, const struct topology *b)
{
	struct trial trial = {
		.match = match, .a = a, .b = b,
		.nodes = need(malloc((a->num_nodes + 1) * sizeof(size_t))),
	};
	struct hashed hashed_a, hashed_b;
	unsigned int round;
	size_t i;

	hash_all(&hashed_a, a);
	hash_all(&hashed_b, b);
	for (round = ROUNDS + 1; round--; )
		for (i = 0; i < a->num_nodes; i++)
			if (match->to[i] == NO_NODE)
				match_part(&trial, &hashed_a, &hashed_b, round, i);
	free_hashes(&hashed_a);
	free_hashes(&hashed_b);
	free(trial.nodes);
}
