/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The memory of requests: from scatter/gather lists to segments of TPT entries, and the reasons for
 * which a list cannot be used. Each carrier calls these functions.
 */
#ifndef HCA_QP_SEGMENTS_H
#define HCA_QP_SEGMENTS_H

#include "qp/qp.h"
#include "tpt/copy.h"

/**
 * hca_request_fragment() - find the fragment of a request that contains an octet
 * @req: a fetched request
 * @offset: octets from the beginning of the request; set to those from the fragment's beginning
 *
 * Context: any.
 * Return: the fragment, or the end of the list if the request is shorter.
 */
static inline const struct hca_fragment *
hca_request_fragment(const struct hca_request *req, u32 *offset)
{
	const struct hca_fragment *frag = req->sge, *end = frag + req->num_sge;

	for (; frag != end && *offset >= frag->length; frag++)
		*offset -= frag->length;
	return frag;
}

/**
 * hca_sge_segments() - resolve a range of a receive request's scatter list to TPT entries
 * @qp: the queue pair
 * @sge: the list
 * @num_sge: number of SGEs
 * @offset: octets to skip
 * @length: octets to resolve
 * @segment: array for HCA_MAX_SGE resulting segments; to be released by hca_segments_put()
 *
 * The keys must have local write access.
 *
 * Context: BH disabled.
 * Return: the number of segments; -EFAULT if a key or an address is invalid; -EMSGSIZE if the list
 * is too short; -EAGAIN if a page is absent, in which case it has been requested.
 */
int hca_sge_segments(const struct hca_qp *qp, const struct hca_sge *sge, u32 num_sge, u32 offset,
		     u32 length, struct hca_segment *segment);

/**
 * hca_request_segments() - resolve a range of a send request's list to TPT entries
 * @qp: the queue pair
 * @req: the request, whose keys were checked when it was fetched
 * @offset: octets to skip
 * @length: octets to resolve
 * @segment: array for HCA_MAX_SGE resulting segments; to be released by hca_segments_put()
 *
 * A Read or atomic writes the memory, and other requests read it.
 *
 * Context: BH disabled.
 * Return: the number of segments; -EFAULT if a key has become invalid; -EAGAIN if a page is absent,
 * in which case it has been requested.
 */
int hca_request_segments(const struct hca_qp *qp, const struct hca_request *req, u32 offset,
			 u32 length, struct hca_segment *segment);

/**
 * hca_request_ready() - check that the memory for the responses to a request is present
 * @qp: the queue pair
 * @req: a Read or atomic
 *
 * Only the first 64 KiB are checked. If another page is absent when a response arrives, the request
 * is repeated.
 *
 * Context: BH disabled.
 * Return: 0; -EFAULT if a key has become invalid; -EAGAIN if a page is absent, in which case it has
 * been requested.
 */
int hca_request_ready(const struct hca_qp *qp, const struct hca_request *req);

/**
 * hca_request_refusal() - return the reason for which the memory of a request cannot be accessed
 * @qp: the queue pair
 * @req: a fetched request
 *
 * Context: BH disabled; the caller holds no segment of the request.
 * Return: HCA_VENDOR_ERR_LKEY_CHANGED if a key has become invalid since the request was fetched,
 * otherwise HCA_VENDOR_ERR_PAGE.
 */
enum hca_vendor_err hca_request_refusal(const struct hca_qp *qp, const struct hca_request *req);

/**
 * hca_request_mrs_ok() - return whether the keys of a request are still those of its fetch
 * @qp: the queue pair
 * @req: a fetched request
 *
 * Context: BH disabled.
 * Return: true if each key still has the generation that was checked when the request was fetched.
 */
bool hca_request_mrs_ok(const struct hca_qp *qp, const struct hca_request *req);

/**
 * hca_recv_refusal() - return the reason for which a receive request's memory cannot be written
 * @qp: the queue pair; recv_lock held
 * @recv: the request
 * @offset: octets from the beginning of the request's memory
 * @length: octets that were to be written there
 *
 * Called after hca_sge_segments() has returned -EFAULT.
 *
 * Context: BH disabled.
 * Return: the reason for the first SGE in the range that cannot be written;
 * HCA_VENDOR_ERR_LKEY_CHANGED if all SGEs in the range can be written now.
 */
enum hca_vendor_err hca_recv_refusal(const struct hca_qp *qp, const struct hca_recv *recv,
				     u32 offset, u32 length);

#endif
