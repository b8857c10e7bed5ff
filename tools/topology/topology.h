/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A model of a fabric: nodes and the links between their ports.
 * It is read from files (read.h) or generated (generate.h), written (write.h, dot.h, json.h), or
 * loaded into the kernel (load.h). A topology that has been read is valid: names and GUIDs are
 * unique, and no port has more than one link.
 */
#ifndef TOPOLOGY_TOPOLOGY_H
#define TOPOLOGY_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "rate.h"
#include "report.h"
#include "state.h"

/* NodeInfo:NodeType. */
enum node_type { NODE_CA = 1, NODE_SWITCH = 2, NODE_TYPES };

#define NO_LINK SIZE_MAX
#define NO_NODE SIZE_MAX

#define TOPOLOGY_NAME_MAX 64
#define TOPOLOGY_DESCRIPTION_MAX 64 /* NodeDescription */
#define TOPOLOGY_SWITCH_PORTS 254
#define TOPOLOGY_CA_PORTS 254

struct topology_port {
	uint64_t guid; /* of a switch only port 0 has one */
	uint16_t lid; /* 0: none or unknown; of a switch only port 0 has one */
	uint8_t lmc;
	size_t link; /* index in topology.links, or NO_LINK */
};

struct topology_node {
	enum node_type type;
	char *name;
	char *description; /* NULL: the node's name */
	uint64_t guid;
	uint64_t system_guid; /* system image GUID; 0: unknown */
	uint32_t vendor, device; /* VendorID, DeviceID; 0: unknown */
	bool enhanced; /* a switch has an enhanced port 0 */
	unsigned int num_ports;
	struct topology_port *ports; /* indexed by port number: num_ports + 1 of them */
	struct place place;
};

struct topology_end {
	size_t node; /* index in topology.nodes */
	unsigned int port;
};

struct topology_link {
	struct topology_end a, b;
	struct rate rate;
	enum link_state state;
	struct place place;
};

/* All zero is an empty topology. */
struct topology {
	struct topology_node *nodes;
	size_t num_nodes;
	size_t num_of[NODE_TYPES]; /* number of nodes of each type */
	struct topology_link *links;
	size_t num_links;
	char *file; /* name of the file it was read from, which reports refer to */
};

/*
 * Adds a node without links. Its ports have default GUIDs: a switch's port 0 that of the node, port
 * n of a channel adapter that of the node + n. Strings are copied.
 * Return: the node, valid until the next one is added.
 */
struct topology_node *topology_add_node(struct topology *topology, enum node_type type,
					const char *name, uint64_t guid, unsigned int ports);

/* Adds a link between two ports that have none. */
struct topology_link *topology_add_link(struct topology *topology, struct topology_end a,
					struct topology_end b, struct rate rate);

/* Frees all memory; the topology is empty. */
void topology_clear(struct topology *topology);

/* Finds the other end of a port's link. Return: false if the port has no link. */
bool topology_peer(const struct topology *topology, struct topology_end end,
		   struct topology_end *peer);

/* Returns the description, or the name of a node that has none. */
const char *topology_description(const struct topology_node *node);

/* Returns node indices sorted by name; the caller frees them. */
size_t *topology_sort_names(const struct topology *topology);

/* Finds a node by name in the result of topology_sort_names(). Return: NO_NODE if there is none. */
size_t topology_find(const struct topology *topology, const size_t *sorted, const char *name,
		     size_t length);

#endif
