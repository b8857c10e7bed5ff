/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The receive buffer of a port: the space of packets, and the return of their credits. */
#ifndef HCA_LINK_RX_BUFFER_H
#define HCA_LINK_RX_BUFFER_H

#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "link/flow_control.h"

struct hca_packet;
struct hca_port;

/* Receive buffer of a data VL, in blocks of 64 octets: less than half the range of FCCL. */
#define HCA_VL_BUFFER_BLOCKS 2047
/* Receive buffer of VL15, in packets. VL15 has no flow control: the excess is dropped. */
#define HCA_VL15_BUFFER 128

/* A slow VL, whose buffer becomes free at a rate, not at once. Guarded by hca_rx_buffer.lock. */
struct hca_slow_vl {
	struct hrtimer timer; /* pending while return_due is not 0 */
	u32 ps_per_block; /* time of 64 octets; 0: no VL is slow */
	u32 return_due; /* blocks that are free but whose credits have not been returned yet */
	u64 since; /* time up to which credits have been returned, ns */
	u8 vl;
};

struct hca_rx_buffer {
	/*
	 * Credit limit, absolute, read by the sender or advertised. Written by the receiving run;
	 * under lock if the port relays, since packets leave its buffer on any CPU, or if the port
	 * advertises.
	 */
	u32 fccl[HCA_NUM_VLS];
	u32 abr[HCA_NUM_VLS]; /* adjusted blocks received, absolute; written by the receiving run */
	/* Size of each data VL's buffer, in blocks of 64 octets; read when a cable is connected. */
	u16 vl_blocks;
	bool advertises; /* flow-control packets advertise fccl; written by link/flow_control.c */
	spinlock_t lock; /* BH; leaf */
	atomic_t vl15_queued; /* packets of VL15 in the receive queue */
	struct hca_slow_vl slow_vl;
};

/* Initialize an empty buffer, of HCA_VL_BUFFER_BLOCKS, without a slow VL. Context: process. */
void hca_rx_buffer_init(struct hca_port *port);

/* Stop the timer of a slow VL. Context: process; the port is unlinked. */
void hca_rx_buffer_stop(struct hca_port *port);

/**
 * hca_port_admits_smp() - reserve receive buffer for a packet of VL15
 * @port: the receiving port
 * @pkt: the packet, for the tracepoint
 *
 * Context: BH disabled.
 * Return: true; false if the buffer is full, which VL15Dropped counts.
 */
bool hca_port_admits_smp(struct hca_port *port, const struct hca_packet *pkt);

/*
 * Account for the buffer space of a dequeued packet: return its credits or, if the port relays,
 * keep the space reserved. Context: the port's run. Return: false if the packet overran the buffer.
 */
bool hca_rx_buffer_charge(struct hca_port *port, struct hca_packet *pkt);

/*
 * Correct ABR of a VL by a received FCTBS, and return the credits of blocks that are lost.
 * Context: the port's run.
 */
void hca_rx_buffer_correct(struct hca_port *port, u8 vl, u16 fctbs);

/**
 * hca_rx_buffer_reserved() - space in use in the receive buffer of a VL
 * @port: the receiving port; it has a link
 * @vl: the VL
 *
 * The space of a data VL is the number of blocks of 64 octets that were received and whose credits
 * have not been returned: 0 when the port is idle. A negative number means that more credits have
 * been returned than were consumed. The space of VL15 is a number of packets.
 * Context: any. Without a lock, the two counts may be from different moments.
 */
s32 hca_rx_buffer_reserved(const struct hca_port *port, u8 vl);

/**
 * hca_packet_release_buffer() - release the buffer space of a packet at a relaying port
 * @pkt: the packet; its reserved_at is not NULL
 *
 * A sender that waits for credit at the other end of that port's cable is woken.
 * Context: BH disabled; a port's tx.lock may be held.
 */
void hca_packet_release_buffer(struct hca_packet *pkt);

/**
 * hca_slow_vl_set() - make a VL of a port slow
 * @port: the receiver; it advertises its credit limit (hca_flow_begin())
 * @vl: a data VL
 * @mbps: rate at which its buffer becomes free, in Mb/s of blocks of 64 octets; 0: not slow
 *
 * Credits of an earlier slow VL are returned at once.
 * Context: process.
 */
void hca_slow_vl_set(struct hca_port *port, u8 vl, u32 mbps);

#endif
