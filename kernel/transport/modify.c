// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Checking, setting and querying the attributes of queue pairs and EE contexts. A modify sets
 * either all attributes of its mask or none.
 */
#include "transport/modify.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "transport/migrate.h"
#include "transport/pace.h"
#include "transport/path.h"
#include "transport/retry.h"

static bool modify_is_port(const struct hca_eec *eec, u8 num)
{
	return num && num <= eec->ca->node.num_ports;
}

static bool modify_alternate_valid(const struct hca_eec *eec, const struct hca_qp_attr *attr)
{
	return modify_is_port(eec, attr->iba.alt_port_num) &&
	       attr->iba.alt_pkey_index < HCA_PKEYS &&
	       attr->iba.alt_timeout <= 31 && hca_av_valid(&attr->iba.alt_av);
}

/*
 * Check the migration state in a modify. A consumer may set Migrated and ReArm. Armed is set only
 * when a packet of the peer arrives (req C4-105).
 */
static bool modify_migration_valid(const struct hca_eec *eec, const struct hca_qp_attr *attr,
				   int mask)
{
	switch (attr->iba.path_mig_state) {
	case IB_MIG_MIGRATED:
		return true;
	case IB_MIG_REARM:
		return eec->alternate_loaded || (mask & IB_QP_ALT_PATH);
	default:
		return false;
	}
}

/* Return whether the path MTU is valid and is supported by the port, if a port is set. */
static bool modify_mtu_valid(const struct hca_eec *eec, const struct hca_qp_attr *attr)
{
	return attr->iba.path_mtu >= IB_MTU_256 && attr->iba.path_mtu <= IB_MTU_4096 &&
	       (!eec->port || attr->iba.path_mtu <= READ_ONCE(eec->port->info.mtu_cap));
}

/*
 * Access flags that a modify of a queue pair accepts. HCA_REMOTE_ACCESS and HCA_FLUSH_ACCESS are
 * rights of the peer. The other flags are for MRs and have no effect on a queue pair; they are
 * accepted, because programs pass them. A flag that not even an MR may have is refused (req
 * R0-002).
 */
#define ACCESS_FLAGS \
	(HCA_REMOTE_ACCESS | HCA_FLUSH_ACCESS | IB_UVERBS_ACCESS_LOCAL_WRITE | \
	 IB_UVERBS_ACCESS_MW_BIND | \
	 IB_UVERBS_ACCESS_ON_DEMAND | IB_UVERBS_ACCESS_HUGETLB | IB_UVERBS_ACCESS_OPTIONAL_RANGE)

/* Check the new values against limits that do not depend on the state. */
static bool modify_attr_valid(const struct hca_eec *eec, const struct hca_qp_attr *attr, int mask)
{
	if ((mask & IB_QP_PORT) && !modify_is_port(eec, attr->iba.port_num))
		return false;
	if ((mask & IB_QP_PKEY_INDEX) && attr->iba.pkey_index >= HCA_PKEYS)
		return false;
	if ((mask & IB_QP_ACCESS_FLAGS) && (attr->access & ~ACCESS_FLAGS))
		return false;
	if ((mask & IB_QP_PATH_MTU) && !modify_mtu_valid(eec, attr))
		return false;
	if ((mask & IB_QP_AV) && !hca_av_valid(&attr->iba.av))
		return false;
	if ((mask & IB_QP_ALT_PATH) && !modify_alternate_valid(eec, attr))
		return false;
	if ((mask & IB_QP_PATH_MIG_STATE) && !modify_migration_valid(eec, attr, mask))
		return false;
	if ((mask & IB_QP_MAX_QP_RD_ATOMIC) && attr->max_rd_atomic > HCA_MAX_RD_ATOMIC)
		return false;
	if ((mask & IB_QP_MAX_DEST_RD_ATOMIC) && attr->max_dest_rd_atomic > HCA_MAX_RD_ATOMIC)
		return false;
	return !((mask & IB_QP_TIMEOUT) && attr->iba.timeout > 31) &&
	       !((mask & IB_QP_RETRY_CNT) && attr->iba.retry_cnt > 7) &&
	       !((mask & IB_QP_RNR_RETRY) && attr->iba.rnr_retry > 7) &&
	       !((mask & IB_QP_MIN_RNR_TIMER) && attr->iba.min_rnr_timer > 31) &&
	       !((mask & IB_QP_DEST_QPN) && attr->iba.dest_qpn > HCA_QPN_MASK);
}

