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
 * @pkt: the datagram, which the caller still owns; pkt->pkey_index is set
 *
 * Context: called by the run function of @port (engine/run.h); BH disabled.
 */
void hca_datagram_deliver(struct hca_qp *qp, struct hca_port *port, struct hca_packet *pkt);

/* Call hca_datagram_deliver(), then free the datagram. */
void hca_datagram_receive(struct hca_qp *qp, struct hca_port *port, struct hca_packet *pkt);

#endif
