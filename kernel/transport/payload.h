/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Movement of payload from requests to packets, and from packets to memory. */
#ifndef HCA_TRANSPORT_PAYLOAD_H
#define HCA_TRANSPORT_PAYLOAD_H

#include "tpt/copy.h"
#include "transport/iba_qp.h"

/**
 * hca_payload_attach() - attach a range of a request's data to a packet
 * @qp: the sender
 * @req: the request
 * @offset: octets from the beginning of the request
 * @length: octets per packet, at most one MTU
 * @pkt: the packet, or a segment batch with its number of packets set, which becomes a single
 *       packet if the data cannot be borrowed or copied for the whole batch
 * @gather: copy the data now, because no acknowledgement keeps the request's memory (UC, UD)
 *
 * A copy has room for padding to whole 4-octet words.
 *
 * Context: BH disabled.
 * Return: 0; -EFAULT if a key has become invalid; -ENOMEM; -EAGAIN if a page is absent.
 */
int hca_payload_attach(struct hca_qp *qp, const struct hca_request *req, u32 offset, u32 length,
		       struct hca_packet *pkt, bool gather);

/**
 * hca_payload_copy() - copy the data of all packets of a segment batch to a buffer of the packet
 * @pkt: the batch, or a single packet; payload_length and packets are set
 * @segment: the data, of hca_batch_octets() octets
 *
 * The copy has room for padding to whole 4-octet words.
 *
 * Context: BH disabled.
 * Return: 0 or -ENOMEM.
 */
int hca_payload_copy(struct hca_packet *pkt, const struct hca_segment *segment);

/**
 * hca_payload_borrow() - let a packet refer to a range of one TPT entry
 * @pkt: the packet
 * @entry: a TPT entry of the adapter that owns the packet pool
 * @addr: address of the first octet
 * @length: octets per packet
 * @packets: number of packets; more than 1 for a segment batch
 *
 * Context: BH disabled.
 */
void hca_payload_borrow(struct hca_packet *pkt, const struct hca_tpt_entry *entry, u64 addr,
			u32 length, u8 packets);

/**
 * hca_payload_deliver() - copy the payload of a packet to memory
 * @pkt: the packet or segment batch
 * @segment: destination segments, together as long as the payload
 *
 * Context: BH disabled.
 * Return: 0, or -ESTALE if the memory that the packet borrows no longer exists; the packet then
 * counts as lost.
 */
int hca_payload_deliver(const struct hca_packet *pkt, const struct hca_segment *segment);

/**
 * hca_sge_segments() - resolve a range of a receive request's scatter list
 * @qp: the queue pair
 * @sge: the list
 * @num_sge: number of SGEs
 * @offset: octets to skip
 * @length: octets to resolve
 * @segment: array of HCA_MAX_SGE results; to be released by hca_segments_put()
 *
 * The keys must have local write access.
 *
 * Context: BH disabled.
 * Return: the number of segments; -EFAULT if a key or an address is invalid; -EMSGSIZE if the list
 * is too short; -EAGAIN if a page is absent and was requested.
 */
int hca_sge_segments(const struct hca_qp *qp, const struct hca_sge *sge, u32 num_sge, u32 offset,
		     u32 length, struct hca_segment *segment);

/*
 * Resolve a range of a send request's list, whose keys were checked when the request was fetched;
 * Reads and atomics write to this memory. Return: the number of segments; -EFAULT if a key has
 * become invalid; -EAGAIN if a page is absent and was requested. Context: BH disabled.
 */
int hca_request_segments(const struct hca_qp *qp, const struct hca_request *req, u32 offset,
			 u32 length, struct hca_segment *segment);

/**
 * hca_request_ready() - check that the first octets of the memory that a request writes are present
 * @qp: the queue pair
 * @req: a Read or atomic
 *
 * The responses to the request then need not be repeated while the pages stay present.
 *
 * Context: BH disabled.
 * Return: 0; -EFAULT or -EAGAIN as hca_request_segments().
 */
int hca_request_ready(const struct hca_qp *qp, const struct hca_request *req);

/*
 * Return why the memory of a request can no longer be accessed: its keys were valid when it was
 * fetched. Context: BH disabled; the caller holds no segment of the request.
 */
enum hca_vendor_err hca_request_refusal(const struct hca_qp *qp, const struct hca_request *req);

/* Return whether the keys of a request have not changed since the check. Context: BH disabled. */
bool hca_request_mrs_ok(const struct hca_qp *qp, const struct hca_request *req);

#endif
