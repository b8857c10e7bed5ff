// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Numbers of live objects by type, and their limits, for each device, user and context. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include "verbs/core/objects.h"
#include <linux/moduleparam.h>
#include "qp/limits.h"
#include "verbs/core/context.h"
#include "verbs/core/hca_device.h"
#include "verbs/core/user.h"

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
	[HCA_OBJ_MEMBER] = "multicast_member",
};

/*
 * Maximum number of objects of each type in a device; 0: no limit here. The number of queue pairs
 * is limited by the size of the table of QPNs.
 */
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
	[HCA_OBJ_MEMBER] = HCA_MAX_MEMBERS,
};

/* Limits of a context, so that no single context can exhaust the limits of the device. */
static unsigned int context_limits[HCA_NUM_OBJECTS] = {
	[HCA_OBJ_PD] = HCA_MAX_PD / 4,
	[HCA_OBJ_AH] = HCA_MAX_AH / 16,
	[HCA_OBJ_CQ] = HCA_MAX_CQ / 4,
	[HCA_OBJ_MR] = HCA_MAX_MR / 4,
	[HCA_OBJ_MW] = HCA_MAX_MW / 4,
	[HCA_OBJ_SRQ] = HCA_MAX_SRQ / 4,
	[HCA_OBJ_QP] = HCA_MAX_QP / 8 * 5,
	[HCA_OBJ_EEC] = HCA_MAX_EEC / 4,
	[HCA_OBJ_XRC_SRQ] = HCA_MAX_XRC_SRQ / 4,
	[HCA_OBJ_DM] = HCA_MAX_DM / 4,
};

/*
 * Limits of a user, over all processes and contexts, so that a user cannot exhaust the limits of
 * the device either.
 */
