/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Completions of send requests, in the order of posting (req P1-146). All functions are called with
 * send_lock of the queue pair held and BH disabled.
 */
#ifndef HCA_IWARP_COMPLETE_H
#define HCA_IWARP_COMPLETE_H

#include "iwarp/iwarp_qp.h"

/**
 * hca_complete_requests() - complete the oldest requests that have ended
 * @it: the queue pair
 *
 * A Send or Write has ended when the stream has all of it; a Read, at the end of its response.
 *
 * Context: BH disabled; send_lock held.
 * Return: whether one was completed.
 */
bool hca_complete_requests(struct hca_iwarp_qp *it);

/**
 * hca_oldest_read() - the Read whose response is due
 * @it: the queue pair, with a Read Request other than an RTR message outstanding
 *
 * Context: BH disabled; send_lock held.
 * Return: the request.
 */
struct hca_request *hca_oldest_read(const struct hca_iwarp_qp *it);

/**
 * hca_complete_read() - note that the response which is due has ended
 * @it: the queue pair
 *
 * Context: BH disabled; send_lock held.
 */
void hca_complete_read(struct hca_iwarp_qp *it);

/**
 * hca_complete_failed() - complete a request with an error, after flushing those before it
 * @it: the queue pair
 * @index: index of the request, which has begun
 * @error: the error
 *
 * Context: BH disabled; send_lock held.
 */
void hca_complete_failed(struct hca_iwarp_qp *it, u32 index, enum hca_vendor_err error);

/**
 * hca_complete_lost() - complete the oldest request with an error, because the stream is lost
 * @it: the queue pair, in RTS
 *
 * Context: BH disabled; send_lock held.
 * Return: whether a request had begun; otherwise there is no completion.
 */
bool hca_complete_lost(struct hca_iwarp_qp *it);

/**
 * hca_complete_terminated() - complete the request that the peer's Terminate message names
 * @it: the queue pair, which has kept the message
 *
 * If that request is complete already, the oldest incomplete one is completed. A message that names
 * no segment completes none.
 *
 * Context: BH disabled; send_lock held.
 */
void hca_complete_terminated(struct hca_iwarp_qp *it);

#endif
