/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A model of a fabric: nodes and the links between their ports.
 *
 * It is read from files (read.h) or generated (generate.h), written (write.h, dot.h,
 * json.h), or made of adapters and cables (load.h). What is read has been checked: names
 * and GUIDs are unique, each link is at most one of either port.
 */
#ifndef TOPOLOGY_TOPOLOGY_H
#define TOPOLOGY_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "rate.h"
#include "report.h"

/* NodeInfo:NodeType. */
enum node_type { NODE_CA = 1, NODE_SWITCH = 2, NODE_TYPES };

#define NO_LINK SIZE_MAX
#define NO_NODE SIZE_MAX

#define TOPOLOGY_NAME_MAX 64
#define TOPOLOGY_DESCRIPTION_MAX 64 /* NodeDescription */
#define TOPOLOGY_SWITCH_PORTS 254
#define TOPOLOGY_CA_PORTS 254

struct topology_port {
	uint64_t guid; /* of a switch, only port 0 has one */
	uint16_t lid; /* 0: none, or unknown; of a switch, only port 0 has one */
	uint8_t lmc;
	size_t link; /* of topology.links; NO_LINK: none */
};

struct topology_node {
	enum node_type type;
	char *name;
	char *description; /* NULL: the name */
	uint64_t guid;
	uint64_t system_guid; /* system image GUID; 0: unknown */
	uint32_t vendor, device; /* VendorID, DeviceID; 0: unknown */
	bool enhanced; /* a switch's port 0 is an enhanced one */
	unsigned int num_ports;
	struct topology_port *ports; /* by number: num_ports + 1 of them */
	struct place place;
};

struct topology_end {
	size_t node; /* of topology.nodes */
	unsigned int port;
};

struct topology_link {
	struct topology_end a, b;
	struct rate rate;
	struct place place;
};

/* All zero: empty. */
struct topology {
	struct topology_node *nodes;
	size_t num_nodes;
	size_t num_of[NODE_TYPES]; /* nodes of each type */
	struct topology_link *links;
	size_t num_links;
	char *file; /* what it was read from: that which places name */
};

/*
 * Add a node without links; ports have the GUIDs that are usual: a switch that of its node,
 * port n of a channel adapter that of its node + n. Strings are copied.
 * Return: it, to be filled in before the next is added.
 */
struct topology_node *topology_add_node(struct topology *topology, enum node_type type,
					const char *name, uint64_t guid, unsigned int ports);

/* Add a link of two ports that have none. */
struct topology_link *topology_add_link(struct topology *topology, struct topology_end a,
					struct topology_end b, struct rate rate);

/* Free all of it; what remains is an empty one. */
void topology_clear(struct topology *topology);

/* What is at the other end of a port. Return: false if there is nothing. */
bool topology_peer(const struct topology *topology, struct topology_end end,
		   struct topology_end *peer);

/* The description, or else the name. */
const char *topology_description(const struct topology_node *node);

/* Node indices in the order of their names: to be freed. */
size_t *topology_sort_names(const struct topology *topology);

/* The node of that name, of what topology_sort_names() has made; NO_NODE: there is none. */
size_t topology_find(const struct topology *topology, const size_t *sorted, const char *name,
		     size_t length);

#endif
