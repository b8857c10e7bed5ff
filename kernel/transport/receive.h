/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Checks of received packets that all transports share (IBA 9.6.1). */
#ifndef HCA_TRANSPORT_RECEIVE_H
#define HCA_TRANSPORT_RECEIVE_H

#include "transport/qp.h"

/**
 * hca_datagram_ok() - check whether a datagram queue pair may receive a packet
 * @qp: the queue pair
 * @port: the port that received the packet
 * @pkt: the packet; the function sets the index of its P_Key
 *
 * A P_Key that does not match is counted as a violation.
 *
 * Context: BH disabled.
 * Return: whether the packet may be delivered.
 */
bool hca_datagram_ok(struct hca_qp *qp, struct hca_port *port, struct hca_packet *pkt);

#endif
