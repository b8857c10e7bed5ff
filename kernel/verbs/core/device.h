/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A device as an ib_device, with any carrier: the interface for kernel/control. */
#ifndef HCA_VERBS_CORE_DEVICE_H
#define HCA_VERBS_CORE_DEVICE_H

#include <linux/bitops.h>
#include <linux/types.h>

struct hca_device;

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

/* Types of objects that netlink shows individually. */
enum hca_resource {
	HCA_RESOURCE_QP,
	HCA_RESOURCE_CQ,
	HCA_RESOURCE_SRQ,
	HCA_RESOURCE_MR,
	HCA_RESOURCE_MW,
	HCA_RESOURCE_EEC,
	HCA_NUM_RESOURCES,
};

#define HCA_RESOURCE_VALUES 80

/* Snapshot of an object. */
struct hca_resource_view {
	unsigned long id; /* identifier from 1, in the order of creation; never reused */
	u32 number; /* HCA_NL_RESOURCE_NUMBER */
	pid_t pid; /* process that created the object, in the caller's PID namespace; 0: none */
	char consumer[32]; /* name of the kernel consumer; empty: a process has created it */
	DECLARE_BITMAP(present, HCA_RESOURCE_VALUES); /* bit n: value[n] exists */
	/* values, indexed by the netlink enum of the object's type, such as enum hca_nl_qp */
	u64 value[HCA_RESOURCE_VALUES];
	const char *terminate; /* HCA_NL_QP_TERMINATE, a constant of the module; NULL: missing */
};

/**
 * hca_device_unregister() - unregister a device and disassociate its users
 * @dev: device, whose ports may have links
 *
 * User contexts get IB_EVENT_DEVICE_FATAL and are disassociated. Kernel consumers, such as NVMe
 * over RDMA, still reach their peers while they end their connections.
 *
 * Context: process, may sleep; the caller does not hold the control mutex.
 */
void hca_device_unregister(struct hca_device *dev);

/**
 * hca_device_free() - free a device
 * @dev: unregistered device whose ports have no links
 *
 * Context: process, may sleep; the caller does not hold the control mutex.
 */
void hca_device_free(struct hca_device *dev);

/**
 * hca_device_name() - return the current name of the ib_device
 * @dev: the device
 *
 * Context: process; userspace can change the name at any time.
 * Return: the name.
 */
const char *hca_device_name(const struct hca_device *dev);

/**
 * hca_device_objects() - return the number of live objects of a type
 * @dev: the device
 * @type: type of the objects
 *
 * Context: any.
 * Return: the number of objects, including those of kernel consumers.
 */
unsigned int hca_device_objects(const struct hca_device *dev, enum hca_object type);

/**
 * hca_device_resource() - take a snapshot of an object
 * @dev: the device
 * @type: the type of the object
 * @from: lowest id to be considered
 * @admin: whether the snapshot includes keys and addresses
 * @view: set to the snapshot of the object with the lowest id that is at least @from
 *
 * Context: process, may sleep.
 * Return: false if there is no object of that type with an id of at least @from.
 */
bool hca_device_resource(struct hca_device *dev, enum hca_resource type, unsigned long from,
			 bool admin, struct hca_resource_view *view);

#endif
