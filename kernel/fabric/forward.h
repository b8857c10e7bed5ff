/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The relay of a switch: from a packet's destination to the ports it leaves by. */
#ifndef HCA_FABRIC_FORWARD_H
#define HCA_FABRIC_FORWARD_H

#include "fabric/switch.h"

/**
 * hca_switch_receive() - struct hca_port_ops.receive of a switch's ports
 * @port: an external port
 * @pkt: taken over; of a data VL
 *
 * Checks what a switch checks of a packet on its way in, finds the ports it leaves by, and gives
 * it, or a copy, to each: to the link, or to port 0's agents. Context: the port's run.
 */
void hca_switch_receive(struct hca_port *port, struct hca_packet *pkt);

/**
 * hca_switch_relay_smp() - pass on an SMP that is under way by LID
 * @in: the external port where it came in
 * @pkt: taken over; lrh.dlid is not port 0's
 *
 * One that no port leads to, or @in does, or that has passed HCA_MAX_HOPS switches, is dropped, and
 * counted where it came in. Context: BH disabled.
 */
void hca_switch_relay_smp(struct hca_port *in, struct hca_packet *pkt);

/**
 * hca_switch_send_smp() - send an SMP of the switch's own towards a LID
 * @sw: the switch
 * @pkt: taken over; on VL15, finished; lrh.dlid is a unicast LID
 *
 * An SMP that no port leads to is dropped. Context: BH disabled.
 */
void hca_switch_send_smp(struct hca_switch *sw, struct hca_packet *pkt);

/**
 * hca_switch_send() - send a packet of port 0's own agents
 * @sw: the switch
 * @pkt: taken over; of a data VL, finished; lrh.dlid is a unicast LID
 *
 * Context: BH disabled.
 */
void hca_switch_send(struct hca_switch *sw, struct hca_packet *pkt);

#endif
