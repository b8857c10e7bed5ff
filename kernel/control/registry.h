/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What there is: the nodes of all kinds, and through their ports the cables. There may be
 * thousands: nothing here walks them all but who wants to see them all.
 *
 * One mutex, the control mutex, guards the registry and every plugging and unplugging.
 * Whoever calls a function of this header holds it. Commands of administrators are
 * rare, so nothing is finer than that. It is taken inside of netlink's own locks
 * and outside of all others.
 */
#ifndef HCA_CONTROL_REGISTRY_H
#define HCA_CONTROL_REGISTRY_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/types.h>
#include <rdma/ib_user_verbs.h>

struct hca_kind;
struct hca_node;
struct hca_port;

/* From one to the other, both included; a node's own and its ports'. */
struct hca_guids {
	u64 first, last;
};

struct hca_entry {
	unsigned long id; /* from 1, in the order in which they were made, never given twice */
	const struct hca_kind *kind;
	struct hca_node *node; /* whose ->entry this is */
	struct hca_guids guids;
	char name[IB_DEVICE_NAME_MAX]; /* when it was made */
	struct hlist_node by_name;
	struct rb_node by_guid;
};

extern struct mutex hca_control_mutex;

/*
 * Take up a new node; nobody has its name or one of its GUIDs. Return: 0 or -ENOMEM, then
 * @node is the caller's.
 */
int hca_registry_add(const struct hca_kind *kind, struct hca_node *node, const char *name,
		     struct hca_guids guids);

/* Forget a node; its entry is freed, the node is the caller's. */
void hca_registry_del(struct hca_entry *entry);

/* By its name now. Return: NULL if there is none. */
struct hca_entry *hca_registry_find(const char *name);

/* Who has one of these GUIDs, the lowest of them if several do; NULL: nobody. */
struct hca_entry *hca_registry_find_guids(struct hca_guids guids);

/* The first with an id of at least @id, NULL: none. */
struct hca_entry *hca_registry_from(unsigned long id);

/* The current name of a node, or of the one that a port belongs to. */
const char *hca_registry_name(const struct hca_entry *entry);
const char *hca_registry_port_device(const struct hca_port *port);

/* The port at the other end of the cable, NULL: none. */
struct hca_port *hca_registry_peer(const struct hca_port *port);

/* Changes whenever a node or a cable comes or goes; never 0. For consistent dumps. */
u32 hca_registry_generation(void);
void hca_registry_changed(void);

#endif
