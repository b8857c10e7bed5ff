// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Creation of queue pairs of InfiniBand's transports. */
#include "transport/qp_create.h"
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "compat.h"
#include "transport/iba_qp.h"
#include "transport/qp_table.h"
#include "transport/qp_type.h"
#include "transport/raw.h"

static void iba_init(struct hca_iba_qp *iba, const struct hca_iba_type *type, struct hca_ca *ca,
		     const struct hca_qp_init *init)
{
	struct hca_eec *eec = &iba->eec;

	eec->common = &iba->qp.common;
	eec->recv = &iba->qp.recv;
	hca_eec_init(eec, ca, type->transport, type->eec_ops);
	eec->accepts = type->accepts;
	eec->qp = &iba->qp;
	iba->rdd = init->rdd;
	iba->xrcd = init->xrcd;
	iba->block_loopback = init->block_loopback;
	INIT_LIST_HEAD(&iba->scheduled);
	INIT_LIST_HEAD(&iba->groups);
	if (type->type.special)
		eec->port = hca_node_port(&ca->node, init->port_num);
}

/*
 * Add a queue pair to the tables in which packets look it up. If no QPN can be allocated for a raw
 * queue pair, it is removed from the list of raw queue pairs and may be freed. No packet has been
 * delivered to it, because it has no port yet.
 */
static int iba_publish(struct hca_qp *qp, u8 port_num)
{
	bool raw = hca_qp_is_raw(qp);
	int ret = raw ? hca_raw_add(qp) : 0;

	if (ret)
		return ret;
	ret = hca_qp_publish(qp, port_num);
	if (ret && raw)
		hca_raw_del(qp);
	return ret;
}

struct hca_qp *hca_qp_create(struct hca_ca *ca, const struct hca_qp_init *init)
{
	const struct hca_iba_type *type = hca_iba_type(init->type);
	struct hca_iba_qp *iba;
	int ret;

	BUILD_BUG_ON(offsetof(struct hca_iba_qp, qp));
	if (!type || (init->type == HCA_QPT_RD && !init->rdd) ||
	    (init->type == IB_QPT_XRC_TGT && !init->xrcd))
		return ERR_PTR(-EINVAL);
	iba = kzalloc(sizeof(*iba), GFP_KERNEL_ACCOUNT);
	if (!iba)
		return ERR_PTR(-ENOMEM);
	ret = hca_qp_init(&iba->qp, &type->type, &ca->ci, init);
	if (ret) {
		kfree(iba);
		return ERR_PTR(ret);
	}
	iba_init(iba, type, ca, init);
	ret = iba_publish(&iba->qp, init->port_num);
	if (ret) {
		hca_qp_free(&iba->qp);
		return ERR_PTR(ret);
	}
	return &iba->qp;
}
