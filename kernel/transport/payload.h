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
 * @pkt: the packet or segment batch; the caller has set pkt->packets, which is changed to 1 if the
 *       data of a whole batch cannot be attached
 * @gather: true: copy the data, because the request completes before the packet arrives (UC,
 *          datagrams); false: the packet may refer to the request's memory
 *
 * If the data are copied, the buffer has space for padding to whole 4-octet words.
 *
 * Context: BH disabled.
 * Return: 0; -EFAULT if a key has become invalid; -ENOMEM; -EAGAIN if a page is absent.
 */
int hca_payload_attach(struct hca_qp *qp, const struct hca_request *req, u32 offset, u32 length,
		       struct hca_packet *pkt, bool gather);

/**
 * hca_payload_copy() - allocate a buffer for a packet or segment batch, and copy data to it
 * @pkt: the packet or batch; payload_length and packets are set, and buffer is allocated
 * @segment: array of the segments to copy, which have hca_batch_octets() octets in total
 *
 * The buffer has space for padding to whole 4-octet words.
 *
 * Context: BH disabled.
 * Return: 0 or -ENOMEM.
 */
int hca_payload_copy(struct hca_packet *pkt, const struct hca_segment *segment);

/**
 * hca_payload_borrow() - let a packet refer to a range of one TPT entry instead of copying the data
 * @pkt: the packet
 * @entry: a TPT entry of the adapter to which the packet pool belongs
 * @addr: address of the first octet
 * @length: octets of each packet
 * @packets: number of packets; more than 1 for a segment batch
 *
 * Context: BH disabled.
 */
void hca_payload_borrow(struct hca_packet *pkt, const struct hca_tpt_entry *entry, u64 addr,
			u32 length, u8 packets);

/**
 * hca_payload_deliver() - copy the payload of a packet to memory
 * @pkt: the packet or segment batch
 * @segment: array of destination segments, which have hca_batch_octets() octets in total
 *
 * Context: BH disabled.
 * Return: 0, or -ESTALE if the packet refers to memory of its sender that no longer exists; the
 * packet then counts as lost.
 */
int hca_payload_deliver(const struct hca_packet *pkt, const struct hca_segment *segment);

#endif
