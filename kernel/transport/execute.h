/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Execution of request packets. */
#ifndef HCA_TRANSPORT_EXECUTE_H
#define HCA_TRANSPORT_EXECUTE_H

#include "transport/aeth.h"
#include "transport/iba_qp.h"

/* Result other than an AETH syndrome: the packet is dropped, neither executed nor answered. */
#define HCA_DROP 0xff
/*
 * Result other than an AETH syndrome: nothing was executed, because the packets of the segment
 * batch have different results.
 */
#define HCA_SPLIT 0xfe

/**
 * hca_execute() - execute a request packet
 * @eec: the EE context that received the packet
 * @qp: the destination, whose receive requests, protection domain and access rights apply
 * @pkt: the packet, whose PSN is the expected one
 *
 * Context: BH disabled; recv_lock held.
 * Return: HCA_SYNDROME_ACK for an acknowledgement, to which credits are added; the syndrome of an
 * RNR NAK; the syndrome of a NAK with its reason (transport/nak.h); HCA_DROP; or, for a segment
 * batch, HCA_SPLIT.
 */
u16 hca_execute(struct hca_eec *eec, struct hca_qp *qp, const struct hca_packet *pkt);

#endif
