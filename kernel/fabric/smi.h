/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The subnet management interface (SMI) of a node: reception of packets on VL15. */
#ifndef HCA_FABRIC_SMI_H
#define HCA_FABRIC_SMI_H

#include "fabric/node.h"
#include "wire/smp.h"

/**
 * hca_smi_receive() - receive a packet on VL15
 * @port: the port that has received it
 * @pkt: consumed
 *
 * An SMP whose route does not end at this node is forwarded; otherwise the node's agent answers the
 * SMP. SMPs that the agent does not handle (responses, SMInfo, traps) are passed unmodified to
 * port->ops->manager, that is to QP0, or dropped if port->ops->manager is NULL.
 * Context: hca_rx_run().
 */
void hca_smi_receive(struct hca_port *port, struct hca_packet *pkt);

/**
 * hca_smi_send_trap() - send a trap to the subnet manager
 * @home: a port of a CA, or port 0 of a switch; its PortInfo:MasterSMLID is the destination
 *        (req C4-220)
 * @smp: the complete LID-routed SMP
 *
 * A trap that cannot be sent is dropped.
 * Context: BH disabled, no lock held; the caller calls hca_engine_run() afterwards.
 */
void hca_smi_send_trap(struct hca_port *home, const struct hca_smp *smp);

#endif
