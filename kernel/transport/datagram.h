/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Unreliable datagrams, including those of QP0 and QP1, and the sender of raw ones. */
#ifndef HCA_TRANSPORT_DATAGRAM_H
#define HCA_TRANSPORT_DATAGRAM_H

#include "transport/qp.h"

/*
 * Send the requests of an unreliable or raw datagram queue pair. Context: BH disabled; send_lock
 * held.
 */
enum hca_progress hca_datagram_send(struct hca_qp *qp, int *budget);

/* Deliver a copy of a datagram to a queue pair, which takes recv_lock. The caller keeps @pkt. */
void hca_datagram_deliver(struct hca_qp *qp, const struct hca_packet *pkt);

/* Receive and free a datagram; takes recv_lock. */
void hca_datagram_receive(struct hca_qp *qp, struct hca_packet *pkt);

#endif
