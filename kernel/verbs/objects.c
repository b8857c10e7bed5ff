// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Live objects of a device, counted by type. */
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
