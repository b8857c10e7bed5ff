/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Send requests: fetching them from the ring into copies of the kernel, and completing them. */
#ifndef HCA_QP_REQUEST_H
#define HCA_QP_REQUEST_H

#include "qp/qp.h"
#include "qp/wr.h"

/**
 * hca_request_at() - return the kernel's copy of a fetched request
 * @qp: the queue pair; send_lock held
 * @index: index of the request, from sq_done to sq_fetched - 1
 *
 * Context: any.
 * Return: the copy.
 */
static inline struct hca_request *hca_request_at(const struct hca_qp *qp, u32 index)
{
	return (struct hca_request *)(qp->requests +
				      (size_t)(index & (qp->sq.entries - 1)) * qp->request_stride);
}

/**
 * hca_wr_info_of() - return the properties of a request
 * @qp: the queue pair
 * @opcode: any opcode
 *
 * Context: any.
 * Return: the row of @opcode in the carrier's table; NULL if the queue pair's type has no such
 * requests.
 */
static inline const struct hca_wr_info *hca_wr_info_of(const struct hca_qp *qp, u32 opcode)
{
	return opcode < HCA_NUM_WR && (qp->opcodes >> opcode & 1) ? &qp->ops->wr[opcode] : NULL;
}

/* Return the size, in octets, of the kernel's copy of a request. */
u32 hca_request_bytes(u32 max_sge, u32 max_inline);

/* Return the size, in octets, of an entry of a send ring. */
u32 hca_send_stride(u32 max_sge, u32 max_inline);

/**
 * hca_request_fetch() - fetch the next request from the ring
 * @qp: the queue pair; send_lock held
 *
 * The request is copied and then checked. If a check fails, req->error is set, and the request
 * completes with this error when all requests before it have ended. If the producer index in the
 * ring is invalid, the queue pair goes to Error with HCA_QP_FATAL.
 *
 * Context: BH disabled.
 * Return: the request, or NULL if none is posted, the producer index is invalid, or no request may
 * begin in the current state.
 */
struct hca_request *hca_request_fetch(struct hca_qp *qp);

/**
 * hca_request_pending() - return whether requests were posted that were not fetched
 * @qp: the queue pair; send_lock held
 *
 * Context: any.
 * Return: true if there are such requests, or the producer index in the ring is invalid.
 */
bool hca_request_pending(const struct hca_qp *qp);

/**
 * hca_request_complete() - complete the oldest request
 * @qp: the queue pair; send_lock held
 * @error: the reason of the failure, or HCA_VENDOR_ERR_NONE for success, in which case a completion
 *         is added only if the request is signaled
 *
 * Context: BH disabled.
 * Return: false if the CQ is full; the queue pair is then in Error.
 */
bool hca_request_complete(struct hca_qp *qp, enum hca_vendor_err error);

/*
 * Return the index after the last posted request. If the producer index in the ring is invalid, the
 * queue pair goes to Error with HCA_QP_FATAL, and the index after the last fetched request is
 * returned. send_lock held.
 */
u32 hca_requests_end(struct hca_qp *qp);

/**
 * hca_requests_flush() - flush the send requests before an index (IBA C10-42)
 * @qp: the queue pair, which has a send queue; send_lock held
 * @end: index after the last request to flush
 * @budget: number of requests that may be flushed; the number flushed is subtracted
 *
 * Context: BH disabled.
 * Return: true if all requests before @end are flushed.
 */
bool hca_requests_flush(struct hca_qp *qp, u32 end, int *budget);

#endif
