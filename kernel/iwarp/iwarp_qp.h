/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The structure of an RNIC's queue pairs. */
#ifndef HCA_IWARP_IWARP_QP_H
#define HCA_IWARP_IWARP_QP_H

#include <rdma/hca-abi.h>
#include "iwarp/ddp_rx.h"
#include "iwarp/ddp_tx.h"
#include "iwarp/endpoint.h"
#include "iwarp/mpa_rx.h"
#include "iwarp/rnic.h"
#include "iwarp/wire/terminate.h"
#include "qp/qp.h"

/* A Read Request of the peer that is to be answered. */
struct hca_read {
	struct hca_read_request request; /* of what is left to be read */
	u32 msn;
};

/* The message that is being sent. */
enum hca_sending {
	HCA_SENDING_NOTHING,
	HCA_SENDING_REQUEST, /* the request at sq_current */
	HCA_SENDING_RESPONSE, /* to the oldest Read Request */
	HCA_SENDING_RTR,
};

/* The rest of the work at the end of a stream; bits, in the order of their execution. */
enum hca_ending {
	HCA_END_RESET = 0x01,
	HCA_END_TERMINATE = 0x02, /* send the Terminate message */
	HCA_END_CLOSE = 0x04,
	HCA_END_ENTERED = 0x08, /* the end has begun, and its time is limited */
	HCA_END_ABORTED = 0x10, /* reset() was called */
};

/* The sending of requests. */
struct hca_requester {
	u32 oldest_read; /* index of the oldest request that can be a Read without its response */
	u8 reads; /* Read Requests without their responses */
	u8 ord;
	u8 rtr; /* an enum hca_rtr: the message that is to be sent first; 0: none */
	bool is_rtr_read; /* the first Read Response is that of the RTR message */
};

/* The answering of Read Requests, in the order in which they have arrived. */
struct hca_responder {
	struct hca_read *read; /* @size entries */
	u16 size, head, count;
	u16 ird;
};

/* All that follows qp is guarded by send_lock. */
struct hca_iwarp_qp {
	struct hca_qp qp; /* first member */
	struct hca_endpoint *ep; /* NULL: no stream is attached */
	struct hca_rnic_options options; /* of the RNIC, when the connection began */
	u32 access; /* enum ib_uverbs_access_flags */
	bool is_access_open; /* @access is 0 because rdma_cm has set it without knowing better */
	u8 max_ord, max_ird; /* attributes of verbs */
	bool has_failed; /* an error was raised that ends the stream; see terminate.h */
	bool is_notified; /* an event, or a completion, has told of the end */
	bool is_ending_by_modify; /* the consumer has chosen SQE */
	bool is_aborting; /* the consumer has chosen Error */
	bool is_withdrawn; /* the queue pair is being destroyed */
	bool is_gone; /* the endpoint was detached by this call of the run function */
	u8 ending; /* bits of enum hca_ending */
	u8 origin; /* enum hca_terminate_origin */
	u8 rtr_expected; /* bits of enum hca_rtr: RTR messages, of which one is to come first */
	u8 sending; /* enum hca_sending */
	bool was_request; /* the last message that was sent was a request */
	struct hca_mpa_rx rx;
	struct hca_mpa_tx tx;
	struct hca_ddp_rx ddp;
	struct hca_message message; /* that is being sent */
	u32 next_msn[HCA_QN_COUNT]; /* of the next message that is sent */
	struct hca_requester requester;
	struct hca_responder responder;
	struct hca_terminate terminate; /* the one that is kept, by @origin */
	struct hca_iwarp_fault *fault; /* of its FPDUs; NULL: none */
	/* Counters of its own; NULL: the events are counted in those of the RNIC. */
	struct hca_qp_counters __rcu *counters;
};

/**
 * hca_iwarp_qp_of() - return the structure that begins with a queue pair
 * @qp: a queue pair of an RNIC
 *
 * Context: any.
 * Return: the structure.
 */
static inline struct hca_iwarp_qp *hca_iwarp_qp_of(const struct hca_qp *qp)
{
	return container_of(qp, struct hca_iwarp_qp, qp);
}

static inline struct hca_rnic *hca_rnic_of(const struct hca_iwarp_qp *it)
{
	return container_of(it->qp.ci, struct hca_rnic, ci);
}

#endif
