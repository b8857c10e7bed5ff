/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The end of a stream that a queue pair has: Terminate, close, reset, and their time limit. */
#ifndef HCA_IWARP_CLOSE_H
#define HCA_IWARP_CLOSE_H

#include "iwarp/state.h"

/**
 * hca_close_run() - do what the end of a queue pair's stream needs now
 * @it: the queue pair, which has a stream; send_lock held
 *
 * Context: its run function; BH disabled.
 */
void hca_close_run(struct hca_iwarp_qp *it);

/**
 * hca_close_is_begun() - return whether a stream ends in order without the queue pair
 * @it: the queue pair, which has a stream; send_lock held
 *
 * Context: its run function, or its destruction; BH disabled.
 * Return: whether all that is to be sent was handed to the stream, with close() behind it.
 */
bool hca_close_is_begun(const struct hca_iwarp_qp *it);

/**
 * hca_close_gone() - detach a stream that has gone
 * @it: the queue pair; send_lock held
 * @event: HCA_IWARP_CLOSED or HCA_IWARP_LOST
 *
 * Context: the run function of the queue pair, or its destruction; BH disabled.
 */
void hca_close_gone(struct hca_iwarp_qp *it, enum hca_iwarp_event event);

#endif
