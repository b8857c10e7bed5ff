/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Segment batches: successive middle packets of one message that travel as one struct hca_packet,
 * so that work per packet is done once for many packets, as with GSO. Headers, payload_length,
 * blocks and reserved_blocks are the first packet's. The other packets differ from the first only
 * in their PSN; AckReq, if set, is the last packet's. The fragments or the buffer contain the
 * payload of all packets. Counters, credits and captures count each packet. Code that needs single
 * packets splits the batch.
 */
#ifndef HCA_PACKET_BATCH_H
#define HCA_PACKET_BATCH_H

#include "packet/packet.h"
#include "wire/headers.h"

/* Maximum number of packets in a batch: with the largest MTU, half of a VL's receive buffer. */
#define HCA_MAX_BATCH 15

/* Senders make batches if this module parameter is true. Batches already sent stay batches. */
extern bool hca_batches;

/**
 * hca_batch_octets() - payload of all packets of a batch
 * @pkt: the batch, or a single packet
 *
 * Context: any.
 * Return: octets.
 */
static inline u32 hca_batch_octets(const struct hca_packet *pkt)
{
	return pkt->payload_length * pkt->packets;
}

/**
 * hca_batch_blocks() - credits that all packets of a batch consume
 * @pkt: the batch
 *
 * Context: any.
 * Return: blocks of 64 octets.
 */
static inline u32 hca_batch_blocks(const struct hca_packet *pkt)
{
	return pkt->blocks * pkt->packets;
}

/**
 * hca_batch_last_psn() - PSN of the last packet of a batch
 * @pkt: the batch, or a single packet
 *
 * Context: any.
 * Return: the PSN, 24 bits.
 */
static inline u32 hca_batch_last_psn(const struct hca_packet *pkt)
{
	return (pkt->h.bth.psn + pkt->packets - 1) & HCA_PSN_MASK;
}

/**
 * hca_batch_view() - describe some packets of a batch without copying them
 * @batch: the batch; not changed, and not freed before the last use of @part
 * @first: index of the first packet, from 0
 * @packets: number of packets
 * @part: result; it must not be freed, queued or sent, and reserves no buffer
 *
 * Context: any.
 */
void hca_batch_view(const struct hca_packet *batch, u8 first, u8 packets, struct hca_packet *part);

/**
 * hca_batch_split() - split the first packets off a batch
 * @batch: the batch, which keeps its later packets
 * @packets: number of packets to split off, fewer than @batch has
 *
 * Each part keeps the buffer space that the batch has reserved for the packets of that part.
 * Context: BH disabled.
 * Return: the first packets, allocated from the batch's pool; NULL if memory is short, in which
 * case @batch is unchanged.
 */
struct hca_packet *hca_batch_split(struct hca_packet *batch, u8 packets);

#endif
