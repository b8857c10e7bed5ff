// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The doorbell: a file whose write() makes the engine process queue pairs (req V3-138).
 *
 * The file may outlive its context and its device, but not the module, on which it holds a
 * reference. The adapter is accessed only with bottom halves disabled, which is an RCU read-side
 * critical section: hca_device_free() waits for a grace period before it frees anything.
 */
#include "verbs/core/doorbell.h"
#include <linux/bottom_half.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include <rdma/hca-abi.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/uverbs_types.h>
#include "engine/run.h"
#include "qp/ci.h"
#include "qp/limits.h"
#include "qp/qp.h"
#include "verbs/core/context.h"
#include "verbs/core/hca_device.h"
#include "verbs/core/objects.h"

#define UVERBS_MODULE_NAME hca
#include <rdma/uverbs_named_ioctl.h>

struct doorbell {
	struct ib_uobject uobject;
	struct hca_ci *ci; /* NULL: the context or the device was removed */
	const void *owner;
};

/* Number of QP numbers that are copied from the process at a time. */
#define BATCH 64
/* Maximum number of octets of a write(); a longer write is partial. */
#define MAX_BYTES (HCA_MAX_QP * sizeof(u32))

/*
 * Rings the doorbell of @n queue pairs, but stops at the first invalid number. A queue pair of
 * another context is treated as if it did not exist (req V3-185). Return: 0; -ENOENT if there is no
 * such queue pair; -EIO if the device is gone.
 */
static int doorbell_ring(struct doorbell *db, const u32 *qpn, unsigned int n)
{
	struct hca_ci *ci;
	struct hca_qp *qp;
	int ret = 0;

	local_bh_disable();
	ci = READ_ONCE(db->ci);
	if (unlikely(!ci)) {
		ret = -EIO;
		goto out;
	}
	for (; n; n--, qpn++) {
		/*
		 * The queue pair may be being destroyed: RCU keeps its memory, and a kick does
		 * nothing.
		 */
		qp = hca_qp_find(ci, *qpn);
		if (unlikely(!qp)) {
			ret = -ENOENT;
			break;
		}
		if (likely(qp->owner == db->owner))
			hca_qp_kick(qp);
		else
			ret = -ENOENT;
		if (unlikely(ret))
			break;
	}
	hca_engine_run();
out:
	local_bh_enable();
	return ret;
}

static int doorbell_ring_many(struct doorbell *db, const u32 __user *user, size_t n)
{
	u32 qpn[BATCH];
	size_t batch;
	int ret;

	for (; n; n -= batch, user += batch) {
		batch = min_t(size_t, n, BATCH);
		if (copy_from_user(qpn, user, batch * sizeof(*qpn)))
			return -EFAULT;
		ret = doorbell_ring(db, qpn, batch);
		if (ret)
			return ret;
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
	}
	return 0;
}

static ssize_t doorbell_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	struct doorbell *db = container_of(file->private_data, struct doorbell, uobject);
	const u32 __user *user = (const u32 __user *)buf;
	u32 qpn;
	int ret;

	if (likely(count == sizeof(qpn))) {
		if (get_user(qpn, user))
			return -EFAULT;
		ret = doorbell_ring(db, &qpn, 1);
		return ret ?: sizeof(qpn);
	}
	if (!count || count % sizeof(qpn))
		return -EINVAL;
	count = min_t(size_t, count, MAX_BYTES);
	ret = doorbell_ring_many(db, user, count / sizeof(qpn));
	return ret ?: count;
}

static const struct file_operations doorbell_fops = {
	.owner = THIS_MODULE,
	.write = doorbell_write,
	.release = uverbs_uobject_fd_release,
};

static int UVERBS_HANDLER(HCA_METHOD_DOORBELL_ALLOC)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobject = uverbs_attr_get_uobject(attrs, HCA_ATTR_DOORBELL_ALLOC_FD);
	struct doorbell *db = container_of(uobject, struct doorbell, uobject);
	struct ib_device *ib = uobject->context->device;
	int ret;

	ret = hca_user_object_add(ib, to_hca_ib_context(uobject->context)->user,
				  HCA_OBJ_DOORBELL);
	if (ret)
		return ret;
	db->ci = to_hca_device(ib)->ci;
	db->owner = uobject->context;
	return 0;
}

static void doorbell_destroy(struct ib_uobject *uobject, enum rdma_remove_reason why)
{
	struct doorbell *db = container_of(uobject, struct doorbell, uobject);

	WRITE_ONCE(db->ci, NULL);
	hca_user_object_del(uobject->context->device, to_hca_ib_context(uobject->context)->user,
			    HCA_OBJ_DOORBELL);
}

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_DOORBELL_ALLOC,
			    UVERBS_ATTR_FD(HCA_ATTR_DOORBELL_ALLOC_FD, HCA_OBJECT_DOORBELL,
					   UVERBS_ACCESS_NEW, UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(HCA_OBJECT_DOORBELL,
			    UVERBS_TYPE_ALLOC_FD(sizeof(struct doorbell), doorbell_destroy,
						 &doorbell_fops, "[hca_doorbell]", O_WRONLY),
			    &UVERBS_METHOD(HCA_METHOD_DOORBELL_ALLOC));

const struct uapi_definition hca_doorbell_definitions[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(HCA_OBJECT_DOORBELL),
	{},
};
