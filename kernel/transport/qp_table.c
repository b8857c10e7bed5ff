// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Queue pair numbers: index | uses << 14. An index is used again last in, first out, and
 * not before time-wait has passed (V3-180); the count keeps late packets of the last
 * user from the next one even then.
 */
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/slab.h>
#include "transport/qp.h"
#include "transport/qp_table.h"

#define HCA_QP_INDEX_BITS 14
#define HCA_QP_FIRST_INDEX 2 /* 0 and 1 are QP0 and QP1 */
/* Longer than a packet lives here: what is queued is drained at once or dropped. */
#define HCA_TIME_WAIT (HZ / 4)

int hca_qp_table_init(struct hca_qp_table *table)
{
	BUILD_BUG_ON(HCA_MAX_QP != 1 << HCA_QP_INDEX_BITS);
	spin_lock_init(&table->lock);
	table->next = HCA_QP_FIRST_INDEX;
	table->slot = kvcalloc(HCA_MAX_QP, sizeof(*table->slot), GFP_KERNEL);
	table->use = kvcalloc(HCA_MAX_QP, sizeof(*table->use), GFP_KERNEL);
	table->free = kvcalloc(HCA_MAX_QP, sizeof(*table->free), GFP_KERNEL);
	table->free_since = kvcalloc(HCA_MAX_QP, sizeof(*table->free_since), GFP_KERNEL);
	if (!table->slot || !table->use || !table->free || !table->free_since) {
		hca_qp_table_destroy(table);
		return -ENOMEM;
	}
	return 0;
}

void hca_qp_table_destroy(struct hca_qp_table *table)
{
	kvfree(table->slot);
	kvfree(table->use);
	kvfree(table->free);
	kvfree(table->free_since);
}

/* The most recently freed index that is out of time-wait, else a fresh one. */
static int hca_qp_take_index(struct hca_qp_table *table)
{
	u32 i, index;

	for (i = table->num_free; i-- > 0;) {
		if (time_before(jiffies, table->free_since[i] + HCA_TIME_WAIT)) {
			if (table->next < HCA_MAX_QP)
				break; /* fresh ones are cheaper than a search */
			continue;
		}
		index = table->free[i];
		table->num_free--;
		for (; i < table->num_free; i++) {
			table->free[i] = table->free[i + 1];
			table->free_since[i] = table->free_since[i + 1];
		}
		return index;
	}
	return table->next < HCA_MAX_QP ? (int)table->next++ : -ENOMEM;
}

static int hca_qp_publish_special(struct hca_qp *qp, u8 port_num)
{
	struct hca_qp_table *table = &qp->ca->qps;
	u32 qpn = qp->type == HCA_QPT_SMI ? 0 : 1;
	int ret = 0;

	spin_lock_bh(&table->lock);
	if (rcu_access_pointer(table->special[port_num][qpn])) {
		ret = -EBUSY;
	} else {
		qp->qpn = qpn;
		rcu_assign_pointer(table->special[port_num][qpn], qp);
	}
	spin_unlock_bh(&table->lock);
	return ret;
}

static bool hca_qp_is_special(const struct hca_qp *qp)
{
	return qp->type == HCA_QPT_SMI || qp->type == HCA_QPT_GSI;
}

int hca_qp_publish(struct hca_qp *qp, u8 port_num)
{
	struct hca_qp_table *table = &qp->ca->qps;
	int index;

	if (hca_qp_is_special(qp))
		return hca_qp_publish_special(qp, port_num);

	spin_lock_bh(&table->lock);
	index = hca_qp_take_index(table);
	if (index >= 0) {
		qp->qpn = (index | (u32)table->use[index]++ << HCA_QP_INDEX_BITS) & HCA_QPN_MASK;
		if (qp->qpn == HCA_QPN_MULTICAST)
			qp->qpn = index | (u32)table->use[index]++ << HCA_QP_INDEX_BITS;
		qp->qpn &= HCA_QPN_MASK;
		rcu_assign_pointer(table->slot[index], qp);
	}
	spin_unlock_bh(&table->lock);
	return index < 0 ? index : 0;
}

void hca_qp_withdraw(struct hca_qp *qp)
{
	struct hca_qp_table *table = &qp->ca->qps;
	u32 index = qp->qpn & (HCA_MAX_QP - 1);

	spin_lock_bh(&table->lock);
	if (hca_qp_is_special(qp)) {
		RCU_INIT_POINTER(table->special[qp->port->num][qp->qpn], NULL);
	} else {
		RCU_INIT_POINTER(table->slot[index], NULL);
		table->free[table->num_free] = index;
		table->free_since[table->num_free++] = jiffies;
	}
	spin_unlock_bh(&table->lock);
}

static struct hca_qp *hca_qp_use(struct hca_qp *qp)
{
	return qp && refcount_inc_not_zero(&qp->users) ? qp : NULL;
}

struct hca_qp *hca_qp_find(struct hca_ca *ca, u32 qpn)
{
	struct hca_qp *qp = rcu_dereference_bh(ca->qps.slot[qpn & (HCA_MAX_QP - 1)]);

	return qp && qp->qpn == qpn ? qp : NULL;
}

struct hca_qp *hca_qp_get(struct hca_ca *ca, u32 qpn)
{
	return hca_qp_use(hca_qp_find(ca, qpn));
}

struct hca_qp *hca_qp_get_index(struct hca_ca *ca, u32 index)
{
	return hca_qp_use(rcu_dereference_bh(ca->qps.slot[index]));
}

struct hca_qp *hca_qp_get_special(struct hca_ca *ca, u8 port_num, u32 qpn)
{
	return hca_qp_use(rcu_dereference_bh(ca->qps.special[port_num][qpn]));
}

void hca_qp_put(struct hca_qp *qp)
{
	if (refcount_dec_and_test(&qp->users))
		complete(&qp->unused);
}
