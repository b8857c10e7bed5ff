/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Loopback: packets from a port to itself, which bypass the link and use separate credits. */
#ifndef HCA_LINK_TX_LOOPBACK_H
#define HCA_LINK_TX_LOOPBACK_H

#include <linux/list.h>
#include <linux/types.h>

struct hca_blocked_sender;
struct hca_packet;
struct hca_port;

struct hca_loopback {
	/* credit limit: maximum value of @sent, modulo 2^32; written by hca_rx_run() */
	u32 limit;
	/* tx.lock guards the fields below. */
	u32 sent; /* blocks of 64 octets sent since the port was made, modulo 2^32 */
	struct list_head blocked; /* list of struct hca_blocked_sender that wait for credit */
	bool has_blocked; /* false: @blocked is empty; true: @blocked may contain senders */
};

/* Initialize the loopback of a port. Context: process. */
void hca_loopback_init(struct hca_loopback *loopback);

/**
 * hca_loopback_send() - send a packet from a port to itself
 * @port: the port
 * @pkt: the packet, finished, lrh.vl set
 * @blocked: sender that is run again when there is credit; may be NULL
 *
 * Context: BH disabled; tx.lock not held; hca_engine_run() must follow.
 * Return: true if the packet has been sent or dropped; false if there is no credit, in which case
 * @blocked is queued, and the caller keeps the packet. Never false for VL15.
 */
bool hca_loopback_send(struct hca_port *port, struct hca_packet *pkt,
		       struct hca_blocked_sender *blocked);

/**
 * hca_loopback_return() - return the credits of a packet, and run senders waiting for credit
 * @port: the port
 * @blocks: number of blocks of 64 octets
 *
 * Context: hca_rx_run(); tx.lock not held.
 */
void hca_loopback_return(struct hca_port *port, u32 blocks);

#endif
