// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reads the devices and links that exist. */
#define _GNU_SOURCE
#include "tools/ctl/kernel/present.h"
#include <inttypes.h>
#include <limits.h>
#include <netlink/attr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "tools/ctl/kernel/request.h"
#include "tools/ctl/noun/fault_netlink.h"
#include "tools/ctl/noun/fault_value.h"
#include "tools/ctl/noun/link.h"
#include "tools/ctl/noun/network.h"
#include "tools/ctl/noun/rnic.h"
#include "tools/ctl/noun/rnic_fault.h"
#include "tools/ctl/setup.h"
#include "tools/ctl/status.h"
#include "tools/lib/memory.h"
#include "tools/lib/message.h"

/*
 * The largest number of attempts to dump all devices. If a device is renamed during a dump, the
 * dump is repeated, because it contains the device under two names.
 */
#define MAX_TRIES 100

static struct end end_of(const char *device, uint32_t port, char **text)
{
	*text = need_text("%s/%" PRIu32, device, port);
	return (struct end){ *text, { strlen(device), true, port } };
}

/*
 * Adds the cable of a port. The port at the other end adds the same cable again, and keep_once()
 * removes one of the two copies.
 */
static void add_cable(struct setup *setup, const char *device, struct nlattr **attr)
{
	struct fault fault = {};
	struct link link = {};
	char *a, *b;

	if (!attr[HCA_NL_PORT_PEER_DEVICE] || !attr[HCA_NL_PORT_PEER_PORT])
		return;
	link.a = end_of(device, nla_get_u32(attr[HCA_NL_PORT_NUMBER]), &a);
	link.b = end_of(nla_get_string(attr[HCA_NL_PORT_PEER_DEVICE]),
			nla_get_u32(attr[HCA_NL_PORT_PEER_PORT]), &b);
	link.supported = link_read_masks(attr[HCA_NL_PORT_SUPPORTED]);
	setup_add_link(setup, &link);
	fault.link = link;
	fault_read(attr[HCA_NL_PORT_FAULT], attr[HCA_NL_PORT_SHAPE], &fault);
	if (!is_none(&fault))
		setup_add_fault(setup, &fault);
	free(a);
	free(b);
}

static void add_network(struct setup *setup, const char *device, struct nlattr **attr)
{
	struct link link = { .network = network_read(attr[HCA_NL_PORT_NETWORK]) };
	char *a;

	if (!link.network)
		return;
	link.a = end_of(device, nla_get_u32(attr[HCA_NL_PORT_NUMBER]), &a);
	setup_add_link(setup, &link);
	network_free(link.network);
	free(a);
}

static void add_port(struct setup *setup, const char *device, struct nlattr *nest)
{
	struct nlattr *attr[HCA_NL_PORT_MAX + 1];

	if (nla_parse_nested(attr, HCA_NL_PORT_MAX, nest, NULL) || !attr[HCA_NL_PORT_NUMBER])
		return;
	add_cable(setup, device, attr);
	add_network(setup, device, attr);
}

/* Adds the faults of all queue pairs of an RNIC. Those of single ones end with these. */
static void add_rnic_fault(struct setup *setup, const char *device, struct nlattr *nest)
{
	struct rnic_setting setting = { .name = device };

	if (rnic_fault_read(nest, &setting.fault) && !setting.fault.qpn)
		setup_add_rnic_setting(setup, &setting);
}

/* Adds an attribute of a device that can be there several times. */
static void add_part(struct setup *setup, const char *device, struct nlattr *nest)
{
	if (nla_type(nest) == HCA_NL_DEVICE_PORT)
		add_port(setup, device, nest);
	else if (nla_type(nest) == HCA_NL_DEVICE_RNIC_FAULT)
		add_rnic_fault(setup, device, nest);
}

/*
 * Returns whether a description is the kernel's default. The default is not saved, because it
 * contains the name of the machine.
 */
static bool is_usual(const char *description, const char *name)
{
	char host[HOST_NAME_MAX + 1] = "", usual[MAX_DESCRIPTION + 1];

	gethostname(host, sizeof(host) - 1);
	snprintf(usual, sizeof(usual), "%s %s", host, name);
	return !strcmp(description, usual);
}

/*
 * Adds the device that a netlink message describes. If the previous message has already added the
 * device, this one only adds ports.
 */
