/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Handlers of the family's commands. Generic netlink calls them in parallel, with no lock held. */
#ifndef HCA_CONTROL_HANDLERS_H
#define HCA_CONTROL_HANDLERS_H

#include <linux/types.h>

struct genl_family;
struct genl_info;
struct hca_entry;
struct netlink_callback;
struct sk_buff;

extern struct genl_family hca_genl_family;

int hca_device_add_command(struct sk_buff *skb, struct genl_info *info);
int hca_device_set_command(struct sk_buff *skb, struct genl_info *info);
int hca_device_del_command(struct sk_buff *skb, struct genl_info *info);
int hca_device_get_command(struct sk_buff *skb, struct genl_info *info);
int hca_link_add_command(struct sk_buff *skb, struct genl_info *info);
int hca_link_del_command(struct sk_buff *skb, struct genl_info *info);
int hca_link_set_command(struct sk_buff *skb, struct genl_info *info);

/**
 * hca_device_named() - find the device of a command by NAME and, if given, TYPE
 * @skb: the command
 * @info: the command
 * @entry: set to the device, which has a node and may be in deletion
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0, or the value that the handler of the command returns.
 */
int hca_device_named(struct sk_buff *skb, struct genl_info *info, struct hca_entry **entry);

/**
 * hca_device_new() - create a channel adapter of one port
 * @name: its name
 * @guid: its node GUID
 *
 * Context: process, may sleep; the control mutex is not held.
 * Return: 0; -EINVAL if the name is not allowed; -EEXIST if another device has the name or a GUID;
 * or the error of its registration.
 */
int hca_device_new(const char *name, u64 guid);

/**
 * hca_device_end() - begin to delete a device of any kind, unless its deletion has begun
 * @entry: the device, which is removed with its links as soon as its consumers have left it
 *
 * Context: process; the caller holds the control mutex.
 */
void hca_device_end(struct hca_entry *entry);

/* Start a dump. Attributes are rejected: the policy is for the do handler of HCA_CMD_DEVICE_GET. */
int hca_device_dump_start(struct netlink_callback *cb);
int hca_device_dump(struct sk_buff *skb, struct netlink_callback *cb);
int hca_link_dump(struct sk_buff *skb, struct netlink_callback *cb);
int hca_counters_dump(struct sk_buff *skb, struct netlink_callback *cb);

/* Dump the objects that the command selects: HCA_CMD_QP_GET and others. */
int hca_resource_dump(struct sk_buff *skb, struct netlink_callback *cb);

/**
 * hca_devices_start() - prepare for deletions of devices
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int hca_devices_start(void);

/**
 * hca_devices_stop() - remove all links and delete all devices
 *
 * Context: process, may sleep; no lock held; commands have ended.
 */
void hca_devices_stop(void);

#endif
