/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The EE context sends and receives packets and, for reliable services, keeps PSNs,
 * acknowledgements and retries. Each queue pair embeds an EE context; for RC and UC it is the
 * connection. An RD EE context is a separate EE context that RD queue pairs share (req C4-018); the
 * EE context embedded in an RD queue pair sends nothing, but may wait after an RNR NAK.
 *
 * The two halves of an EE context are guarded by the locks of struct hca_qp_common: requester,
 * completer and pending responses by send_lock, which the run holds; the responder by recv_lock,
 * which the port's run takes.
 */
#ifndef HCA_TRANSPORT_EEC_H
#define HCA_TRANSPORT_EEC_H

#include <linux/bits.h>
#include <linux/llist.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <rdma/ib_user_verbs.h>
#include "link/port.h"
#include "qp/attr.h"
#include "qp/common.h"
#include "qp/recv_wqe.h"
#include "transport/ca.h"
#include "transport/early.h"
#include "transport/watch.h"
#include "wire/opcode.h"

struct hca_eec;
struct hca_losses;
struct hca_packet;
struct hca_qp;

enum hca_response_kind {
	HCA_RESP_ACK, /* ACK or NAK */
	HCA_RESP_READ,
	HCA_RESP_ATOMIC,
	HCA_RESP_EMPTY, /* response to a Flush or Atomic Write */
	HCA_RESP_FLUSH, /* response to a Flush that still has memory to write back */
	HCA_RESP_LATER, /* response to an atomic or Atomic Write that waits for a Flush */
};

/* A pending response. The queue is in PSN order. */
struct hca_response {
	u8 kind; /* enum hca_response_kind */
	u8 syndrome; /* AETH syndrome; HCA_RESP_ACK only */
	bool pending; /* occupies a responder resource */
	bool duplicate; /* Read: the request was executed before */
	u32 msn;
	u32 psn; /* ACK: the acknowledged PSN; Read: the PSN of the next response packet */
	u32 dest_qpn; /* QPN of the requester */
	u32 dest; /* RD: destination QPN of the request; XRC: number of its destination SRQ */
	u8 operation; /* HCA_RESP_LATER: the operation of the opcode */
	u64 va;
	u32 rkey;
	u32 length; /* octets requested */
	u32 offset; /* octets sent so far */
	union {
		u64 original; /* atomic: the value before the operation */
		u64 left; /* Flush: octets to be written back, from va on */
		u64 swap_add; /* HCA_RESP_LATER: operand, or the octets of an Atomic Write */
	};
	u64 compare; /* HCA_RESP_LATER: operand of Compare and Swap */
};

#define HCA_MAX_RESPONSES (HCA_MAX_RD_ATOMIC * 2)

/* The result of an executed atomic, kept for a duplicate request. */
struct hca_saved_atomic {
	u32 psn;
	u64 original;
};

/* State of the Resync, which informs the peer that a message is abandoned (req C4-033). */
enum hca_resync {
	HCA_RESYNC_NONE,
	HCA_RESYNC_DUE,
	HCA_RESYNC_SENT, /* only the acknowledgement of the Resync counts */
};

/*
 * Operations that differ between the EE contexts of queue pairs, the EE contexts of XRC targets,
 * and RD EE contexts. Differences in the handling of each packet are tests of is_rd_eec instead.
 * From release on, BH are disabled and send_lock is held; so is the send_lock of the queue pair
 * that an RD EE context serves.
 */
struct hca_eec_ops {
	void (*timer)(struct timer_list *timer);
	/*
	 * Find the destination that a request packet names, and make its queue pair ready to
	 * execute the packet, until dest_put(). Returns NULL if there is no such destination. The
	 * pointer is NULL if the destination is the connection's own queue pair. recv_lock is held,
	 * BH are disabled.
	 */
	struct hca_qp *(*dest_get)(struct hca_eec *eec, const struct hca_packet *pkt);
	void (*dest_put)(struct hca_eec *eec, struct hca_qp *qp);
	/* The oldest request is complete: end the service of its queue pair. RD EE context only. */
	void (*release)(struct hca_eec *eec);
	/* The peer returned RNR NAK: the request is to be sent again later. */
	void (*suspend)(struct hca_eec *eec, u8 rnr_code, u32 msn);
	/* Complete the oldest request, if there is one, with @error. */
	void (*abandon)(struct hca_eec *eec, enum hca_vendor_err error);
	/*
	 * A response has arrived while a Resync is outstanding: only the acknowledgement of the
	 * Resync counts. RD EE context only.
	 */
	void (*resynced)(struct hca_eec *eec, const struct hca_packet *pkt);
};

struct hca_eec {
	struct hca_qp_common *common; /* common part of the queue pair or RD EE context */
	struct hca_recv *recv; /* the receive request being filled; under recv_lock */
	struct hca_ca *ca;
	struct hca_port *port; /* set by modify to Init; for QP0 and QP1 at creation */
	struct hca_losses __rcu *losses; /* loss counters used in place of the port's; or NULL */
	u8 transport; /* enum hca_transport of its packets */
	u32 accepts; /* the kinds that it receives: HCA_IS_REQUEST, HCA_IS_RESPONSE */
	bool is_rd_eec; /* an RD EE context, not the one embedded in a queue pair */
	struct hca_qp_attr attr; /* under send_lock; the responder reads the path fields */
	u32 mtu; /* path MTU in octets */
	bool alternate_loaded; /* an alternate path is loaded and no migration has used it */
	struct hca_av last_av; /* address vector before the last Reset; DLID 0: none */
	unsigned long last_end; /* jiffies at which the last connection ended */
	const struct hca_eec_ops *ops;

