// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Counters that rdma-statistic(8) binds queue pairs to, by hand or automatically. The RDMA core
 * adds their values to those of the port, and what they have counted when they go, so that a queue
 * pair that is bound counts nothing at its port.
 */
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "transport/iba_qp.h"
#include "transport/loss.h"
#include "verbs/verbs.h"

void hca_counter_table_init(struct hca_device *dev)
{
	xa_init_flags(&dev->counters, XA_FLAGS_ALLOC1);
}

/* Frees what is left: of counters that the core has lost when a bind met a destroy. */
void hca_counter_table_destroy(struct hca_device *dev)
{
	struct hca_losses *losses;
	unsigned long id;

	xa_for_each(&dev->counters, id, losses)
		kfree_rcu(losses, rcu);
	xa_destroy(&dev->counters);
}

/*
 * Allocates a counter's values and its number. Numbers are not reused soon: the core may still ask
 * for the values of a counter that has gone.
 */
static int alloc(struct hca_device *dev, struct rdma_counter *counter)
{
	struct hca_losses *losses;
	int ret;

	ret = hca_object_add(&dev->ib, HCA_OBJ_COUNTER);
	if (ret)
		return ret;
	losses = kzalloc(sizeof(*losses), GFP_KERNEL);
	ret = losses ? xa_alloc_cyclic(&dev->counters, &counter->id, losses, xa_limit_31b,
				       &dev->next_counter, GFP_KERNEL) : -ENOMEM;
	if (ret < 0) {
		counter->id = 0;
		kfree(losses);
		hca_object_del(&dev->ib, HCA_OBJ_COUNTER);
		return ret;
	}
	return 0;
}

static void release(struct hca_device *dev, struct rdma_counter *counter)
{
	struct hca_losses *losses = xa_erase(&dev->counters, counter->id);

	if (!losses)
		return;
	kfree_rcu(losses, rcu);
	hca_object_del(&dev->ib, HCA_OBJ_COUNTER);
}

/* qp->lock decides between binds to several counters, and against destruction. */
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
 * counter if this fails. Return: 0; -EINVAL if the queue pair has a counter, or has gone; -ENOMEM.
 */
int hca_ib_counter_bind_qp(struct rdma_counter *counter, struct ib_qp *qp HCA_COUNTER_PORT_ARG)
{
	struct hca_device *dev = to_hca_device(qp->device);
	bool new = !counter->id;
	int ret;

	if (new) {
		ret = alloc(dev, counter);
		if (ret)
			return ret;
	}
	ret = bind(to_hca_ib_qp(qp), counter, xa_load(&dev->counters, counter->id));
	if (ret && new) {
		release(dev, counter);
		counter->id = 0;
	}
	return ret;
}

/* Implements counter_unbind_qp: all that the queue pair has counted is in the counter then. */
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

/* Implements counter_dealloc: no queue pair is bound to it any more. */
int hca_ib_counter_dealloc(struct rdma_counter *counter)
{
	release(to_hca_device(counter->device), counter);
	return 0;
}

/* Implements counter_update_stats. The core may call it after counter_dealloc. */
int hca_ib_counter_update_stats(struct rdma_counter *counter)
{
	const struct hca_losses *losses;

	rcu_read_lock();
	losses = xa_load(&to_hca_device(counter->device)->counters, counter->id);
	if (losses)
		hca_losses_report(losses, counter->stats);
	rcu_read_unlock();
	return 0;
}

/* Implements counter_init, which the core calls although it has cleared the counter. */
void hca_ib_counter_init(struct rdma_counter *counter)
{
}
