/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The subnet management interface of every node: what VL15 brings. */
#ifndef HCA_FABRIC_SMI_H
#define HCA_FABRIC_SMI_H

#include "fabric/node.h"
#include "sma/smp.h"

/**
 * hca_smi_receive() - take an SMP that arrived at a port on VL15
 * @port: where
 * @pkt: taken over
 *
 * Follows directed routes, has the agent answer at the route's end, and gives what the
 * agent does not answer (returned SMPs, SMInfo, traps) unmodified to
 * port->ops->receive, that is to QP0.
 *
 * Context: the port's run; bottom halves disabled.
 */
void hca_smi_receive(struct hca_port *port, struct hca_packet *pkt);

/**
 * hca_smi_send_trap() - send what nobody asked for, to the manager
 * @home: an adapter's port, or a switch's port 0: PortInfo.MasterSMLID is whom it goes to (C4-220)
 * @smp: by LID, whole
 *
 * What cannot be sent is lost. Context: BH disabled, no lock held; the engine is drained later.
 */
void hca_smi_send_trap(struct hca_port *home, const struct hca_smp *smp);

#endif
