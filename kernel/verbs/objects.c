// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Live objects of a device, counted by type. */
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
	[HCA_OBJ_EVENTS] = "events",
	[HCA_OBJ_DOORBELL] = "doorbell",
};

/* 0: no limit here. Queue pairs are limited by the table of their numbers. */
static const int limits[HCA_NUM_OBJECTS] = {
	[HCA_OBJ_PD] = HCA_MAX_PD,
	[HCA_OBJ_AH] = HCA_MAX_AH,
	[HCA_OBJ_CQ] = HCA_MAX_CQ,
	[HCA_OBJ_MR] = HCA_MAX_MR - 1, /* key 0 is given to nobody */
	[HCA_OBJ_MW] = HCA_MAX_MW,
	[HCA_OBJ_SRQ] = HCA_MAX_SRQ,
	[HCA_OBJ_RDD] = HCA_MAX_RDD,
	[HCA_OBJ_EEC] = HCA_MAX_EEC,
};

/* So that one context does not have all that there are. */
static unsigned int context_limits[HCA_NUM_OBJECTS] = {
	[HCA_OBJ_CQ] = HCA_MAX_CQ / 4,
	[HCA_OBJ_SRQ] = HCA_MAX_SRQ / 4,
	[HCA_OBJ_QP] = HCA_MAX_QP / 4,
	[HCA_OBJ_EEC] = HCA_MAX_EEC / 4,
};
module_param_named(context_cqs, context_limits[HCA_OBJ_CQ], uint, 0644);
MODULE_PARM_DESC(context_cqs, "completion queues that a process may have by one open device (default 16384)");
module_param_named(context_srqs, context_limits[HCA_OBJ_SRQ], uint, 0644);
MODULE_PARM_DESC(context_srqs, "shared receive queues by one open device (default 16384)");
module_param_named(context_qps, context_limits[HCA_OBJ_QP], uint, 0644);
MODULE_PARM_DESC(context_qps, "queue pairs by one open device (default 4096)");
module_param_named(context_eecs, context_limits[HCA_OBJ_EEC], uint, 0644);
MODULE_PARM_DESC(context_eecs, "EE contexts by one open device (default 1024)");

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
 * hca_context_object_add() - count an object that a context's limit holds for as well
 * @ib: the device
 * @context: whose it is; NULL: the kernel's, which no such limit holds for
 * @type: one with a module parameter
 *
 * A limit that is lowered takes nothing away. Context: process. Return: 0 or -ENOMEM.
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

/* Complain about what should have gone with its last user (V3-130). */
void hca_objects_report(const struct hca_device *dev)
{
	unsigned int type, count;

	for (type = 0; type < HCA_NUM_OBJECTS; type++) {
		count = hca_device_objects(dev, type);
		if (count)
			pr_warn("hca: %s is going with %u left of type %s\n", hca_device_name(dev),
				count, hca_object_names[type]);
	}
}
