/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The sending half of a port. */
#ifndef HCA_LINK_TX_H
#define HCA_LINK_TX_H

#include <linux/spinlock.h>
#include <linux/types.h>
#include "engine/run.h"
#include "link/arbiter.h"
#include "link/timing.h"
#include "link/vl_queue.h"

struct hca_packet;
struct hca_port;

struct hca_tx {
	spinlock_t lock; /* BH; guards what follows, loopback and flow; inside a QP's send_lock */
	/* Bit n: VL n has packets queued or blocked senders, or is stalled. 0: send at once. */
	u16 pending;
	const u32 *limit; /* credit limit of each VL: the peer's fccl, or flow.fccl_received */
	u32 fctbs[HCA_NUM_VLS]; /* blocks of 64 octets sent, absolute */
	struct hca_vl_queue vl_queue[HCA_DATA_VLS];
	struct hca_arbiter arbiter;
	struct hca_timing timing;
	struct hca_runnable run; /* sends what is queued */
};

/* Initialise the sending half of a port. Context: process. */
void hca_tx_init(struct hca_port *port);

/* Stop the run and its timer. Context: process, may sleep; the port is unlinked. */
void hca_tx_stop(struct hca_port *port);

/* Discard what is queued. Context: process; the run is stopped. */
void hca_tx_purge(struct hca_port *port);

/**
 * hca_tx_outstanding() - blocks that a port has sent and whose credits have not come back
 * @port: the sender
 * @peer: the port at the other end of its cable
 * @vl: a data VL
 *
 * They are on the cable, reserved at the peer, or lost. Those that are lost come back with the next
 * flow-control packets, so that it is 0 when the link is idle.
 * Context: process; the caller serialises connecting cables, and the port is not Down.
 */
s32 hca_tx_outstanding(struct hca_port *port, const struct hca_port *peer, u8 vl);

/**
 * hca_port_send() - send a finished packet
 * @port: the port
 * @pkt: the packet, finished (hca_packet_finish()), lrh.sl, slid and dlid set;
 *       lrh.vl is set here from the SL, unless it is VL15
 * @blocked: sender that is run again when there is room; may be NULL
 *
 * A packet to one of the port's own LIDs loops back and is not counted. Data VLs need state
 * Active, VL15 at least Initialize; otherwise the packet is discarded. A data packet is queued on
 * its VL if it has no credit, if others are queued, or in ActDefer, in which packets of VL15 are
 * discarded. A queued packet may still borrow its payload.
 *
 * Context: BH disabled; a QP's send_lock or recv_lock may be held; hca_engine_run() follows.
 * Return: true if the packet has been sent, queued or discarded; false if there is no room:
 * @blocked is queued, and the caller keeps the packet. Never false for VL15.
 */
bool hca_port_send(struct hca_port *port, struct hca_packet *pkt,
		   struct hca_blocked_sender *blocked);

/**
 * hca_port_forward() - send a packet that a switch relays
 * @port: the output port
 * @pkt: the packet, finished, lrh.vl set by the caller; consumed
 *
 * Differs from hca_port_send() in that the VL is given and nothing loops back. A packet that has
 * reserved buffer space at the input port (hca_packet.reserved_at) is queued whatever the length
 * of the queue. A packet that the switch itself has made has none, and is discarded if there is no
 * room.
 *
 * Context: BH disabled; hca_engine_run() follows.
 */
void hca_port_forward(struct hca_port *port, struct hca_packet *pkt);

/**
 * hca_port_loop_multicast() - loop a copy of a multicast packet back to the sender's own port
 * @port: the port
 * @pkt: the copy, finished as for hca_port_send(); consumed
 *
 * The copy is not counted. It is dropped unless the port is Active and there is room.
 * Context: BH disabled; a QP's send_lock may be held.
 */
void hca_port_loop_multicast(struct hca_port *port, struct hca_packet *pkt);

/**
 * hca_port_cancel_wait() - remove a blocked sender
 * @port: the port
 * @blocked: the sender, blocked or not
 *
 * Packets that it has queued stay queued, but their payload is gathered, since the requests that
 * it is borrowed from may end now.
 *
 * Context: BH disabled.
 */
void hca_port_cancel_wait(struct hca_port *port, struct hca_blocked_sender *blocked);

#endif
