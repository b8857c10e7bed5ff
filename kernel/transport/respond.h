/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The responder of an EE context. For all functions: BH are disabled; recv_lock is held unless
 * stated otherwise.
 */
#ifndef HCA_TRANSPORT_RESPOND_H
#define HCA_TRANSPORT_RESPOND_H

#include <linux/bits.h>
#include "transport/aeth.h"
#include "transport/qp.h"
#include "wire/opcode.h"

/* Results beside AETH syndromes. The packet is dropped: neither executed nor answered. */
#define HCA_DROP 0xff
/* Nothing was executed; the packets of this segment batch have different results. */
#define HCA_SPLIT 0xfe

/*
 * Receive and free a packet; they take recv_lock. hca_responder_receive() is for requests to
 * reliable connections and RD EE contexts, hca_unreliable_receive() for requests to unreliable
 * connections, hca_datagram_receive() for datagrams.
 */
void hca_responder_receive(struct hca_eec *eec, struct hca_packet *pkt);
void hca_unreliable_receive(struct hca_eec *eec, struct hca_packet *pkt);
void hca_datagram_receive(struct hca_qp *qp, struct hca_packet *pkt);

/**
 * hca_execute() - execute a request packet
 * @eec: the EE context that received the packet
 * @qp: the destination, whose receive requests, protection domain and access rights apply
 * @pkt: the packet, whose PSN is the expected one
 *
 * Context: BH disabled; recv_lock held.
 * Return: HCA_SYNDROME_ACK for an acknowledgement, to which credits are added; the syndrome of a
 * NAK or RNR NAK; HCA_DROP; or, for a segment batch, HCA_SPLIT.
 */
u8 hca_execute(struct hca_eec *eec, struct hca_qp *qp, const struct hca_packet *pkt);

/*
 * Return whether the opcode may follow the previous packet and whether the payload length is valid.
 */
bool hca_in_place(const struct hca_eec *eec, const struct hca_packet *pkt);

/**
 * hca_remote_access() - check the peer's right to access memory
 * @qp: the queue pair that the request is for
 * @access: the required right, of both the queue pair and the key
 * @rkey: the key; not checked if @length is 0 (IBA C9-99)
 * @va: start address
 * @length: octets
 *
 * Context: BH disabled.
 * Return: the syndrome of the response: HCA_SYNDROME_ACK; HCA_NAK_INVALID_REQUEST if the queue pair
 * does not permit the operation; HCA_NAK_REMOTE_ACCESS if the key does not.
 */
u8 hca_remote_access(const struct hca_qp *qp, u32 access, u32 rkey, u64 va, u32 length);

/**
 * hca_responder_ack() - send or queue an ACK, NAK or RNR NAK
 * @eec: the EE context
 * @dest_qpn: QPN of the requester
 * @psn: PSN of the request packet
 * @syndrome: AETH syndrome; credits are added to HCA_SYNDROME_ACK
 *
 * The response leaves at once if no response is pending; otherwise it is queued behind them.
 *
 * Context: BH disabled; recv_lock held.
 */
void hca_responder_ack(struct hca_eec *eec, u32 dest_qpn, u32 psn, u8 syndrome);

/**
 * hca_resp_queue_add() - queue the response to a Read or atomic
 * @eec: the EE context; send_lock not held
 * @response: the response
 *
 * Context: BH disabled; recv_lock held.
 * Return: false if the queue has no room.
 */
bool hca_resp_queue_add(struct hca_eec *eec, const struct hca_response *response);

bool hca_resp_queue_has_room(struct hca_eec *eec);

/* Return whether requests are received in this state. */
static inline bool hca_state_receives(u8 state)
{
	return BIT(state) & (BIT(IB_QPS_RTR) | BIT(IB_QPS_RTS) | BIT(IB_QPS_SQD) |
			     BIT(IB_QPS_SQE));
}

/*
 * Return whether requests are received in the current state. The first request received in RTR
 * raises HCA_QP_COMM_ESTABLISHED (req B4-267).
 */
bool hca_eec_may_receive(struct hca_eec *eec);

static inline bool hca_eec_receives(struct hca_eec *eec)
{
	return READ_ONCE(eec->state) == IB_QPS_RTS || hca_eec_may_receive(eec);
}

/*
 * Return the syndrome of an acknowledgement with the credits of the posted receive requests (IBA
 * 9.7.7.2.3).
 */
u8 hca_credits_offered(const struct hca_eec *eec);

/*
 * The peer was advertised no credit: set need_wakeup, so that the consumer rings the doorbell when
 * it posts the next receive request.
 */
void hca_credit_stall(struct hca_eec *eec);

/*
 * Send an unsolicited acknowledgement with the new credits if receive requests have been posted
 * (req B4-355). send_lock held, recv_lock not held.
 */
void hca_update_credits(struct hca_eec *eec);

/*
 * Return the number of messages that a credit code allows. Codes have five bits; 31 is no credit
 * information.
 */
u32 hca_credits_of(u8 code);

#endif
