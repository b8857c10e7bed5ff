/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What there is: the devices, and through their ports the cables.
 *
 * One mutex, the control mutex, guards the list and every plugging and unplugging.
 * Whoever calls a function of this header holds it. Commands of administrators are
 * rare, so nothing is finer than that. It is taken inside of netlink's own locks
 * and outside of all others.
 */
#ifndef HCA_CONTROL_REGISTRY_H
#define HCA_CONTROL_REGISTRY_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct hca_device;
struct hca_node;
struct hca_port;

struct hca_entry {
	struct list_head list;
	struct hca_device *dev;
	u32 id; /* from 1, in the order of the list, never given twice */
};

extern struct mutex hca_control_mutex;

/* Take up a new device. Return: 0 or -ENOMEM, then @dev is the caller's. */
int hca_registry_add(struct hca_device *dev);

/* Forget a device; its entry is freed, the device is the caller's. */
void hca_registry_del(struct hca_entry *entry);

/* By the name the RDMA core knows now. Return: NULL if there is none. */
struct hca_entry *hca_registry_find(const char *name);

/* The first with an id of at least @id, NULL: none. */
struct hca_entry *hca_registry_from(u32 id);

/* Whose node it is. */
struct hca_entry *hca_registry_owner(const struct hca_node *node);

/* The port at the other end of the cable, NULL: none. */
struct hca_port *hca_registry_peer(const struct hca_port *port);

/* The current name of the device a port belongs to. */
const char *hca_registry_port_device(const struct hca_port *port);

/* Changes whenever a device or a cable comes or goes; never 0. For consistent dumps. */
u32 hca_registry_generation(void);
void hca_registry_changed(void);

#endif
