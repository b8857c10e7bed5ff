// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Counts the live objects of a device and of a context by type, and enforces their limits. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/moduleparam.h>
#include "verbs/verbs.h"

const char *const hca_object_names[HCA_NUM_OBJECTS] = {
	[HCA_OBJ_CONTEXT] = "context",
	[HCA_OBJ_PD] = "pd",
	[HCA_OBJ_AH] = "ah",
	[HCA_OBJ_CQ] = "cq",
	[HCA_OBJ_MR] = "mr",
	[HCA_OBJ_MW] = "mw",
	[HCA_OBJ_SRQ] = "srq",
	[HCA_OBJ_QP] = "qp",
	[HCA_OBJ_RDD] = "rdd",
	[HCA_OBJ_EEC] = "eec",
	[HCA_OBJ_XRCD] = "xrcd",
	[HCA_OBJ_XRC_SRQ] = "xrc_srq",
	[HCA_OBJ_XRC_TGT] = "xrc_tgt",
	[HCA_OBJ_DM] = "dm",
	[HCA_OBJ_EVENTS] = "events",
	[HCA_OBJ_DOORBELL] = "doorbell",
	[HCA_OBJ_COUNTER] = "counter",
};

/* Limits of a device; 0: no limit. The QP number table limits the number of queue pairs. */
static const int limits[HCA_NUM_OBJECTS] = {
	[HCA_OBJ_PD] = HCA_MAX_PD,
	[HCA_OBJ_AH] = HCA_MAX_AH,
	[HCA_OBJ_CQ] = HCA_MAX_CQ,
	[HCA_OBJ_MR] = HCA_MAX_MR - 1, /* key 0 is not allocated */
	[HCA_OBJ_MW] = HCA_MAX_MW,
	[HCA_OBJ_SRQ] = HCA_MAX_SRQ,
	[HCA_OBJ_RDD] = HCA_MAX_RDD,
	[HCA_OBJ_EEC] = HCA_MAX_EEC,
	[HCA_OBJ_XRCD] = HCA_MAX_XRCD,
	[HCA_OBJ_XRC_SRQ] = HCA_MAX_XRC_SRQ,
	[HCA_OBJ_XRC_TGT] = HCA_MAX_XRC_TGT,
	[HCA_OBJ_DM] = HCA_MAX_DM,
	[HCA_OBJ_COUNTER] = HCA_MAX_COUNTER,
};

/* Limits of a context, so that no single context can exhaust the limits of the device. */
static unsigned int context_limits[HCA_NUM_OBJECTS] = {
	[HCA_OBJ_CQ] = HCA_MAX_CQ / 4,
	[HCA_OBJ_SRQ] = HCA_MAX_SRQ / 4,
	[HCA_OBJ_QP] = HCA_MAX_QP / 4,
	[HCA_OBJ_EEC] = HCA_MAX_EEC / 4,
	[HCA_OBJ_XRC_SRQ] = HCA_MAX_XRC_SRQ / 4,
	[HCA_OBJ_DM] = HCA_MAX_DM / 4,
};
module_param_named(context_cqs, context_limits[HCA_OBJ_CQ], uint, 0644);
MODULE_PARM_DESC(context_cqs, "completion queues of a user context, at most (default 16384)");
module_param_named(context_srqs, context_limits[HCA_OBJ_SRQ], uint, 0644);
MODULE_PARM_DESC(context_srqs, "shared receive queues of a user context, at most (default 16384)");
module_param_named(context_qps, context_limits[HCA_OBJ_QP], uint, 0644);
MODULE_PARM_DESC(context_qps, "queue pairs of a user context, at most (default 4096)");
module_param_named(context_eecs, context_limits[HCA_OBJ_EEC], uint, 0644);
MODULE_PARM_DESC(context_eecs, "EE contexts of a user context, at most (default 1024)");
module_param_named(context_xrc_srqs, context_limits[HCA_OBJ_XRC_SRQ], uint, 0644);
MODULE_PARM_DESC(context_xrc_srqs, "XRC SRQs of a user context, at most (default 1024)");
module_param_named(context_dms, context_limits[HCA_OBJ_DM], uint, 0644);
MODULE_PARM_DESC(context_dms, "device memories of a user context, at most (default 1024)");

int hca_object_add(struct ib_device *ib, enum hca_object type)
{
	atomic_t *count = &to_hca_device(ib)->objects[type];

	if (limits[type])
		return atomic_add_unless(count, 1, limits[type]) ? 0 : -ENOMEM;
	atomic_inc(count);
	return 0;
}

void hca_object_del(struct ib_device *ib, enum hca_object type)
{
	atomic_dec(&to_hca_device(ib)->objects[type]);
}

unsigned int hca_device_objects(const struct hca_device *dev, enum hca_object type)
{
	return atomic_read(&dev->objects[type]);
}

/**
 * hca_context_object_add() - count an object of a type that also has a limit for each context
 * @ib: device
 * @context: context that owns the object; NULL: a kernel consumer, which has no such limit
 * @type: type of the object, one with a module parameter
 *
 * Lowering a limit does not affect existing objects.
 *
 * Context: process.
 * Return: 0, or -ENOMEM if a limit is reached.
 */
int hca_context_object_add(struct ib_device *ib, struct hca_ib_context *context,
			   enum hca_object type)
{
	unsigned int limit = READ_ONCE(context_limits[type]);
	int ret;

	if (context && atomic_inc_return(&context->objects[type]) > limit) {
		atomic_dec(&context->objects[type]);
		return -ENOMEM;
	}
	ret = hca_object_add(ib, type);
	if (ret && context)
		atomic_dec(&context->objects[type]);
	return ret;
}

void hca_context_object_del(struct ib_device *ib, struct hca_ib_context *context,
			    enum hca_object type)
{
	hca_object_del(ib, type);
	if (context)
		atomic_dec(&context->objects[type]);
}

/* Warns of objects that should have been destroyed before the device is removed (req V3-130). */
void hca_objects_report(const struct hca_device *dev)
{
	unsigned int type, count;

	for (type = 0; type < HCA_NUM_OBJECTS; type++) {
		count = hca_device_objects(dev, type);
		if (count)
			pr_warn("%s is going with %u left of type %s\n", hca_device_name(dev),
				count, hca_object_names[type]);
	}
}