static unsigned int user_limits[HCA_NUM_OBJECTS] = {
	[HCA_OBJ_CONTEXT] = 4096,
	[HCA_OBJ_PD] = HCA_MAX_PD / 4,
	[HCA_OBJ_AH] = HCA_MAX_AH / 4,
	[HCA_OBJ_CQ] = HCA_MAX_CQ / 2,
	[HCA_OBJ_MR] = HCA_MAX_MR / 2,
	[HCA_OBJ_MW] = HCA_MAX_MW / 2,
	[HCA_OBJ_SRQ] = HCA_MAX_SRQ / 4,
	[HCA_OBJ_QP] = HCA_MAX_QP / 8 * 5,
	[HCA_OBJ_RDD] = HCA_MAX_RDD / 4,
	[HCA_OBJ_EEC] = HCA_MAX_EEC / 4,
	[HCA_OBJ_XRCD] = HCA_MAX_XRCD / 4,
	[HCA_OBJ_XRC_SRQ] = HCA_MAX_XRC_SRQ / 4,
	[HCA_OBJ_XRC_TGT] = HCA_MAX_XRC_TGT / 4,
	[HCA_OBJ_DM] = HCA_MAX_DM / 4,
	[HCA_OBJ_EVENTS] = 4096,
	[HCA_OBJ_DOORBELL] = 4096,
	[HCA_OBJ_COUNTER] = HCA_MAX_COUNTER / 4,
	[HCA_OBJ_MEMBER] = HCA_MAX_GROUPS / 4,
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
LIMIT(context, qps, HCA_OBJ_QP, "queue pairs of a user context", "10240");
LIMIT(context, eecs, HCA_OBJ_EEC, "EE contexts of a user context", "1024");
LIMIT(context, xrc_srqs, HCA_OBJ_XRC_SRQ, "XRC SRQs of a user context", "1024");
LIMIT(context, dms, HCA_OBJ_DM, "device memories of a user context", "1024");
LIMIT(user, contexts, HCA_OBJ_CONTEXT, "open devices of a user", "4096");
LIMIT(user, pds, HCA_OBJ_PD, "protection domains of a user", "16384");
LIMIT(user, ahs, HCA_OBJ_AH, "address handles of a user", "262144");
LIMIT(user, cqs, HCA_OBJ_CQ, "completion queues of a user", "32768");
LIMIT(user, mrs, HCA_OBJ_MR, "memory regions of a user", "32768");
LIMIT(user, mws, HCA_OBJ_MW, "memory windows of a user", "32768");
LIMIT(user, srqs, HCA_OBJ_SRQ, "shared receive queues of a user", "16384");
LIMIT(user, qps, HCA_OBJ_QP, "queue pairs of a user", "10240");
LIMIT(user, rdds, HCA_OBJ_RDD, "reliable datagram domains of a user", "16384");
LIMIT(user, eecs, HCA_OBJ_EEC, "EE contexts of a user", "1024");
LIMIT(user, xrc_srqs, HCA_OBJ_XRC_SRQ, "XRC SRQs of a user", "1024");
LIMIT(user, dms, HCA_OBJ_DM, "device memories of a user", "1024");
LIMIT(user, events, HCA_OBJ_EVENTS, "files of EE contexts' events of a user", "4096");
LIMIT(user, doorbells, HCA_OBJ_DOORBELL, "doorbells of a user", "4096");
LIMIT(user, counters, HCA_OBJ_COUNTER, "counters of a user's queue pairs", "256");
LIMIT(user, members, HCA_OBJ_MEMBER, "multicast attachments of a user's queue pairs", "1024");
LIMIT(user, xrcds, HCA_OBJ_XRCD, "XRC domains of a user", "16384");
LIMIT(user, xrc_tgts, HCA_OBJ_XRC_TGT, "XRC target queue pairs of a user", "2048");
#undef LIMIT

/* Adds 1 to a count. Return: false, and the count is unchanged, if the limit is reached. */
static bool object_count_up(atomic_t *count, unsigned int limit)
{
	int old = atomic_read(count);

	do {
		if ((unsigned int)old >= limit)
			return false;
	} while (!atomic_try_cmpxchg(count, &old, old + 1));
	return true;
}

static bool object_user_is_root(const struct hca_user *user)
{
	return !user || hca_user_is_root(user);
}

static unsigned int object_user_limit(const struct hca_user *user, enum hca_object type)
{
	return object_user_is_root(user) ? INT_MAX : READ_ONCE(user_limits[type]);
}

/* Returns the limit of a device for a user. It is higher for root and for the kernel (NULL). */
static unsigned int object_device_limit(const struct hca_user *user, enum hca_object type)
{
	if (!limits[type])
		return INT_MAX;
	return object_user_is_root(user) ? limits[type] : HCA_FOR_USERS(limits[type]);
}

/*
 * Returns whether QPNs are left for a user. Queue pairs and XRC targets share the table of QPNs. A
 * part of the table is reserved for root and the kernel.
 */
static bool object_qpns_are_left(struct hca_device *dev, const struct hca_user *user)
{
	return object_user_is_root(user) ||
	       hca_device_objects(dev, HCA_OBJ_QP) + hca_device_objects(dev, HCA_OBJ_XRC_TGT) <=
	       HCA_FOR_USERS(HCA_MAX_QP);
}

static int object_add_to_device(struct hca_device *dev, const struct hca_user *user,
				enum hca_object type)
{
	if (!object_count_up(&dev->objects[type], object_device_limit(user, type)))
		return -ENOMEM;
	if ((type != HCA_OBJ_QP && type != HCA_OBJ_XRC_TGT) || object_qpns_are_left(dev, user))
		return 0;
	atomic_dec(&dev->objects[type]);
	return -ENOMEM;
}

/**
 * hca_user_object_add() - count an object of a user
 * @ib: device
 * @user: the user that creates the object; NULL: the kernel, which has no such limit
 * @type: type of the object
 *
 * Root has only the limit of the device. Lowering a limit does not affect existing objects.
 *
 * Context: process.
 * Return: 0, or -ENOMEM if a limit is reached.
 */
int hca_user_object_add(struct ib_device *ib, struct hca_user *user, enum hca_object type)
{
	int ret;

	if (user && !object_count_up(&user->objects[type], object_user_limit(user, type)))
		return -ENOMEM;
	ret = object_add_to_device(to_hca_device(ib), user, type);
	if (ret && user)
		atomic_dec(&user->objects[type]);
	return ret;
}

void hca_user_object_del(struct ib_device *ib, struct hca_user *user, enum hca_object type)
{
	atomic_dec(&to_hca_device(ib)->objects[type]);
	if (user)
		atomic_dec(&user->objects[type]);
}

unsigned int hca_device_objects(const struct hca_device *dev, enum hca_object type)
{
	return atomic_read(&dev->objects[type]);
}

static struct hca_user *object_user_of(struct hca_ib_context *context)
{
	return context ? context->user : NULL;
}

/**
 * hca_context_object_add() - count an object of a type that also has a limit for each context
 * @ib: device
 * @context: context that owns the object; NULL: a kernel consumer, which has no such limit
 * @type: type of the object, one of those with an entry in context_limits
 *
 * Lowering a limit does not affect existing objects.
 *
 * Context: process.
 * Return: 0, or -ENOMEM if a limit is reached.
 */
int hca_context_object_add(struct ib_device *ib, struct hca_ib_context *context,
			   enum hca_object type)
{
	int ret;

	if (context && !object_count_up(&context->objects[type], READ_ONCE(context_limits[type])))
		return -ENOMEM;
	ret = hca_user_object_add(ib, object_user_of(context), type);
	if (ret && context)
		atomic_dec(&context->objects[type]);
	return ret;
}

void hca_context_object_del(struct ib_device *ib, struct hca_ib_context *context,
			    enum hca_object type)
{
	hca_user_object_del(ib, object_user_of(context), type);
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
			pr_warn("%s is going with %u left of type %s\n", dev->ib.name, count,
				hca_object_names[type]);
	}
}