int hca_attr_check(const struct hca_eec *eec, enum hca_kind kind, const struct hca_qp_attr *attr,
		   int mask)
{
	u8 next = mask & IB_QP_STATE ? attr->state : eec->common->state;

	if ((mask & IB_QP_CUR_STATE) && attr->cur_state != eec->common->state)
		return -EINVAL;
	return hca_transition_ok(eec->common->state, next, kind, mask) &&
			       modify_attr_valid(eec, attr, mask) ?
		       0 :
		       -EINVAL;
}

/* Set the port and the path to the peer. */
static void modify_path(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask)
{
	struct hca_qp_attr *own = &eec->attr;

	if (mask & IB_QP_PORT) {
		own->iba.port_num = attr->iba.port_num;
		hca_eec_release(eec); /* cancel the wait at the old port */
		WRITE_ONCE(eec->port, hca_node_port(&eec->ca->node, attr->iba.port_num));
	}
	if (mask & IB_QP_PKEY_INDEX)
		own->iba.pkey_index = attr->iba.pkey_index;
	if (mask & IB_QP_AV)
		own->iba.av = attr->iba.av;
	if (mask & IB_QP_PATH_MTU) {
		own->iba.path_mtu = attr->iba.path_mtu;
		eec->mtu = hca_mtu_bytes(attr->iba.path_mtu);
	}
	if (mask & (IB_QP_AV | IB_QP_PORT))
		eec->pace = eec->port ? hca_pace_of(eec->port, own->iba.av.static_rate) : 0;
	if (mask & IB_QP_DEST_QPN)
		own->iba.dest_qpn = attr->iba.dest_qpn;
	if (mask & IB_QP_ALT_PATH) {
		own->iba.alt_port_num = attr->iba.alt_port_num;
		own->iba.alt_pkey_index = attr->iba.alt_pkey_index;
		own->iba.alt_timeout = attr->iba.alt_timeout;
		own->iba.alt_av = attr->iba.alt_av;
		eec->alternate_loaded = true;
	}
}

static void modify_migration(struct hca_eec *eec, u8 state)
{
	if (state == IB_MIG_REARM)
		WRITE_ONCE(eec->attr.iba.path_mig_state, IB_MIG_REARM);
	else if (eec->attr.iba.path_mig_state == IB_MIG_ARMED)
		hca_migrate(eec);
	else
		WRITE_ONCE(eec->attr.iba.path_mig_state, IB_MIG_MIGRATED);
}

static void modify_reliability(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask)
{
	struct hca_qp_attr *own = &eec->attr;

	if (mask & IB_QP_TIMEOUT) {
		own->iba.timeout = attr->iba.timeout;
		hca_retry_set_timeout(eec, attr->iba.timeout);
	}
	if (mask & IB_QP_RETRY_CNT)
		eec->retries_left = own->iba.retry_cnt = attr->iba.retry_cnt;
	if (mask & IB_QP_RNR_RETRY)
		eec->rnr_left = own->iba.rnr_retry = attr->iba.rnr_retry;
	if (mask & IB_QP_MIN_RNR_TIMER)
		own->iba.min_rnr_timer = attr->iba.min_rnr_timer;
	if (mask & IB_QP_MAX_QP_RD_ATOMIC)
		own->max_rd_atomic = attr->max_rd_atomic;
	if (mask & IB_QP_MAX_DEST_RD_ATOMIC)
		own->max_dest_rd_atomic = attr->max_dest_rd_atomic;
	if (mask & IB_QP_RQ_PSN) {
		own->iba.rq_psn = attr->iba.rq_psn & HCA_PSN_MASK;
		eec->expected_psn = own->iba.rq_psn;
	}
	if (mask & IB_QP_SQ_PSN) {
		own->iba.sq_psn = attr->iba.sq_psn & HCA_PSN_MASK;
		eec->assigned_psn = own->iba.sq_psn;
		eec->next_psn = own->iba.sq_psn;
		eec->sent_psn = own->iba.sq_psn;
		eec->una_psn = own->iba.sq_psn;
		eec->window = HCA_WINDOW;
	}
}

void hca_attr_apply(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask)
{
	struct hca_qp_attr *own = &eec->attr;

	if (mask & IB_QP_QKEY)
		own->iba.qkey = attr->iba.qkey;
	if (mask & IB_QP_ACCESS_FLAGS)
		own->access = attr->access;
	modify_path(eec, attr, mask);
	modify_reliability(eec, attr, mask);
	if (mask & IB_QP_PATH_MIG_STATE)
		modify_migration(eec, attr->iba.path_mig_state);
}

void hca_attr_query(const struct hca_eec *eec, struct hca_qp_attr *attr)
{
	*attr = eec->attr;
	if (eec->transport != HCA_TRANSPORT_UD)
		attr->iba.sq_psn = eec->next_psn;
	attr->iba.rq_psn = eec->expected_psn;
}
