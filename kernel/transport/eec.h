/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The EE context: what sends, receives and, on reliable services, makes sure. Every queue
 * pair embeds one; that of RC and UC is the connection. A reliable datagram channel is
 * one by itself, shared by queue pairs (C4-018), whose own are then idle but for their run.
 *
 * Two halves, each with a lock, taken in this order: send_lock (requester, completer,
 * responses), recv_lock (responder). The context's run holds the first, its port's run the
 * second; neither waits for the other half but by being run. A channel's lock is taken
 * before those of the queue pair it works for.
 */
#ifndef HCA_TRANSPORT_EEC_H
#define HCA_TRANSPORT_EEC_H

#include <linux/llist.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <rdma/ib_user_verbs.h>
#include "engine/run.h"
#include "link/port.h"
#include "transport/attr.h"
#include "transport/ca.h"

struct hca_qp;

/* The receive request at work. */
struct hca_recv {
	bool valid;
	u64 wr_id;
	u32 num_sge;
	u32 offset; /* octets received */
	struct hca_sge sge[HCA_MAX_SGE];
};

enum hca_response_kind {
	HCA_RESP_ACK, /* or a refusal */
	HCA_RESP_READ,
	HCA_RESP_ATOMIC,
};

/* What the responder owes. In the order of PSNs. */
struct hca_response {
	u8 kind; /* enum hca_response_kind */
	u8 syndrome; /* AETH; an acknowledgement's */
	bool pending; /* a read or atomic that counts for the depth */
	u32 msn;
	u32 psn; /* ack: the PSN acknowledged; read: the next response's */
	u32 dest_qpn; /* whose request it was */
	u32 qpn; /* of the queue pair that was asked */
	u64 va;
	u32 rkey;
	u32 length; /* octets of the request */
	u32 offset; /* octets sent */
	u64 original; /* atomic */
};

#define HCA_MAX_RESPONSES (HCA_MAX_RD_ATOMIC * 2)

/* An atomic that was executed, in case that it is asked for again. */
struct hca_saved_atomic {
	u32 psn;
	u64 original;
};

/* The peer is told that a message is abandoned (C4-033). */
enum hca_resync {
	HCA_RESYNC_NONE,
	HCA_RESYNC_DUE,
	HCA_RESYNC_SENT, /* only its acknowledgement counts */
};

struct hca_eec {
	struct hca_ca *ca;
	struct hca_port *port; /* set by modify to Init; QP0, QP1: at creation */
	u8 transport; /* enum hca_transport: of its packets */
	bool is_rd_eec; /* not a queue pair's own */
	u8 state; /* enum hca_qp_state; written under both locks, read by all */
	struct hca_qp_attr attr; /* under send_lock; path fields are read by the receive half */
	u32 mtu; /* octets */
	bool alternate_loaded; /* and not used up by a migration */
	struct hca_av last_av; /* of the connection before the last Reset; DLID 0: none */
	unsigned long last_end; /* jiffies: its end */
	atomic_t events; /* bits: enum hca_qp_event, to be told from the run */

	spinlock_t send_lock; /* BH */
	struct hca_runnable run;
	struct hca_blocked_sender blocked;
	struct timer_list timer;
	bool timed_out;
	struct llist_head responses; /* packets for the completer */
	struct llist_node *responses_dequeued; /* off that list, oldest first; under send_lock */
	atomic_t num_responses; /* in both */

	/* Requester; under send_lock. */
	struct hca_qp *qp; /* whose request is at work; always the owner but for a channel */
	u32 first_psn; /* a channel's: of the message at work */
	u32 assigned_psn; /* of the next request to be fetched */
	u32 next_psn; /* of the next packet */
	u32 sent_psn; /* one past the highest ever sent */
	u32 una_psn; /* oldest not acknowledged */
	u16 window; /* packets that may be unacknowledged */
	u8 retries_left, rnr_left;
	u8 reads_outstanding; /* and atomics */
	bool unasked; /* the last packet asked for no acknowledgement: another was to follow */
	bool rewound; /* back at una_psn, and nothing acknowledged since */
	bool rnr_wait;
	bool timer_on; /* the deadline matters */
	u8 resync; /* enum hca_resync; a channel's */
	u8 rnr_code; /* of a message that the Resync suspends */
	u32 rnr_msn; /* the peer's, before that message */
	/* Requests that take a receive of the peer's, counted (9.7.7.2). */
	bool credited; /* the peer tells how many it has receives for, or has told nothing yet */
	u32 recvs_begun, recvs_ended, recvs_allowed;
	u32 pace; /* picoseconds to an octet: the path's static rate; 0: none */
	u64 paced_until; /* ns */
	unsigned long ack_timeout; /* jiffies; 0: for ever */
	unsigned long deadline; /* jiffies: for an acknowledgement, or the end of an RNR wait */

	spinlock_t recv_lock; /* BH; inside send_lock */
	bool established; /* a packet has arrived in RTR */

	/* Responder; under recv_lock. */
	u32 expected_psn;
	u32 msn;
	bool nak_sent; /* one NAK per gap */
	bool credit_stalled; /* the peer was told of no credit: it waits for word of more */
	u32 message; /* HCA_IS_SEND or HCA_IS_WRITE: in the middle of one; 0: between messages */
	u32 message_qpn; /* a channel: the message is for this queue pair */
	u64 write_va;
	u32 write_rkey;
	u32 write_left; /* octets to come of the RDMA Write */
	u32 write_total;
	struct hca_recv recv;
	u32 num_saved;
	struct hca_saved_atomic saved[HCA_MAX_RD_ATOMIC];
	/* Responses owed; response_lock is a BH leaf. */
	spinlock_t response_lock;
	u32 response_head, response_tail;
	u32 pending; /* reads and atomics among them whose answer is not complete */
	struct hca_response response[HCA_MAX_RESPONSES];
};

/**
 * hca_eec_init() - an EE context in state Reset
 * @eec: zeroed
 * @ca: the channel adapter
 * @transport: of its packets
 * @run: its work
 */
void hca_eec_init(struct hca_eec *eec, struct hca_ca *ca, u8 transport,
		  bool (*run)(struct hca_runnable *r, int *budget));

/* Does a response wait for the completer? send_lock held. */
static inline bool hca_eec_has_responses(const struct hca_eec *eec)
{
	return eec->responses_dequeued || !llist_empty(&eec->responses);
}

/* The oldest of them, which is the caller's from now on. send_lock held. */
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
 * hca_eec_release() - what is queued at the port is no concern of the context any more
 * @eec: the context
 *
 * To be called before requests end that may have packets there, for their memory is their
 * owner's then, and before the port changes. Context: BH disabled.
 */
void hca_eec_release(struct hca_eec *eec);

/**
 * hca_eec_stop() - no further run, timer or packet; nobody finds it any more
 * @eec: the context
 *
 * Context: process, may sleep.
 */
void hca_eec_stop(struct hca_eec *eec);

/* As created: nothing under way, nothing remembered (V3-190). Both locks held. */
void hca_eec_reset(struct hca_eec *eec);

/* Have it look at what it has to do. Context: any; a drain or raise must follow. */
static inline void hca_eec_kick(struct hca_eec *eec)
{
	hca_run_schedule(&eec->run);
}

#endif
