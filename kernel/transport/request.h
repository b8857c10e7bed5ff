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

/* A Q_Key with this bit is not the sender's to choose: its own QP's goes instead (C10-15). */
#define HCA_QKEY_CONTROLLED 0x80000000u

static inline u32 hca_qkey_of(const struct hca_qp *qp, u32 asked)
{
	return asked & HCA_QKEY_CONTROLLED ? qp->eec.attr.qkey : asked;
}

/* Octets of an engine's copy that holds as much as a ring's entry may. */
u32 hca_request_bytes(u32 max_sge, u32 max_inline);

/* Octets of a ring's entry. */
u32 hca_send_stride(u32 max_sge, u32 max_inline);

/**
 * hca_request_fetch() - take the next request from the ring
 * @qp: the queue pair; send_lock held
 *
 * Copied, then checked; what the check finds is the request's status, for its turn. If the ring's
 * index cannot be, the queue pair goes to Error, with HCA_QP_FATAL.
 * Return: the request, or NULL: there is none, or none may begin (SQD).
 */
struct hca_request *hca_request_fetch(struct hca_qp *qp);

/**
 * hca_request_number() - give a request its PSNs; a read's are those of its responses (C9-83)
 * @eec: the EE context that is to send it; send_lock held
 * @req: the request
 */
void hca_request_number(struct hca_eec *eec, struct hca_request *req);

/* Does the ring ask for a look: is there more in it than was fetched, or an index that cannot be? */
bool hca_request_pending(const struct hca_qp *qp);

/**
 * hca_request_complete() - end the oldest request
 * @qp: the queue pair; send_lock held
 * @status: success makes a completion only if the request is signalled
 *
 * Return: false: its CQ has overflowed, and the queue pair is in Error.
 */
bool hca_request_complete(struct hca_qp *qp, enum hca_status status);

/* The index behind the last request posted; as for hca_request_fetch() if it cannot be. */
u32 hca_requests_end(struct hca_qp *qp);

/**
 * hca_requests_flush() - flush requests, whether fetched or still in the ring (C10-42)
 * @qp: the queue pair, with a send queue; send_lock held
 * @end: index behind the last of them
 * @budget: how many may be flushed now; less those that were
 *
 * Return: whether all of them are.
 */
bool hca_requests_flush(struct hca_qp *qp, u32 end, int *budget);

#endif
