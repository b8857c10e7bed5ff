/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The parts of an EE context's run. */
#ifndef HCA_TRANSPORT_SEND_H
#define HCA_TRANSPORT_SEND_H

#include "transport/qp.h"
#include "wire/opcode.h"

/*
 * Maximum of unacknowledged packets, far below the 2^23 of IBA C9-42. Losses make the window
 * smaller.
 */
#define HCA_WINDOW 256

/* Result of one part of the run. */
enum hca_progress {
	HCA_DONE, /* nothing left to do */
	HCA_WAITING, /* for credits, an acknowledgement or a timer, which schedules the run again */
	HCA_BUDGET, /* the budget is used up; more work remains */
};

/* The run function of a queue pair. */
bool hca_qp_run(struct hca_runnable *r, int *budget);

/* For all functions below: send_lock is held and BH are disabled. */

/*
 * Send requests: hca_requester_send() for connections and RD EE contexts, hca_datagram_send() for
 * unreliable and raw datagram queue pairs.
 */
enum hca_progress hca_requester_send(struct hca_eec *eec, int *budget);
enum hca_progress hca_datagram_send(struct hca_qp *qp, int *budget);

/**
 * hca_completer_run() - process received responses
 * @eec: the connection or RD EE context
 * @budget: number of packets that may be processed; the number processed is subtracted
 *
 * Completes the requests that the responses acknowledge, or has packets sent again.
 *
 * Context: BH disabled; send_lock held.
 * Return: false if the budget is used up and responses may be left.
 */
bool hca_completer_run(struct hca_eec *eec, int *budget);

/* Return whether responses are pending. */
static inline bool hca_resp_queue_pending(const struct hca_eec *eec)
{
	return READ_ONCE(eec->response_tail) != READ_ONCE(eec->response_head);
}

enum hca_progress hca_responses_send(struct hca_eec *eec, int *budget);

/* Deliver a copy of a datagram to a queue pair, which takes recv_lock. The caller keeps @pkt. */
void hca_datagram_deliver(struct hca_qp *qp, const struct hca_packet *pkt);

/* Set next_psn back to the oldest unacknowledged packet. */
void hca_requester_rewind(struct hca_eec *eec);

/**
 * hca_requester_fail() - complete the oldest request with an error
 * @eec: the connection or RD EE context of the request
 * @status: the error
 *
 * A queue pair of type RC goes to Error, all others to SQE (IBA C10-40).
 *
 * Context: BH disabled; send_lock held.
 */
void hca_requester_fail(struct hca_eec *eec, enum ib_wc_status status);

/**
 * hca_qp_error() - set a queue pair to Error and schedule the run, which flushes
 * @qp: the queue pair
 *
 * Context: BH disabled; send_lock or recv_lock held.
 */
void hca_qp_error(struct hca_qp *qp);

/*
 * Report HCA_QP_FATAL, once, and set the queue pair to Error, because a CQ has no room (req V3-284)
 * or the index of a ring is invalid (req R0-471). Context: as for hca_qp_error().
 */
void hca_qp_fatal(struct hca_qp *qp);

/* Have the run report an event to the consumer, where no lock is held. Context: BH disabled. */
void hca_eec_raise(struct hca_eec *eec, enum hca_qp_event event);

/* ACK timeout and RNR wait. */
void hca_retry_arm(struct hca_eec *eec);
void hca_retry_wait_rnr(struct hca_eec *eec, u8 code);
u32 hca_rnr_usecs(u8 code); /* @code: five bits */
void hca_retry_later(struct hca_eec *eec, unsigned long ticks);

/* There is no memory for a packet: run again at the next tick. */
static inline void hca_retry_soon(struct hca_eec *eec)
{
	hca_retry_later(eec, 1);
}

void hca_retry_timed_out(struct hca_eec *eec);
void hca_retry_timer(struct timer_list *timer);

/*
 * Use up one retry or migrate to the alternate path. Return: false if neither is left and the
 * request has failed.
 */
bool hca_retry_again(struct hca_eec *eec);

/*
 * Set the ACK timeout to 4.096 us * 2^code, or to none if @code is 0, for outstanding packets too.
 */
void hca_retry_set_timeout(struct hca_eec *eec, u8 code);

#endif
