// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Attributes of queue pairs and EE contexts: check, set, query. Either all or none are set. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "transport/migrate.h"
#include "transport/modify.h"
#include "transport/pace.h"
#include "transport/path.h"
#include "transport/retry.h"

static bool is_port(const struct hca_eec *eec, u8 num)
{
	return num && num <= eec->ca->node.num_ports;
}

static bool alternate_valid(const struct hca_eec *eec, const struct hca_qp_attr *attr)
{
	return is_port(eec, attr->alt_port_num) && attr->alt_pkey_index < HCA_PKEYS &&
	       attr->alt_timeout <= 31 && hca_av_valid(&attr->alt_av);
}

/* A consumer may request Migrated and ReArm; only the peer's packets cause Armed (req C4-105). */
static bool migration_valid(const struct hca_eec *eec, const struct hca_qp_attr *attr, int mask)
{
	switch (attr->path_mig_state) {
	case IB_MIG_MIGRATED:
		return true;
	case IB_MIG_REARM:
		return eec->alternate_loaded || (mask & IB_QP_ALT_PATH);
	default:
		return false;
	}
}

/* Return whether the port, if there is one, supports the path MTU. */
static bool mtu_valid(const struct hca_eec *eec, const struct hca_qp_attr *attr)
{
	return attr->path_mtu >= IB_MTU_256 && attr->path_mtu <= IB_MTU_4096 &&
	       (!eec->port || attr->path_mtu <= READ_ONCE(eec->port->info.mtu_cap));
}

/*
 * Access flags of a queue pair that are accepted: the rights of its peer, and further flags of MRs,
 * which have no effect on a queue pair, but which programs pass along. A flag that no MR may have
 * is refused (req R0-002).
 */
#define ACCESS_FLAGS \
	(HCA_REMOTE_ACCESS | HCA_FLUSH_ACCESS | IB_UVERBS_ACCESS_LOCAL_WRITE | \
	 IB_UVERBS_ACCESS_MW_BIND | \
	 IB_UVERBS_ACCESS_ON_DEMAND | IB_UVERBS_ACCESS_HUGETLB | IB_UVERBS_ACCESS_OPTIONAL_RANGE)

/* Check the values whose limits do not depend on the state. */
static bool attr_valid(const struct hca_eec *eec, const struct hca_qp_attr *attr, int mask)
{
	if ((mask & IB_QP_PORT) && !is_port(eec, attr->port_num))
		return false;
	if ((mask & IB_QP_PKEY_INDEX) && attr->pkey_index >= HCA_PKEYS)
		return false;
	if ((mask & IB_QP_ACCESS_FLAGS) && (attr->access & ~ACCESS_FLAGS))
		return false;
	if ((mask & IB_QP_PATH_MTU) && !mtu_valid(eec, attr))
		return false;
	if ((mask & IB_QP_AV) && !hca_av_valid(&attr->av))
		return false;
	if ((mask & IB_QP_ALT_PATH) && !alternate_valid(eec, attr))
		return false;
	if ((mask & IB_QP_PATH_MIG_STATE) && !migration_valid(eec, attr, mask))
		return false;
	if ((mask & IB_QP_MAX_QP_RD_ATOMIC) && attr->max_rd_atomic > HCA_MAX_RD_ATOMIC)
		return false;
	if ((mask & IB_QP_MAX_DEST_RD_ATOMIC) && attr->max_dest_rd_atomic > HCA_MAX_RD_ATOMIC)
		return false;
	return !((mask & IB_QP_TIMEOUT) && attr->timeout > 31) &&
	       !((mask & IB_QP_RETRY_CNT) && attr->retry_cnt > 7) &&
	       !((mask & IB_QP_RNR_RETRY) && attr->rnr_retry > 7) &&
	       !((mask & IB_QP_MIN_RNR_TIMER) && attr->min_rnr_timer > 31) &&
	       !((mask & IB_QP_DEST_QPN) && attr->dest_qpn > HCA_QPN_MASK);
}

int hca_attr_check(const struct hca_eec *eec, enum hca_kind kind, const struct hca_qp_attr *attr,
		   int mask)
{
	u8 next = mask & IB_QP_STATE ? attr->state : eec->common->state;

	if ((mask & IB_QP_CUR_STATE) && attr->cur_state != eec->common->state)
		return -EINVAL;
	return hca_transition_ok(eec->common->state, next, kind, mask) &&
			       attr_valid(eec, attr, mask) ?
		       0 :
		       -EINVAL;
}

