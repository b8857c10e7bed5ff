/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * An EE context (struct hca_eec) sends and receives packets. For reliable services, it also handles
 * PSNs, acknowledgements and retries. Each queue pair embeds an EE context, which for RC, UC and
 * XRC represents the connection. An RD EE context is a separate EE context that RD queue pairs
 * share (req C4-018). The EE context that is embedded in an RD queue pair sends nothing, but may
 * wait after an RNR NAK.
 *
 * Two locks of struct hca_qp_common guard an EE context. send_lock guards the requester, the
 * completer and the sending of pending responses. The EE context's run function holds send_lock.
 * recv_lock guards the responder. The run function of the receiving port takes recv_lock.
 */
#ifndef HCA_TRANSPORT_EEC_H
#define HCA_TRANSPORT_EEC_H

#include <linux/bits.h>
#include <linux/llist.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <rdma/ib_user_verbs.h>
#include "link/port/port.h"
#include "qp/attr.h"
#include "qp/common.h"
#include "qp/recv_wqe.h"
#include "transport/ca.h"
#include "transport/early_retry.h"
#include "transport/watch.h"
#include "wire/opcode.h"

struct hca_eec;
struct hca_qp_counters;
struct hca_packet;
struct hca_qp;

enum hca_response_kind {
	HCA_RESP_ACK, /* ACK, NAK or RNR NAK */
	HCA_RESP_READ,
	HCA_RESP_ATOMIC,
	HCA_RESP_EMPTY, /* response to a Flush or Atomic Write */
	HCA_RESP_FLUSH, /* response to a Flush; some memory is still to be written back */
	/* response to an atomic or Atomic Write, which is still to be executed after a Flush */
	HCA_RESP_LATER,
};

/* A pending response. Pending responses are queued in PSN order. */
struct hca_response {
	u8 kind; /* enum hca_response_kind */
	u8 syndrome; /* HCA_RESP_ACK: AETH syndrome */
	bool pending; /* the response occupies a responder resource */
	bool duplicate; /* Read: the request was executed before, and is executed again */
	u32 msn;
	u32 psn; /* ACK: the acknowledged PSN; Read: the PSN of the next response packet */
	u32 dest_qpn; /* QPN of the requester, to which the response is sent */
	u32 dest; /* RD: destination QPN of the request; XRC: SRQ number in the request */
	u8 operation; /* HCA_RESP_LATER: operation of the request, IB_OPCODE_* */
	u64 va;
	u32 rkey;
	u32 length; /* octets requested */
	u32 offset; /* octets sent so far */
	union {
		u64 original; /* atomic: the value before the operation */
		/* Flush: number of octets that are still to be written back, from va on */
		u64 left;
		/* HCA_RESP_LATER: value to swap in or add, or data of an Atomic Write */
		u64 swap_add;
	};
	u64 compare; /* HCA_RESP_LATER, Compare and Swap: value to compare with */
};

#define HCA_MAX_RESPONSES (HCA_MAX_RD_ATOMIC * 2)

/* The result of an executed atomic, with which a duplicate of the request is answered. */
struct hca_saved_atomic {
	u32 psn;
	u64 original;
};

/* State of the Resync request, which informs the peer that a message is abandoned (req C4-033). */
enum hca_resync {
	HCA_RESYNC_NONE,
	HCA_RESYNC_DUE, /* the Resync is to be sent */
	/* the Resync was sent; responses other than its acknowledgement are ignored */
	HCA_RESYNC_SENT,
};

/*
 * Operations that differ between the EE contexts of queue pairs, the EE contexts of XRC targets,
 * and RD EE contexts. Code that runs for each packet tests is_rd_eec instead of calling an
 * operation. In release and the operations below it, BH are disabled and send_lock is held. For an
 * RD EE context, the send_lock of the queue pair that it serves is also held.
 */
struct hca_eec_ops {
	void (*timer)(struct timer_list *timer);
	/*
	 * Find the destination queue pair of a request packet, and keep it ready to execute the
	 * packet until dest_put(). Returns NULL if the destination does not exist. The pointer is
	 * NULL if the destination is always the connection's own queue pair. recv_lock is held; BH
	 * are disabled.
	 */
	struct hca_qp *(*dest_get)(struct hca_eec *eec, const struct hca_packet *pkt);
	void (*dest_put)(struct hca_eec *eec, struct hca_qp *qp);
	/* Stop serving the queue pair, because its request is complete. RD EE contexts only. */
	void (*release)(struct hca_eec *eec);
	/*
	 * Send the oldest request again after the time for @rnr_code, because the peer returned an
	 * RNR NAK or a page of the request's memory is absent. @msn: MSN of the peer's response.
	 */
	void (*suspend)(struct hca_eec *eec, u8 rnr_code, u32 msn);
	/*
	 * Set the queue pair to Error or SQE, because the oldest request was completed with @error.
	 * An RD EE context also goes to Error if the retries of a request or Resync are exceeded.
	 */
	void (*abandon)(struct hca_eec *eec, enum hca_vendor_err error);
	/*
	 * Process a response that has arrived while a Resync is due or outstanding. The response is
	 * ignored unless it acknowledges the Resync. RD EE contexts only.
	 */
	void (*resynced)(struct hca_eec *eec, const struct hca_packet *pkt);
};

