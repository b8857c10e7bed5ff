// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Ports, as commands about links name them. */
#include "control/port.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include "control/kinds.h"
#include "control/registry.h"
#include "fabric/node.h"

static int port_refuse_number(const struct hca_entry *entry, u32 num, char *why)
{
	u32 ports = entry->node->num_ports;

	if (!num && hca_node_is_switch(entry->node))
		snprintf(why, HCA_PORT_FAULT,
			 "port 0 is inside of the switch; external ports are 1 to %u", ports);
	else
		snprintf(why, HCA_PORT_FAULT,
			 ports == 1 ? "%s has only port %u" : "%s has ports 1 to %u",
			 hca_registry_name(entry), ports);
	return -EINVAL;
}

int hca_port_named(const char *device, const u32 *num, struct hca_port **port, char *why)
{
	const struct hca_entry *entry = hca_registry_find(device);
	u32 number = num ? *num : 1;

	if (!entry) {
		snprintf(why, HCA_PORT_FAULT, "there is no such device");
		return -ENODEV;
	}
	if (!entry->kind->has_links) {
		snprintf(why, HCA_PORT_FAULT, "a %s has no links: its network is that of its interface",
			 entry->kind->noun);
		return -EOPNOTSUPP;
	}
	if (!num && entry->node->num_ports > 1) {
		snprintf(why, HCA_PORT_FAULT, "say which of its ports, 1 to %u",
			 entry->node->num_ports);
		return -EINVAL;
	}
	if (number < 1 || number > entry->node->num_ports)
		return port_refuse_number(entry, number, why);
	*port = hca_node_port(entry->node, number);
	return 0;
}
