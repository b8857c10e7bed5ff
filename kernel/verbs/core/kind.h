/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Kinds of devices: for each carrier, the operations of its verbs. They convert between the types
 * of the RDMA core, which a carrier does not know, and those of kernel/qp.
 */
#ifndef HCA_VERBS_CORE_KIND_H
#define HCA_VERBS_CORE_KIND_H

#include <linux/types.h>
#include "verbs/core/device.h"

struct hca_ib_context;
struct hca_ib_qp;
struct hca_qp;
struct hca_qp_attr;
struct hca_qp_counters;
struct hca_qp_init;
struct hca_resource_view;
struct ib_device;
struct ib_device_attr;
struct ib_device_ops;
struct ib_qp_attr;
struct ib_udata;
struct rdma_hw_stats;
struct sk_buff;
struct uapi_definition;

struct hca_device_kind {
	/* Operations beside those that all carriers have, and the uverbs objects and methods. */
	const struct ib_device_ops *ops;
	const struct uapi_definition *definitions;
	/*
	 * A type whose row stands for all types that are created as IB_QPT_DRIVER until it is known
	 * which one is wanted; 0: the carrier has none.
	 */
	u8 driver_type;

	/* Allocate a device by ib_alloc_device(). Return: the device; NULL if memory is short. */
	struct hca_device *(*alloc)(void);
	/*
	 * Initialize the carrier, and set @dev->ci. Context: process, may sleep. Return: 0 or
	 * -ENOMEM.
	 */
	int (*init)(struct hca_device *dev, const void *config);
	/* Free the carrier of a device that is not registered. Context: process, may sleep. */
	void (*destroy)(struct hca_device *dev);
	/*
	 * End the connections of processes, because the device is being removed; NULL:
	 * hca_ci_fail() is enough. Context: process.
	 */
	void (*fail)(struct hca_device *dev);
	/* Add the features and limits of the carrier to those that all carriers have. */
	void (*query)(struct ib_device *ib, struct ib_device_attr *attr);
	/* Set the type, the number of ports, the GUID and the description of the ib_device. */
	void (*describe)(struct hca_device *dev);

	/*
	 * Set the type and other members of @init for a queue pair of type IB_QPT_DRIVER. Context:
	 * process. Return: 0, or an error that is documented at struct hca_create_qp_req.
	 */
	int (*init_driver_qp)(struct hca_ib_qp *qp, struct ib_udata *udata,
			      struct hca_qp_init *init);
	/*
	 * Release the resources of the carrier's verbs for a queue pair that was destroyed or could
	 * not be created. Context: process.
	 */
	void (*release_qp)(struct hca_ib_qp *qp);
	/* Convert the attributes of a modify. Context: process. Return: 0 or -EINVAL. */
	int (*attr_from_ib)(struct ib_device *ib, const struct ib_qp_attr *from, int mask,
			    struct hca_qp_attr *to);
	/* Convert the result of a query. Context: process. */
	void (*attr_to_ib)(const struct hca_qp_attr *from, struct ib_qp_attr *to);
	/*
	 * Wait until a modify may be made. Context: process, may sleep. Return: 0, or -EINTR if the
	 * process is killed.
	 */
	int (*wait)(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask);
	/*
	 * Complete a modify that was made. Context: process, may sleep. NULL: there is nothing to
	 * complete.
	 */
	void (*modified)(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask);
	/*
	 * Add what only this carrier has of a queue pair to the details of `rdma res show qp -dd`.
	 * NULL: there is nothing. Context: process. Return: 0 or -EMSGSIZE.
	 */
	int (*put_details)(struct sk_buff *msg, struct hca_qp *qp);
	/*
	 * Add what only this carrier has of a queue pair to its snapshot. NULL: there is nothing.
	 * Context: process, with the lock of the table of queue pairs.
	 */
	void (*view)(struct hca_qp *qp, struct hca_resource_view *view);
	/* Store the values of counters that queue pairs are bound to. Context: any. */
	void (*report_counters)(const struct hca_qp_counters *counters, struct rdma_hw_stats *hw);
};

/**
 * hca_device_add() - create a device and register it with the RDMA core
 * @name: name of the ib_device, 1 to IB_DEVICE_NAME_MAX - 1 octets
 * @kind: kind of the device
 * @config: argument of the kind's init()
 *
 * All clients of the RDMA core, such as the MAD layer, use the device when this function returns.
 *
 * Context: process, may sleep; the caller does not hold the control mutex.
 * Return: the device, or ERR_PTR: -EINVAL (name), -EEXIST (the name is in use), -ENOMEM, or the
 * error of ib_register_device().
 */
struct hca_device *hca_device_add(const char *name, const struct hca_device_kind *kind,
				  const void *config);

#endif
