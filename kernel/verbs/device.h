/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A channel adapter as an ib_device: what control/ needs of it. */
#ifndef HCA_VERBS_DEVICE_H
#define HCA_VERBS_DEVICE_H

#include <linux/types.h>

struct hca_device;
struct hca_node;

/* Live objects of a device, counted. */
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
	HCA_OBJ_EVENTS,
	HCA_OBJ_DOORBELL,
	HCA_NUM_OBJECTS,
};

extern const char *const hca_object_names[HCA_NUM_OBJECTS];

/**
 * hca_device_add() - make a channel adapter and register it with the RDMA core
 * @name: of the ib_device, at most IB_DEVICE_NAME_MAX - 1 octets
 * @ports: 1 to HCA_MAX_CA_PORTS
 * @guid: node and system image GUID; port n has GUID @guid + n
 * @description: NodeDescription; what is longer is cut
 *
 * Clients (the MAD layer among them) are at work when this returns.
 *
 * Context: process, may sleep; the caller holds the control mutex.
 * Return: the device, or ERR_PTR: -EEXIST (name taken), -ENOMEM, what registration says.
 */
struct hca_device *hca_device_add(const char *name, u8 ports, __be64 guid,
				  const char *description);

/**
 * hca_device_del() - unregister, tear down live users, free
 * @dev: the device; its ports are unplugged
 *
 * User contexts get IB_EVENT_DEVICE_FATAL and are disassociated.
 * Context: process, may sleep; the caller holds the control mutex.
 */
void hca_device_del(struct hca_device *dev);

/* The node, for fabric and agents; and the device whose node it is. */
struct hca_node *hca_device_node(struct hca_device *dev);
struct hca_device *hca_node_device(const struct hca_node *node);

/* The name the RDMA core knows it by now (it may have been renamed). */
const char *hca_device_name(const struct hca_device *dev);

/* hca_node_set_system_image_guid(), and the core is told. Context: process. */
void hca_device_set_system_image_guid(struct hca_node *node, __be64 guid);

/* How many objects of a type are alive, the kernel's own included. Context: any. */
unsigned int hca_device_objects(const struct hca_device *dev, enum hca_object type);

#endif
