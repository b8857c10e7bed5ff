/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Snapshots of queue pairs, for diagnosis, and the counters that queue pairs can be bound to. The
 * carrier takes the snapshots and counts.
 */
#ifndef HCA_QP_VIEW_H
#define HCA_QP_VIEW_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/rcupdate.h>
#include <linux/types.h>
#include "qp/attr.h"

#define HCA_NUM_QP_COUNTERS 13

/*
 * A set of counters that queue pairs are bound to. The carrier determines what each of them counts.
 * The set is freed after an RCU grace period.
 */
struct hca_qp_counters {
	struct rcu_head rcu;
	atomic64_t count[HCA_NUM_QP_COUNTERS];
};

/*
 * Parts of a queue pair or EE context. hca_qp_view.parts has a bit for each part that exists. The
 * fields of other parts have no meaning. A carrier has the parts that it knows.
 */
enum hca_view_part {
	HCA_VIEW_ANY = 1u << 31, /* always set */
	HCA_VIEW_PORT = 1u << 0, /* a port is set */
	HCA_VIEW_SQ = 1u << 1, /* send queue */
	HCA_VIEW_RQ = 1u << 2, /* receive queue that is not an SRQ */
	HCA_VIEW_CONNECTION = 1u << 3, /* attributes of a connection: peer, path MTU, migration */
	HCA_VIEW_REQUESTER = 1u << 4, /* requester of a connection */
	HCA_VIEW_RETRIES = 1u << 5, /* retries of a requester of a reliable service */
	HCA_VIEW_TIMER = 1u << 6,
	HCA_VIEW_CREDITS = 1u << 7, /* the peer returns end-to-end credits */
	HCA_VIEW_RESPONDER = 1u << 8, /* responder of a connection */
	HCA_VIEW_RESPONSES = 1u << 9, /* responses of a responder of a reliable service */
	HCA_VIEW_OFFER = 1u << 10, /* the responder advertises end-to-end credits */
	HCA_VIEW_ERROR = 1u << 11, /* a request has failed */
	HCA_VIEW_COUNTERS = 1u << 12, /* the queue pair is bound to counters of its own */
	HCA_VIEW_NAK = 1u << 13, /* a request was refused with a NAK */
	HCA_VIEW_PACKETS = 1u << 14, /* the carrier sends packets with PSNs; always set for one */
};

enum hca_view_timer {
	HCA_VIEW_TIMER_NONE,
	HCA_VIEW_TIMER_ACK,
	HCA_VIEW_TIMER_RNR,
};

struct hca_qp_view {
	u32 parts; /* the parts that exist, enum hca_view_part */
	u32 state; /* enum ib_qp_state */
	u32 port; /* number of the port; 0: not set */
	struct hca_qp_attr attr;

	/* Send queue. sq_posted is the number of requests that were posted, but not fetched. */
	u32 sq_entries, sq_posted, sq_fetched, sq_current, sq_done;
	u32 sq_outstanding; /* number of requests that were fetched, but are not complete */

	/* Requester. */
	u32 path_mtu; /* octets */
	u32 una_psn, next_psn, sent_psn;
	u32 window;
	u32 retries_left, rnr_left;
	u32 reads_outstanding;
	u32 credited;
	/*
	 * credits: number of further messages that the peer allows; credit_limit: total number
	 * since the connection began
	 */
	u32 credits, credit_limit;
	u32 ack_timeout; /* us; 0: none */
	u32 timer; /* enum hca_view_timer */
	u32 timer_left; /* us */

	/* Receive queue and responder. */
	u32 rq_entries, rq_posted, rq_consumed;
	u32 recv_in_progress;
	u32 expected_psn, msn;
	u32 nak_sent, credit_stalled;
	u32 responses; /* responder resources in use */
	u32 credits_offered;
	u32 nak_reason; /* enum hca_nak_reason of the last request that was refused with a NAK */

	u32 vendor_err; /* enum hca_vendor_err of the last failed request */
	u64 counters[HCA_NUM_QP_COUNTERS]; /* values of struct hca_qp_counters */
};

#endif
