/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Trains: successive middle packets of one message that travel as one hca_packet, for what is
 * done for a packet is then done once for many. Its headers, payload_length, blocks and
 * reserved_blocks are those of one packet, the first; the others differ in their PSN alone, but for
 * the last one, whose AckReq it is. What it borrows or has gathered is the payload of all.
 * Counters, credits and captures are those of its packets; whatever needs single packets cuts it.
 */
#ifndef HCA_LINK_BATCH_H
#define HCA_LINK_BATCH_H

#include "link/packet.h"
#include "wire/headers.h"

/* So that half a VL's buffer is left when one of the largest MTU has been sent. */
#define HCA_MAX_BATCH 15

/* Whether senders make trains; what is on its way stays what it is. Written at any time. */
extern bool hca_batches;

/* Octets of payload, of all its packets. */
static inline u32 hca_batch_octets(const struct hca_packet *pkt)
{
	return pkt->payload_length * pkt->packets;
}

/* Credits for all its packets. */
static inline u32 hca_batch_blocks(const struct hca_packet *pkt)
{
	return pkt->blocks * pkt->packets;
}

static inline u32 hca_batch_last_psn(const struct hca_packet *pkt)
{
	return (pkt->h.bth.psn + pkt->packets - 1) & HCA_PSN_MASK;
}

/**
 * hca_batch_view() - a view of some packets of a train
 * @batch: the train; not changed, and not to be freed before the view's last use
 * @first: the first one of them, from 0
 * @packets: how many
 * @part: result; nobody's: it is not freed, queued or sent, and holds no port's buffer
 *
 * Context: any.
 */
void hca_batch_view(const struct hca_packet *batch, u8 first, u8 packets, struct hca_packet *part);

/**
 * hca_batch_split() - cut a train in two
 * @batch: the train; its later packets are left
 * @packets: how many are taken, fewer than it has
 *
 * A port's buffer that it holds is held by both parts, each for its packets.
 * Context: BH disabled. Return: the first packets, a packet of the same pool; NULL: no memory,
 * the train is as it was.
 */
struct hca_packet *hca_batch_split(struct hca_packet *batch, u8 packets);

#endif
