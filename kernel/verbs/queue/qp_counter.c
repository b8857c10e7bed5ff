// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Counters that rdma-statistic(8) binds queue pairs to, manually or automatically. The RDMA core
 * adds the values of existing and of deallocated counters to those of the port. Therefore a bound
 * queue pair counts nothing at its port.
 */
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "transport/iba_qp.h"
#include "transport/loss.h"
#include "verbs/verbs.h"

struct counter {
	struct hca_losses losses;
	/* user that it counts for: root if bound manually, or the user of the bound queue pair */
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
	kfree_rcu(own, losses.rcu);
}

/* Frees the remaining counters, which the core has lost when a bind met a destroy. */
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
 * Allocates a counter's values and its number. Numbers are not reused soon, because the core may
 * still query the values of a counter that is gone.
 */
static int alloc(struct hca_device *dev, struct rdma_counter *counter)
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

static void release(struct hca_device *dev, struct rdma_counter *counter)
{
	struct counter *own = xa_erase(&dev->counters, counter->id);

	if (own)
		counter_free(dev, own);
}

/* Binds a queue pair. qp->lock serializes binds to several counters, and excludes destruction. */
static int bind(struct hca_ib_qp *qp, struct rdma_counter *counter, struct hca_losses *losses)
{
	int ret = -EINVAL;

	mutex_lock(&qp->lock);
	if (qp->qp && !qp->ib.counter) {
		rcu_assign_pointer(hca_qp_eec(qp->qp)->losses, losses);
		qp->ib.counter = counter;
		ret = 0;
	}
	mutex_unlock(&qp->lock);
	return ret;
}

/*
 * Implements counter_bind_qp. A counter without a number is new. The core does not deallocate a new
 * counter if this function fails. Return: 0; -EINVAL if the queue pair has a counter, or is gone;
 * -ENOMEM.
 */
int hca_ib_counter_bind_qp(struct rdma_counter *counter, struct ib_qp *qp HCA_COUNTER_PORT_ARG)
{
	struct hca_device *dev = to_hca_device(qp->device);
	bool new = !counter->id;
	struct counter *own;
	int ret;

	if (new) {
		ret = alloc(dev, counter);
		if (ret)
			return ret;
	}
	own = xa_load(&dev->counters, counter->id);
	ret = bind(to_hca_ib_qp(qp), counter, own ? &own->losses : NULL);
	if (ret && new) {
		release(dev, counter);
		counter->id = 0;
	}
	return ret;
}

/* Implements counter_unbind_qp: afterwards the counter has all that the queue pair has counted. */
int hca_ib_counter_unbind_qp(struct ib_qp *ib HCA_COUNTER_PORT_ARG)
{
	struct hca_ib_qp *qp = to_hca_ib_qp(ib);

	mutex_lock(&qp->lock);
	if (!qp->qp || !ib->counter) {
		mutex_unlock(&qp->lock);
		return -EINVAL;
	}
	RCU_INIT_POINTER(hca_qp_eec(qp->qp)->losses, NULL);
	ib->counter = NULL;
	mutex_unlock(&qp->lock);
	synchronize_rcu();
	return 0;
}

/* Implements counter_dealloc of a counter without bound queue pairs. */
int hca_ib_counter_dealloc(struct rdma_counter *counter)
{
	release(to_hca_device(counter->device), counter);
	return 0;
}

/* Implements counter_update_stats. The core may call it after counter_dealloc. */
int hca_ib_counter_update_stats(struct rdma_counter *counter)
{
	const struct counter *own;

	rcu_read_lock();
	own = xa_load(&to_hca_device(counter->device)->counters, counter->id);
	if (own)
		hca_losses_report(&own->losses, counter->stats);
	rcu_read_unlock();
	return 0;
}

/* Implements counter_init, which the core calls although it has cleared the counter. */
void hca_ib_counter_init(struct rdma_counter *counter)
{
}
