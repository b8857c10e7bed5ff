// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Writes a topology as text that topology_read() and other programs read. */
#include "write.h"
#include <inttypes.h>
#include <string.h>

/* Writes the lines above a node, which are common to both formats. */
static void write_ids(FILE *file, const struct topology_node *node)
{
	fputc('\n', file);
	if (node->vendor)
		fprintf(file, "vendid=0x%" PRIx32 "\n", node->vendor);
	if (node->device)
		fprintf(file, "devid=0x%" PRIx32 "\n", node->device);
	if (node->system_guid)
		fprintf(file, "sysimgguid=0x%" PRIx64 "\n", node->system_guid);
	fprintf(file, "%s=0x%" PRIx64, node->type == NODE_SWITCH ? "switchguid" : "caguid",
		node->guid);
	if (node->type == NODE_SWITCH)
		fprintf(file, "(%" PRIx64 ")", node->ports[0].guid);
	fputc('\n', file);
}

static bool same_masks(const struct rate_masks *a, const struct rate_masks *b)
{
	return a->width == b->width && a->speed == b->speed && a->extended == b->extended;
}

/*
 * Returns the default masks of a file, which are the masks of the first link. The masks of a link
 * are written only if they differ from the default.
 */
static struct rate_masks net_masks(const struct topology *topology)
{
	static const struct rate none;

	return rate_to_masks(topology->num_links ? &topology->links[0].rate : &none);
}

static void write_net_port(FILE *file, const struct topology *topology, struct topology_end from,
			   struct topology_end to)
{
	size_t link = topology->nodes[from.node].ports[from.port].link;
	struct rate_masks masks = rate_to_masks(&topology->links[link].rate);
	struct rate_masks all = net_masks(topology);

	fprintf(file, "[%u]\t\"%s\"[%u]", from.port, topology->nodes[to.node].name, to.port);
	if (!same_masks(&masks, &all))
		fprintf(file, " w=%u s=%u e=%u", masks.width, masks.speed, masks.extended);
	fputc('\n', file);
}

static void write_net_node(FILE *file, const struct topology_node *node)
{
	fprintf(file, "%s\t%u \"%s\"", node->type == NODE_SWITCH ? "Switch" : "Hca",
		node->num_ports, node->name);
	if (node->description)
		fprintf(file, "\t\t# \"%s\"", node->description);
	fputc('\n', file);
}

/*
 * Writes a name that consists of a type and a GUID, as in "S-0002c90300001234". It is unique,
 * because the GUID is.
 */
static void write_guid_name(FILE *file, const struct topology_node *node)
{
	fprintf(file, "\"%c-%016" PRIx64 "\"", node->type == NODE_SWITCH ? 'S' : 'H', node->guid);
}

/* Returns the port whose LID is the LID of @port. All ports of a switch have the LID of port 0. */
static const struct topology_port *lid_port(const struct topology_node *node, unsigned int port)
{
	return &node->ports[node->type == NODE_SWITCH ? 0 : port];
}

static void write_discover_port(FILE *file, const struct topology *topology,
				struct topology_end from, struct topology_end to)
{
	const struct topology_node *node = &topology->nodes[from.node];
	const struct topology_node *peer = &topology->nodes[to.node];
	const struct topology_port *port = &node->ports[from.port];
	char text[RATE_TEXT];

	fprintf(file, "[%u]", from.port);
	if (node->type == NODE_CA)
		fprintf(file, "(%" PRIx64 ") ", port->guid);
	fputc('\t', file);
	write_guid_name(file, peer);
	fprintf(file, "[%u]", to.port);
	if (peer->type == NODE_CA)
		fprintf(file, "(%" PRIx64 ") ", peer->ports[to.port].guid);
	fputs("\t\t# ", file);
	if (node->type == NODE_CA)
		fprintf(file, "lid %u lmc %u ", port->lid, port->lmc);
	fprintf(file, "\"%s\" lid %u %s\n", topology_description(peer),
		lid_port(peer, to.port)->lid, rate_format(&topology->links[port->link].rate, text));
}

static void write_discover_node(FILE *file, const struct topology_node *node)
{
	fprintf(file, "%s\t%u ", node->type == NODE_SWITCH ? "Switch" : "Ca", node->num_ports);
	write_guid_name(file, node);
	fprintf(file, "\t\t# \"%s\"", topology_description(node));
	if (node->type == NODE_SWITCH)
		fprintf(file, " %s port 0 lid %u lmc %u", node->enhanced ? "enhanced" : "base",
			node->ports[0].lid, node->ports[0].lmc);
	fputc('\n', file);
}

static void write_ports(FILE *file, const struct topology *topology, size_t node,
			void (*write_port)(FILE *file, const struct topology *topology,
					   struct topology_end from, struct topology_end to))
{
	struct topology_end from = { .node = node }, to;

	for (from.port = 1; from.port <= topology->nodes[node].num_ports; from.port++)
		if (topology_peer(topology, from, &to))
			write_port(file, topology, from, to);
}

void topology_write_net(FILE *file, const struct topology *topology)
{
	struct rate_masks all = net_masks(topology);
	size_t i;

	fprintf(file, "# %zu switches, %zu channel adapters, %zu links; read by ibsim and hcactl\n"
		"\n",
		topology->num_of[NODE_SWITCH], topology->num_of[NODE_CA],
		topology->num_links);
	fprintf(file, "width=%u\nspeed=%u\nextspeed=%u\n", all.width, all.speed, all.extended);
	for (i = 0; i < topology->num_nodes; i++) {
		write_ids(file, &topology->nodes[i]);
		write_net_node(file, &topology->nodes[i]);
		write_ports(file, topology, i, write_net_port);
	}
}

static void write_discover_type(FILE *file, const struct topology *topology, enum node_type type)
{
	size_t i;

	for (i = 0; i < topology->num_nodes; i++) {
		if (topology->nodes[i].type != type)
			continue;
		write_ids(file, &topology->nodes[i]);
		write_discover_node(file, &topology->nodes[i]);
		write_ports(file, topology, i, write_discover_port);
	}
}

void topology_write_discover(FILE *file, const struct topology *topology)
{
	fputs("#\n# Topology file: written by hcactl\n#\n", file);
	write_discover_type(file, topology, NODE_SWITCH);
	write_discover_type(file, topology, NODE_CA);
}
