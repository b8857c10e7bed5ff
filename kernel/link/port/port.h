/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A port: its attributes, its link, its sending and its receiving half. */
#ifndef HCA_LINK_PORT_PORT_H
#define HCA_LINK_PORT_PORT_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "link/credit/flow_control.h"
#include "link/port/attributes.h"
#include "link/port/counter.h"
#include "link/rx/integrity.h"
#include "link/rx/rx.h"
#include "link/rx/rx_buffer.h"
#include "link/state/link_event.h"
#include "link/state/recovery.h"
#include "link/tx/loopback.h"
#include "link/tx/tx.h"
#include "packet/packet.h"

struct hca_agent_port;
struct hca_phy;
struct hca_node;
struct hca_notice;
struct hca_port;
struct hca_shape;
struct hca_tap;
struct hca_network_link;

/* Events that hca_port_ops.event reports to the owner of a port. */
enum hca_port_event {
	HCA_EVENT_PORT_ACTIVE,
	HCA_EVENT_PORT_ERROR,
	HCA_EVENT_LID_CHANGE,
	HCA_EVENT_SM_CHANGE,
	HCA_EVENT_PKEY_CHANGE,
	HCA_EVENT_GID_CHANGE,
	HCA_EVENT_CLIENT_REREGISTER,
};

struct hca_port_ops {
	/*
	 * True for a port of a switch. An external port then accepts packets for any DLID, and a
	 * data packet keeps its space in the VL's receive buffer reserved (hca_packet.reserved_at)
	 * until the packet leaves for the next hop or is freed. The packet must not outlive the
	 * port: before the ports of a switch are freed, all their cables are removed, which drops
	 * queued packets, and every other holder of such packets is stopped.
	 */
	bool relays;
	/* Receives and consumes a packet that the link has checked. Called by hca_rx_run(). */
	void (*receive)(struct hca_port *port, struct hca_packet *pkt);
	/* Receives and consumes a packet of VL15. Called by hca_rx_run(). */
	void (*receive_smp)(struct hca_port *port, struct hca_packet *pkt);
	/* Receives an SMP that agents do not handle but a manager at QP0 may; NULL: no manager. */
	void (*manager)(struct hca_port *port, struct hca_packet *pkt);
	/* Reports an event; must not sleep. Context: BH disabled; port->lock not held. */
	void (*event)(struct hca_port *port, enum hca_port_event event);
	/*
	 * Reports a notice; must not sleep; NULL: the owner does not keep notices. Context: BH
	 * disabled; port->lock not held.
	 */
	void (*notice)(struct hca_port *port, const struct hca_notice *notice);
	/*
	 * Reports that the link has come up, or has gone Down for a reason other than a
	 * Set(PortInfo); must not sleep; may be NULL. Context: BH disabled; port->lock not held.
	 */
	void (*link_changed)(struct hca_port *port);
};

struct hca_port {
	struct hca_node *node; /* node of the port; the link layer does not use it */
	u8 node_type; /* enum rdma_node_type */
	struct hca_packet_pool *pool; /* pool from which the link layer allocates packets */
	struct hca_port *home; /* port 0 of a switch; of a CA, the port itself */
	const struct hca_port_ops *ops;
	u8 num; /* number of the port, from 1; 0: the management port of a switch */

	/*
	 * Taken with BH disabled; guards info, tables and changes of the link's state. The packet
	 * path reads single fields without the lock (READ_ONCE).
	 */
	spinlock_t lock;
	struct hca_port_info info;
	struct hca_port_tables tables;

	/* The port at the other end of the cable; NULL: no cable in this kernel. RCU (BH). */
	struct hca_port __rcu *peer;
	/* The phy that carries the packets; NULL: a plain cable, or not connected. RCU (BH). */
	struct hca_phy __rcu *phy;
	/* Link over a network (control/networks.c); NULL: none. Guarded by the control mutex. */
	struct hca_network_link *network;
	/* Rate, delay and flapping towards the peer (phy/shape.h). Guarded by the control mutex. */
	struct hca_shape *shape;
	struct hca_tap __rcu *taps; /* captures of the port (link/tap/tap.h). RCU (BH) */
	u16 link_generation; /* changes whenever a cable is connected or removed */
	struct list_head unlinked; /* entry in a list of ports whose cables are being removed */
	struct hca_link_events link_events;
	struct hca_recovery recovery;

