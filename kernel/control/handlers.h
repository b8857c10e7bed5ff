/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Handlers of the commands of the generic netlink family. They may run in parallel, and are called
 * without a lock. @skb is the request message, and @info the parsed request.
 */
#ifndef HCA_CONTROL_HANDLERS_H
#define HCA_CONTROL_HANDLERS_H

#include <linux/types.h>

struct genl_family;
struct genl_info;
struct hca_entry;
struct hca_rnic_config;
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
 * hca_device_named() - find a device by the attribute NAME and, if it is given, TYPE
 * @skb: request message of the command, as the handler got it
 * @info: parsed request, as the handler got it
 * @entry: set to the device's entry in the registry, which is live, but whose deletion may have
 *         begun
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0, or the return value of hca_refuse(), which the handler returns to netlink.
 */
int hca_device_named(struct sk_buff *skb, struct genl_info *info, struct hca_entry **entry);

/**
 * hca_device_new() - create a channel adapter of one port
 * @name: name of the device
 * @guid: node GUID of the device; the port has GUID @guid + 1
 *
 * Context: process, may sleep; the control mutex is not held.
 * Return: 0; -EINVAL if the name is not allowed; -EEXIST if another device has the name or a GUID;
 * -ENOMEM; or the error of ib_register_device().
 */
int hca_device_new(const char *name, u64 guid);

/**
 * hca_rnic_new() - create an RNIC
 * @name: name of the device
 * @guid: node GUID of the device
 * @config: interface and options
 *
 * Context: process, may sleep; the control mutex is not held.
 * Return: 0; -EINVAL if the name is not allowed; -EEXIST if another device has the name or the
 * GUID; or an error of hca_rnic_device_add().
 */
int hca_rnic_new(const char *name, u64 guid, struct hca_rnic_config *config);

/**
 * hca_device_end() - start to delete a device of any kind, unless its deletion has started already
 * @entry: entry of the device
 *
 * A worker detaches the device from its consumers, and then removes its links and the device.
 *
 * Context: process; the caller holds the control mutex.
 */
void hca_device_end(struct hca_entry *entry);

/*
 * Start a dump of devices. A dump takes no attributes. They are rejected here, because the policy
 * of HCA_CMD_DEVICE_GET allows the attributes of hca_device_get_command().
 */
int hca_device_dump_start(struct netlink_callback *cb);
int hca_device_dump(struct sk_buff *skb, struct netlink_callback *cb);
int hca_link_dump(struct sk_buff *skb, struct netlink_callback *cb);
int hca_counters_dump(struct sk_buff *skb, struct netlink_callback *cb);

/*
 * Dump all objects of one type. The command selects the type: HCA_CMD_QP_GET, HCA_CMD_CQ_GET, ...
 */
int hca_resource_dump(struct sk_buff *skb, struct netlink_callback *cb);

/**
 * hca_devices_start() - create the workqueue that deletes devices
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
