/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The registry of devices of all kinds and, through their ports, of cables. Only dumps walk all
 * devices, because there may be thousands of them.
 *
 * One mutex, the control mutex, guards the registry and serializes all changes of links. Callers of
 * all functions of this header hold it. One mutex is enough, since administrators' commands are
 * rare. It is acquired after netlink's locks and before all other locks. Its holder may wait for an
 * RCU grace period and for the engine (engine/run.h), but never for an event that a process can
 * delay. Therefore the mutex is not held while a device is created, detached from its consumers or
 * freed. Meanwhile the entry of the device reserves its name and GUIDs.
 */
#ifndef HCA_CONTROL_REGISTRY_H
#define HCA_CONTROL_REGISTRY_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/types.h>
#include <linux/workqueue.h>
#include <rdma/ib_user_verbs.h>

struct hca_device;
struct hca_kind;
struct hca_node;
struct hca_port;

/* GUIDs of a device and its ports: an inclusive range. */
struct hca_guids {
	u64 first, last;
};

struct hca_entry {
	unsigned long id; /* identifier from 1, in the order of creation; never reused */
	const struct hca_kind *kind;
	/*
	 * False while the device is being created or freed; the entry is then called reserved, and
	 * nobody but whoever creates or frees the device may use its node and device.
	 */
	bool live;
	/* The node, whose field entry points to a live entry. NULL: the device has no links. */
	struct hca_node *node;
	struct hca_device *device; /* NULL: the device has no verbs */
	bool going; /* the deletion has begun; links and captures may not be added any more */
	struct hca_guids guids;
	char name[IB_DEVICE_NAME_MAX]; /* first name; after hca_registry_withdraw(), last name */
	struct work_struct end; /* deletion of the device, in devices.c */
	struct hlist_node by_name;
	struct rb_node by_guid;
};

extern struct mutex hca_control_mutex;

/**
 * hca_registry_reserve() - add an entry whose device is not created yet
 * @kind: kind of the device
 * @name: name of the device, which no other entry has
 * @guids: GUIDs of the device and its ports, none of which another entry has
 * @entry: set to the entry, which only hca_registry_find_reserved() and hca_registry_find_guids()
 *         find
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0 or -ENOMEM.
 */
int hca_registry_reserve(const struct hca_kind *kind, const char *name, struct hca_guids guids,
			 struct hca_entry **entry);

/**
 * hca_registry_publish() - make a reserved entry live, after its device has been created
 * @entry: the entry, with its node, its device or both
 *
 * Context: process; the caller holds the control mutex.
 */
void hca_registry_publish(struct hca_entry *entry);

/**
 * hca_registry_withdraw() - make an entry reserved, before its device is freed
 * @entry: the entry; its ports have no links
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
 * hca_registry_find() - find a device by its current name
 * @name: the name
 *
 * Context: process; the caller holds the control mutex.
 * Return: the entry of the device; NULL if no entry has the name, or if the entry is reserved.
 */
struct hca_entry *hca_registry_find(const char *name);

/**
 * hca_registry_find_reserved() - find an entry, reserved or not, by its name
 * @name: the name
 *
 * Context: process; the caller holds the control mutex.
 * Return: the entry or NULL.
 */
struct hca_entry *hca_registry_find_reserved(const char *name);

/**
 * hca_registry_find_guids() - find an entry, reserved or not, by its GUIDs
 * @guids: range of GUIDs
 *
 * Context: process; the caller holds the control mutex.
 * Return: the entry that has a GUID in the range; if there are several such entries, the one with
 * the lowest GUIDs; NULL if there is none.
 */
struct hca_entry *hca_registry_find_guids(struct hca_guids guids);

/**
 * hca_registry_from() - find the entry with the lowest id that is at least @id
 * @id: 0 for the first entry; to get the next entry, the id of the previous one plus 1
 *
 * Context: process; the caller holds the control mutex.
 * Return: the entry, which is not a reserved one; NULL if there is none.
 */
struct hca_entry *hca_registry_from(unsigned long id);

/**
 * hca_registry_name() - return the current name of a device
 * @entry: entry of the device; may be reserved
 *
 * Context: process; the caller holds the control mutex.
 * Return: the name.
 */
const char *hca_registry_name(const struct hca_entry *entry);

/**
 * hca_registry_num_ports() - return the number of external ports of a device
 * @entry: live entry of the device
 *
 * Context: process; the caller holds the control mutex, or has begun to delete the device.
 * Return: the number; 0 if the device has no links.
 */
u32 hca_registry_num_ports(const struct hca_entry *entry);

/**
 * hca_registry_port() - find a port of a device by its number
 * @entry: live entry of the device
 * @num: the number; 0: the management port of a switch
 *
 * Context: process; the caller holds the control mutex.
 * Return: the port; NULL if the device does not have it.
 */
struct hca_port *hca_registry_port(const struct hca_entry *entry, u32 num);

/**
 * hca_registry_port_device() - return the current name of the node of a port
 * @port: the port
 *
 * Context: process; the caller holds the control mutex.
 * Return: the name.
 */
const char *hca_registry_port_device(const struct hca_port *port);

/**
 * hca_registry_peer() - return the port at the other end of a cable
 * @port: the port at one end
 *
 * Context: process; the caller holds the control mutex.
 * Return: the other port; NULL if there is no cable.
 */
struct hca_port *hca_registry_peer(const struct hca_port *port);

/**
 * hca_registry_generation() - return the registry's generation, by which dumps detect changes
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