	/* The parts of a port. The header of each part names the lock that guards the part. */
	struct hca_tx tx;
	struct hca_loopback loopback;
	struct hca_rx rx;
	struct hca_rx_buffer rx_buffer;
	struct hca_integrity integrity;
	struct hca_flow_control flow;
	struct hca_counter_set counters;

	/*
	 * State of the agents, which the link layer does not use; NULL unless the port is a port of
	 * an adapter or port 0 of a switch.
	 */
	struct hca_agent_port *agent;
};

/**
 * hca_count() - add to a counter of a port
 * @port: the port
 * @c: the counter, not a sum
 * @n: number to add
 *
 * Context: preemption disabled for a counter that is kept per CPU, otherwise any.
 */
static inline void hca_count(struct hca_port *port, enum hca_counter c, u64 n)
{
	hca_counters_add(&port->counters, c, n);
}

/**
 * hca_counter_read() - read a counter of a port
 * @port: the port
 * @c: the counter, or a sum of counters
 *
 * Context: any.
 * Return: the count since hca_port_init(); resets by managers are ignored.
 */
static inline u64 hca_counter_read(const struct hca_port *port, enum hca_counter c)
{
	return hca_counters_read(&port->counters, c);
}

/**
 * hca_counter_read_since_reset() - read the value of a port's counter that managers see
 * @port: the port
 * @c: the counter, or a sum of counters
 *
 * Context: any but hard interrupts; the port's lock is not held.
 * Return: the count since the last reset by a manager.
 */
u64 hca_counter_read_since_reset(struct hca_port *port, enum hca_counter c);

/**
 * hca_port_home() - find the port whose LID is used to manage a port
 * @port: the port
 *
 * Context: any.
 * Return: port 0 of a switch; of a CA, @port.
 */
static inline struct hca_port *hca_port_home(struct hca_port *port)
{
	return port->home;
}

/* Count a received packet for PortOpRcvCounters, if its opcode is watched. Context: BH disabled. */
void hca_port_count_opcode(struct hca_port *port, const struct hca_packet *pkt);

/* Count a received packet or batch. Context: BH disabled. */
static __always_inline void hca_port_count_rcv(struct hca_port *port,
					       const struct hca_packet *pkt)
{
	bool multicast = hca_lid_is_multicast(pkt->h.lrh.dlid);
	struct hca_counter_set *counters = &port->counters;

	hca_counters_add(counters, HCA_CTR_RCV_DATA_SL + pkt->h.lrh.sl,
			 pkt->h.lrh.pktlen * pkt->packets);
	hca_counters_add(counters, multicast ? HCA_CTR_MULTICAST_RCV_PACKETS :
					       HCA_CTR_UNICAST_RCV_PACKETS, pkt->packets);
	if (unlikely(READ_ONCE(counters->watched_opcode)))
		hca_port_count_opcode(port, pkt);
}

/*
 * Return whether a port is neither disabled nor asleep, has a signal, and is not administratively
 * down.
 * Context: any.
 */
bool hca_port_phys_enabled(const struct hca_port *port);

/**
 * hca_port_event() - report an event to the owner of a port
 * @port: the port
 * @event: the event
 *
 * Context: BH disabled; port->lock not held.
 */
void hca_port_event(struct hca_port *port, enum hca_port_event event);

/**
 * hca_port_wake() - schedule tx.run if packets are queued
 * @port: the port, which may have credit now, or whose link may have gone
 *
 * Context: BH disabled; any lock may be held; hca_engine_run() follows.
 */
static inline void hca_port_wake(struct hca_port *port)
{
	/*
	 * Publish the new limit or state before reading tx.pending; pairs with hca_run_schedule().
	 */
	smp_mb();
	if (READ_ONCE(port->tx.pending))
		hca_run_schedule(&port->tx.run);
}

#endif
