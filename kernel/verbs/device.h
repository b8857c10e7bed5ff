/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A channel adapter as an ib_device: the interface for kernel/control. */
#ifndef HCA_VERBS_DEVICE_H
#define HCA_VERBS_DEVICE_H

#include <linux/types.h>

struct hca_agent_ops;
struct hca_device;
struct hca_node;

/* Types of objects whose number is counted for each device. */
enum hca_object {
	HCA_OBJ_CONTEXT,
	HCA_OBJ_PD,
	HCA_OBJ_AH,
	HCA_OBJ_CQ,
	HCA_OBJ_MR,
	HCA_OBJ_MW,
	HCA_OBJ_SRQ,
	HCA_OBJ_QP,
	HCA_OBJ_RDD,
	HCA_OBJ_EEC,
	HCA_OBJ_XRCD,
	HCA_OBJ_XRC_SRQ,
	HCA_OBJ_XRC_TGT,
	HCA_OBJ_DM,
	HCA_OBJ_EVENTS,
	HCA_OBJ_DOORBELL,
	HCA_OBJ_COUNTER,
	HCA_OBJ_MEMBER, /* attachment of a process's queue pair to a multicast group */
	HCA_NUM_OBJECTS,
};

extern const char *const hca_object_names[HCA_NUM_OBJECTS];

/* Types of objects that are shown individually. */
enum hca_resource {
	HCA_RESOURCE_QP,
	HCA_RESOURCE_CQ,
	HCA_RESOURCE_SRQ,
	HCA_RESOURCE_MR,
	HCA_RESOURCE_MW,
	HCA_RESOURCE_EEC,
	HCA_NUM_RESOURCES,
};

#define HCA_RESOURCE_VALUES 64

/* Snapshot of an object. */
struct hca_resource_view {
	unsigned long id; /* identifier from 1, in the order of creation; never reused */
	u32 number; /* HCA_NL_RESOURCE_NUMBER */
	pid_t pid; /* its process, in the PID namespace of the caller; 0: none */
	char consumer[32]; /* name of the kernel consumer; empty: a process has created it */
	u64 present; /* bits: the values that exist */
	/* values by enum hca_nl_qp, or by the enum of the object's type */
	u64 value[HCA_RESOURCE_VALUES];
};

/**
 * hca_device_add() - create a channel adapter and register it with the RDMA core
 * @name: name of the ib_device, 1 to IB_DEVICE_NAME_MAX - 1 octets
 * @ports: number of ports, 1 to HCA_MAX_CA_PORTS
 * @guid: node GUID and system image GUID; port n has GUID @guid + n
 * @description: NodeDescription, truncated to HCA_NODE_DESC_BYTES octets
 * @agent: operations of its agent
 *
 * All clients of the RDMA core, such as the MAD layer, use the device when this function returns.
 *
 * Context: process, may sleep; the caller does not hold the control mutex.
 * Return: the device, or ERR_PTR: -EINVAL (name or number of ports), -EEXIST (the name is in use),
 * -ENOMEM, or the error of ib_register_device().
 */
struct hca_device *hca_device_add(const char *name, u8 ports, __be64 guid,
				  const char *description,
				  const struct hca_agent_ops *agent);

/**
 * hca_device_unregister() - unregister a channel adapter and disassociate its users
 * @dev: device, whose ports may have links
 *
 * User contexts get IB_EVENT_DEVICE_FATAL and are disassociated. Kernel consumers, such as NVMe
 * over RDMA, still reach their peers while they end their connections.
 *
 * Context: process, may sleep; the caller does not hold the control mutex.
 */
void hca_device_unregister(struct hca_device *dev);

/**
 * hca_device_free() - free a channel adapter
 * @dev: unregistered device whose ports have no links
 *
 * Context: process, may sleep; the caller does not hold the control mutex.
 */
void hca_device_free(struct hca_device *dev);

/**
 * hca_device_node() - the node of a device
 * @dev: the device
 *
 * Context: any.
 * Return: the node; it lives as long as @dev.
 */
struct hca_node *hca_device_node(struct hca_device *dev);

/**
 * hca_node_device() - the device of a node
 * @node: a node that hca_device_node() has returned
 *
 * Context: any.
 * Return: the device.
 */
struct hca_device *hca_node_device(const struct hca_node *node);

/**
 * hca_device_name() - the current name of the ib_device
 * @dev: the device
 *
 * Context: process; userspace can change the name at any time.
 * Return: the name.
 */
const char *hca_device_name(const struct hca_device *dev);

/**
 * hca_device_set_system_image_guid() - set the system image GUID of node and ib_device
 * @node: the node of a device
 * @guid: the GUID
 *
 * Context: process.
 */
void hca_device_set_system_image_guid(struct hca_node *node, __be64 guid);

/**
 * hca_device_objects() - the number of live objects of a type
 * @dev: the device
 * @type: the type
 *
 * Context: any.
 * Return: the number of objects, including those of kernel consumers.
 */
unsigned int hca_device_objects(const struct hca_device *dev, enum hca_object type);

/**
 * hca_device_resource() - take a snapshot of an object
 * @dev: the device
 * @type: the type of the object
 * @from: the lowest id
 * @admin: include keys and addresses
 * @view: the snapshot of the object with the lowest id of at least @from
 *
 * Context: process, may sleep.
 * Return: whether there is an object of that type with an id of at least @from.
 */
bool hca_device_resource(struct hca_device *dev, enum hca_resource type, unsigned long from,
			 bool admin, struct hca_resource_view *view);

#endif
