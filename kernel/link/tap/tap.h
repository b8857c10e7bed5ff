/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Captures and tracepoints of packets that are sent by a port, arrive at it, or are dropped. */
#ifndef HCA_LINK_TAP_TAP_H
#define HCA_LINK_TAP_TAP_H

#include <linux/hca_tap.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include "link/port/port.h"
#include "trace/hca.h"

struct hca_capture;

#define HCA_MAX_PORT_TAPS 64 /* maximum number of captures of a port */

/* The part of a capture that belongs to one port. */
struct hca_tap {
	struct hca_tap __rcu *next; /* another capture of the port. RCU (BH) */
	struct hca_capture *capture;
	/* NULL: not attached. Guarded by the control mutex, as hca_tap_attach() is. */
	struct hca_port *port;
	struct list_head node; /* list entry for the owner of the capture */
	u16 num; /* number of the port in the capture */
	/* Bits HCA_TAP_IN and HCA_TAP_OUT; HCA_TAP_FLOW adds flow-control packets. */
	u8 directions;
};

/**
 * hca_tap_attach() - begin to capture the packets of a port
 * @tap: the tap, complete except next and port
 * @port: the port
 *
 * The caller then calls hca_flow_update(), since a cable needs flow-control packets while a port is
 * captured.
 * Context: process, may sleep; the caller serializes attaching, detaching and connecting cables
 * (the control mutex).
 */
void hca_tap_attach(struct hca_tap *tap, struct hca_port *port);

/**
 * hca_tap_detach() - end the capture of a port
 * @tap: the tap, attached; readers may use it until an RCU grace period has passed
 *
 * Context: process, may sleep; the caller serializes attaching, detaching and connecting cables
 * (the control mutex).
 * Return: the port, for which the caller then calls hca_flow_update().
 */
struct hca_port *hca_tap_detach(struct hca_tap *tap);

/**
 * hca_tap_count() - count the captures of a port
 * @port: the port
 *
 * Context: process; the caller serializes attaching and detaching (the control mutex).
 * Return: the number of captures, at most HCA_MAX_PORT_TAPS.
 */
unsigned int hca_tap_count(const struct hca_port *port);

/* Write a packet to each capture of a port. Context: BH disabled. */
void hca_tap_packet(struct hca_port *port, const struct hca_packet *pkt, u8 direction);

/* Write octets that are not a valid packet to each capture of a port. Context: BH disabled. */
void hca_tap_octets(struct hca_port *port, const u8 *wire, u32 octets, u8 direction);

/* Write flow-control packets of HCA_FLOW_BYTES each to each capture. Context: BH disabled. */
void hca_tap_flow(struct hca_port *port, const u8 *octets, u32 len, u8 direction);

/* Emit the tracepoint and write the captures for each packet of a batch. Context: BH disabled. */
void hca_port_watch(struct hca_port *port, const struct hca_packet *pkt, u8 direction);

/* Emit the tracepoint of a drop for each packet of a batch. Context: BH disabled. */
void hca_port_watch_drop(struct hca_port *port, const struct hca_packet *pkt,
			 enum hca_drop_reason reason);

/* Trace and capture a packet that is sent on the link. Context: BH disabled. */
static inline void hca_tap_tx(struct hca_port *port, const struct hca_packet *pkt)
{
	if (unlikely(rcu_access_pointer(port->taps)) || trace_hca_packet_out_enabled())
		hca_port_watch(port, pkt, HCA_TAP_OUT);
}

/*
 * Trace and capture a packet that has arrived by the link, not by loopback. Context: BH disabled.
 */
static inline void hca_tap_rx(struct hca_port *port, const struct hca_packet *pkt)
{
	if (pkt->flags & HCA_PACKET_LOOPBACK)
		return;
	if (unlikely(rcu_access_pointer(port->taps)) || trace_hca_packet_in_enabled())
		hca_port_watch(port, pkt, HCA_TAP_IN);
}

/* Capture flow-control packets that are sent or have arrived. Context: BH disabled. */
static inline void hca_port_flow(struct hca_port *port, const u8 *octets, u32 len, u8 direction)
{
	if (unlikely(rcu_access_pointer(port->taps)))
		hca_tap_flow(port, octets, len, direction);
}

/**
 * hca_trace_drop() - emit the tracepoint hca_drop for each packet of a batch
 * @port: port at which the packet is dropped
 * @pkt: the packet, not freed yet
 * @reason: reason of the drop
 *
 * Context: BH disabled.
 */
static inline void hca_trace_drop(struct hca_port *port, const struct hca_packet *pkt,
				  enum hca_drop_reason reason)
{
	if (trace_hca_drop_enabled())
		hca_port_watch_drop(port, pkt, reason);
}

#endif
