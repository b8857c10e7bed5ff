/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The common part of all dumps: they walk devices in the order of creation. */
#ifndef HCA_CONTROL_DUMP_H
#define HCA_CONTROL_DUMP_H

#include <linux/netlink.h>
#include <linux/types.h>

struct hca_entry;

/*
 * Dump all devices, each in as many messages as it needs. @dump adds the parts of a device that fit
 * into the message, from args[1] on, which is 0 at first. It sets args[1] to the part to continue
 * with, and returns 0 when the device is complete. The control mutex is held during @dump. args[0]
 * is the id of the device.
 */
int hca_dump_devices(struct sk_buff *skb, struct netlink_callback *cb,
		     int (*dump)(struct sk_buff *skb, struct netlink_callback *cb,
				 const struct hca_entry *entry));

/* Start a message. Return: its header, or NULL if there is no room. */
void *hca_dump_message(struct sk_buff *skb, struct netlink_callback *cb, u8 command);

#endif
