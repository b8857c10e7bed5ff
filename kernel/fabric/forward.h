/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The packet relay of a switch, which forwards received packets to output ports. */
#ifndef HCA_FABRIC_FORWARD_H
#define HCA_FABRIC_FORWARD_H

#include "fabric/switch.h"

/**
 * hca_switch_receive() - relay a packet received on a data VL
 * @port: the external port that has received it
 * @pkt: consumed
 *
 * This is struct hca_port_ops.receive of a switch's external ports. The function makes the inbound
 * checks, looks up the output ports, and forwards the packet or a copy to each output port. A
 * packet for the switch itself is passed to the receive operation of port 0.
 * Context: hca_rx_run().
 */
void hca_switch_receive(struct hca_port *port, struct hca_packet *pkt);

/**
 * hca_switch_relay_smp() - relay an SMP that is routed by LID
 * @in: the external port that has received it
 * @pkt: consumed; lrh.dlid is not a LID of port 0
 *
 * The SMP is dropped and counted at @in if its destination LID has no output port, if the output
 * port is @in, or if the SMP has passed HCA_MAX_HOPS switches.
 * Context: BH disabled.
 */
void hca_switch_relay_smp(struct hca_port *in, struct hca_packet *pkt);

/**
 * hca_switch_send_smp() - send an SMP of the switch itself to a LID
 * @sw: the switch
 * @pkt: consumed; a complete packet on VL15 whose lrh.dlid is a unicast LID
 *
 * The SMP is dropped if its destination LID has no output port.
 * Context: BH disabled.
 */
void hca_switch_send_smp(struct hca_switch *sw, struct hca_packet *pkt);

/**
 * hca_switch_send() - send a packet of the agents at port 0 to a LID
 * @sw: the switch
 * @pkt: consumed; a complete packet for a data VL whose lrh.dlid is a unicast LID
 *
 * The packet is dropped if its destination LID has no output port.
 * Context: BH disabled.
 */
void hca_switch_send(struct hca_switch *sw, struct hca_packet *pkt);

#endif
