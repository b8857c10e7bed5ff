/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The general services interface (GSI) of nodes without queue pairs: switches and TCAs. */
#ifndef HCA_FABRIC_GSI_H
#define HCA_FABRIC_GSI_H

#include "fabric/node.h"
#include "packet/packet.h"

/**
 * hca_gsi_receive() - receive a packet for QP1
 * @port: the destination: a port of a TCA, or port 0 of a switch
 * @pkt: consumed
 *
 * The agents of the node answer a valid GMP; other packets are dropped. The function can be used as
 * struct hca_port_ops.receive.
 * Context: hca_rx_run().
 */
void hca_gsi_receive(struct hca_port *port, struct hca_packet *pkt);

#endif
