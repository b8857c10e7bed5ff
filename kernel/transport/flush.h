/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Execution of a Flush (IBA annex A19). */
#ifndef HCA_TRANSPORT_FLUSH_H
#define HCA_TRANSPORT_FLUSH_H

#include "transport/eec.h"
#include "transport/iba_qp.h"

/**
 * hca_flush_execute() - execute a Flush
 * @eec: the EE context that received the packet
 * @qp: the destination queue pair
 * @pkt: the packet; its PSN is expected_psn
 *
 * Context: BH disabled; recv_lock held.
 * Return: HCA_SYNDROME_ACK if the response was queued; the syndrome of a NAK and its reason
 * (transport/nak.h); HCA_DROP if the response queue is full.
 */
u16 hca_flush_execute(struct hca_eec *eec, const struct hca_qp *qp, const struct hca_packet *pkt);

#endif
