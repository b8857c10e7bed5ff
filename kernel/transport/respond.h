/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The receiving half of an EE context. All: BH disabled; recv_lock held if not said otherwise. */
#ifndef HCA_TRANSPORT_RESPOND_H
#define HCA_TRANSPORT_RESPOND_H

#include <linux/bits.h>
#include "transport/aeth.h"
#include "transport/qp.h"
#include "wire/opcode.h"

/* Beside syndromes: not executed and not answered, as if it had been lost. */
#define HCA_DROP 0xff
/* Likewise: nothing has been done; not all packets of this train fare alike. */
#define HCA_SPLIT 0xfe

/*
 * One packet each, which they free; they take recv_lock: a request to a reliable connection
 * or channel, one to an unreliable connection, a datagram.
 */
void hca_responder_receive(struct hca_eec *eec, struct hca_packet *pkt);
void hca_unreliable_receive(struct hca_eec *eec, struct hca_packet *pkt);
void hca_datagram_receive(struct hca_qp *qp, struct hca_packet *pkt);

/**
 * hca_execute() - do what a request packet says
 * @eec: the EE context it came by
 * @qp: the queue pair it is for: whose receives, protection domain and rights count
 * @pkt: the packet, the expected one
 *
 * Return: the syndrome of the acknowledgement without credits (HCA_SYNDROME_ACK), of the
 * refusal, HCA_DROP or, of a train, HCA_SPLIT.
 */
u8 hca_execute(struct hca_eec *eec, struct hca_qp *qp, const struct hca_packet *pkt);

/* May the packet stand here, between or within messages, and is it as long as it should be? */
bool hca_in_place(const struct hca_eec *eec, const struct hca_packet *pkt);

/**
 * hca_remote_access() - may the peer do this to memory?
 * @qp: the queue pair that it asks
 * @access: the right that is needed, of the queue pair and of the key
 * @rkey: the key; it is not looked at for no octets (C9-99)
 * @va: where, as the key has it
 * @length: octets
 *
 * Context: BH disabled. Return: the syndrome of the answer: HCA_SYNDROME_ACK; HCA_NAK_INVALID_REQUEST, if the queue
 * pair lets nobody do this; HCA_NAK_REMOTE_ACCESS.
 */
u8 hca_remote_access(const struct hca_qp *qp, u32 access, u32 rkey, u64 va, u32 length);

/**
 * hca_responder_ack() - acknowledge, or refuse, now or behind what is owed
 * @eec: the EE context
 * @dest_qpn: who asked
 * @psn: of the request packet
 * @syndrome: AETH's; of an acknowledgement the credits are filled in here
 */
void hca_responder_ack(struct hca_eec *eec, u32 dest_qpn, u32 psn, u8 syndrome);

/**
 * hca_resp_queue_add() - owe the data of a read, the result of an atomic
 * @eec: the EE context; send_lock not held
 * @response: what is owed
 *
 * Return: false: too much is owed already.
 */
bool hca_resp_queue_add(struct hca_eec *eec, const struct hca_response *response);

bool hca_resp_queue_has_room(struct hca_eec *eec);

/* Are requests taken in this state? */
static inline bool hca_state_receives(u8 state)
{
	return BIT(state) & (BIT(HCA_QPS_RTR) | BIT(HCA_QPS_RTS) | BIT(HCA_QPS_SQD) |
			     BIT(HCA_QPS_SQE));
}

/* In a state in which requests are taken? The first one in RTR is an event (B4-267). */
bool hca_eec_may_receive(struct hca_eec *eec);

static inline bool hca_eec_receives(struct hca_eec *eec)
{
	return READ_ONCE(eec->state) == HCA_QPS_RTS || hca_eec_may_receive(eec);
}

/* The AETH's credits: how many receives are posted (IBA 9.7.7.2.3). */
u8 hca_credits_offered(const struct hca_eec *eec);

/* The peer has been told that there is none: have who posts the next one ring. */
void hca_credit_stall(struct hca_eec *eec);

/* Then tell the peer, by an acknowledgement that nobody asked for (B4-355). send_lock held. */
void hca_update_credits(struct hca_eec *eec);

/* How many messages a code allows; codes are five bits, 31 says nothing. */
u32 hca_credits_of(u8 code);

#endif
