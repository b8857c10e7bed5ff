/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Execution of a Flush (IBA annex A19). */
#ifndef HCA_TRANSPORT_FLUSH_H
#define HCA_TRANSPORT_FLUSH_H

#include "transport/eec.h"
#include "transport/iba_qp.h"

/**
 * hca_flush_execute() - execute a Flush
 * @eec: the EE context that received the packet
 * @qp: the destination
 * @pkt: the packet, whose PSN is the expected one
 *
 * Context: BH disabled; recv_lock held.
 * Return: as hca_execute() for a single packet.
 */
u16 hca_flush_execute(struct hca_eec *eec, const struct hca_qp *qp, const struct hca_packet *pkt);

#endif
