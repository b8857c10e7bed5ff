/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The common part of all netlink dumps. Devices are dumped in the order of their creation. */
#ifndef HCA_CONTROL_DUMP_H
#define HCA_CONTROL_DUMP_H

#include <linux/netlink.h>
#include <linux/types.h>

struct hca_entry;

/*
 * Dump all devices, each in as many messages as it needs. cb->args[0] is the id of the device to
 * continue with. cb->args[1] is the position in this device, such as the number of a port; each
 * device begins with 0. @dump adds messages as long as they fit into @skb, advances cb->args[1],
 * and returns 0 when the device is complete. @dump is called with the control mutex held. Return:
 * the length of @skb; if @skb is empty, the last return value of @dump, or 0 without a device.
 */
int hca_dump_devices(struct sk_buff *skb, struct netlink_callback *cb,
		     int (*dump)(struct sk_buff *skb, struct netlink_callback *cb,
				 const struct hca_entry *entry));

/* Start a message in @skb. Return: the header of the message; NULL if @skb has no room. */
void *hca_dump_message(struct sk_buff *skb, struct netlink_callback *cb, u8 command);

#endif
