/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The requester: from send requests to messages. All functions are called with send_lock of the
 * queue pair held and BH disabled.
 */
#ifndef HCA_IWARP_REQUESTER_H
#define HCA_IWARP_REQUESTER_H

#include "iwarp/iwarp_qp.h"
#include "qp/wr.h"

/* The requests of an RNIC. */
extern const struct hca_wr_info hca_iwarp_wr[];

/* Result of an attempt to begin a message. */
enum hca_step {
	HCA_STEP_BEGUN, /* a message has begun, or a local request has ended */
	HCA_STEP_IDLE, /* there is nothing to be sent */
	HCA_STEP_WAITS, /* the next request waits for the end of others */
};

/**
 * hca_requester_is_busy() - return whether requests are posted or incomplete
 * @it: the queue pair
 *
 * Context: BH disabled; send_lock held.
 * Return: whether there are any.
 */
bool hca_requester_is_busy(const struct hca_iwarp_qp *it);

/**
 * hca_requester_begin() - begin the next request
 * @it: the queue pair, in RTS, which sends nothing at the moment
 *
 * Context: BH disabled; send_lock held.
 * Return: whether it->message is that of a request now, if HCA_STEP_BEGUN.
 */
enum hca_step hca_requester_begin(struct hca_iwarp_qp *it);

/**
 * hca_requester_segment() - send the next segment of the request that has begun
 * @it: the queue pair
 *
 * If the memory of the request cannot be read any more, the request fails instead.
 *
 * Context: BH disabled; send_lock held.
 * Return: 0, or the error of hca_mpa_tx_reserve().
 */
int hca_requester_segment(struct hca_iwarp_qp *it);

/**
 * hca_requester_rtr() - send the RTR message
 * @it: the queue pair
 *
 * Context: BH disabled; send_lock held.
 * Return: 0, or the error of hca_mpa_tx_reserve().
 */
int hca_requester_rtr(struct hca_iwarp_qp *it);

#endif