struct hca_eec {
	struct hca_qp_common *common; /* common part of the queue pair or RD EE context */
	struct hca_recv *recv; /* the receive request being filled; under recv_lock */
	struct hca_ca *ca;
	struct hca_port *port; /* QP0, QP1: set at creation; others: set by the modify to Init */
	/* counters that are used instead of the port's counters of losses; or NULL */
	struct hca_qp_counters __rcu *losses;
	u8 transport; /* enum hca_transport of its packets */
	/* kinds of packets that are accepted: HCA_IS_REQUEST, HCA_IS_RESPONSE or both */
	u32 accepts;
	bool is_rd_eec; /* true for an RD EE context, false for the EE context of a queue pair */
	/* attributes; send_lock guards them, but the responder reads the path without it */
	struct hca_qp_attr attr;
	u32 mtu; /* path MTU in octets */
	bool alternate_loaded; /* an alternate path was loaded, and no migration has used it yet */
	/* address vector of the connection that the last Reset has ended; DLID 0: none */
	struct hca_av last_av;
	unsigned long last_end; /* jiffies at which the last connection ended */
	const struct hca_eec_ops *ops;

	/* Fields that send_lock guards. */
	struct hca_blocked_sender blocked;
	struct timer_list timer;
	bool timed_out;
	/* received response packets; packets are added without send_lock */
	struct llist_head responses;
	/* response packets that were dequeued from responses, oldest first */
	struct llist_node *responses_dequeued;
	atomic_t num_responses; /* number of packets in responses and responses_dequeued */

	/*
	 * Requester; under send_lock.
	 *
	 * The queue pair whose requests are sent. For a connection, this is always its own queue
	 * pair. For an RD EE context, it is the queue pair being served, or NULL.
	 */
	struct hca_qp *qp;
	u32 first_psn; /* RD EE context: first PSN of the message in progress */
	u32 assigned_psn; /* first PSN of the next request to be fetched */
	u32 next_psn; /* PSN of the next packet to send */
	u32 sent_psn; /* one past the highest PSN ever sent */
	u32 una_psn; /* oldest unacknowledged PSN */
	u16 window; /* maximum number of unacknowledged packets */
	u8 retries_left, rnr_left;
	u8 unasked; /* number of packets sent since the last packet with the AckReq bit */
	u8 reads_outstanding; /* number of outstanding requests that occupy responder resources */
	/* next_psn was set back to una_psn, and no packet has been acknowledged since */
	bool rewound;
	bool rnr_wait;
	bool timer_armed; /* deadline is valid */
	u8 resync; /* enum hca_resync; RD EE context only */
	u8 rnr_code; /* RNR timer code of the message that the Resync suspends */
	u32 rnr_msn; /* MSN in the RNR NAK of the suspended message */
	/*
	 * Requests are limited by recvs_allowed, because the peer returns end-to-end credits (IBA
	 * 9.7.7.2) or has not acknowledged any packet yet.
	 */
	bool credited;
	/*
	 * Numbers of requests that consume a receive request of the peer: numbers begun, ended, and
	 * allowed by the peer's credits.
	 */
	u32 recvs_begun, recvs_ended, recvs_allowed;
	u32 pace; /* picoseconds per octet for the static rate of the path; 0: not paced */
	u64 paced_until; /* time in ns before which no packet is sent */
	unsigned long ack_timeout; /* ACK timeout in jiffies; 0: none */
	unsigned long deadline; /* time in jiffies at which the ACK timeout or the RNR wait ends */
	struct hca_early early;
	struct hca_watched watched;

