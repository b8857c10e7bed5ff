// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* What there is: the devices, and through their ports the cables. */
#include <linux/err.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "control/registry.h"
#include "fabric/node.h"
#include "link/port.h"
#include "verbs/device.h"

DEFINE_MUTEX(hca_control_mutex);

static LIST_HEAD(entries);
static u32 last_id;
static u32 generation = 1;

int hca_registry_add(struct hca_device *dev)
{
	struct hca_entry *entry;

	lockdep_assert_held(&hca_control_mutex);
	entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	if (!entry)
		return -ENOMEM;

	entry->dev = dev;
	entry->id = ++last_id;
	list_add_tail(&entry->list, &entries);
	hca_registry_changed();
	return 0;
}

void hca_registry_del(struct hca_entry *entry)
{
	lockdep_assert_held(&hca_control_mutex);
	list_del(&entry->list);
	kfree(entry);
	hca_registry_changed();
}

struct hca_entry *hca_registry_find(const char *name)
{
	struct hca_entry *entry;

	lockdep_assert_held(&hca_control_mutex);
	list_for_each_entry(entry, &entries, list)
		if (!strcmp(hca_device_name(entry->dev), name))
			return entry;
	return NULL;
}

struct hca_entry *hca_registry_from(u32 id)
{
	struct hca_entry *entry;

	lockdep_assert_held(&hca_control_mutex);
	list_for_each_entry(entry, &entries, list)
		if (entry->id >= id)
			return entry;
	return NULL;
}

struct hca_entry *hca_registry_owner(const struct hca_node *node)
{
	struct hca_entry *entry;

	lockdep_assert_held(&hca_control_mutex);
	list_for_each_entry(entry, &entries, list)
		if (hca_device_node(entry->dev) == node)
			return entry;
	return NULL;
}

struct hca_port *hca_registry_peer(const struct hca_port *port)
{
	return rcu_dereference_protected(port->peer, lockdep_is_held(&hca_control_mutex));
}

const char *hca_registry_port_device(const struct hca_port *port)
{
	return hca_device_name(hca_registry_owner(port->node)->dev);
}

u32 hca_registry_generation(void)
{
	lockdep_assert_held(&hca_control_mutex);
	return generation;
}

void hca_registry_changed(void)
{
	lockdep_assert_held(&hca_control_mutex);
	if (!++generation)
		generation = 1;
}
