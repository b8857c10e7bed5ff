/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Delivery of payload to the memory of receive requests. In all functions BH are disabled and
 * recv_lock of the queue pair is held.
 */
#ifndef HCA_TRANSPORT_SCATTER_H
#define HCA_TRANSPORT_SCATTER_H

#include "packet/packet.h"
#include "qp/recv.h"

struct hca_eec;

/**
 * hca_recv_scatter() - copy the payload of a packet to the memory of a receive request
 * @qp: the queue pair; recv_lock held
 * @recv: the request
 * @offset: octets from the beginning of the request's memory
 * @pkt: the packet
 *
 * Context: BH disabled.
 * Return: 0; -EMSGSIZE if the request's memory is too short; -EFAULT if a key or address is
 * invalid; -ESTALE if the packet refers to memory of its sender that no longer exists, in which
 * case the packet counts as lost; -EAGAIN if a page of the request's memory is absent.
 */
int hca_recv_scatter(struct hca_qp *qp, const struct hca_recv *recv, u32 offset,
		     const struct hca_packet *pkt);

/**
 * hca_recv_finish() - complete the receive request that a datagram was copied to
 * @qp: the queue pair; recv_lock held
 * @pkt: the datagram, or the raw packet
 * @scattered: return value of hca_recv_scatter(). For -EMSGSIZE, -ESTALE and -EAGAIN the datagram
 *             is dropped, and the next datagram uses the request: otherwise any sender of a
 *             datagram that is too long could end a request. -EMSGSIZE is also reported and
 *             counted. For -EFAULT the request fails, and the
 *             queue pair goes to Error
 * @cqe: completion for hca_recv_complete(), with status success
 *
 * Context: BH disabled.
 */
void hca_recv_finish(struct hca_qp *qp, const struct hca_packet *pkt, int scattered,
		     struct hca_cqe *cqe);

/**
 * hca_recv_drop() - report and count a message that is dropped for lack of a receive request
 * @eec: the EE context of the receiver, which is of an unreliable service
 * @pkt: the datagram, or the packet of the message that needs a receive request
 *
 * Context: BH disabled; recv_lock held.
 */
void hca_recv_drop(const struct hca_eec *eec, const struct hca_packet *pkt);

#endif
