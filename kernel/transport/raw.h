/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Raw datagrams: packets of IPv6 or of an EtherType (req B4-411 to B4-418). */
#ifndef HCA_TRANSPORT_RAW_H
#define HCA_TRANSPORT_RAW_H

#include "transport/iba_qp.h"
#include "wire/opcode.h"

/**
 * hca_raw_add() - add a queue pair to the adapter's list of raw queue pairs
 * @qp: a new raw queue pair
 *
 * Context: process.
 * Return: 0, or -ENOMEM if the adapter has HCA_MAX_RAW_QP raw queue pairs.
 */
int hca_raw_add(struct hca_qp *qp);

/* Remove a queue pair from the adapter's list of raw queue pairs. Context: process. */
void hca_raw_del(struct hca_qp *qp);

/* Return LRH.LNH of the packets of a raw queue pair. Context: any. */
static inline u8 hca_raw_lnh(const struct hca_qp *qp)
{
	return qp->type == IB_QPT_RAW_IPV6 ? IB_LNH_IP : IB_LNH_RAW;
}

/**
 * hca_raw_build() - build the packet of a request
 * @qp: a raw queue pair; send_lock held
 * @req: the request
 * @pkt: the packet
 *
 * Context: BH disabled.
 * Return: as hca_payload_attach().
 */
int hca_raw_build(struct hca_qp *qp, const struct hca_request *req, struct hca_packet *pkt);

/**
 * hca_raw_receive() - deliver a copy of a raw packet to each queue pair that receives it
 * @port: the port that received it
 * @pkt: the packet, which the caller still owns
 *
 * All raw queue pairs of the packet's kind at the port receive a unicast packet, since it has no
 * field to choose by (req B4-413). A multicast packet is received by raw queue pairs that are
 * attached to its group (req B4-417).
 *
 * Context: the port's run.
 * Return: whether any queue pair receives it.
 */
bool hca_raw_receive(struct hca_port *port, struct hca_packet *pkt);

#endif
