/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The work of an EE context, part by part. */
#ifndef HCA_TRANSPORT_SEND_H
#define HCA_TRANSPORT_SEND_H

#include "transport/qp.h"
#include "wire/opcode.h"

/* Packets that may be unacknowledged; far below the 2^23 of C9-42. Fewer where some have been lost. */
#define HCA_WINDOW 256

/* How a part of the run ended. */
enum hca_progress {
	HCA_DONE, /* nothing left to do */
	HCA_WAITING, /* for credit, an acknowledgement, a timer; whatever comes runs it again */
	HCA_BUDGET, /* there is more */
};

/* The queue pair's run. */
bool hca_qp_run(struct hca_runnable *r, int *budget);

/* All that follow: send_lock held, BH disabled. */

/* Send the requests of a connection or channel; of an unreliable or raw datagram queue pair. */
enum hca_progress hca_requester_send(struct hca_eec *eec, int *budget);
enum hca_progress hca_datagram_send(struct hca_qp *qp, int *budget);

/**
 * hca_completer_run() - take responses that have come: end requests, or have them sent again
 * @eec: the connection or channel
 * @budget: packets that may be taken now; less those that were
 *
 * Return: false: the budget is used up, and others may be left.
 */
bool hca_completer_run(struct hca_eec *eec, int *budget);

/* Send what the responder owes, if it owes anything. */
static inline bool hca_resp_queue_pending(const struct hca_eec *eec)
{
	return READ_ONCE(eec->response_tail) != READ_ONCE(eec->response_head);
}

enum hca_progress hca_responses_send(struct hca_eec *eec, int *budget);

/* The same with a packet that others are to have as well: it stays the caller's. */
void hca_datagram_deliver(struct hca_qp *qp, const struct hca_packet *pkt);

/* Go back to the oldest packet that is not acknowledged. */
void hca_requester_rewind(struct hca_eec *eec);

/**
 * hca_requester_fail() - the oldest request ends in an error
 * @eec: its connection or channel
 * @status: the error
 *
 * A reliable connection goes to Error, all other queue pairs to SQE (C10-40).
 */
void hca_requester_fail(struct hca_eec *eec, enum hca_status status);

/**
 * hca_qp_error() - go to Error; the run flushes
 * @qp: the queue pair
 *
 * Context: BH disabled; either lock held.
 */
void hca_qp_error(struct hca_qp *qp);

/*
 * What the queue pair stands on has failed: a CQ without room (V3-284), a ring whose index cannot
 * be (R0-471). HCA_QP_FATAL, once, and Error. Context: as for hca_qp_error().
 */
void hca_qp_fatal(struct hca_qp *qp);

/* Tell the consumer from the run, where no lock is held. Context: BH disabled. */
void hca_eec_raise(struct hca_eec *eec, enum hca_qp_event event);

/* Acknowledgement timer and RNR wait. */
void hca_retry_arm(struct hca_eec *eec);
void hca_retry_wait_rnr(struct hca_eec *eec, u8 code);
u32 hca_rnr_usecs(u8 code); /* of five bits */
void hca_retry_later(struct hca_eec *eec, unsigned long ticks);

/* No memory for a packet: at the next tick there may be. */
static inline void hca_retry_soon(struct hca_eec *eec)
{
	hca_retry_later(eec, 1);
}

void hca_retry_timed_out(struct hca_eec *eec);
void hca_retry_timer(struct timer_list *timer);

/* One attempt less, or another path. Return: false: neither is left, the request has failed. */
bool hca_retry_again(struct hca_eec *eec);

/* A timeout of 4.096 us * 2^code from now on, for what is under way as well; 0: for ever. */
void hca_retry_set_timeout(struct hca_eec *eec, u8 code);

#endif
