/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A port: its attributes, its link, its sending and its receiving half. */
#ifndef HCA_LINK_PORT_H
#define HCA_LINK_PORT_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "link/attributes.h"
#include "link/counter.h"
#include "link/flow_control.h"
#include "link/integrity.h"
#include "link/link_event.h"
#include "link/loopback.h"
#include "link/packet.h"
#include "link/recovery.h"
#include "link/rx.h"
#include "link/rx_buffer.h"
#include "link/tx.h"

struct hca_phy;
struct hca_node;
struct hca_notice;
struct hca_notices;
struct hca_port;
struct hca_samples;
struct hca_shape;
struct hca_tap;
struct hca_network_link;

/* Events of a port that its owner is notified of. */
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
	 * True for an external port of a switch: it accepts packets for any DLID, and a data packet
	 * keeps its space in the VL's receive buffer reserved (hca_packet.reserved_at) until it
	 * leaves for the next hop or is freed. Such a packet must not outlive the port: before the
	 * ports of a switch are freed, all their cables are removed, which drops queued packets,
	 * and every other holder of such a packet is stopped.
	 */
	bool relays;
	/* Receives and consumes a packet that the link has checked. Called by the port's run. */
	void (*receive)(struct hca_port *port, struct hca_packet *pkt);
	/* Receives a packet of VL15, which it owns from then on. Called by the port's run. */
	void (*receive_smp)(struct hca_port *port, struct hca_packet *pkt);
	/* Receives an SMP that the agents pass to the manager at QP0; NULL: without a manager. */
	void (*manager)(struct hca_port *port, struct hca_packet *pkt);
	/* Reports an event. Bottom halves are disabled; must not sleep; port->lock is not held. */
	void (*event)(struct hca_port *port, enum hca_port_event event);
	/* Reports a notice; NULL: the owner does not keep notices. Context: see event(). */
	void (*notice)(struct hca_port *port, const struct hca_notice *notice);
	/*
	 * Reports that the link has come up, or has gone Down for another reason than a Set. May be
	 * NULL. Context: see event().
	 */
	void (*link_changed)(struct hca_port *port);
};

struct hca_port {
	struct hca_node *node; /* for upper layers; the link layer does not use it */
	u8 node_type; /* enum rdma_node_type */
	struct hca_packet_pool *pool; /* pool of packets that the link layer makes */
	struct hca_port *home; /* port 0 of a switch; of a CA, the port itself */
	const struct hca_port_ops *ops;
	u8 num; /* from 1; 0 is port 0 of a switch */

	/*
	 * BH; guards info, the tables and link changes. Readers of single
	 * fields on the packet path acquire no lock (READ_ONCE).
	 */
	spinlock_t lock;
	struct hca_port_info info;
	struct hca_port_tables tables;

	/* The cable: the port at its other end; NULL if the port is unlinked. RCU (BH). */
	struct hca_port __rcu *peer;
	struct hca_phy __rcu *phy; /* sends the packets; NULL: a plain cable. RCU (BH) */
	struct hca_network_link *network; /* control/networks.c; NULL: none; control mutex */
	/* Shape of the direction to the peer (phy/shape.h); control mutex. */
	struct hca_shape *shape;
	struct hca_tap __rcu *taps; /* captures of the port (link/tap.h). RCU (BH) */
	u16 link_generation; /* changes whenever a cable is connected or removed */
	struct list_head unlinked; /* in a list of ports whose cables are being removed */
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
	 * State of management agents. Only ports of an adapter and port 0 of a switch have notices.
	 */
	u64 m_key_lease_end; /* ktime_get_ns(); 0: no lease runs; guarded by lock */
	struct hca_notices *notices;
	struct hca_samples *samples; /* PortSamplesControl; NULL: none yet */
	u16 watched_opcode; /* opcode whose packets are counted, plus 1; 0: none */
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
 * Return: the count since hca_port_init(), without regard to resets.
 */
static inline u64 hca_counter_read(const struct hca_port *port, enum hca_counter c)
{
	return hca_counters_read(&port->counters, c);
}

/**
 * hca_counter_read_since_reset() - read a counter of a port as managers see it
 * @port: the port
 * @c: the counter, or a sum of counters
 *
 * Context: any but hard interrupts; the port's lock is not held.
 * Return: the count since the last reset by a manager.
 */
u64 hca_counter_read_since_reset(struct hca_port *port, enum hca_counter c);

/**
 * hca_port_home() - the port with the LID by which a port is managed
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
	bool multicast = pkt->h.lrh.dlid >= HCA_LID_MULTICAST &&
			 pkt->h.lrh.dlid != HCA_LID_PERMISSIVE;

	hca_count(port, HCA_CTR_RCV_DATA_SL + pkt->h.lrh.sl, pkt->h.lrh.pktlen * pkt->packets);
	hca_count(port, multicast ? HCA_CTR_MULTICAST_RCV_PACKETS : HCA_CTR_UNICAST_RCV_PACKETS,
		  pkt->packets);
	if (unlikely(READ_ONCE(port->watched_opcode)))
		hca_port_count_opcode(port, pkt);
}

/*
 * Whether a port is neither disabled nor asleep, has a signal, and is not administratively down.
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

#endif
