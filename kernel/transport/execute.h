/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Execution of request packets. */
#ifndef HCA_TRANSPORT_EXECUTE_H
#define HCA_TRANSPORT_EXECUTE_H

#include "transport/aeth.h"
#include "transport/iba_qp.h"

/* Result of a packet that is neither executed nor answered. The value is not an AETH syndrome. */
#define HCA_DROP 0xff
/*
 * Result of a segment batch whose packets must be executed one by one, because their results may
 * differ. The value is not an AETH syndrome.
 */
#define HCA_SPLIT 0xfe

/**
 * hca_execute() - execute a request packet
 * @eec: the EE context that received the packet
 * @qp: the destination queue pair; its receive requests, PD and access rights are used
 * @pkt: the packet; its PSN is expected_psn
 *
 * Context: BH disabled; recv_lock held.
 * Return: HCA_SYNDROME_ACK if the packet was executed; the syndrome of an RNR NAK; the syndrome of
 * a NAK and its reason (transport/nak.h); HCA_DROP; or, for a segment batch, HCA_SPLIT.
 */
u16 hca_execute(struct hca_eec *eec, struct hca_qp *qp, const struct hca_packet *pkt);

#endif
