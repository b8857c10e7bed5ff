/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The general services interface of nodes without queue pairs: switches and bare adapters. */
#ifndef HCA_FABRIC_GSI_H
#define HCA_FABRIC_GSI_H

#include "fabric/node.h"
#include "link/packet.h"

/**
 * hca_gsi_receive() - take what comes for QP1
 * @port: whose it is: a bare adapter's port, or a switch's port 0
 * @pkt: taken over
 *
 * What the agents of such a node answer is answered; all else is dropped. Usable as struct
 * hca_port_ops.receive. Context: a port's run.
 */
void hca_gsi_receive(struct hca_port *port, struct hca_packet *pkt);

#endif