	/* Under send_lock. */
	struct hca_blocked_sender blocked;
	struct timer_list timer;
	bool timed_out;
	struct llist_head responses; /* received response packets for the completer */
	/* response packets dequeued from responses, oldest first; under send_lock */
	struct llist_node *responses_dequeued;
	atomic_t num_responses; /* number of packets in responses and responses_dequeued */

	/* Requester; under send_lock. */
	/* the queue pair being served; except for an RD EE context it never changes */
	struct hca_qp *qp;
	u32 first_psn; /* RD EE context: first PSN of the message in progress */
	u32 assigned_psn; /* first PSN of the next request to be fetched */
	u32 next_psn; /* PSN of the next packet to send */
	u32 sent_psn; /* one past the highest PSN ever sent */
	u32 una_psn; /* oldest unacknowledged PSN */
	u16 window; /* maximum number of unacknowledged packets */
	u8 retries_left, rnr_left;
	u8 unasked; /* packets without the AckReq bit sent since the last packet with that bit */
	u8 reads_outstanding; /* outstanding requests that occupy responder resources */
	bool rewound; /* next_psn was set back to una_psn and no packet was acknowledged since */
	bool rnr_wait;
	bool timer_armed; /* deadline is valid */
	u8 resync; /* enum hca_resync; RD EE context only */
	u8 rnr_code; /* RNR timer code of the message that the Resync suspends */
	u32 rnr_msn; /* MSN in the RNR NAK of the suspended message */
	/*
	 * End-to-end flow control (IBA 9.7.7.2): counts of requests that consume a receive request
	 * of the peer.
	 */
	bool credited; /* the peer returns credits, or has not sent an acknowledgement yet */
	u32 recvs_begun, recvs_ended, recvs_allowed;
	u32 pace; /* picoseconds per octet for the static rate of the path; 0: not paced */
	u64 paced_until; /* ns; no packet is sent before */
	unsigned long ack_timeout; /* ACK timeout in jiffies; 0: none */
	unsigned long deadline; /* jiffies: end of the ACK timeout or of the RNR wait */
	struct hca_early early;
	struct hca_watched watched;

	/* Responder; under recv_lock. */
	bool established; /* a packet has arrived in state RTR */
	u32 expected_psn;
	u32 msn;
	bool nak_sent; /* one NAK is sent per gap */
	/* enum hca_nak_reason of the last NAK since Reset; the run writes it without the lock */
	u8 nak_reason;
	bool credit_stalled; /* the peer was advertised no credit and waits for an update */
	u32 message; /* HCA_IS_SEND or HCA_IS_WRITE within a message, 0 between messages */
	u32 message_dest; /* destination of the message; RD: its QPN; XRC: number of the SRQ */
	u64 write_va;
	u32 write_rkey;
	u32 write_left; /* octets of the RDMA Write still to arrive */
	u32 write_total;
	u32 num_saved;
	struct hca_saved_atomic saved[HCA_MAX_RD_ATOMIC];
	/* Pending responses; response_lock is a BH leaf. */
	spinlock_t response_lock;
	u32 response_head, response_tail;
	u32 pending; /* responder resources in use: queued responses not fully sent */
	u32 deferred; /* number of queued HCA_RESP_FLUSH and HCA_RESP_LATER responses */
	struct hca_response response[HCA_MAX_RESPONSES];
};

/**
 * hca_eec_init() - initialize an EE context in state Reset
 * @eec: zeroed; common and recv are set
 * @ca: the channel adapter
 * @transport: enum hca_transport of its packets
 * @ops: the operations of its owner
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
 * Dequeue the oldest response packet, which the caller then owns. hca_eec_has_responses() was true.
 * send_lock held.
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
 * hca_eec_release() - cancel the EE context's wait for link credits at its port
 * @eec: the EE context
 *
 * Called before the port changes, and before the end of requests whose packets may be queued at the
 * port: the memory of an ended request belongs to the consumer again.
 *
 * Context: BH disabled.
 */
void hca_eec_release(struct hca_eec *eec);

/**
 * hca_eec_stop() - stop the timers of an EE context and free its response packets
 * @eec: the EE context, which no look-up finds any more and whose run has stopped
 *
 * Context: process, may sleep.
 */
void hca_eec_stop(struct hca_eec *eec);

/* Reset everything to the state after creation (req V3-190). Both locks held. */
void hca_eec_reset(struct hca_eec *eec);

/* Schedule the EE context's run. Context: any; hca_engine_run() must follow. */
static inline void hca_eec_kick(struct hca_eec *eec)
{
	hca_run_schedule(&eec->common->run);
}

/* Have the run report an event to the consumer while it holds no lock. Context: BH disabled. */
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

/* Return whether the EE context's state, transport and role allow the packet. */
static inline bool hca_eec_fits(const struct hca_eec *eec, const struct hca_packet *pkt)
{
	u8 state = READ_ONCE(eec->common->state);

	return state != IB_QPS_RESET && state != IB_QPS_INIT &&
	       hca_opcode_transport(pkt->h.bth.opcode) == eec->transport &&
	       (hca_opcodes[pkt->h.bth.opcode].flags & eec->accepts);
}

#endif
