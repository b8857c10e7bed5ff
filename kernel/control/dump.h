/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What all dumps have in common: they walk devices in the order of creation. */
#ifndef HCA_CONTROL_DUMP_H
#define HCA_CONTROL_DUMP_H

#include <linux/netlink.h>
#include <linux/types.h>

struct hca_entry;

/*
 * Dump what there is of each device, in as many messages as that needs. @dump adds what fits of
 * one, from args[1] on, which is 0 at first; it sets args[1] to where to continue, and returns 0
 * when the device is complete. The control mutex is held then. args[0] is the id of the device.
 */
int hca_dump_devices(struct sk_buff *skb, struct netlink_callback *cb,
		     int (*dump)(struct sk_buff *skb, struct netlink_callback *cb,
				 const struct hca_entry *entry));

/* Start a message. Return: its header, or NULL if there is no room. */
void *hca_dump_message(struct sk_buff *skb, struct netlink_callback *cb, u8 command);

#endif
