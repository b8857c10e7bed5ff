/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Automatic path migration with the states Migrated, ReArm and Armed (req C4-101 to C4-112). */
#ifndef HCA_TRANSPORT_MIGRATE_H
#define HCA_TRANSPORT_MIGRATE_H

#include "transport/eec.h"

/* Return the MigReq bit for the BTH of packets that are sent: HCA_BTH_MIGREQ or 0. */
static inline u8 hca_migreq(const struct hca_eec *eec)
{
	return READ_ONCE(eec->attr.iba.path_mig_state) == IB_MIG_MIGRATED ? HCA_BTH_MIGREQ : 0;
}

/*
 * Return true if the packet does not affect migration, because the state is Migrated and the packet
 * has MigReq.
 */
static inline bool hca_migrate_is_idle(const struct hca_eec *eec, const struct hca_packet *pkt)
{
	return READ_ONCE(eec->attr.iba.path_mig_state) == IB_MIG_MIGRATED &&
	       (pkt->h.bth.flags & HCA_BTH_MIGREQ);
}

/*
 * Return true if the packet has MigReq and arrived on the alternate path, while the state is Armed.
 */
static inline bool hca_migrates_by(const struct hca_eec *eec, const struct hca_port *port,
				   const struct hca_packet *pkt)
{
	return READ_ONCE(eec->attr.iba.path_mig_state) == IB_MIG_ARMED &&
	       (pkt->h.bth.flags & HCA_BTH_MIGREQ) && eec->attr.iba.alt_port_num == port->num &&
	       eec->attr.iba.alt_av.dlid == pkt->h.lrh.slid;
}

/**
 * hca_migrate_receive() - process the MigReq bit of a received packet, which may migrate the path
 * @eec: the connection or RD EE context
 * @port: the port that received the packet
 * @pkt: the packet
 *
 * Takes send_lock and recv_lock.
 *
 * Context: BH disabled.
 * Return: false if the packet requests migration but did not arrive on the alternate path. In this
 * case the event Path Migration Request Error is raised, and the packet is to be dropped.
 */
bool hca_migrate_receive(struct hca_eec *eec, struct hca_port *port, const struct hca_packet *pkt);

/**
 * hca_migrate_now() - migrate if the state is Armed, because the path seems dead (req C4-106)
 * @eec: the connection or RD EE context; send_lock held
 *
 * Context: BH disabled.
 * Return: true if the alternate path is now in use; false if the state was not Armed.
 */
bool hca_migrate_now(struct hca_eec *eec);

/* Migrate to the alternate path. send_lock and recv_lock held. */
void hca_migrate(struct hca_eec *eec);

#endif
