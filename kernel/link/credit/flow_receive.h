/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Flow control of a port: processes received flow-control packets. */
#ifndef HCA_LINK_CREDIT_FLOW_RECEIVE_H
#define HCA_LINK_CREDIT_FLOW_RECEIVE_H

struct hca_packet;
struct hca_port;

/* Process and consume @pkt, whose payload is flow-control packets. Context: hca_rx_run(). */
void hca_flow_receive(struct hca_port *port, struct hca_packet *pkt);

#endif
