/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Raw datagrams: packets that contain IPv6, or the protocol of an EtherType in the header (req
 * B4-411 to B4-418).
 */
#ifndef HCA_TRANSPORT_RAW_H
#define HCA_TRANSPORT_RAW_H

#include "transport/iba_qp.h"
#include "wire/opcode.h"

/**
 * hca_raw_add() - add a queue pair to the adapter's list of raw queue pairs
 * @qp: a new raw queue pair
 *
 * Context: process.
 * Return: 0, or -ENOMEM if the adapter already has HCA_MAX_RAW_QP raw queue pairs.
 */
int hca_raw_add(struct hca_qp *qp);

/* Remove a queue pair from the adapter's list of raw queue pairs. Context: process. */
void hca_raw_del(struct hca_qp *qp);

/* Return the value of LRH:LNH in the packets of a raw queue pair. Context: any. */
static inline u8 hca_raw_lnh(const struct hca_qp *qp)
{
	return qp->type == IB_QPT_RAW_IPV6 ? IB_LNH_IP : IB_LNH_RAW;
}

/**
 * hca_raw_build() - build the packet of a send request
 * @qp: a raw queue pair; send_lock held
 * @req: the request
 * @pkt: the packet to fill
 *
 * Context: BH disabled.
 * Return: 0; -EFAULT if a key has become invalid; -ENOMEM; -EAGAIN if a page is absent.
 */
int hca_raw_build(struct hca_qp *qp, const struct hca_request *req, struct hca_packet *pkt);

/**
 * hca_raw_receive() - deliver a copy of a raw packet to each queue pair that receives it
 * @port: the port that received the packet
 * @pkt: the packet, which the caller still owns
 *
 * A raw packet contains no QPN. Therefore all raw queue pairs of the port that have the kind of the
 * packet (IPv6 or EtherType) receive it (req B4-413). A multicast packet is received only by those
 * that are attached to its group (req B4-417).
 *
 * Context: called by the run function of @port (engine/run.h); BH disabled.
 * Return: true if any queue pair receives the packet.
 */
bool hca_raw_receive(struct hca_port *port, struct hca_packet *pkt);

#endif
