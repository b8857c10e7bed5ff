/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The queue of pending responses. In all functions BH are disabled. */
#ifndef HCA_TRANSPORT_RESPONSES_H
#define HCA_TRANSPORT_RESPONSES_H

#include "transport/aeth.h"
#include "transport/eec.h"

/* Return whether responses are pending. */
static inline bool hca_resp_queue_pending(const struct hca_eec *eec)
{
	return READ_ONCE(eec->response_tail) != READ_ONCE(eec->response_head);
}

/*
 * Return whether a responder resource is free. A Read, atomic, Atomic Write or Flush occupies a
 * responder resource until its response is sent (IBA C9-86).
 */
static inline bool hca_resp_queue_admits(const struct hca_eec *eec)
{
	return READ_ONCE(eec->pending) < eec->attr.max_dest_rd_atomic;
}

/* Send the pending responses. send_lock held. */
enum hca_progress hca_responses_send(struct hca_eec *eec, int *budget);

/**
 * hca_responder_ack() - send or queue an ACK, NAK or RNR NAK
 * @eec: the EE context
 * @dest_qpn: QPN of the requester
 * @psn: PSN of the request packet
 * @syndrome: AETH syndrome; the credit count is added to HCA_SYNDROME_ACK
 *
 * The acknowledgement is sent at once if no response is pending. Otherwise it is queued after the
 * pending responses.
 *
 * Context: BH disabled; recv_lock held.
 */
void hca_responder_ack(struct hca_eec *eec, u32 dest_qpn, u32 psn, u8 syndrome);

/* Initializers of the pending response to a request that is the next message. */
#define HCA_RESPONSE_TO(eec, pkt) \
	.pending = true, \
	.msn = hca_psn_add((eec)->msn, 1), \
	.psn = (pkt)->h.bth.psn, \
	.dest_qpn = hca_requester_of(eec, pkt), \
	.dest = (eec)->message_dest

/**
 * hca_resp_queue_add() - queue a response that is not an acknowledgement
 * @eec: the EE context; send_lock not held
 * @response: the response, which is copied
 *
 * Context: BH disabled; recv_lock held.
 * Return: false if the queue is full.
 */
bool hca_resp_queue_add(struct hca_eec *eec, const struct hca_response *response);

/* Return whether hca_resp_queue_add() can queue a response now. */
bool hca_resp_queue_has_room(struct hca_eec *eec);

/*
 * Send an unsolicited acknowledgement with the new credits if receive requests have been posted
 * (req B4-355). send_lock held, recv_lock not held.
 */
void hca_update_credits(struct hca_eec *eec);

#endif