/* Set the port and the path to the peer. */
static void path_apply(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask)
{
	struct hca_qp_attr *own = &eec->attr;

	if (mask & IB_QP_PORT) {
		own->port_num = attr->port_num;
		hca_eec_release(eec); /* a sender that waits for link credits uses the new port */
		WRITE_ONCE(eec->port, hca_node_port(&eec->ca->node, attr->port_num));
	}
	if (mask & IB_QP_PKEY_INDEX)
		own->pkey_index = attr->pkey_index;
	if (mask & IB_QP_AV)
		own->av = attr->av;
	if (mask & IB_QP_PATH_MTU) {
		own->path_mtu = attr->path_mtu;
		eec->mtu = hca_mtu_bytes(attr->path_mtu);
	}
	if (mask & (IB_QP_AV | IB_QP_PORT))
		eec->pace = eec->port ? hca_pace_of(eec->port, own->av.static_rate) : 0;
	if (mask & IB_QP_DEST_QPN)
		own->dest_qpn = attr->dest_qpn;
	if (mask & IB_QP_ALT_PATH) {
		own->alt_port_num = attr->alt_port_num;
		own->alt_pkey_index = attr->alt_pkey_index;
		own->alt_timeout = attr->alt_timeout;
		own->alt_av = attr->alt_av;
		eec->alternate_loaded = true;
	}
}

static void migration_apply(struct hca_eec *eec, u8 state)
{
	if (state == IB_MIG_REARM)
		WRITE_ONCE(eec->attr.path_mig_state, IB_MIG_REARM);
	else if (eec->attr.path_mig_state == IB_MIG_ARMED)
		hca_migrate(eec);
	else
		WRITE_ONCE(eec->attr.path_mig_state, IB_MIG_MIGRATED);
}

static void reliability_apply(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask)
{
	struct hca_qp_attr *own = &eec->attr;

	if (mask & IB_QP_TIMEOUT) {
		own->timeout = attr->timeout;
		hca_retry_set_timeout(eec, attr->timeout);
	}
	if (mask & IB_QP_RETRY_CNT)
		eec->retries_left = own->retry_cnt = attr->retry_cnt;
	if (mask & IB_QP_RNR_RETRY)
		eec->rnr_left = own->rnr_retry = attr->rnr_retry;
	if (mask & IB_QP_MIN_RNR_TIMER)
		own->min_rnr_timer = attr->min_rnr_timer;
	if (mask & IB_QP_MAX_QP_RD_ATOMIC)
		own->max_rd_atomic = attr->max_rd_atomic;
	if (mask & IB_QP_MAX_DEST_RD_ATOMIC)
		own->max_dest_rd_atomic = attr->max_dest_rd_atomic;
	if (mask & IB_QP_RQ_PSN) {
		own->rq_psn = attr->rq_psn & HCA_PSN_MASK;
		eec->expected_psn = own->rq_psn;
	}
	if (mask & IB_QP_SQ_PSN) {
		own->sq_psn = attr->sq_psn & HCA_PSN_MASK;
		eec->assigned_psn = own->sq_psn;
		eec->next_psn = own->sq_psn;
		eec->sent_psn = own->sq_psn;
		eec->una_psn = own->sq_psn;
		eec->window = HCA_WINDOW;
	}
}

void hca_attr_apply(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask)
{
	struct hca_qp_attr *own = &eec->attr;

	if (mask & IB_QP_QKEY)
		own->qkey = attr->qkey;
	if (mask & IB_QP_ACCESS_FLAGS)
		own->access = attr->access;
	path_apply(eec, attr, mask);
	reliability_apply(eec, attr, mask);
	if (mask & IB_QP_PATH_MIG_STATE)
		migration_apply(eec, attr->path_mig_state);
}

void hca_attr_query(const struct hca_eec *eec, struct hca_qp_attr *attr)
{
	*attr = eec->attr;
	if (eec->transport != HCA_TRANSPORT_UD)
		attr->sq_psn = eec->next_psn;
	attr->rq_psn = eec->expected_psn;
}
