/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A model of a fabric: nodes and the links between their ports.
 * A topology is read from files (read.h) or generated (generate.h), written (write.h, dot.h,
 * json.h), or loaded into the kernel (load.h). A topology that has been read is valid: names and
 * GUIDs are unique, and a port has at most one link.
 */
#ifndef TOPOLOGY_TOPOLOGY_H
#define TOPOLOGY_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "rate.h"
#include "report.h"
#include "state.h"

/* Types of nodes. Their values are those of NodeInfo:NodeType. */
enum node_type { NODE_CA = 1, NODE_SWITCH = 2, NODE_TYPES };

#define NO_LINK SIZE_MAX
#define NO_NODE SIZE_MAX

#define TOPOLOGY_NAME_MAX 64
#define TOPOLOGY_DESCRIPTION_MAX 64 /* octets of a NodeDescription */
#define TOPOLOGY_SWITCH_PORTS 254
#define TOPOLOGY_CA_PORTS 254

struct topology_port {
	uint64_t guid; /* GUID; of the ports of a switch, only port 0 has one */
	uint16_t lid; /* LID; 0: none or unknown; of the ports of a switch, only port 0 has one */
	uint8_t lmc;
	size_t link; /* index in topology.links, or NO_LINK */
};

struct topology_node {
	enum node_type type;
	char *name;
	char *description; /* NodeDescription; NULL: it equals the name */
	uint64_t guid;
	uint64_t system_guid; /* system image GUID; 0: unknown */
	uint32_t vendor, device; /* VendorID, DeviceID; 0: unknown */
	bool enhanced; /* the node is a switch with an enhanced port 0 */
	unsigned int num_ports;
	struct topology_port *ports; /* num_ports + 1 ports, indexed by port number */
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

/* A topology. If all fields are zero, it is empty. */
struct topology {
	struct topology_node *nodes;
	size_t num_nodes;
	size_t num_of[NODE_TYPES]; /* number of nodes of each type */
	struct topology_link *links;
	size_t num_links;
	char *file; /* name of the topology's file, which reports refer to */
};

/*
 * Adds a node without links. Its ports have default GUIDs: port 0 of a switch has the node's GUID,
 * and port n of a channel adapter the node's GUID + n. Strings are copied.
 * Return: the node, which is valid until the next one is added.
 */
struct topology_node *topology_add_node(struct topology *topology, enum node_type type,
					const char *name, uint64_t guid, unsigned int ports);

/* Adds a link between two ports, which must not have a link yet. */
struct topology_link *topology_add_link(struct topology *topology, struct topology_end a,
					struct topology_end b, struct rate rate);

/* Frees all memory. The topology is empty then. */
void topology_clear(struct topology *topology);

/* Finds the other end of a port's link. Return: true; or false if the port has no link. */
bool topology_peer(const struct topology *topology, struct topology_end end,
		   struct topology_end *peer);

/* Returns the description of a node. This is the node's name if the description is NULL. */
const char *topology_description(const struct topology_node *node);

/* Returns an array of all node indices, sorted by name. The caller frees the array. */
size_t *topology_sort_names(const struct topology *topology);

/*
 * Finds a node by name. @sorted is the result of topology_sort_names(), and @length the length of
 * the name. Return: the node's index; NO_NODE if there is none.
 */
size_t topology_find(const struct topology *topology, const size_t *sorted, const char *name,
		     size_t length);

#endif
