// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Counts live objects of a device, of a context and of a user by type; enforces their limits. */
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
	[HCA_OBJ_PD] = HCA_MAX_PD / 4,
	[HCA_OBJ_AH] = HCA_MAX_AH / 16,
	[HCA_OBJ_CQ] = HCA_MAX_CQ / 4,
	[HCA_OBJ_MR] = HCA_MAX_MR / 4,
	[HCA_OBJ_MW] = HCA_MAX_MW / 4,
	[HCA_OBJ_SRQ] = HCA_MAX_SRQ / 4,
	[HCA_OBJ_QP] = HCA_MAX_QP / 4,
	[HCA_OBJ_EEC] = HCA_MAX_EEC / 4,
	[HCA_OBJ_XRC_SRQ] = HCA_MAX_XRC_SRQ / 4,
	[HCA_OBJ_DM] = HCA_MAX_DM / 4,
};

/* Limits of a user, for what can outlive the context that has made it. */
static unsigned int user_limits[HCA_NUM_OBJECTS] = {
	[HCA_OBJ_XRCD] = HCA_MAX_XRCD / 4,
	[HCA_OBJ_XRC_TGT] = HCA_MAX_XRC_TGT / 4,
};

#define LIMIT(of, name, type, what, default) \
	module_param_named(of##_##name, of##_limits[type], uint, 0644); \
	MODULE_PARM_DESC(of##_##name, what ", at most (default " default ")")
LIMIT(context, pds, HCA_OBJ_PD, "protection domains of a user context", "16384");
LIMIT(context, ahs, HCA_OBJ_AH, "address handles of a user context", "65536");
LIMIT(context, cqs, HCA_OBJ_CQ, "completion queues of a user context", "16384");
LIMIT(context, mrs, HCA_OBJ_MR, "memory regions of a user context", "16384");
LIMIT(context, mws, HCA_OBJ_MW, "memory windows of a user context", "16384");
LIMIT(context, srqs, HCA_OBJ_SRQ, "shared receive queues of a user context", "16384");
LIMIT(context, qps, HCA_OBJ_QP, "queue pairs of a user context", "4096");
LIMIT(context, eecs, HCA_OBJ_EEC, "EE contexts of a user context", "1024");
LIMIT(context, xrc_srqs, HCA_OBJ_XRC_SRQ, "XRC SRQs of a user context", "1024");
LIMIT(context, dms, HCA_OBJ_DM, "device memories of a user context", "1024");
LIMIT(user, xrcds, HCA_OBJ_XRCD, "XRC domains of a user", "16384");
LIMIT(user, xrc_tgts, HCA_OBJ_XRC_TGT, "XRC target queue pairs of a user", "2048");
#undef LIMIT

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

void hca_users_init(struct hca_device *dev)
{
	mutex_init(&dev->users_lock);
	xa_init(&dev->users);
}

void hca_users_destroy(struct hca_device *dev)
{
	xa_destroy(&dev->users);
	mutex_destroy(&dev->users_lock);
}

static unsigned long user_index(kuid_t user, enum hca_object type)
{
	return (unsigned long)type << 32 | __kuid_val(user);
}

static unsigned long user_count(struct hca_device *dev, unsigned long index)
{
	void *value = xa_load(&dev->users, index);

	return value ? xa_to_value(value) : 0;
}

static int user_add(struct hca_device *dev, unsigned long index, unsigned int limit)
{
	unsigned long count;
	int ret = -ENOMEM;

	mutex_lock(&dev->users_lock);
	count = user_count(dev, index);
	if (count < limit)
		ret = xa_err(xa_store(&dev->users, index, xa_mk_value(count + 1), GFP_KERNEL));
	mutex_unlock(&dev->users_lock);
	return ret;
}

/* An entry that changes needs no memory, and neither does one that goes. */
static void user_del(struct hca_device *dev, unsigned long index)
{
	unsigned long count;

	mutex_lock(&dev->users_lock);
	count = user_count(dev, index) - 1;
	if (count)
		xa_store(&dev->users, index, xa_mk_value(count), GFP_KERNEL);
	else
		xa_erase(&dev->users, index);
	mutex_unlock(&dev->users_lock);
}

/**
 * hca_user_object_add() - count an object of a type that also has a limit for each user
 * @ib: device
 * @user: user that creates the object
 * @type: type of the object, one with such a limit
 *
 * Context: process.
 * Return: 0, or -ENOMEM if a limit is reached.
 */
int hca_user_object_add(struct ib_device *ib, kuid_t user, enum hca_object type)
{
	struct hca_device *dev = to_hca_device(ib);
	unsigned long index = user_index(user, type);
	int ret;

	ret = user_add(dev, index, READ_ONCE(user_limits[type]));
	if (ret)
		return ret;
	ret = hca_object_add(ib, type);
	if (ret)
		user_del(dev, index);
	return ret;
}

void hca_user_object_del(struct ib_device *ib, kuid_t user, enum hca_object type)
{
	hca_object_del(ib, type);
	user_del(to_hca_device(ib), user_index(user, type));
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
