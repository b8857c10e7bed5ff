/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* DDP's receiver: the checks of a segment's headers, and the order of segments and messages. */
#ifndef HCA_IWARP_DDP_RX_H
#define HCA_IWARP_DDP_RX_H

#include "iwarp/wire/fpdu.h"
#include "iwarp/wire/rdmap.h"

/* Octets of a segment that a Terminate message may repeat. */
#define HCA_SEGMENT_HEAD_MAX (HCA_DDP_BYTES_MAX + HCA_READ_REQUEST_BYTES)

/* The state of one direction of a stream. */
struct hca_ddp_rx {
	u32 msn[HCA_QN_COUNT]; /* of the message that is due, or that has begun */
	u32 mo; /* QN 0: octets of the message that have arrived */
	u32 invalidate; /* QN 0: the STag that the message is to invalidate */
	u8 send; /* QN 0: enum hca_rdmap_opcode of the message that has begun */
	u8 tagged; /* enum hca_rdmap_opcode of the tagged message that has begun */
	bool is_in_send, is_in_tagged; /* such a message has begun */
};

/* A segment that has arrived. */
struct hca_rx_segment {
	struct hca_rdmap_segment s;
	struct hca_ulpdu payload; /* behind the DDP header */
	u8 head[HCA_SEGMENT_HEAD_MAX]; /* its first octets */
	u32 head_octets; /* of @head */
	u16 length; /* octets of the ULPDU */
};

/**
 * hca_ddp_rx_init() - begin with the first octet of Full Operation (req R0-147)
 * @rx: the receiver
 *
 * Context: any.
 */
void hca_ddp_rx_init(struct hca_ddp_rx *rx);

/**
 * hca_ddp_rx_segment() - check the next segment
 * @rx: the receiver
 * @fpdu: the FPDU that contains the segment, whose CRC and markers are right
 * @segment: filled in; after an error, only @head, @head_octets and @length are valid
 *
 * Nothing changes in @rx: the next segment is due after hca_ddp_rx_done().
 *
 * Context: any.
 * Return: HCA_IWARP_OK, or the error that ends the stream.
 */
enum hca_iwarp_error hca_ddp_rx_segment(const struct hca_ddp_rx *rx,
					const struct hca_fpdu_rx *fpdu,
					struct hca_rx_segment *segment);

/**
 * hca_ddp_rx_done() - note that a segment was placed
 * @rx: the receiver
 * @segment: result of hca_ddp_rx_segment()
 *
 * Context: any.
 */
void hca_ddp_rx_done(struct hca_ddp_rx *rx, const struct hca_rx_segment *segment);

#endif
