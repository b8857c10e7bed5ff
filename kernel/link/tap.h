/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Where a packet enters or leaves a port, for those who watch: captures and tracepoints. */
#ifndef HCA_LINK_TAP_H
#define HCA_LINK_TAP_H

#include <linux/hca_tap.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include "link/port.h"
#include "trace/hca.h"

struct hca_capture;

/* A port, as a capture sees it. */
struct hca_tap {
	struct hca_tap __rcu *next; /* another capture of the port. RCU (BH) */
	struct hca_capture *capture;
	struct hca_port *port; /* NULL: not attached; whoever attaches guards it */
	struct list_head node; /* for the capture's owner */
	u16 num; /* what the capture calls the port */
	u8 directions; /* HCA_TAP_IN, HCA_TAP_OUT; HCA_TAP_FLOW: flow-control packets, too */
};

/**
 * hca_tap_attach() - capture a port's packets from now on
 * @tap: all set but for next and port
 * @port: the port
 *
 * If it has a cable, that has flow-control packets then, both ways.
 * Context: process, may sleep; the caller serialises attaching, detaching and plugging (the control
 * mutex).
 */
void hca_tap_attach(struct hca_tap *tap, struct hca_port *port);

/**
 * hca_tap_detach() - capture no more
 * @tap: attached
 *
 * After a grace period nobody is at it any more. Context: as above.
 */
void hca_tap_detach(struct hca_tap *tap);

/* For each capture of the port. Context: BH disabled. */
void hca_tap_packet(struct hca_port *port, const struct hca_packet *pkt, u8 direction);

/* The same of octets that are no packet. */
void hca_tap_octets(struct hca_port *port, const u8 *wire, u32 octets, u8 direction);

/* The same of flow-control packets, one behind the other. */
void hca_tap_flow(struct hca_port *port, const u8 *octets, u32 len, u8 direction);

/* What is done for those who watch, for each packet of a train. Context: BH disabled. */
void hca_port_watch(struct hca_port *port, const struct hca_packet *pkt, u8 direction);
void hca_port_watch_drop(struct hca_port *port, const struct hca_packet *pkt,
			 enum hca_drop_reason reason);

/* A packet goes out on the link. Context: BH disabled. */
static inline void hca_tap_tx(struct hca_port *port, const struct hca_packet *pkt)
{
	if (unlikely(rcu_access_pointer(port->taps)) || trace_hca_packet_out_enabled())
		hca_port_watch(port, pkt, HCA_TAP_OUT);
}

/* A packet has come in; what comes from the port itself has not been on the link. */
static inline void hca_tap_rx(struct hca_port *port, const struct hca_packet *pkt)
{
	if (pkt->flags & HCA_PACKET_LOOPBACK)
		return;
	if (unlikely(rcu_access_pointer(port->taps)) || trace_hca_packet_in_enabled())
		hca_port_watch(port, pkt, HCA_TAP_IN);
}

/* Flow-control packets go out on the link, or have come in. Context: BH disabled. */
static inline void hca_port_flow(struct hca_port *port, const u8 *octets, u32 len, u8 direction)
{
	if (unlikely(rcu_access_pointer(port->taps)))
		hca_tap_flow(port, octets, len, direction);
}

/* A packet ends here. Context: BH disabled. */
static inline void hca_trace_drop(struct hca_port *port, const struct hca_packet *pkt,
				  enum hca_drop_reason reason)
{
	if (trace_hca_drop_enabled())
		hca_port_watch_drop(port, pkt, reason);
}

#endif
