// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Automatic path migration. The path (address vector, port, P_Key, timeout) is exchanged with the
 * alternate path, which is then used up: a new alternate path has to be loaded (req C4-112).
 */
#include <linux/kernel.h>
#include "fabric/node.h"
#include "transport/migrate.h"
#include "transport/pace.h"
#include "transport/retry.h"

void hca_migrate(struct hca_eec *eec)
{
	struct hca_qp_attr *attr = &eec->attr;

	hca_port_cancel_wait(eec->port, &eec->blocked);
	swap(attr->av, attr->alt_av);
	swap(attr->port_num, attr->alt_port_num);
	swap(attr->pkey_index, attr->alt_pkey_index);
	swap(attr->timeout, attr->alt_timeout);
	eec->alternate_loaded = false;
	hca_retry_set_timeout(eec, attr->timeout);
	/* the first packet on the new path is not a retry */
	eec->retries_left = attr->retry_cnt + 1;
	WRITE_ONCE(eec->port, hca_node_port(&eec->ca->node, attr->port_num));
	eec->pace = hca_pace_of(eec->port, attr->av.static_rate);
	WRITE_ONCE(attr->path_mig_state, IB_MIG_MIGRATED);
	hca_eec_raise(eec, HCA_QP_PATH_MIG);
}

bool hca_migrate_now(struct hca_eec *eec)
{
	if (eec->attr.path_mig_state != IB_MIG_ARMED)
		return false;
	spin_lock(&eec->common->recv_lock);
	hca_migrate(eec);
	spin_unlock(&eec->common->recv_lock);
	return true;
}

/*
 * A packet without MigReq shows that the peer is Armed, or that it is in ReArm and waits for this
 * side to be armed (req C4-105).
 */
static void migrate_arm(struct hca_eec *eec)
{
	switch (eec->attr.path_mig_state) {
	case IB_MIG_MIGRATED:
		if (eec->alternate_loaded)
			WRITE_ONCE(eec->attr.path_mig_state, IB_MIG_REARM);
		break;
	case IB_MIG_REARM:
		WRITE_ONCE(eec->attr.path_mig_state, IB_MIG_ARMED);
		break;
	}
}

bool hca_migrate_receive(struct hca_eec *eec, struct hca_port *port, const struct hca_packet *pkt)
{
	bool ok = true;

	spin_lock(&eec->common->send_lock);
	spin_lock(&eec->common->recv_lock);
	if (!(pkt->h.bth.flags & HCA_BTH_MIGREQ)) {
		migrate_arm(eec);
	} else if (eec->attr.path_mig_state == IB_MIG_ARMED) {
		ok = hca_migrates_by(eec, port, pkt);
		if (ok)
			hca_migrate(eec);
		else
			hca_eec_raise(eec, HCA_QP_PATH_MIG_ERROR);
	}
	spin_unlock(&eec->common->recv_lock);
	spin_unlock(&eec->common->send_lock);
	return ok;
}
