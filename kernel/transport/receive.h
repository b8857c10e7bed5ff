/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What every transport checks of a packet (IBA 9.6.1). */
#ifndef HCA_TRANSPORT_RECEIVE_H
#define HCA_TRANSPORT_RECEIVE_H

#include "transport/qp.h"

/**
 * hca_datagram_ok() - may a datagram queue pair have this packet?
 * @qp: the queue pair
 * @port: where it has arrived
 * @pkt: the packet; the index of its P_Key is noted in it
 *
 * A P_Key that does not match is counted. Context: BH disabled.
 */
bool hca_datagram_ok(struct hca_qp *qp, struct hca_port *port, struct hca_packet *pkt);

#endif
