/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Send requests: from the ring to the engine's own copy, to their completion. */
#ifndef HCA_TRANSPORT_REQUEST_H
#define HCA_TRANSPORT_REQUEST_H

#include "transport/qp.h"

static inline struct hca_request *hca_request_at(const struct hca_qp *qp, u32 index)
{
	return (struct hca_request *)(qp->requests +
				      (size_t)(index & (qp->sq.entries - 1)) * qp->request_stride);
}

/* Octets of an engine's copy that holds as much as a ring's entry may. */
u32 hca_request_bytes(u32 max_sge, u32 max_inline);

/* Octets of a ring's entry. */
u32 hca_send_stride(u32 max_sge, u32 max_inline);

/**
 * hca_request_fetch() - take the next request from the ring
 * @qp: the queue pair; send_lock held
 *
 * Copied, then checked; what the check finds is the request's status, for its turn.
 * Return: the request, or NULL: there is none.
 */
struct hca_request *hca_request_fetch(struct hca_qp *qp);

/* Is there more in the ring than was fetched? */
bool hca_request_pending(const struct hca_qp *qp);

/**
 * hca_request_complete() - end the oldest request
 * @qp: the queue pair; send_lock held
 * @status: success makes a completion only if the request is signalled
 *
 * Return: false: its CQ has overflowed, and the queue pair is in Error.
 */
bool hca_request_complete(struct hca_qp *qp, enum hca_status status);

/* Flush what is fetched and what is in the ring (C10-42). send_lock held. */
void hca_requests_flush(struct hca_qp *qp);

#endif
