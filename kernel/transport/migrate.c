// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Automatic path migration. A migration swaps the path (address vector, port, P_Key index and
 * timeout) with the alternate path. The consumer has to load a new alternate path before the next
 * migration (req C4-112).
 */
#include "transport/migrate.h"
#include <linux/kernel.h>
#include "fabric/node.h"
#include "transport/pace.h"
#include "transport/retry.h"

void hca_migrate(struct hca_eec *eec)
{
	struct hca_qp_attr *attr = &eec->attr;

	hca_port_cancel_wait(eec->port, &eec->blocked);
	swap(attr->iba.av, attr->iba.alt_av);
	swap(attr->iba.port_num, attr->iba.alt_port_num);
	swap(attr->iba.pkey_index, attr->iba.alt_pkey_index);
	swap(attr->iba.timeout, attr->iba.alt_timeout);
	eec->alternate_loaded = false;
	hca_retry_set_timeout(eec, attr->iba.timeout);
	/* plus one, because the first transmission on the new path is not a retry */
	eec->retries_left = attr->iba.retry_cnt + 1;
	WRITE_ONCE(eec->port, hca_node_port(&eec->ca->node, attr->iba.port_num));
	eec->pace = hca_pace_of(eec->port, attr->iba.av.static_rate);
	WRITE_ONCE(attr->iba.path_mig_state, IB_MIG_MIGRATED);
	hca_eec_raise(eec, HCA_QP_PATH_MIG);
}

bool hca_migrate_now(struct hca_eec *eec)
{
	if (eec->attr.iba.path_mig_state != IB_MIG_ARMED)
		return false;
	spin_lock(&eec->common->recv_lock);
	hca_migrate(eec);
	spin_unlock(&eec->common->recv_lock);
	return true;
}

/*
 * Process a packet without MigReq, which shows that the peer is in state ReArm or Armed. Go from
 * Migrated to ReArm if an alternate path is loaded, or from ReArm to Armed (req C4-105).
 */
static void migrate_arm(struct hca_eec *eec)
{
	switch (eec->attr.iba.path_mig_state) {
	case IB_MIG_MIGRATED:
		if (eec->alternate_loaded)
			WRITE_ONCE(eec->attr.iba.path_mig_state, IB_MIG_REARM);
		break;
	case IB_MIG_REARM:
		WRITE_ONCE(eec->attr.iba.path_mig_state, IB_MIG_ARMED);
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
	} else if (eec->attr.iba.path_mig_state == IB_MIG_ARMED) {
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
