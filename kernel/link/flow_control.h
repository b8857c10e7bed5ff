/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Credits of a link. Both ends inside this kernel: the sender reads the receiver's limit. Where
 * packets may be lost, somebody captures, or the other end is elsewhere: each end tells the other
 * what it has sent and what it has room for, by flow-control packets (IBA 7.9; C4-147 to C4-151).
 */
#ifndef HCA_LINK_FLOW_CONTROL_H
#define HCA_LINK_FLOW_CONTROL_H

#include <linux/hrtimer.h>
#include <linux/types.h>
#include "engine/run.h"

#define HCA_NUM_VLS 16
#define HCA_DATA_VLS 15

/* Flow-control packets are sent so often, and missed for so long. The ratio is C4-149's. */
#define HCA_FLOW_PERIOD_MS 10
#define HCA_FLOW_WATCHDOG_MS 400

struct hca_packet;
struct hca_port;

struct hca_flow_control {
	/* Guarded by tx_lock: */
	u32 fccl_received[HCA_NUM_VLS]; /* limits by the other end's packets; what the port sends by if limit is this */
	u32 fccl_advertised[HCA_NUM_VLS]; /* limits that ours have told */
	u32 fctbs_advertised[HCA_NUM_VLS]; /* fctbs that ours have told */
	bool active; /* there are flow-control packets */
	bool ends; /* there shall be none any more */
	u16 round; /* how often they have begun */

	bool past_init; /* since the link has trained, the other end has said so (ActiveEnable) */
	bool no_flow_control; /* none came for too long: no link until one does */
	u16 silent; /* periods since the last one came */
	u16 periods; /* in which some were sent */
	u16 seen; /* of the other end's periods, when silent was counted */
	u64 next; /* ns: when the period ends; the run's */
	struct hrtimer timer; /* has run run */
	struct hca_runnable run; /* sends, and counts periods */
};

void hca_flow_init(struct hca_port *port);

/* No timer and no run any more. Context: process, may sleep; the port is unplugged. */
void hca_flow_destroy(struct hca_port *port);

/**
 * hca_flow_reset() - a fresh link: nothing sent, nothing received
 * @port: without a link
 * @peer: whose limit it is to read; NULL: it is to be told
 *
 * Context: process; the caller serialises plugging.
 */
void hca_flow_reset(struct hca_port *port, const struct hca_port *peer);

/* Whether a cable does not do without: it has faults, or a port of it is captured. Context: as above. */
bool hca_flow_is_needed(const struct hca_port *a, const struct hca_port *b);

/**
 * hca_flow_begin() - from now on, flow-control packets both ways of a cable
 * @a: one end
 * @b: the other
 *
 * If it has them, nothing changes. Returns when nobody sends any more by what it has read from the other port.
 * Context: process, may sleep; the caller serialises plugging.
 */
void hca_flow_begin(struct hca_port *a, struct hca_port *b);

/**
 * hca_flow_end() - none any more, as soon as both ends know what has been lost
 * @a: one end
 * @b: the other
 *
 * If they are still needed, nothing changes.
 * Context: process; as above.
 */
void hca_flow_end(struct hca_port *a, struct hca_port *b);

/* For a port whose other end is elsewhere, and has come. Context: BH disabled. */
void hca_flow_start(struct hca_port *port);

/* None any more: the link is no more. Context: any without tx_lock. */
void hca_flow_stop(struct hca_port *port);

/* The link has been trained: no credit but what will be told. Context: BH disabled, no lock. */
void hca_flow_trained(struct hca_port *port);

/* The port has left Initialize: its packets say so from now on. Context: any. */
void hca_flow_armed(struct hca_port *port);

/**
 * hca_flow_return_credits() - room for so many blocks is free again
 * @port: announces
 * @vl: of which VL
 * @blocks: of 64 octets
 *
 * Context: BH disabled; another port's tx_lock may be held.
 */
void hca_flow_return_credits(struct hca_port *port, u8 vl, u16 blocks);

/* The same of what hca_slow_vl_keeps() has kept. Context: BH disabled, no lock of this port. */
void hca_flow_return_kept(struct hca_port *port, u8 vl, u32 blocks);

/*
 * On these VLs, a bit for each, packets wait for credit: have the other end know what it has lost.
 * Context: tx_lock held.
 */
void hca_flow_stuck(struct hca_port *port, u16 vls);

/**
 * hca_flow_deliver() - flow-control packets for a port, behind what has arrived
 * @port: the receiver
 * @octets: they
 * @len: their length
 *
 * Without memory they are lost. Context: BH disabled; the engine is drained later.
 */
void hca_flow_deliver(struct hca_port *port, const u8 *octets, unsigned int len);

/* A packet of them has come to its turn; takes it over. Context: the port's run. */
void hca_flow_receive(struct hca_port *port, struct hca_packet *pkt);

#endif
