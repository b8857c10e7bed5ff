// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcactl topology save: writes the fabric of this kernel to a file. */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include "tools/ctl/kernel/inventory.h"
#include "tools/ctl/kind.h"
#include "tools/ctl/noun/topology.h"
#include "tools/ctl/status.h"
#include "tools/lib/memory.h"
#include "tools/topology/claim.h"

static const char *json_text(struct json_object *object, const char *key)
{
	return json_object_get_string(json_object_object_get(object, key)) ?: "";
}

static uint64_t json_number(struct json_object *object, const char *key)
{
	return json_object_get_int64(json_object_object_get(object, key));
}

static uint64_t json_guid(struct json_object *object, const char *key)
{
	return strtoull(json_text(object, key), NULL, 16);
}

/* Returns the rate that is the value of @key in @port. All fields are 0 if there is none. */
static struct rate json_rate(struct json_object *port, const char *key)
{
	struct rate rate = {};

	rate_parse(json_text(port, key), strlen(json_text(port, key)), &rate);
	return rate;
}

static void add_port(struct topology *topology, struct claims *claims, struct json_object *port)
{
	size_t index = topology->num_nodes - 1, length;
	struct topology_node *node = &topology->nodes[index];
	struct json_object *peer = json_object_object_get(port, "peer");
	unsigned int n = json_number(port, "port");
	struct rate enabled = json_rate(port, "enabled");
	struct claim *claim;

	if (n > node->num_ports)
		return;
	if (node->type == NODE_CA || !n)
		node->ports[n].guid = json_guid(port, "guid");
	node->ports[n].lid = json_number(port, "lid");
	node->ports[n].lmc = json_number(port, "lmc");
	if (!peer)
		return;
	length = strlen(json_text(peer, "device"));
	claim = claims_add(claims, json_text(peer, "device"), length);
	claim->from = (struct topology_end){ index, n };
	claim->peer_port = json_number(peer, "port");
	/*
	 * The rate is unknown before link training. In this case, the enabled masks of both ports
	 * determine the rate.
	 */
	claim->rate = json_rate(port, "rate");
	claim->masks = rate_to_masks(&enabled);
	claim->state = link_state_parse(json_text(port, "state"));
	claim->place = node->place;
}

static void add_device(struct topology *topology, struct claims *claims,
		       struct json_object *device)
{
	struct json_object *ports = json_object_object_get(device, "ports");
	bool is_switch = !strcmp(json_text(device, "type"), kinds[HCA_NL_TYPE_SWITCH].noun);
	size_t i, count = json_object_array_length(ports);
	struct topology_node *node;

	if (json_object_object_get(device, "rnic")) /* it belongs to no fabric */
		return;
	/* @count includes port 0 of a switch, which num_ports does not count. */
	node = topology_add_node(topology, is_switch ? NODE_SWITCH : NODE_CA,
				 json_text(device, "name"),
				 json_guid(device, "guid"), count - (is_switch && count));
	node->enhanced = json_object_get_boolean(json_object_object_get(device, "enhanced"));
	node->system_guid = json_guid(device, "system_image_guid");
	node->description = need(strdup(json_text(device, "description")));
	node->place = (struct place){ .file = "hca.ko" };
	for (i = 0; i < count; i++)
		add_port(topology, claims, json_object_array_get_idx(ports, i));
}

int topology_read_live(struct topology *topology)
{
	struct report report = topology_report();
	struct claims claims = {};
	struct json_object *devices;
	int status;
	size_t i;

	status = inventory_devices(ALL_KINDS, NULL, &devices);
	for (i = 0; !status && i < json_object_array_length(devices); i++)
		add_device(topology, &claims, json_object_array_get_idx(devices, i));
	json_object_put(devices);
	/*
	 * If a device is renamed during the dump, its links are not valid. claims_join() reports
	 * this.
	 */
	claims_join(&claims, topology, &report);
	claims_clear(&claims);
	topology->file = need(strdup(LIVE));
	return status ?: report.count ? STATUS_REFUSED : 0;
}

enum { TO };
static const char *const keywords[] = { [TO] = "to", NULL };

int topology_save(const struct command *command, char **args, const struct options *options)
{
	const char *value[sizeof(keywords) / sizeof(keywords[0])], *to;
	struct topology topology = {};
	int status;

	if (!parse_keywords(command, args, keywords, value))
		return STATUS_USAGE;
	to = value[TO] ?: options->json ? "json" : "discover";
	status = topology_read_live(&topology);
	if (!status)
		status = topology_print(command, &topology, to, options);
	topology_clear(&topology);
	return status;
}
