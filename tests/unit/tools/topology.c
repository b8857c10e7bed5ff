// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Topologies for tests. */
#include "tests/unit/tools/topology.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <check.h>
#include "tools/topology/generate.h"
#include "tools/topology/read.h"

const char net_text[] =
	"# a comment\n"
	"\n"
	"width=3\n"
	"speed = 7 # SDR to QDR\n"
	"sysimgguid=0x20\n"
	"switchguid=0x21(21)\n"
	"Switch 8 \"top\" # \"the upper\" enhanced port 0 lid 3 lmc 0\n"
	"[1] \"host\"[1]\n"
	"# between\n"
	"[8]\t\"low\"[2] w=1 s=1\n"
	"\n"
	"Switch\t4 \"low\"\n"
	"[2] \"top\"[8]\n"
	"[3] \"host\" [2] width=2 speed=3 extspeed=0\n"
	"\n"
	"hcaguids=0x100\n"
	"Hca 2 \"host\" # of many words\r\n"
	"[1] \"top\"[1]\n"
	"[2] \"low\"[3]\n"
	"\n"
	"Hca 1 \"alone\"";

const char discover_text[] =
	"#\n"
	"# Topology file: generated on Sat Nov 21 20:00:00 2026\n"
	"#\n"
	"# Initiated from node 0000000000000100 port 0000000000000101\n"
	"\n"
	"Chassis 1 (guid 0x20)\n"
	"\n"
	"# Spine Nodes\n"
	"vendid=0x2c9\n"
	"devid=0xb924\n"
	"sysimgguid=0x20\t\t# Chassis 1\n"
	"switchguid=0x21(22)\t# Spine 1 slot 2\n"
	"Switch\t8 \"S-0000000000000021\"\t\t# \"the \"upper\" # one\" enhanced port 0 lid 3 lmc 1\n"
	"[1][ext 12]\t\"H-0000000000000100\"[1](105) \t\t# \"a lid 7 host\" lid 4 4xEDR\n"
	"[8]\t\"S-0000000000000023\"[2][ext 1]\t\t# \"low\" lid 5 1xFDR10 s=4 w=1 v=4\n"
	"\n"
	"Non-Chassis Nodes\n"
	"\n"
	"vendid=0x2c9\n"
	"switchguid=0x23(23)\n"
	"Switch\t4 \"S-0000000000000023\"\t\t# \"low\" base port 0 lid 5 lmc 0\n"
	"[2][ext 1]\t\"S-0000000000000021\"[8]\t\t# \"the \"upper\" # one\" lid 3 1xFDR10\n"
	"[3]\t\"H-0000000000000100\"[2](107) \t\t# \"a lid 7 host\" lid 6 ???????\n"
	"\n"
	"caguid=0x100\n"
	"Ca\t2 \"H-0000000000000100\"\t\t# \"a lid 7 host\"\n"
	"[1](105) \t\"S-0000000000000021\"[1][ext 12]\t\t# lid 4 lmc 0 \"the \"upper\" # one\" lid 3 4xEDR\n"
	"[2](107) \t\"S-0000000000000023\"[3]\t\t# lid 6 lmc 2 \"low\" lid 5 ???????\n";

static void notify(void *arg, const struct place *place, const char *message)
{
	struct complaint *complaint = arg;

	if (complaint->count++)
		return;
	complaint->line = place->line;
	snprintf(complaint->text, sizeof(complaint->text), "%s", message);
}

static void warn(void *arg, const struct place *place, const char *message)
{
	struct complaint *complaint = arg;

	if (complaint->warnings++)
		return;
	complaint->line = place->line;
	snprintf(complaint->text, sizeof(complaint->text), "%s", message);
}

struct report complaint_report(struct complaint *complaint)
{
	*complaint = (struct complaint){};
	return (struct report){ .notify = notify, .warn = warn, .arg = complaint };
}

bool read_text(const char *text, struct topology *topology, struct complaint *complaint)
{
	struct report report = complaint_report(complaint);

	*topology = (struct topology){};
	return topology_read_text("file", text, strlen(text), topology, &report);
}

