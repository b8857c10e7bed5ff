/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Snapshots of the state of queue pairs and RD EE contexts, for diagnosis. */
#ifndef HCA_TRANSPORT_VIEW_H
#define HCA_TRANSPORT_VIEW_H

#include "transport/loss.h"

struct hca_qp;
struct hca_rd_eec;

/* Parts that a queue pair or EE context has; values of other parts have no meaning. */
enum hca_view_part {
	HCA_VIEW_ANY = 1u << 31, /* part that all have */
	HCA_VIEW_PORT = 1u << 0, /* a port is set */
	HCA_VIEW_SQ = 1u << 1, /* send queue */
	HCA_VIEW_RQ = 1u << 2, /* a receive queue of its own */
	HCA_VIEW_CONNECTION = 1u << 3, /* peer, path MTU, migration */
	HCA_VIEW_REQUESTER = 1u << 4, /* requester of a connection */
	HCA_VIEW_RETRIES = 1u << 5, /* the requester is of a reliable service */
	HCA_VIEW_TIMER = 1u << 6,
	HCA_VIEW_CREDITS = 1u << 7, /* the peer returns end-to-end credits */
	HCA_VIEW_RESPONDER = 1u << 8, /* responder of a connection */
	HCA_VIEW_RESPONSES = 1u << 9, /* the responder is of a reliable service */
	HCA_VIEW_OFFER = 1u << 10, /* end-to-end credits in its acknowledgements */
	HCA_VIEW_ERROR = 1u << 11, /* a request has failed */
	HCA_VIEW_COUNTERS = 1u << 12, /* counters of its own are bound */
	HCA_VIEW_NAK = 1u << 13, /* a NAK has refused a request */
};

enum hca_view_timer {
	HCA_VIEW_TIMER_NONE,
	HCA_VIEW_TIMER_ACK,
	HCA_VIEW_TIMER_RNR,
};

struct hca_qp_view {
	u32 parts; /* enum hca_view_part */
	u32 state; /* enum ib_qp_state */
	u32 port; /* port number */
	struct hca_qp_attr attr;

	/* Send queue: its indices, and the number of requests posted but not fetched. */
	u32 sq_entries, sq_posted, sq_fetched, sq_current, sq_done;
	u32 sq_outstanding; /* requests that were fetched and are not complete */

	/* Requester. */
	u32 path_mtu; /* octets */
	u32 una_psn, next_psn, sent_psn;
	u32 window;
	u32 retries_left, rnr_left;
	u32 reads_outstanding;
	u32 credited;
	u32 credits, credit_limit; /* messages: allowed now; allowed from the beginning */
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
	u32 nak_reason; /* enum hca_nak_reason of the last NAK that has refused a request */

	u32 vendor_err; /* enum hca_vendor_err of the last request that has failed */
	u64 counters[HCA_NUM_LOSS_COUNTERS]; /* from HCA_FIRST_LOSS_COUNTER on */
};

/**
 * hca_qp_view() - take a snapshot of a queue pair
 * @qp: the queue pair
 * @view: the result
 *
 * Context: process.
 */
void hca_qp_view(struct hca_qp *qp, struct hca_qp_view *view);

/**
 * hca_rd_eec_view() - take a snapshot of an RD EE context
 * @rd_eec: the EE context
 * @view: the result
 *
 * Context: process.
 */
void hca_rd_eec_view(struct hca_rd_eec *rd_eec, struct hca_qp_view *view);

#endif