	/* The responder; its fields are guarded by recv_lock. */
	bool established; /* a request was received in state RTR */
	u32 expected_psn;
	u32 msn;
	/* a NAK was sent for expected_psn; packets with later PSNs get no sequence NAK */
	bool nak_sent;
	/*
	 * enum hca_nak_reason of the last request that was refused with a NAK since Reset; the EE
	 * context's run function writes it without recv_lock
	 */
	u8 nak_reason;
	bool credit_stalled; /* the peer was advertised 0 credits and waits for an update */
	u32 message; /* HCA_IS_SEND or HCA_IS_WRITE within a message, 0 between messages */
	/* destination of the message being received: QPN (RD) or SRQ number (XRC) */
	u32 message_dest;
	u64 write_va;
	u32 write_rkey;
	u32 write_left; /* octets of the RDMA Write still to arrive */
	u32 write_total;
	u32 num_saved;
	struct hca_saved_atomic saved[HCA_MAX_RD_ATOMIC];
	/* Pending responses; under response_lock. */
	spinlock_t response_lock; /* leaf lock, taken with BH disabled */
	u32 response_head, response_tail;
	u32 pending; /* responder resources in use by queued responses */
	u32 deferred; /* number of queued HCA_RESP_FLUSH and HCA_RESP_LATER responses */
	struct hca_response response[HCA_MAX_RESPONSES];
};

/**
 * hca_eec_init() - initialize an EE context in state Reset
 * @eec: zeroed; common and recv are set
 * @ca: the channel adapter
 * @transport: enum hca_transport of its packets
 * @ops: operations of this kind of EE context
 *
 * The EE context accepts requests and responses.
 *
 * Context: process.
 */
void hca_eec_init(struct hca_eec *eec, struct hca_ca *ca, u8 transport,
		  const struct hca_eec_ops *ops);

/* Return whether response packets wait for the completer. send_lock held. */
static inline bool hca_eec_has_responses(const struct hca_eec *eec)
{
	return eec->responses_dequeued || !llist_empty(&eec->responses);
}

/*
 * Dequeue the oldest response packet, which the caller then owns. hca_eec_has_responses() must have
 * returned true. send_lock held.
 */
static inline struct hca_packet *hca_eec_next_response(struct hca_eec *eec)
{
	struct llist_node *node = eec->responses_dequeued;

	if (!node)
		node = hca_llist_dequeue_all(&eec->responses);
	eec->responses_dequeued = node->next;
	atomic_dec(&eec->num_responses);
	return llist_entry(node, struct hca_packet, node);
}

/**
 * hca_eec_release() - stop waiting until the port accepts packets again
 * @eec: the EE context
 *
 * Called before the port changes, and before a request ends that may have packets in the port's
 * queues. The payload of these packets is copied now, because the memory of an ended request
 * belongs to the consumer again.
 *
 * Context: BH disabled.
 */
void hca_eec_release(struct hca_eec *eec);

/**
 * hca_eec_stop() - stop the timers of an EE context and free its response packets
 * @eec: the EE context; no look-up finds it any more, and its run function has stopped
 *
 * Context: process, may sleep.
 */
void hca_eec_stop(struct hca_eec *eec);

/* Reset an EE context to its state after creation (req V3-190). send_lock and recv_lock held. */
void hca_eec_reset(struct hca_eec *eec);

/* Schedule the EE context's run function. Context: any; hca_engine_run() must follow. */
static inline void hca_eec_kick(struct hca_eec *eec)
{
	hca_run_schedule(&eec->common->run);
}

/* Make the run function report an event to the consumer. Context: BH disabled. */
static inline void hca_eec_raise(struct hca_eec *eec, enum hca_qp_event event)
{
	hca_qp_common_raise(eec->common, event);
}

/*
 * Return whether requests are received in the current state. The first request received in RTR
 * raises HCA_QP_COMM_ESTABLISHED (req B4-267).
 */
bool hca_eec_may_receive(struct hca_eec *eec);

static inline bool hca_eec_receives(struct hca_eec *eec)
{
	return READ_ONCE(eec->common->state) == IB_QPS_RTS || hca_eec_may_receive(eec);
}

/**
 * hca_state_receives() - return whether requests are received in a state
 * @state: enum ib_qp_state
 *
 * Context: any.
 * Return: true if request packets are accepted in @state (IBA 10.3.1).
 */
static inline bool hca_state_receives(u8 state)
{
	return BIT(state) & (BIT(IB_QPS_RTR) | BIT(IB_QPS_RTS) | BIT(IB_QPS_SQD) |
			     BIT(IB_QPS_SQE));
}

/* Return whether the EE context's state, transport and role allow the packet. */
static inline bool hca_eec_fits(const struct hca_eec *eec, const struct hca_packet *pkt)
{
	u8 state = READ_ONCE(eec->common->state);

	return state != IB_QPS_RESET && state != IB_QPS_INIT &&
	       hca_opcode_transport(pkt->h.bth.opcode) == eec->transport &&
	       (hca_opcodes[pkt->h.bth.opcode].flags & eec->accepts);
}

#endif
