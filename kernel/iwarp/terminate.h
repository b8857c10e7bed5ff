/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The Terminate message: which one is kept, and its sending. The first error of a stream wins
 * (req P1-178). All functions are called with send_lock of the queue pair held and BH disabled.
 */
#ifndef HCA_IWARP_TERMINATE_H
#define HCA_IWARP_TERMINATE_H

#include "iwarp/iwarp_qp.h"
#include "iwarp/wire/error.h"

/**
 * hca_terminate_raise() - note an error that ends the stream, unless there was one before
 * @it: the queue pair; its run function acts on has_failed
 * @error: the error
 * @segment: the segment that has caused it; NULL: none has
 * @is_completed: a completion tells of the error; otherwise an event does (req R0-447)
 *
 * Context: BH disabled; send_lock held.
 */
void hca_terminate_raise(struct hca_iwarp_qp *it, enum hca_iwarp_error error,
			 const struct hca_rx_segment *segment, bool is_completed);

/**
 * hca_terminate_raise_read() - note an error of answering a Read Request
 * @it: the queue pair
 * @error: the error
 * @read: the Read Request, advanced by what was answered (req P1-067)
 *
 * Context: BH disabled; send_lock held.
 */
void hca_terminate_raise_read(struct hca_iwarp_qp *it, enum hca_iwarp_error error,
			      const struct hca_read *read);

/**
 * hca_terminate_keep() - keep the reason for the end of a stream, unless another one is kept
 * @it: the queue pair
 * @error: the reason, of which no Terminate message tells the peer
 *
 * Context: BH disabled; send_lock held.
 */
void hca_terminate_keep(struct hca_iwarp_qp *it, enum hca_iwarp_error error);

/**
 * hca_terminate_send() - write the Terminate message that is kept
 * @it: the queue pair
 *
 * Context: BH disabled; send_lock held.
 * Return: 0, or the error of hca_mpa_tx_reserve().
 */
int hca_terminate_send(struct hca_iwarp_qp *it);

/**
 * hca_terminate_sent() - note that the stream has the Terminate message that is kept
 * @it: the queue pair
 *
 * Context: BH disabled; send_lock held.
 */
void hca_terminate_sent(struct hca_iwarp_qp *it);

/**
 * hca_terminate_receive() - keep a Terminate message that has arrived, unless one is kept
 * @it: the queue pair
 * @segment: the segment
 *
 * Context: BH disabled; send_lock held.
 */
void hca_terminate_receive(struct hca_iwarp_qp *it, struct hca_rx_segment *segment);

#endif
