// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads the counters of all ports. */
#include "tools/ctl/kernel/counters.h"
#include <linux/hca_netlink.h>
#include <netlink/attr.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "tools/ctl/kernel/request.h"
#include "tools/lib/memory.h"

struct name {
	const char *key; /* name of the counter in JSON and in sysfs */
	int attr;
};

/* Counters of errors. */
static const struct name errors[] = {
	{ "symbol_error", HCA_NL_COUNTERS_SYMBOL_ERROR },
	{ "link_error_recovery", HCA_NL_COUNTERS_LINK_ERROR_RECOVERY },
	{ "link_downed", HCA_NL_COUNTERS_LINK_DOWNED },
	{ "port_rcv_errors", HCA_NL_COUNTERS_RCV_ERRORS },
	{ "port_rcv_remote_physical_errors", HCA_NL_COUNTERS_RCV_REMOTE_PHYSICAL_ERRORS },
	{ "port_rcv_switch_relay_errors", HCA_NL_COUNTERS_RCV_SWITCH_RELAY_ERRORS },
	{ "port_xmit_discards", HCA_NL_COUNTERS_XMIT_DISCARDS },
	{ "port_xmit_constraint_errors", HCA_NL_COUNTERS_XMIT_CONSTRAINT_ERRORS },
	{ "port_rcv_constraint_errors", HCA_NL_COUNTERS_RCV_CONSTRAINT_ERRORS },
	{ "local_link_integrity_errors", HCA_NL_COUNTERS_LOCAL_LINK_INTEGRITY_ERRORS },
	{ "excessive_buffer_overrun_errors", HCA_NL_COUNTERS_EXCESSIVE_BUFFER_OVERRUNS },
	{ "VL15_dropped", HCA_NL_COUNTERS_VL15_DROPPED },
	{}
};

/*
 * Counters of the packets and data that a port has sent and received, and of the ticks in which
 * packets waited to be sent. Data is counted in units of four octets.
 */
static const struct name traffic[] = {
	{ "port_xmit_data", HCA_NL_COUNTERS_XMIT_DATA },
	{ "port_rcv_data", HCA_NL_COUNTERS_RCV_DATA },
	{ "port_xmit_packets", HCA_NL_COUNTERS_XMIT_PACKETS },
	{ "port_rcv_packets", HCA_NL_COUNTERS_RCV_PACKETS },
	{ "port_xmit_wait", HCA_NL_COUNTERS_XMIT_WAIT },
	{}
};

static struct json_object *counters_named(const struct name *name, struct nlattr **attr)
{
	struct json_object *object = json_object_new_object(), *count;

	for (; name->key; name++) {
		if (!attr[name->attr] || nla_len(attr[name->attr]) != sizeof(uint64_t))
			continue;
		count = json_object_new_int64(nla_get_u64(attr[name->attr]));
		json_object_object_add(object, name->key, count);
	}
	return object;
}

/* Adds the counters of a port to the JSON object of all ports, with the port's name as the key. */
static void add_port(struct nlattr *attrs, int length, void *arg)
{
	static struct nla_policy types[HCA_NL_COUNTERS_MAX + 1] = {
		[HCA_NL_COUNTERS_DEVICE] = { .type = NLA_STRING },
		[HCA_NL_COUNTERS_PORT] = { .type = NLA_U32 },
	};
	struct nlattr *attr[HCA_NL_COUNTERS_MAX + 1];
	struct json_object **ports = arg, *port;
	char *name;

	if (nla_parse(attr, HCA_NL_COUNTERS_MAX, attrs, length, types) ||
	    !attr[HCA_NL_COUNTERS_DEVICE] || !attr[HCA_NL_COUNTERS_PORT])
		return;
	port = json_object_new_object();
	json_object_object_add(port, "errors", counters_named(errors, attr));
	json_object_object_add(port, "traffic", counters_named(traffic, attr));
	name = need_text("%s/%u", nla_get_string(attr[HCA_NL_COUNTERS_DEVICE]),
			 nla_get_u32(attr[HCA_NL_COUNTERS_PORT]));
	json_object_object_add(*ports, name, port);
	free(name);
}

static void counters_begin(void *arg)
{
	struct json_object **ports = arg;

	json_object_put(*ports);
	*ports = json_object_new_object();
}

/*
 * Returns a JSON object with counters of a port. @kind selects error or traffic counters. The first
 * call reads the counters of all ports.
 */
static struct json_object *counters_of_port(const char *device, unsigned int port, const char *kind)
{
	static struct json_object *ports;
	struct json_object *object;
	char *name;

	if (!ports)
		request_dump(request_new(HCA_CMD_COUNTERS_GET, "show"), counters_begin, add_port,
			     &ports);
	name = need_text("%s/%u", device, port);
	object = json_object_object_get(json_object_object_get(ports, name), kind);
	free(name);
	return json_object_get(object);
}

struct json_object *counters_errors(const char *device, unsigned int port)
{
	return counters_of_port(device, port, "errors");
}

struct json_object *counters_traffic(const char *device, unsigned int port)
{
	return counters_of_port(device, port, "traffic");
}
