/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Payload between requests and packets. */
#ifndef HCA_TRANSPORT_PAYLOAD_H
#define HCA_TRANSPORT_PAYLOAD_H

#include "tpt/copy.h"
#include "transport/qp.h"

/**
 * hca_payload_attach() - give a packet a part of a request's data
 * @qp: the sender
 * @req: the request
 * @offset: in the request, octets
 * @length: octets, at most one MTU
 * @pkt: the packet; of a train, whose packets are set, it is @length for each of them. It becomes
 *       a single packet if it cannot borrow, or copy, that much
 * @gather: the data must be copied now, for nobody waits for its arrival (UC, UD)
 *
 * What is gathered has room to be padded to whole words.
 * Context: BH disabled. Return: 0; -EFAULT: a region has gone; -ENOMEM.
 */
int hca_payload_attach(struct hca_qp *qp, const struct hca_request *req, u32 offset, u32 length,
		       struct hca_packet *pkt, bool gather);

/**
 * hca_payload_borrow() - have a packet name a part of one region
 * @pkt: the packet
 * @region: of the packet pool's owner
 * @addr: first octet
 * @length: octets of each packet
 * @packets: how many; more than 1: a train
 */
void hca_payload_borrow(struct hca_packet *pkt, const struct hca_tpt_entry *region, u64 addr,
			u32 length, u8 packets);

/**
 * hca_payload_deliver() - copy a packet's payload
 * @pkt: the packet, or train
 * @segment: where to; as long as the payload together
 *
 * Context: BH disabled. Return: 0, or -ESTALE: what the packet borrows has gone;
 * the packet counts as lost.
 */
int hca_payload_deliver(const struct hca_packet *pkt, const struct hca_segment *segment);

/**
 * hca_sge_segments() - resolve a part of a receive request's scatter list
 * @qp: whose list
 * @sge: the list
 * @num_sge: its length
 * @offset: octets to skip
 * @length: octets wanted
 * @segment: result, HCA_MAX_SGE of them; to be given back by hca_segments_put()
 *
 * Local write access is required.
 * Context: BH disabled. Return: number of pieces; -EFAULT: bad key or bounds, -EMSGSIZE:
 * the list is too short.
 */
int hca_sge_segments(const struct hca_qp *qp, const struct hca_sge *sge, u32 num_sge, u32 offset,
		     u32 length, struct hca_segment *segment);

/* The same for a request's list, whose keys were checked when it was taken. */
int hca_request_segments(const struct hca_qp *qp, const struct hca_request *req, u32 offset,
			 u32 length, struct hca_segment *segment);

/* Are a request's regions still those that were checked? Context: BH disabled. */
bool hca_request_mrs_ok(const struct hca_qp *qp, const struct hca_request *req);

#endif
