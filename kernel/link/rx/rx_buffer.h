/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The receive buffer of a port: the space that packets use, and the return of their credits. */
#ifndef HCA_LINK_RX_RX_BUFFER_H
#define HCA_LINK_RX_RX_BUFFER_H

#include <linux/atomic.h>
#include <linux/hrtimer.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "link/credit/flow_control.h"

struct hca_packet;
struct hca_port;

/* Receive buffer of a data VL in blocks of 64 octets; must be less than half the range of FCCL. */
#define HCA_VL_BUFFER_BLOCKS 2047
/* Receive buffer of VL15, in packets. More packets are dropped, since VL15 has no flow control. */
#define HCA_VL15_BUFFER 128

/* A slow VL, whose buffer becomes free at a limited rate. Guarded by hca_rx_buffer.lock. */
struct hca_slow_vl {
	struct hrtimer timer; /* pending while return_due is not 0 */
	u32 ps_per_block; /* time in which 64 octets become free, ps; 0: no VL is slow */
	u32 return_due; /* blocks that are free but whose credits have not been returned yet */
	u64 since; /* time up to which credits have been returned, ns */
	u8 vl;
};

struct hca_rx_buffer {
	/*
	 * Credit limit of each VL, absolute. The sender reads it in memory, or flow-control packets
	 * advertise it. hca_rx_run() writes it without a lock; but if ops->relays or advertises is
	 * true, any CPU writes it under lock.
	 */
	u32 fccl[HCA_NUM_VLS];
	u32 abr[HCA_NUM_VLS]; /* adjusted blocks received, absolute; written by hca_rx_run() */
	/* Size of each data VL's buffer in blocks of 64 octets; must not change while linked. */
	u16 vl_blocks;
	/* Flow-control packets advertise fccl; written by link/credit/flow_state.c. */
	bool advertises;
	/* leaf lock, BH disabled; guards slow_vl, and fccl if several CPUs write it */
	spinlock_t lock;
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
 * keep the space reserved. Context: hca_rx_run(). Return: false if the packet overran the buffer.
 */
bool hca_rx_buffer_charge(struct hca_port *port, struct hca_packet *pkt);

/*
 * Set ABR of a VL to a received FCTBS, and return the credits of blocks that are lost.
 * Context: hca_rx_run().
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
 * Context: any. No lock is acquired, so that credits in transit may be counted or not.
 */
s32 hca_rx_buffer_reserved(const struct hca_port *port, u8 vl);

/**
 * hca_packet_release_buffer() - release the buffer space of a packet at a relaying port
 * @pkt: the packet; its reserved_at is not NULL
 *
 * Field reserved_at of @pkt is the port whose buffer space is released. If the port at the other
 * end of the cable waits for credit, it is woken.
 * Context: BH disabled; a port's tx.lock may be held.
 */
void hca_packet_release_buffer(struct hca_packet *pkt);

/**
 * hca_slow_vl_set() - make a VL of a port slow
 * @port: the receiver; it advertises its credit limit (hca_flow_begin())
 * @vl: a data VL
 * @mbps: rate at which the VL's buffer becomes free, in Mb/s; 0: the VL is not slow
 *
 * Credits of an earlier slow VL are returned at once.
 * Context: process.
 */
void hca_slow_vl_set(struct hca_port *port, u8 vl, u32 mbps);

#endif