static void add_device(struct nlattr *attrs, int length, void *arg)
{
	struct nlattr *attr[HCA_NL_DEVICE_MAX + 1], *nest;
	struct device device = { .has_guid = true };
	struct setup *setup = arg;
	int left;

	if (nla_parse(attr, HCA_NL_DEVICE_MAX, attrs, length, NULL) ||
	    !attr[HCA_NL_DEVICE_NAME] || !attr[HCA_NL_DEVICE_PORTS] || !attr[HCA_NL_DEVICE_GUID])
		return;
	device.name = nla_get_string(attr[HCA_NL_DEVICE_NAME]);
	device.ports = nla_get_u32(attr[HCA_NL_DEVICE_PORTS]);
	device.guid = nla_get_u64(attr[HCA_NL_DEVICE_GUID]);
	device.going = attr[HCA_NL_DEVICE_GOING];
	if (attr[HCA_NL_DEVICE_TYPE])
		device.type = nla_get_u32(attr[HCA_NL_DEVICE_TYPE]);
	if (attr[HCA_NL_DEVICE_SYSTEM_IMAGE_GUID])
		device.system_image_guid = nla_get_u64(attr[HCA_NL_DEVICE_SYSTEM_IMAGE_GUID]);
	if (device.system_image_guid == device.guid)
		device.system_image_guid = 0;
	if (attr[HCA_NL_DEVICE_DESCRIPTION])
		device.description = nla_get_string(attr[HCA_NL_DEVICE_DESCRIPTION]);
	if (device.description && is_usual(device.description, device.name))
		device.description = NULL;
	rnic_read(attr[HCA_NL_DEVICE_RNIC], &device.rnic);
	if (!setup->num_devices || setup->devices[setup->num_devices - 1].guid != device.guid)
		setup_add_device(setup, &device);
	rnic_free(&device.rnic);
	if (attr[HCA_NL_DEVICE_ENHANCED])
		setup->devices[setup->num_devices - 1].enhanced = true;
	if (attr[HCA_NL_DEVICE_RANDOM])
		setup->devices[setup->num_devices - 1].random = true;

	nla_for_each_attr(nest, attrs, length, left)
		add_part(setup, device.name, nest);
}

static void present_empty(void *arg)
{
	setup_clear(arg);
}

/* Compares names of devices. Numbers in names are compared by value, so hca2 comes before hca10. */
static int compare_devices(const void *one, const void *other)
{
	return strverscmp(((const struct device *)one)->name,
			  ((const struct device *)other)->name);
}

static int compare_rnic_settings(const void *one, const void *other)
{
	return strverscmp(((const struct rnic_setting *)one)->name,
			  ((const struct rnic_setting *)other)->name);
}

static int compare_links(const void *one, const void *other)
{
	return strverscmp(((const struct link *)one)->a.text,
			  ((const struct link *)other)->a.text);
}

static int compare_faults(const void *one, const void *other)
{
	return compare_links(&((const struct fault *)one)->link,
			     &((const struct fault *)other)->link);
}

/*
 * Finds the second copy of the cable @link, which the port at the other end has added: end a of the
 * second copy is end b of @link. The links are sorted by end a.
 */
static const struct link *find_back(const struct setup *setup, const struct link *link)
{
	return bsearch(&(struct link){ .a = link->b }, setup->links, setup->num_links,
		       sizeof(*link), compare_links);
}

/*
 * Returns whether each cable was added by the ports at both of its ends, and each port names the
 * other as its peer.
 */
static bool both_ends_agree(const struct setup *setup)
{
	const struct link *link, *back;

	for (link = setup->links; link < setup->links + setup->num_links; link++) {
		if (link->network)
			continue;
		back = find_back(setup, link);
		if (!back || back->network || !same_end(&back->b, &link->a))
			return false;
	}
	return true;
}

/*
 * Returns the highest rate that both ports of a link are set to support. If this is the default
 * rate, the result has width 0.
 */
static struct rate common_rate(const struct setup *setup, const struct link *link)
{
	static const struct rate usual = { 4, EDR };
	struct rate rate = rate_of_masks(&link->supported, &find_back(setup, link)->supported);

	return rate_equal(&rate, &usual) ? (struct rate){} : rate;
}

/*
 * Keeps one of the two copies of each cable. All objects are copied into a new setup, because
 * sorting has made the indexes of the old setup invalid.
 */
static void keep_once(struct setup *setup)
{
	struct setup once = {};
	size_t i;

	for (i = 0; i < setup->num_links; i++) {
		if (setup->links[i].network) {
			setup_add_link(&once, &setup->links[i]);
			continue;
		}
		setup->links[i].rate = common_rate(setup, &setup->links[i]);
		if (strverscmp(setup->links[i].a.text, setup->links[i].b.text) < 0)
			setup_add_link(&once, &setup->links[i]);
	}
	for (i = 0; i < setup->num_devices; i++)
		setup_add_device(&once, &setup->devices[i]);
	for (i = 0; i < setup->num_faults; i++)
		setup_add_fault(&once, &setup->faults[i]);
	for (i = 0; i < setup->num_rnic_settings; i++)
		setup_add_rnic_setting(&once, &setup->rnic_settings[i]);
	setup_clear(setup);
	*setup = once;
}

static void present_sort(void *items, size_t count, size_t size,
			 int (*compare)(const void *one, const void *other))
{
	/* The address of an empty array may be NULL, which qsort() does not accept. */
	if (count)
		qsort(items, count, size, compare);
}

int present_read(const char *what, struct setup *setup)
{
	int tries, status;

	*setup = (struct setup){};
	for (tries = 0; tries < MAX_TRIES; tries++) {
		status = request_dump(request_new(HCA_CMD_DEVICE_GET, "%s", what), present_empty,
				      add_device, setup);
		if (status)
			return status;
		present_sort(setup->devices, setup->num_devices, sizeof(*setup->devices),
			     compare_devices);
		present_sort(setup->links, setup->num_links, sizeof(*setup->links), compare_links);
		present_sort(setup->faults, setup->num_faults, sizeof(*setup->faults),
			     compare_faults);
		present_sort(setup->rnic_settings, setup->num_rnic_settings,
			     sizeof(*setup->rnic_settings), compare_rnic_settings);
		if (both_ends_agree(setup)) {
			keep_once(setup);
			return 0;
		}
	}
	print_message("%s: devices are renamed faster than they can be read", what);
	return STATUS_REFUSED;
}
