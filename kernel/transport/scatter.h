/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Delivery of packets to receive requests. For all functions: recv_lock of the queue pair is held
 * and BH are disabled.
 */
#ifndef HCA_TRANSPORT_SCATTER_H
#define HCA_TRANSPORT_SCATTER_H

#include "link/packet.h"
#include "qp/recv.h"

/**
 * hca_recv_scatter() - copy the payload of a packet to the memory of a receive request
 * @qp: the queue pair; recv_lock held
 * @recv: the request
 * @offset: octets from the beginning of the request's memory
 * @pkt: the packet
 *
 * Context: BH disabled.
 * Return: 0; -EMSGSIZE if the request's memory is too short; -EFAULT if a key or address is
 * invalid; -ESTALE if the memory that the packet borrows no longer exists, in which case the packet
 * counts as lost; -EAGAIN if a page of the request's memory is absent.
 */
int hca_recv_scatter(struct hca_qp *qp, const struct hca_recv *recv, u32 offset,
		     const struct hca_packet *pkt);

/**
 * hca_recv_refusal() - return why the memory of a receive request cannot be written
 * @qp: the queue pair; recv_lock held
 * @recv: the request
 * @offset: octets from the beginning of the request's memory
 * @length: octets that were to be written there
 *
 * Called after hca_recv_scatter() has returned -EFAULT.
 *
 * Context: BH disabled.
 * Return: the failed check of the first SGE in the range that cannot be written.
 */
enum hca_vendor_err hca_recv_refusal(const struct hca_qp *qp, const struct hca_recv *recv,
				     u32 offset, u32 length);

/**
 * hca_recv_finish() - complete the current receive request with a datagram
 * @qp: the queue pair; recv_lock held
 * @scattered: the result of hca_recv_scatter(). For -EMSGSIZE, -ESTALE and -EAGAIN the datagram is
 *             lost and the request stays current: any sender may send datagrams that are too long
 * @cqe: completion for hca_recv_complete(), with status success
 *
 * Context: BH disabled.
 */
void hca_recv_finish(struct hca_qp *qp, int scattered, struct hca_cqe *cqe);

/**
 * hca_recv_drop() - drop a message of an unreliable service that finds no receive request
 * @eec: the EE context of its receiver, whose port reports and counts it
 * @pkt: the datagram, or the packet of the message that needs the request
 *
 * Context: BH disabled; recv_lock held.
 */
void hca_recv_drop(const struct hca_eec *eec, const struct hca_packet *pkt);

#endif
