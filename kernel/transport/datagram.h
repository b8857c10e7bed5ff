/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Unreliable datagrams, including those of QP0 and QP1, and the sending of raw datagrams. */
#ifndef HCA_TRANSPORT_DATAGRAM_H
#define HCA_TRANSPORT_DATAGRAM_H

#include "transport/iba_qp.h"

/*
 * Send the requests of an unreliable or raw datagram queue pair. Context: BH disabled; send_lock
 * held.
 */
enum hca_progress hca_datagram_send(struct hca_qp *qp, int *budget);

/**
 * hca_datagram_deliver() - check a datagram and deliver a copy of it to a queue pair
 * @qp: the queue pair; recv_lock not held
 * @port: the port that received the datagram
 * @pkt: the datagram, which the caller still owns; the function sets its pkey_index
 *
 * Context: the port's run.
 */
void hca_datagram_deliver(struct hca_qp *qp, struct hca_port *port, struct hca_packet *pkt);

/* Deliver a datagram as hca_datagram_deliver() does, and free it. */
void hca_datagram_receive(struct hca_qp *qp, struct hca_port *port, struct hca_packet *pkt);

#endif
