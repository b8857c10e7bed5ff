/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The check of a peer's right to access memory. */
#ifndef HCA_TRANSPORT_ACCESS_H
#define HCA_TRANSPORT_ACCESS_H

#include "qp/qp.h"

/**
 * hca_remote_access() - check the peer's right to access memory
 * @qp: the destination queue pair of the request
 * @access: rights that both the queue pair and the key must have, enum ib_uverbs_access_flags
 * @rkey: the key; not checked if @length is 0 (IBA C9-99)
 * @va: start address
 * @length: octets
 *
 * Context: BH disabled.
 * Return: HCA_SYNDROME_ACK if the access is permitted. Otherwise a NAK with its reason
 * (transport/nak.h): Invalid Request if the queue pair refuses the access, Remote Access Error if
 * the key does.
 */
u16 hca_remote_access(const struct hca_qp *qp, u32 access, u32 rkey, u64 va, u32 length);

#endif
