// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Stands in for EE contexts until there are some: numbers, states and attributes, and nothing that
 * moves a packet. To be replaced as a whole.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/slab.h>
#include "transport/eec.h"
#include "transport/path.h"

struct hca_eec_stub {
	struct hca_eec eec;
	struct hca_ca *ca;
	struct hca_qp_attr attr;
};

#define RESET_TO_INIT (HCA_QP_PKEY_INDEX | HCA_QP_PORT)
#define INIT_TO_RTR                                                                                \
	(HCA_QP_AV | HCA_QP_PATH_MTU | HCA_QP_DEST_QPN | HCA_QP_RQ_PSN |                           \
	 HCA_QP_MAX_DEST_RD_ATOMIC | HCA_QP_MIN_RNR_TIMER)
#define RTR_TO_RTS                                                                                 \
	(HCA_QP_TIMEOUT | HCA_QP_RETRY_CNT | HCA_QP_RNR_RETRY | HCA_QP_SQ_PSN |                    \
	 HCA_QP_MAX_QP_RD_ATOMIC)

static atomic_t next_eecn = ATOMIC_INIT(0);

struct hca_eec *hca_eec_create(struct hca_ca *ca, const struct hca_eec_init *init)
{
	struct hca_eec_stub *stub = kzalloc(sizeof(*stub), GFP_KERNEL);

	if (!stub)
		return ERR_PTR(-ENOMEM);
	stub->ca = ca;
	stub->eec.eecn = (u32)atomic_inc_return(&next_eecn) & 0xffffff;
	return &stub->eec;
}

void hca_eec_destroy(struct hca_eec *eec)
{
	kfree(container_of(eec, struct hca_eec_stub, eec));
}

static bool mask_ok(u8 now, u8 next, int mask)
{
	int required = next == HCA_QPS_INIT && now == HCA_QPS_RESET ? RESET_TO_INIT :
		       next == HCA_QPS_RTR && now == HCA_QPS_INIT   ? INIT_TO_RTR :
		       next == HCA_QPS_RTS && now == HCA_QPS_RTR    ? RTR_TO_RTS :
								      -1;

	if (next == HCA_QPS_RESET || next == HCA_QPS_ERR)
		return !(mask & ~HCA_QP_STATE);
	return required != -1 && (mask & ~HCA_QP_STATE) == required;
}

int hca_eec_modify(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask)
{
	struct hca_eec_stub *stub = container_of(eec, struct hca_eec_stub, eec);
	struct hca_qp_attr *own = &stub->attr;

	if (!(mask & HCA_QP_STATE) || !mask_ok(own->state, attr->state, mask))
		return -EINVAL;
	if ((mask & HCA_QP_PORT) &&
	    (!attr->port_num || attr->port_num > stub->ca->node.num_ports))
		return -EINVAL;
	if ((mask & HCA_QP_AV) && !hca_av_valid(&attr->av))
		return -EINVAL;
	if (mask & HCA_QP_PORT) {
		own->port_num = attr->port_num;
		own->pkey_index = attr->pkey_index;
	}
	if (mask & HCA_QP_AV) {
		own->av = attr->av;
		own->path_mtu = attr->path_mtu;
		own->dest_qpn = attr->dest_qpn;
		own->rq_psn = attr->rq_psn;
		own->max_dest_rd_atomic = attr->max_dest_rd_atomic;
		own->min_rnr_timer = attr->min_rnr_timer;
	}
	if (mask & HCA_QP_TIMEOUT) {
		own->timeout = attr->timeout;
		own->retry_cnt = attr->retry_cnt;
		own->rnr_retry = attr->rnr_retry;
		own->sq_psn = attr->sq_psn;
		own->max_rd_atomic = attr->max_rd_atomic;
	}
	own->state = attr->state;
	return 0;
}

void hca_eec_query(struct hca_eec *eec, struct hca_qp_attr *attr)
{
	*attr = container_of(eec, struct hca_eec_stub, eec)->attr;
}
