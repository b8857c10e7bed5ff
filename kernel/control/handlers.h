/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The commands of the family; called by generic netlink, in parallel, without locks. */
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

/*
 * What NAME is and, if it is given, TYPE says. The caller holds the control mutex. Return: 0, or
 * what the handler must return.
 */
int hca_device_named(struct sk_buff *skb, struct genl_info *info, struct hca_entry **entry);

/*
 * A channel adapter of one port. The caller holds the control mutex. Return: 0; -EINVAL, -EEXIST: the
 * name or the GUID is not to be had; or why it could not be registered.
 */
int hca_device_new(const char *name, u64 guid, struct hca_entry **entry);

/* Delete a node of any kind; what it is linked to loses its link. The caller holds the control mutex. */
void hca_device_end(struct hca_entry *entry);

/* Refuses attributes: those of the policy are for the one device, not for the dump. */
int hca_device_dump_start(struct netlink_callback *cb);
int hca_device_dump(struct sk_buff *skb, struct netlink_callback *cb);
int hca_link_dump(struct sk_buff *skb, struct netlink_callback *cb);

/* Delete every device, unplugged first. The caller holds no lock; there are no more commands. */
void hca_devices_del_all(void);

#endif
