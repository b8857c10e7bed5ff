// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Counters to which rdma-statistic(8) binds queue pairs, manually or automatically. The RDMA core
 * adds the values of existing and of deallocated counters to those of the port. Therefore the
 * losses of a bound queue pair are counted by its counter and not by its port.
 */
#include "verbs/queue/qp_counter.h"
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "compat.h"
#include "qp/ci.h"
#include "qp/view.h"
#include "verbs/core/hca_device.h"
#include "verbs/core/kind.h"
#include "verbs/core/objects.h"
#include "verbs/core/user.h"
#include "verbs/queue/ib_qp.h"

struct counter {
	struct hca_qp_counters counters;
	/* user for whom the counter is counted: root if it was bound manually; or the QP's user */
	struct hca_user *user;
};

void hca_counter_table_init(struct hca_device *dev)
{
	xa_init_flags(&dev->counters, XA_FLAGS_ALLOC1);
}

static void counter_free(struct hca_device *dev, struct counter *own)
{
	hca_user_object_del(&dev->ib, own->user, HCA_OBJ_COUNTER);
	hca_user_put(own->user);
	kfree_rcu(own, counters.rcu);
}

/*
 * Frees the remaining counters. The RDMA core may forget to deallocate a counter if a queue pair is
 * destroyed while it is being bound.
 */
void hca_counter_table_destroy(struct hca_device *dev)
{
	struct counter *own;
	unsigned long id;

	xa_for_each(&dev->counters, id, own)
		counter_free(dev, own);
	xa_destroy(&dev->counters);
}

static struct counter *counter_new(struct hca_device *dev)
{
	struct counter *own = kzalloc(sizeof(*own), GFP_KERNEL);

	if (!own)
		return NULL;
	own->user = hca_user_get(&dev->users);
	if (!own->user)
		goto err_user;
	if (hca_user_object_add(&dev->ib, own->user, HCA_OBJ_COUNTER))
		goto err_object;
	return own;

err_object:
	hca_user_put(own->user);
err_user:
	kfree(own);
	return NULL;
}

/*
 * Allocates a counter's values and its number. Numbers are not reused soon, because the RDMA core
 * may still query the values of a deallocated counter.
 */
static int counter_add(struct hca_device *dev, struct rdma_counter *counter)
{
	struct counter *own = counter_new(dev);
	int ret;

	if (!own)
		return -ENOMEM;
	ret = xa_alloc_cyclic(&dev->counters, &counter->id, own, xa_limit_31b, &dev->next_counter,
			      GFP_KERNEL);
	if (ret >= 0)
		return 0;
	counter->id = 0;
	counter_free(dev, own);
	return ret;
}

static void counter_remove(struct hca_device *dev, struct rdma_counter *counter)
{
	struct counter *own = xa_erase(&dev->counters, counter->id);

	if (own)
		counter_free(dev, own);
}

/* Binds a queue pair. While qp->lock is held, no other bind and no destruction of @qp can begin. */
static int counter_bind_qp(struct hca_ib_qp *qp, struct rdma_counter *counter,
			   struct hca_qp_counters *counters)
{
	int ret = -EINVAL;

	mutex_lock(&qp->lock);
	if (qp->qp && !qp->ib.counter) {
		qp->qp->ci->ops->bind_counters(qp->qp, counters);
		qp->ib.counter = counter;
		ret = 0;
	}
	mutex_unlock(&qp->lock);
	return ret;
}

/*
 * Implements counter_bind_qp. A counter without a number is new. If this function fails, it must
 * free a new counter, because the RDMA core does not deallocate it. Return: 0; -EINVAL if the queue
 * pair has a counter, or is being destroyed; -ENOMEM.
 */
int hca_ib_counter_bind_qp(struct rdma_counter *counter, struct ib_qp *qp HCA_COUNTER_PORT_ARG)
{
	struct hca_device *dev = to_hca_device(qp->device);
	bool new = !counter->id;
	struct counter *own;
	int ret;

	if (new) {
		ret = counter_add(dev, counter);
		if (ret)
			return ret;
	}
	own = xa_load(&dev->counters, counter->id);
	ret = counter_bind_qp(to_hca_ib_qp(qp), counter, own ? &own->counters : NULL);
	if (ret && new) {
		counter_remove(dev, counter);
		counter->id = 0;
	}
	return ret;
}

/* Implements counter_unbind_qp. On return, the queue pair does not change the counter any more. */
int hca_ib_counter_unbind_qp(struct ib_qp *ib HCA_COUNTER_PORT_ARG)
{
	struct hca_ib_qp *qp = to_hca_ib_qp(ib);

	mutex_lock(&qp->lock);
	if (!qp->qp || !ib->counter) {
		mutex_unlock(&qp->lock);
		return -EINVAL;
	}
	qp->qp->ci->ops->bind_counters(qp->qp, NULL);
	ib->counter = NULL;
	mutex_unlock(&qp->lock);
	synchronize_rcu();
	return 0;
}

/* Implements counter_dealloc. No queue pair is bound to the counter. */
int hca_ib_counter_dealloc(struct rdma_counter *counter)
{
	counter_remove(to_hca_device(counter->device), counter);
	return 0;
}

/* Implements counter_update_stats. The RDMA core may call it after counter_dealloc. */
int hca_ib_counter_update_stats(struct rdma_counter *counter)
{
	struct hca_device *dev = to_hca_device(counter->device);
	const struct counter *own;

	rcu_read_lock();
	own = xa_load(&dev->counters, counter->id);
	if (own)
		dev->kind->report_counters(&own->counters, counter->stats);
	rcu_read_unlock();
	return 0;
}

/* Implements counter_init. The RDMA core has already zeroed the counter. */
void hca_ib_counter_init(struct rdma_counter *counter)
{
}
