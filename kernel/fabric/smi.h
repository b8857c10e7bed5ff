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
 * An SMP that is routed further is forwarded. At the end of its route the agent of the node answers
 * it. SMPs that the agent does not handle (responses, SMInfo, traps) are passed to
 * port->ops->receive unmodified, that is to QP0.
 * Context: the port's run; BH disabled.
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
