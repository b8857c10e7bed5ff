/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A channel adapter as an ib_device: the interface for kernel/control. */
#ifndef HCA_VERBS_IB_CA_H
#define HCA_VERBS_IB_CA_H

#include <linux/types.h>

struct hca_agent_ops;
struct hca_device;
struct hca_node;

/**
 * hca_ca_device_add() - create a channel adapter and register it with the RDMA core
 * @name: name of the ib_device, 1 to IB_DEVICE_NAME_MAX - 1 octets
 * @ports: number of ports, 1 to HCA_MAX_CA_PORTS
 * @guid: node GUID and system image GUID; port n has GUID @guid + n
 * @description: NodeDescription, truncated to HCA_NODE_DESC_BYTES octets
 * @agent: operations of its management agent
 *
 * All clients of the RDMA core, such as the MAD layer, use the device when this function returns.
 *
 * Context: process, may sleep; the caller does not hold the control mutex.
 * Return: the device, or ERR_PTR: -EINVAL (name or number of ports), -EEXIST (the name is in use),
 * -ENOMEM, or the error of ib_register_device().
 */
struct hca_device *hca_ca_device_add(const char *name, u8 ports, __be64 guid,
				     const char *description,
				     const struct hca_agent_ops *agent);

/**
 * hca_device_node() - return the node of a device
 * @dev: a device of hca_ca_device_add()
 *
 * Context: any.
 * Return: the node; it lives as long as @dev.
 */
struct hca_node *hca_device_node(struct hca_device *dev);

/**
 * hca_device_set_system_image_guid() - set the system image GUID of node and ib_device
 * @dev: a device of hca_ca_device_add()
 * @guid: the GUID
 *
 * Context: process.
 */
void hca_device_set_system_image_guid(struct hca_device *dev, __be64 guid);

#endif
