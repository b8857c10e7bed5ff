/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The responder: it queues the peer's Read Requests, and answers them in order. All functions are
 * called with send_lock of the queue pair held and BH disabled.
 */
#ifndef HCA_IWARP_RESPONDER_H
#define HCA_IWARP_RESPONDER_H

#include "iwarp/iwarp_qp.h"

/**
 * hca_responder_queue() - queue a Read Request
 * @it: the queue pair
 * @segment: the segment, all of whose headers are checked
 *
 * The source is not looked at before the response begins.
 *
 * Context: BH disabled; send_lock held.
 * Return: HCA_IWARP_OK; HCA_ERR_RDMAP_STREAM: more Read Requests than were agreed.
 */
enum hca_iwarp_error hca_responder_queue(struct hca_iwarp_qp *it,
					 const struct hca_rx_segment *segment);

/**
 * hca_responder_begin() - begin the response to the oldest Read Request
 * @it: the queue pair, in RTS, with Read Requests in the queue, which sends nothing at the moment
 *
 * Context: BH disabled; send_lock held.
 */
void hca_responder_begin(struct hca_iwarp_qp *it);

/**
 * hca_responder_segment() - send the next segment of the response that has begun
 * @it: the queue pair
 *
 * If the source cannot be read, or not any more, an error is raised instead.
 *
 * Context: BH disabled; send_lock held.
 * Return: 0, or the error of hca_mpa_tx_reserve().
 */
int hca_responder_segment(struct hca_iwarp_qp *it);

#endif
