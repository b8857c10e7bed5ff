// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Queue pair look-up: by number, and QP0 and QP1 of each port. */
#include <linux/errno.h>
#include "transport/iba_qp.h"
#include "transport/qp_table.h"

#define HCA_QP_FIRST_INDEX 2 /* indices 0 and 1 are the numbers of QP0 and QP1 */

int hca_qp_table_init(struct hca_qp_table *table)
{
	BUILD_BUG_ON(HCA_MAX_QP != 1 << HCA_QP_INDEX_BITS);
	return hca_id_table_init(&table->ids, HCA_QP_INDEX_BITS, HCA_QP_FIRST_INDEX);
}

void hca_qp_table_destroy(struct hca_qp_table *table)
{
	hca_id_table_destroy(&table->ids);
}

static int qp_publish_special(struct hca_qp *qp, u8 port_num)
{
	struct hca_qp_table *table = &hca_qp_eec(qp)->ca->qps;
	u32 qpn = qp->type == IB_QPT_SMI ? 0 : 1;
	int ret = 0;

	spin_lock_bh(&table->ids.lock);
	if (rcu_access_pointer(table->special[port_num][qpn])) {
		ret = -EBUSY;
	} else {
		qp->qpn = qpn;
		rcu_assign_pointer(table->special[port_num][qpn], qp);
	}
	spin_unlock_bh(&table->ids.lock);
	return ret;
}

static bool qp_is_special(const struct hca_qp *qp)
{
	return qp->type == IB_QPT_SMI || qp->type == IB_QPT_GSI;
}

int hca_qp_publish(struct hca_qp *qp, u8 port_num)
{
	if (qp_is_special(qp))
		return qp_publish_special(qp, port_num);
	return hca_id_alloc(&hca_qp_eec(qp)->ca->qps.ids, qp, &qp->qpn);
}

void hca_qp_withdraw(struct hca_qp *qp)
{
	struct hca_qp_table *table = &hca_qp_eec(qp)->ca->qps;

	if (!qp_is_special(qp)) {
		hca_id_free(&table->ids, qp->qpn);
		return;
	}
	spin_lock_bh(&table->ids.lock);
	RCU_INIT_POINTER(table->special[hca_qp_eec(qp)->port->num][qp->qpn], NULL);
	spin_unlock_bh(&table->ids.lock);
}

struct hca_qp *hca_qp_find(struct hca_ca *ca, u32 qpn)
{
	struct hca_qp *qp = hca_id_find(&ca->qps.ids, qpn);

	return qp && qp->qpn == qpn ? qp : NULL;
}

struct hca_qp *hca_qp_get(struct hca_ca *ca, u32 qpn)
{
	return hca_qp_use(hca_qp_find(ca, qpn));
}

struct hca_qp *hca_qp_get_index(struct hca_ca *ca, u32 index)
{
	return hca_qp_use(hca_id_find(&ca->qps.ids, index));
}

struct hca_qp *hca_qp_get_special(struct hca_ca *ca, u8 port_num, u32 qpn)
{
	return hca_qp_use(rcu_dereference_bh(ca->qps.special[port_num][qpn]));
}
