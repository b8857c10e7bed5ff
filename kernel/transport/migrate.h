/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Automatic path migration with the states Migrated, ReArm and Armed (req C4-101 to C4-112). */
#ifndef HCA_TRANSPORT_MIGRATE_H
#define HCA_TRANSPORT_MIGRATE_H

#include "transport/eec.h"

/* Return the MigReq bit of the BTH for packets sent. */
static inline u8 hca_migreq(const struct hca_eec *eec)
{
	return READ_ONCE(eec->attr.path_mig_state) == IB_MIG_MIGRATED ? HCA_BTH_MIGREQ : 0;
}

/* Return whether the state is Migrated and the packet has MigReq: migration has nothing to do. */
static inline bool hca_migrate_is_idle(const struct hca_eec *eec, const struct hca_packet *pkt)
{
	return READ_ONCE(eec->attr.path_mig_state) == IB_MIG_MIGRATED &&
	       (pkt->h.bth.flags & HCA_BTH_MIGREQ);
}

/* Return whether the packet arrived on the alternate path from a peer that has migrated to it. */
static inline bool hca_migrates_by(const struct hca_eec *eec, const struct hca_port *port,
				   const struct hca_packet *pkt)
{
	return READ_ONCE(eec->attr.path_mig_state) == IB_MIG_ARMED &&
	       (pkt->h.bth.flags & HCA_BTH_MIGREQ) && eec->attr.alt_port_num == port->num &&
	       eec->attr.alt_av.dlid == pkt->h.lrh.slid;
}

/**
 * hca_migrate_receive() - process the MigReq bit of a received packet, which may migrate the path
 * @eec: the connection or RD EE context
 * @port: the port that received the packet
 * @pkt: the packet
 *
 * Takes both locks.
 *
 * Context: BH disabled.
 * Return: false if the packet asks to migrate but did not arrive on the alternate path; the event
 * Path Migration Request Error is raised and the packet is to be dropped.
 */
bool hca_migrate_receive(struct hca_eec *eec, struct hca_port *port, const struct hca_packet *pkt);

/**
 * hca_migrate_now() - migrate if possible, because the path seems dead (req C4-106)
 * @eec: the connection or RD EE context; send_lock held
 *
 * Context: BH disabled.
 * Return: true if the alternate path is in use from now on.
 */
bool hca_migrate_now(struct hca_eec *eec);

/* Migrate to the alternate path. Both locks held. */
void hca_migrate(struct hca_eec *eec);

#endif
