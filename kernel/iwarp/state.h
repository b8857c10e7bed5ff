/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The states of a queue pair: Linux's names, and the meaning that the RDMA verbs give them. Init is
 * Idle, SQD is Closing, SQE is Terminate. All functions are called with send_lock held and BH
 * disabled.
 */
#ifndef HCA_IWARP_STATE_H
#define HCA_IWARP_STATE_H

#include "iwarp/iwarp_qp.h"

/* Events of a queue pair that has a stream. */
enum hca_iwarp_event {
	HCA_IWARP_ENTERED, /* the state is to begin its end, which is noted in @ending */
	HCA_IWARP_BUSY, /* Closing: there is work */
	HCA_IWARP_SEGMENT, /* a valid segment, but not a Terminate message */
	HCA_IWARP_TERMINATE, /* a Terminate message */
	HCA_IWARP_FAILED, /* an error with a Terminate message to be sent */
	HCA_IWARP_PEER_CLOSED, /* the peer sends no more, and there is no work */
	HCA_IWARP_CLOSED, /* the stream has ended in order */
	HCA_IWARP_LOST, /* the stream has ended otherwise */
	HCA_IWARP_EXPIRED, /* the time for the end has expired */
	HCA_IWARP_EVENTS,
};

/* The meaning of each state. */
extern const struct hca_state_kind hca_iwarp_states[HCA_NUM_QPS];

/**
 * hca_state_event() - change a queue pair as its state demands
 * @it: the queue pair, which has a stream
 * @event: what has happened
 *
 * The function sets the bits of @it->ending that say how the stream ends.
 *
 * Context: BH disabled; send_lock held.
 */
void hca_state_event(struct hca_iwarp_qp *it, enum hca_iwarp_event event);

/**
 * hca_state_set() - set the state of a queue pair
 * @it: the queue pair
 * @state: the state
 *
 * Context: BH disabled; send_lock held, recv_lock not held.
 */
void hca_state_set(struct hca_iwarp_qp *it, enum ib_qp_state state);

/**
 * hca_state_receives() - return whether segments that arrive are looked at
 * @it: the queue pair
 *
 * Context: BH disabled; send_lock held.
 * Return: true in RTR and RTS, and in Closing, where any segment is an error.
 */
bool hca_state_receives(const struct hca_iwarp_qp *it);

#endif
