// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The registry of devices of all kinds. */
#include "control/registry.h"
#include <linux/err.h>
#include <linux/hashtable.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/xarray.h>
#include "control/kinds.h"
#include "fabric/node.h"
#include "link/port/port.h"

DEFINE_MUTEX(hca_control_mutex);

static DEFINE_XARRAY(entries); /* all entries by id */
static DEFINE_HASHTABLE(named, 10); /* entries that cannot be renamed, by name */
/*
 * List of the entries that the RDMA core may rename. A search for a name walks the list, just as
 * the core walks its list of devices.
 */
static HLIST_HEAD(renamed);
static struct rb_root guids_in_use = RB_ROOT;
static unsigned long last_id;
static u32 generation = 1;

static struct hlist_head *registry_bucket(const char *name)
{
	return &named[hash_min(full_name_hash(NULL, name, strlen(name)), HASH_BITS(named))];
}

/*
 * Compare two ranges of GUIDs. The ranges of entries do not overlap, and therefore have an order.
 * Return: -1 if @one is below @other; 0 if they overlap; 1 if @one is above @other.
 */
static int registry_compare_guids(const struct hca_guids *one, const struct hca_guids *other)
{
	if (one->last < other->first)
		return -1;
	return one->first > other->last;
}

static bool registry_guids_less(struct rb_node *one, const struct rb_node *other)
{
	return registry_compare_guids(&rb_entry(one, struct hca_entry, by_guid)->guids,
				      &rb_entry(other, struct hca_entry, by_guid)->guids) < 0;
}

static int registry_guids_compare(const void *key, const struct rb_node *node)
{
	return registry_compare_guids(key, &rb_entry(node, struct hca_entry, by_guid)->guids);
}

int hca_registry_reserve(const struct hca_kind *kind, const char *name, struct hca_guids guids,
			 struct hca_entry **reserved)
{
	struct hca_entry *entry;
	int err;

	lockdep_assert_held(&hca_control_mutex);
	entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	if (!entry)
		return -ENOMEM;
	entry->id = last_id + 1;
	err = xa_insert(&entries, entry->id, entry, GFP_KERNEL);
	if (err) {
		kfree(entry);
		return err;
	}

	last_id = entry->id;
	entry->kind = kind;
	entry->guids = guids;
	strscpy(entry->name, name, sizeof(entry->name));
	hlist_add_head(&entry->by_name, registry_bucket(name));
	rb_add(&entry->by_guid, &guids_in_use, registry_guids_less);
	*reserved = entry;
	return 0;
}

void hca_registry_publish(struct hca_entry *entry)
{
	lockdep_assert_held(&hca_control_mutex);
	entry->live = true;
	if (entry->node)
		entry->node->entry = entry;
	if (entry->kind->name) {
		hlist_del(&entry->by_name);
		hlist_add_head(&entry->by_name, &renamed);
	}
	hca_registry_changed();
}

void hca_registry_withdraw(struct hca_entry *entry)
{
	lockdep_assert_held(&hca_control_mutex);
	strscpy(entry->name, hca_registry_name(entry), sizeof(entry->name));
	hlist_del(&entry->by_name);
	hlist_add_head(&entry->by_name, registry_bucket(entry->name));
	if (entry->node)
		entry->node->entry = NULL;
	entry->live = false;
	hca_registry_changed();
}

void hca_registry_del(struct hca_entry *entry)
{
	lockdep_assert_held(&hca_control_mutex);
	rb_erase(&entry->by_guid, &guids_in_use);
	hlist_del(&entry->by_name);
	xa_erase(&entries, entry->id);
	kfree(entry);
}

static struct hca_entry *registry_find_among(const struct hlist_head *head, const char *name)
{
	struct hca_entry *entry;

	hlist_for_each_entry(entry, head, by_name)
		if (!strcmp(hca_registry_name(entry), name))
			return entry;
	return NULL;
}

struct hca_entry *hca_registry_find_reserved(const char *name)
{
	lockdep_assert_held(&hca_control_mutex);
	return registry_find_among(registry_bucket(name), name) ?:
	       registry_find_among(&renamed, name);
}

struct hca_entry *hca_registry_find(const char *name)
{
	struct hca_entry *entry = hca_registry_find_reserved(name);

	return entry && entry->live ? entry : NULL;
}

struct hca_entry *hca_registry_find_guids(struct hca_guids guids)
{
	struct rb_node *node;

	lockdep_assert_held(&hca_control_mutex);
	node = rb_find_first(&guids, &guids_in_use, registry_guids_compare);
	return node ? rb_entry(node, struct hca_entry, by_guid) : NULL;
}

struct hca_entry *hca_registry_from(unsigned long id)
{
	struct hca_entry *entry;

	lockdep_assert_held(&hca_control_mutex);
	xa_for_each_start(&entries, id, entry, id)
		if (entry->live)
			return entry;
	return NULL;
}

const char *hca_registry_name(const struct hca_entry *entry)
{
	return entry->live && entry->kind->name ? entry->kind->name(entry->device) : entry->name;
}

u32 hca_registry_num_ports(const struct hca_entry *entry)
{
	return entry->node ? entry->node->num_ports : 0;
}

struct hca_port *hca_registry_port(const struct hca_entry *entry, u32 num)
{
	return entry->node ? hca_node_port(entry->node, num) : NULL;
}

const char *hca_registry_port_device(const struct hca_port *port)
{
	return hca_registry_name(port->node->entry);
}

struct hca_port *hca_registry_peer(const struct hca_port *port)
{
	return rcu_dereference_protected(port->peer, lockdep_is_held(&hca_control_mutex));
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
