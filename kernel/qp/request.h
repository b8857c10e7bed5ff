/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Send requests: fetched from the ring into a copy of the engine's own, and completed. */
#ifndef HCA_QP_REQUEST_H
#define HCA_QP_REQUEST_H

#include "qp/qp.h"
#include "qp/wr.h"

/**
 * hca_request_at() - return the engine's copy of a request
 * @qp: the queue pair; send_lock held
 * @index: its index, from sq_done to sq_fetched
 *
 * Context: any.
 * Return: the copy.
 */
static inline struct hca_request *hca_request_at(const struct hca_qp *qp, u32 index)
{
	return (struct hca_request *)(qp->requests +
				      (size_t)(index & (qp->sq.entries - 1)) * qp->request_stride);
}

/* Octets of the engine's copy of a request. */
u32 hca_request_bytes(u32 max_sge, u32 max_inline);

/* Octets of a ring entry. */
u32 hca_send_stride(u32 max_sge, u32 max_inline);

/**
 * hca_request_fetch() - fetch the next request from the ring
 * @qp: the queue pair; send_lock held
 *
 * The request is copied and then checked. A failed check becomes the error of the request, which
 * ends the request when all before it have ended. If the ring's index is invalid, the queue pair
 * goes to Error with HCA_QP_FATAL.
 *
 * Context: BH disabled.
 * Return: the request, or NULL if there is none or none may begin (SQD).
 */
struct hca_request *hca_request_fetch(struct hca_qp *qp);

/* Return whether the ring contains requests that were not fetched, or its index is invalid. */
bool hca_request_pending(const struct hca_qp *qp);

/**
 * hca_request_complete() - complete the oldest request
 * @qp: the queue pair; send_lock held
 * @error: the reason of the failure; HCA_VENDOR_ERR_NONE, which is success, makes a completion only
 *         if the request is signaled
 *
 * Context: BH disabled.
 * Return: false if the CQ has overflowed and the queue pair is in Error.
 */
bool hca_request_complete(struct hca_qp *qp, enum hca_vendor_err error);

/*
 * Return the index after the last posted request. An invalid index of the ring sets the queue pair
 * to Error with HCA_QP_FATAL. send_lock held.
 */
u32 hca_requests_end(struct hca_qp *qp);

/**
 * hca_requests_flush() - flush requests, whether fetched or still in the ring (IBA C10-42)
 * @qp: the queue pair, which has a send queue; send_lock held
 * @end: index after the last request to flush
 * @budget: number of requests that may be flushed; the number flushed is subtracted
 *
 * Context: BH disabled.
 * Return: whether all requests up to @end are flushed.
 */
bool hca_requests_flush(struct hca_qp *qp, u32 end, int *budget);

#endif
