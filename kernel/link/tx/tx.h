/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The sending half of a port. */
#ifndef HCA_LINK_TX_TX_H
#define HCA_LINK_TX_TX_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include "engine/run.h"
#include "link/tx/arbiter.h"
#include "link/tx/timing.h"
#include "link/tx/vl_queue.h"

struct hca_packet;
struct hca_port;

/* The sending half of a port. */
struct hca_tx {
	/*
	 * Taken with BH disabled; guards the fields below, loopback and flow; nests inside a QP's
	 * send_lock.
	 */
	spinlock_t lock;
	/*
	 * Bit n: VL n has packets queued or blocked senders, or is stalled. Bit 15: the rate of the
	 * link is limited. 0: packets that have credit are sent at once.
	 */
	u16 pending;
	const u32 *limit; /* credit limit of each VL: the peer's fccl, or flow.fccl_received */
	u32 fctbs[HCA_NUM_VLS]; /* blocks of 64 octets sent, absolute */
	struct hca_vl_queue vl_queue[HCA_DATA_VLS];
	struct hca_arbiter arbiter;
	struct hca_timing timing;
	struct hca_runnable run; /* sends queued packets */
};

/* Initialize the sending half of a port. Context: process. */
void hca_tx_init(struct hca_port *port);

/* Stop tx.run and the timer of tx.timing. Context: process, may sleep; the port is unlinked. */
void hca_tx_stop(struct hca_port *port);

/* Discard queued packets. Context: process; tx.run is stopped. */
void hca_tx_purge(struct hca_port *port);

/**
 * hca_tx_outstanding() - blocks that a port has sent and whose credits have not been returned
 * @port: the sender
 * @peer: the port at the other end of its cable
 * @vl: a data VL
 *
 * Outstanding blocks are on the cable, reserved at the peer, or lost. The credits of lost blocks
 * are returned after the next flow-control packets; the result is 0 when the link is idle.
 * Context: process; the caller serializes connecting cables, and the port is not Down.
 */
s32 hca_tx_outstanding(struct hca_port *port, const struct hca_port *peer, u8 vl);

/**
 * hca_port_send() - send a finished packet
 * @port: the port
 * @pkt: the packet, finished (hca_packet_finish()), lrh.sl, slid and dlid set;
 *       lrh.vl is set here from the SL, unless it is VL15
 * @blocked: sender that is scheduled when the queue has room again; may be NULL
 *
 * A packet to one of the port's own LIDs loops back and is not counted. Data VLs need state Active,
 * VL15 at least Initialize; otherwise the packet is discarded. A data packet is queued on its VL if
 * it lacks credit, if other packets are queued, or in ActDefer. Packets of VL15 are discarded in
 * ActDefer. A queued packet may still borrow its payload.
 *
 * Context: BH disabled; a QP's send_lock or recv_lock may be held; hca_engine_run() must follow.
 * Return: true if the packet has been sent, queued or discarded; false if the queue is full, in
 * which case @blocked is queued, and the caller keeps the packet. Never false for VL15.
 */
bool hca_port_send(struct hca_port *port, struct hca_packet *pkt,
		   struct hca_blocked_sender *blocked);

/**
 * hca_port_forward() - send a packet that a switch relays
 * @port: the output port
 * @pkt: the packet, finished, lrh.vl set by the caller; consumed
 *
 * Unlike hca_port_send(), this function takes the VL from the packet and does not loop back. A
 * packet that has reserved buffer space at the input port (hca_packet.reserved_at) is queued even
 * if the queue is full. A packet that the switch itself has made has not reserved space, and is
 * discarded if the queue is full.
 *
 * Context: BH disabled; hca_engine_run() must follow.
 */
void hca_port_forward(struct hca_port *port, struct hca_packet *pkt);

/**
 * hca_port_loop_multicast() - loop a copy of a multicast packet back to the sender's own port
 * @port: the port
 * @pkt: the copy, finished as for hca_port_send(); consumed
 *
 * The copy is not counted. It is dropped unless the port is Active and has loopback credit.
 * Context: BH disabled; a QP's send_lock may be held.
 */
void hca_port_loop_multicast(struct hca_port *port, struct hca_packet *pkt);

/**
 * hca_port_cancel_wait() - remove a blocked sender
 * @port: the port
 * @blocked: the sender, blocked or not
 *
 * Packets that the sender has queued stay queued, but a borrowed payload is gathered, since the
 * request that owns the payload may end after this call.
 *
 * Context: BH disabled.
 */
void hca_port_cancel_wait(struct hca_port *port, struct hca_blocked_sender *blocked);

#endif
