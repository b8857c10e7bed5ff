/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The sending half of a queue pair: what its run does, part by part. */
#ifndef HCA_TRANSPORT_SEND_H
#define HCA_TRANSPORT_SEND_H

#include "transport/qp.h"
#include "wire/opcode.h"

/* How a part of the run ended. */
enum hca_progress {
	HCA_DONE, /* nothing left to do */
	HCA_WAITING, /* for credit, an acknowledgement, a timer; whatever comes runs it again */
	HCA_BUDGET, /* there is more */
};

/* The queue pair's run. */
bool hca_qp_run(struct hca_runnable *r);

/* All that follow: send_lock held, BH disabled. */

/* Send requests of an RC, of a datagram queue pair. */
enum hca_progress hca_requester_send(struct hca_qp *qp, int *budget);
enum hca_progress hca_datagram_send(struct hca_qp *qp, int *budget);

/* Take in one response packet; frees it. */
void hca_completer_receive(struct hca_qp *qp, struct hca_packet *pkt);

/* Send what the responder owes, if it owes anything. */
static inline bool hca_responses_owed(const struct hca_eec *eec)
{
	return READ_ONCE(eec->response_tail) != READ_ONCE(eec->response_head);
}

enum hca_progress hca_responses_send(struct hca_qp *qp, int *budget);

/**
 * hca_responder_ack() - acknowledge, or refuse, now or behind what is owed
 * @qp: the queue pair; recv_lock held, send_lock not
 * @psn: of the request packet
 * @syndrome: AETH's
 */
void hca_responder_ack(struct hca_qp *qp, u32 psn, u8 syndrome);

/**
 * hca_responder_read() - owe the data of an RDMA Read
 * @qp: the queue pair; recv_lock held, send_lock not
 * @request: its packet
 * @msn: the message's number, for the AETH
 * @again: its data have been owed before
 *
 * Return: false: too many are owed already.
 */
bool hca_responder_read(struct hca_qp *qp, const struct hca_packet *request, u32 msn, bool again);

/* One request packet for a connected, one packet for a datagram queue pair; both free it. */
void hca_responder_receive(struct hca_qp *qp, struct hca_packet *pkt);
void hca_datagram_receive(struct hca_qp *qp, struct hca_packet *pkt);

/* Go back to the oldest packet that is not acknowledged. */
void hca_requester_rewind(struct hca_qp *qp);

/* The oldest request ends in @status; a connection goes to Error, a datagram's to SQE (C10-40). */
void hca_requester_fail(struct hca_qp *qp, enum hca_status status);

/**
 * hca_qp_error() - go to Error; the run flushes
 * @qp: the queue pair
 *
 * Context: BH disabled; either lock held.
 */
void hca_qp_error(struct hca_qp *qp);

/* A CQ has no room: the QP that found it so is in Error (V3-284). Context: as above. */
void hca_qp_overflow(struct hca_qp *qp);

/* Tell the consumer from the run, where no lock is held. Context: BH disabled. */
void hca_qp_raise(struct hca_qp *qp, enum hca_qp_event event);

/* Acknowledgement timer and RNR wait. */
void hca_retry_arm(struct hca_qp *qp);
void hca_retry_wait_rnr(struct hca_qp *qp, u8 code);
void hca_retry_soon(struct hca_qp *qp);
void hca_retry_timed_out(struct hca_qp *qp);
void hca_retry_timer(struct timer_list *timer);

#endif
