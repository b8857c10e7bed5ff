// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The numbers of queue pairs, and the look-up of QP0 and QP1 by port. */
#include "transport/qp_table.h"
#include <linux/errno.h>
#include "transport/iba_qp.h"

static int qp_publish_special(struct hca_qp *qp, u8 port_num)
{
	struct hca_ca *ca = hca_qp_eec(qp)->ca;
	u32 qpn = qp->type == IB_QPT_SMI ? 0 : 1;
	int ret = 0;

	spin_lock_bh(&ca->ci.qps.lock);
	if (rcu_access_pointer(ca->special_qps[port_num][qpn])) {
		ret = -EBUSY;
	} else {
		qp->qpn = qpn;
		rcu_assign_pointer(ca->special_qps[port_num][qpn], qp);
	}
	spin_unlock_bh(&ca->ci.qps.lock);
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
	return hca_id_alloc(&qp->ci->qps, qp, &qp->qpn);
}

void hca_qp_withdraw(struct hca_qp *qp)
{
	struct hca_ca *ca = hca_qp_eec(qp)->ca;

	if (!qp_is_special(qp)) {
		hca_id_free(&ca->ci.qps, qp->qpn);
		return;
	}
	spin_lock_bh(&ca->ci.qps.lock);
	RCU_INIT_POINTER(ca->special_qps[hca_qp_eec(qp)->port->num][qp->qpn], NULL);
	spin_unlock_bh(&ca->ci.qps.lock);
}

struct hca_qp *hca_qp_get_special(struct hca_ca *ca, u8 port_num, u32 qpn)
{
	return hca_qp_use(rcu_dereference_bh(ca->special_qps[port_num][qpn]));
}