void check_topology(const struct topology *topology)
{
	const struct topology_link *link;
	const struct topology_node *node;
	struct topology_end from, to, back;
	size_t ends = 0, i;

	ck_assert_uint_eq(topology->num_of[NODE_CA] + topology->num_of[NODE_SWITCH],
			  topology->num_nodes);
	for (i = 0; i < topology->num_nodes; i++) {
		node = &topology->nodes[i];
		ck_assert_uint_ge(strlen(node->name), 1);
		ck_assert_uint_le(strlen(node->name), TOPOLOGY_NAME_MAX);
		ck_assert_uint_eq(node->ports[0].link, NO_LINK);
		from.node = i;
		for (from.port = 1; from.port <= node->num_ports; from.port++) {
			if (!topology_peer(topology, from, &to))
				continue;
			ends++;
			ck_assert(topology_peer(topology, to, &back));
			ck_assert(back.node == from.node && back.port == from.port);
		}
	}
	ck_assert_uint_eq(ends, 2 * topology->num_links);
	for (link = topology->links; link < topology->links + topology->num_links; link++)
		ck_assert(link->a.node != link->b.node || link->a.port != link->b.port);
}

size_t node_of(const struct topology *topology, const char *name)
{
	size_t i;

	for (i = 0; i < topology->num_nodes; i++)
		if (!strcmp(topology->nodes[i].name, name))
			return i;
	ck_abort_msg("there is no node '%s'", name);
}

void check_same(const struct topology *a, const struct topology *b)
{
	size_t *sorted = topology_sort_names(b), i, other;
	struct topology_end from, to, there;
	const struct topology_node *node;

	ck_assert_uint_eq(a->num_nodes, b->num_nodes);
	ck_assert_uint_eq(a->num_links, b->num_links);
	for (i = 0; i < a->num_nodes; i++) {
		node = &a->nodes[i];
		other = topology_find(b, sorted, node->name, strlen(node->name));
		ck_assert_uint_ne(other, NO_NODE);
		ck_assert_int_eq(node->type, b->nodes[other].type);
		ck_assert_uint_eq(node->guid, b->nodes[other].guid);
		ck_assert_uint_eq(node->system_guid, b->nodes[other].system_guid);
		ck_assert_uint_eq(node->vendor, b->nodes[other].vendor);
		ck_assert_uint_eq(node->num_ports, b->nodes[other].num_ports);
		ck_assert_str_eq(topology_description(node),
				 topology_description(&b->nodes[other]));
		from.node = i;
		for (from.port = 1; from.port <= node->num_ports; from.port++) {
			bool linked = topology_peer(a, from, &to);

			ck_assert_int_eq(linked, topology_peer(b, (struct topology_end){
				other, from.port }, &there));
			if (!linked)
				continue;
			ck_assert_str_eq(a->nodes[to.node].name, b->nodes[there.node].name);
			ck_assert_uint_eq(to.port, there.port);
			ck_assert(rate_equal(
				&a->links[node->ports[from.port].link].rate,
				&b->links[b->nodes[other].ports[from.port].link].rate));
		}
	}
	free(sorted);
}

char *written(const struct topology *topology,
	      void (*write)(FILE *file, const struct topology *topology))
{
	char *text = NULL;
	size_t length;
	FILE *file = open_memstream(&text, &length);

	ck_assert_ptr_nonnull(file);
	write(file, topology);
	fclose(file);
	return text;
}

void make_topology(struct topology *topology, int which)
{
	static const unsigned int sizes[] = { 3, 4, 2 };
	struct complaint complaint;

	*topology = (struct topology){};
	switch (which) {
	case 0:
		ck_assert(read_text(net_text, topology, &complaint));
		break;
	case 1:
		ck_assert_ptr_null(generate_fat_tree(topology, 16, 3));
		break;
	case 2:
		ck_assert_ptr_null(generate_torus(topology, sizes, 3, 2));
		break;
	case 3:
		ck_assert_ptr_null(generate_dragonfly(topology, 4, 2, 2));
		break;
	default:
		ck_assert_ptr_null(generate_random(topology, 1000, 100, 36, 100, which));
	}
}
