/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Automatic path migration: Migrated, ReArm, Armed (C4-101 to C4-112). */
#ifndef HCA_TRANSPORT_MIGRATE_H
#define HCA_TRANSPORT_MIGRATE_H

#include "transport/eec.h"

/* The BTH's MigReq of what is sent. */
static inline u8 hca_migreq(const struct hca_eec *eec)
{
	return READ_ONCE(eec->attr.path_mig_state) == HCA_MIG_MIGRATED ? HCA_BTH_MIGREQ : 0;
}

/* Is it as it is with all who never heard of an alternate path? */
static inline bool hca_migrate_is_idle(const struct hca_eec *eec, const struct hca_packet *pkt)
{
	return READ_ONCE(eec->attr.path_mig_state) == HCA_MIG_MIGRATED &&
	       (pkt->h.bth.flags & HCA_BTH_MIGREQ);
}

/* Came by the alternate path, from a peer that has migrated to it. */
static inline bool hca_migrates_by(const struct hca_eec *eec, const struct hca_port *port,
				   const struct hca_packet *pkt)
{
	return READ_ONCE(eec->attr.path_mig_state) == HCA_MIG_ARMED &&
	       (pkt->h.bth.flags & HCA_BTH_MIGREQ) && eec->attr.alt_port_num == port->num &&
	       eec->attr.alt_av.dlid == pkt->h.lrh.slid;
}

/**
 * hca_migrate_receive() - heed the MigReq of a packet that has come, migrate if it is time
 * @eec: the connection or channel
 * @port: where the packet came in
 * @pkt: the packet
 *
 * Context: BH disabled; takes both locks. Return: false: it asks to migrate and did not come by
 * the alternate path, and is to be dropped (event Path Migration Request Error).
 */
bool hca_migrate_receive(struct hca_eec *eec, struct hca_port *port, const struct hca_packet *pkt);

/**
 * hca_migrate_now() - the path seems dead (C4-106)
 * @eec: the connection or channel; send_lock held
 *
 * Return: true: there is another path, in use from now on.
 */
bool hca_migrate_now(struct hca_eec *eec);

/* Go over to the alternate path, as the consumer says. Both locks held. */
void hca_migrate(struct hca_eec *eec);

#endif
