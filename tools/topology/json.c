// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Writes a topology as JSON. */
#include "json.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const type_names[] = { [NODE_CA] = "ca", [NODE_SWITCH] = "switch" };

static void add_text(struct json_object *object, const char *key, const char *text)
{
	/* JSON requires UTF-8, but a description may contain other octets. */
	char clean[TOPOLOGY_DESCRIPTION_MAX + 1];
	size_t i;

	for (i = 0; text[i] && i < sizeof(clean) - 1; i++)
		clean[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
	json_object_object_add(object, key, json_object_new_string_len(clean, i));
}

static void add_number(struct json_object *object, const char *key, uint64_t number)
{
	json_object_object_add(object, key, json_object_new_int64(number));
}

/* Adds a GUID unless it is unknown. */
static void add_guid(struct json_object *object, const char *key, uint64_t guid)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "0x%016" PRIx64, guid);
	if (guid)
		json_object_object_add(object, key, json_object_new_string(digits));
}

/* Returns a JSON object with the number, GUID, LID and LMC of a port. */
static struct json_object *port_object(const struct topology_node *node, unsigned int number)
{
	const struct topology_port *port = &node->ports[number];
	struct json_object *object = json_object_new_object();

	add_number(object, "port", number);
	add_guid(object, "guid", port->guid);
	if (port->lid) {
		add_number(object, "lid", port->lid);
		add_number(object, "lmc", port->lmc);
	}
	return object;
}

static struct json_object *node_object(const struct topology_node *node)
{
	struct json_object *object = json_object_new_object(), *ports = json_object_new_array();
	unsigned int first = node->type == NODE_SWITCH ? 0 : 1;
	unsigned int last = node->type == NODE_SWITCH ? 0 : node->num_ports, i;

	add_text(object, "name", node->name);
	add_text(object, "type", type_names[node->type]);
	add_text(object, "description", topology_description(node));
	add_guid(object, "guid", node->guid);
	add_guid(object, "system_guid", node->system_guid);
	add_number(object, "num_ports", node->num_ports);
	for (i = first; i <= last; i++)
		json_object_array_add(ports, port_object(node, i));
	json_object_object_add(object, "ports", ports);
	return object;
}

static struct json_object *end_object(const struct topology *topology,
				      const struct topology_end *end)
{
	struct json_object *object = json_object_new_object();

	add_text(object, "node", topology->nodes[end->node].name);
	add_number(object, "port", end->port);
	return object;
}

static struct json_object *link_object(const struct topology *topology,
				       const struct topology_link *link)
{
	struct json_object *object = json_object_new_object();
	char text[RATE_TEXT];

	json_object_object_add(object, "a", end_object(topology, &link->a));
	json_object_object_add(object, "b", end_object(topology, &link->b));
	if (link->rate.width && link->rate.speed)
		add_text(object, "rate", rate_format(&link->rate, text));
	if (link->state != LINK_UNKNOWN)
		add_text(object, "state", link_state_name(link->state));
	return object;
}

struct json_object *topology_to_json(const struct topology *topology)
{
	struct json_object *object = json_object_new_object();
	struct json_object *nodes = json_object_new_array(), *links = json_object_new_array();
	size_t i;

	for (i = 0; i < topology->num_nodes; i++)
		json_object_array_add(nodes, node_object(&topology->nodes[i]));
	for (i = 0; i < topology->num_links; i++)
		json_object_array_add(links, link_object(topology, &topology->links[i]));
	json_object_object_add(object, "nodes", nodes);
	json_object_object_add(object, "links", links);
	return object;
}
