// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Creation, destruction, modify and query of RD EE contexts. */
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "transport/modify.h"
#include "transport/rd/rd_eec.h"

struct hca_rd_eec *hca_rd_eec_create(struct hca_ca *ca, const struct hca_rd_eec_init *init)
{
	struct hca_rd_eec *rd_eec = kzalloc(sizeof(*rd_eec), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!rd_eec)
		return ERR_PTR(-ENOMEM);
	hca_qp_common_init(&rd_eec->common, hca_rd_eec_run, hca_rd_eec_notify);
	rd_eec->eec.common = &rd_eec->common;
	rd_eec->eec.recv = &rd_eec->recv;
	hca_eec_init(&rd_eec->eec, ca, HCA_TRANSPORT_RD, &hca_rd_eec_ops);
	rd_eec->eec.is_rd_eec = true;
	rd_eec->rdd = init->rdd;
	rd_eec->owner = init->owner;
	rd_eec->context = init->context;
	refcount_set(&rd_eec->users, 1);
	init_completion(&rd_eec->unused);
	spin_lock_init(&rd_eec->lock);
	INIT_LIST_HEAD(&rd_eec->waiting);
	ret = hca_charge(&rd_eec->charge, sizeof(*rd_eec));
	if (!ret)
		ret = hca_id_alloc(&ca->rd_eecs, rd_eec, &rd_eec->eecn);
	if (ret) {
		hca_uncharge(&rd_eec->charge);
		kfree(rd_eec);
		return ERR_PTR(ret);
	}
	return rd_eec;
}

void hca_rd_eec_destroy(struct hca_rd_eec *rd_eec)
{
	struct hca_eec *eec = &rd_eec->eec;

	hca_id_free(&eec->ca->rd_eecs, rd_eec->eecn);
	spin_lock_bh(&eec->common->send_lock);
	WRITE_ONCE(eec->common->state, IB_QPS_ERR);
	hca_rd_eec_fail(rd_eec);
	hca_eec_kick(eec); /* The run function detaches a queue pair that was queued just now. */
	spin_unlock(&eec->common->send_lock);
	hca_engine_run();
	local_bh_enable();
	hca_rd_eec_put(rd_eec);
	wait_for_completion(&rd_eec->unused);
	hca_run_stop(&rd_eec->common.run);
	hca_eec_stop(eec);
	hca_uncharge(&rd_eec->charge);
	kfree_rcu(rd_eec, rcu);
}

/* Detach all queue pairs and clear the state. send_lock held. */
static void rd_eec_reset(struct hca_rd_eec *rd_eec)
{
	hca_rd_eec_fail(rd_eec);
	spin_lock(&rd_eec->common.recv_lock);
	hca_qp_common_reset(&rd_eec->common);
	rd_eec->recv.valid = false;
	hca_eec_reset(&rd_eec->eec);
	spin_unlock(&rd_eec->common.recv_lock);
}

int hca_rd_eec_modify(struct hca_rd_eec *rd_eec, const struct hca_qp_attr *attr, int mask)
{
	struct hca_eec *eec = &rd_eec->eec;
	int ret;

	spin_lock_bh(&eec->common->send_lock);
	spin_lock(&eec->common->recv_lock);
	ret = hca_attr_check(eec, HCA_KIND_EEC, attr, mask);
	if (!ret) {
		hca_attr_apply(eec, attr, mask);
		if (mask & IB_QP_STATE)
			hca_qp_common_modify(&rd_eec->common, hca_iba_states, attr, mask);
	}
	spin_unlock(&eec->common->recv_lock);
	if (!ret && (mask & IB_QP_STATE) && attr->state == IB_QPS_RESET)
		rd_eec_reset(rd_eec);
	hca_eec_kick(eec);
	spin_unlock(&eec->common->send_lock);
	hca_engine_run();
	local_bh_enable();
	return ret;
}

void hca_rd_eec_query(struct hca_rd_eec *rd_eec, struct hca_qp_attr *attr)
{
	spin_lock_bh(&rd_eec->common.send_lock);
	hca_attr_query(&rd_eec->eec, attr);
	hca_qp_common_query(&rd_eec->common, attr);
	spin_unlock_bh(&rd_eec->common.send_lock);
}
