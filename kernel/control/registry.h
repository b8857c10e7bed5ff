/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The registry of devices of all kinds and, through their ports, of cables. There may be thousands
 * of devices: only dumps walk all of them.
 *
 * One mutex, the control mutex, guards the registry and serializes all changes of links. Callers of
 * all functions of this header hold it. One mutex is enough, since administrators' commands are
 * rare. It is acquired inside netlink's locks and outside all others. Its holder waits for grace
 * periods and for runs, but never for an event that a process can delay. Therefore a device is
 * created and freed, and leaves its consumers, without the mutex; meanwhile its entry reserves the
 * name and the GUIDs.
 */
#ifndef HCA_CONTROL_REGISTRY_H
#define HCA_CONTROL_REGISTRY_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include <rdma/ib_user_verbs.h>

struct hca_kind;
struct hca_node;
struct hca_port;

/* GUIDs of a node and its ports: an inclusive range. */
struct hca_guids {
	u64 first, last;
};

struct hca_entry {
	unsigned long id; /* identifier from 1, in the order of creation; never reused */
	const struct hca_kind *kind;
	/*
	 * Node whose entry field points back. NULL while it is created or freed: the entry is
	 * reserved.
	 */
	struct hca_node *node;
	bool going; /* its deletion has begun: it gets no new links or captures */
	struct hca_guids guids;
	char name[IB_DEVICE_NAME_MAX]; /* name at its creation, and when the node is freed */
	struct work_struct end; /* deletion, by devices.c */
	struct hlist_node by_name;
	struct rb_node by_guid;
};

extern struct mutex hca_control_mutex;

/**
 * hca_registry_reserve() - add an entry whose node is not created yet
 * @kind: kind of the node
 * @name: its name, which no other entry has
 * @guids: GUIDs of the node and its ports, none of which another entry has
 * @entry: set to the entry, which only hca_registry_find_reserved() and hca_registry_find_guids()
 *         find
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0 or -ENOMEM.
 */
int hca_registry_reserve(const struct hca_kind *kind, const char *name, struct hca_guids guids,
			 struct hca_entry **entry);

/**
 * hca_registry_publish() - set the node of a reserved entry
 * @entry: the entry
 * @node: its node
 *
 * Context: process; the caller holds the control mutex.
 */
void hca_registry_publish(struct hca_entry *entry, struct hca_node *node);

/**
 * hca_registry_withdraw() - remove the node from an entry, which is reserved from then on
 * @entry: the entry; its node has no links, and belongs to the caller
 *
 * Context: process; the caller holds the control mutex.
 */
void hca_registry_withdraw(struct hca_entry *entry);

/**
 * hca_registry_del() - remove a reserved entry
 * @entry: the entry, which is freed
 *
 * Context: process; the caller holds the control mutex.
 */
void hca_registry_del(struct hca_entry *entry);

/**
 * hca_registry_find() - find a node by its current name
 * @name: the name
 *
 * Context: process; the caller holds the control mutex.
 * Return: the entry, which has a node, or NULL.
 */
struct hca_entry *hca_registry_find(const char *name);

/**
 * hca_registry_find_reserved() - find an entry by its name, whether it is reserved or not
 * @name: the name
 *
 * Context: process; the caller holds the control mutex.
 * Return: the entry or NULL.
 */
struct hca_entry *hca_registry_find_reserved(const char *name);

/**
 * hca_registry_find_guids() - find a node by its GUIDs
 * @guids: range of GUIDs
 *
 * Context: process; the caller holds the control mutex.
 * Return: the entry with a GUID in the range, whether it is reserved or not; if there are several,
 * the entry with the lowest GUIDs; or NULL.
 */
struct hca_entry *hca_registry_find_guids(struct hca_guids guids);

/**
 * hca_registry_from() - walk the registry in the order of creation
 * @id: lowest id
 *
 * Context: process; the caller holds the control mutex.
 * Return: the entry with the lowest id of at least @id that has a node; or NULL.
 */
struct hca_entry *hca_registry_from(unsigned long id);

/**
 * hca_registry_name() - current name of a node
 * @entry: its entry
 *
 * Context: process; the caller holds the control mutex.
 * Return: the name.
 */
const char *hca_registry_name(const struct hca_entry *entry);

/**
 * hca_registry_port_device() - current name of the node of a port
 * @port: the port
 *
 * Context: process; the caller holds the control mutex.
 * Return: the name.
 */
const char *hca_registry_port_device(const struct hca_port *port);

/**
 * hca_registry_peer() - the port at the other end of a cable
 * @port: the port at one end
 *
 * Context: process; the caller holds the control mutex.
 * Return: the other port; NULL if there is no cable.
 */
struct hca_port *hca_registry_peer(const struct hca_port *port);

/**
 * hca_registry_generation() - generation of the registry, by which dumps detect changes
 *
 * Context: process; the caller holds the control mutex.
 * Return: a number, not 0, that changes when a node or a link is added, changed or removed.
 */
u32 hca_registry_generation(void);

/**
 * hca_registry_changed() - change the generation of the registry
 *
 * Context: process; the caller holds the control mutex.
 */
void hca_registry_changed(void);

#endif
