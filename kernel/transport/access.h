/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The right of a peer to access memory. */
#ifndef HCA_TRANSPORT_ACCESS_H
#define HCA_TRANSPORT_ACCESS_H

#include "qp/qp.h"

/**
 * hca_remote_access() - check the peer's right to access memory
 * @qp: the queue pair that the request is for
 * @access: the required rights, of both the queue pair and the key
 * @rkey: the key; not checked if @length is 0 (IBA C9-99)
 * @va: start address
 * @length: octets
 *
 * Context: BH disabled.
 * Return: the result of the request (transport/nak.h): HCA_SYNDROME_ACK; NAK Invalid Request if the
 * queue pair does not permit the operation; NAK Remote Access Error if the key does not.
 */
u16 hca_remote_access(const struct hca_qp *qp, u32 access, u32 rkey, u64 va, u32 length);

#endif
