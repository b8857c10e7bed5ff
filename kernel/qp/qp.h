/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Queue pairs: the part that does not depend on the carrier of their messages. A carrier is a table
 * of functions (struct hca_qp_ops) and a structure of its own that begins with a struct hca_qp.
 */
#ifndef HCA_QP_QP_H
#define HCA_QP_QP_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include "qp/attr.h"
#include "qp/common.h"
#include "qp/cq.h"
#include "qp/recv_wqe.h"
#include "qp/ring.h"
#include "tpt/fragment.h"

struct hca_qp;
struct hca_request;
struct hca_srq;
struct hca_tpt;

struct hca_qp_init {
	u8 type; /* enum ib_qp_type */
	u8 port_num; /* QP0, QP1 */
	bool kernel; /* rings belong to a kernel consumer; L_Key 0 is allowed */
	bool signal_all;
	bool block_loopback; /* UD: receives no copy of its own multicast packets */
	u32 max_send_wr, max_recv_wr;
	u32 max_send_sge, max_recv_sge;
	u32 max_inline; /* octets */
	const void *pd;
	const void *rdd; /* RD: the reliable datagram domain */
	const void *xrcd; /* XRC target: the XRC domain */
	/* source of receive requests, or NULL; with an SRQ max_recv_* are ignored */
	struct hca_srq *srq;
	struct hca_cq *send_cq, *recv_cq; /* NULL: the type has no such queue */
	const void *owner; /* the user context whose doorbell may ring the queue pair */
	void *context; /* event context */
	u64 cookie; /* copied into completions of kernel CQs */
};

/* A send request: copied from the ring, checked, and owned by the engine until its completion. */
struct hca_request {
	u64 wr_id;
	u8 opcode; /* enum ib_uverbs_wr_opcode */
	u8 flags; /* enum hca_wqe_flags */
	u8 num_sge;
	u8 error; /* enum hca_vendor_err found by the check */
	u16 kind; /* enum hca_wr_flags of the opcode */
	u32 length; /* octets */
	/* fields of the carrier; IBA: first and last PSN, for a Read those of its responses */
	u32 psn;
	u32 last_psn;
	union {
		__be32 imm_data;
		u32 invalidate_rkey;
		/* Read: PSN of the first response that the last request packet asked for */
		u32 requested_psn;
	};
	union {
		u32 remote_qpn; /* RD, UD */
		u32 remote_srqn; /* XRC */
	};
	u32 remote_qkey; /* RD, UD */
	union {
		struct {
			u64 remote_addr;
			u32 rkey;
			u32 eecn; /* RD */
			union {
				u64 compare_add;
				struct {
					u32 length; /* octets */
					u8 placement;
					u8 selectivity;
				} flush;
			};
			u64 swap;
		};
		struct {
			struct hca_av av;
			u32 pkey_index;
			u16 ethertype;
		};
		struct {
			u64 addr;
			u64 length;
			u32 key;
			u32 lkey;
			u32 access;
		} memory; /* the memory that a key is to name */
	};
	union {
		DECLARE_FLEX_ARRAY(struct hca_fragment, sge);
		DECLARE_FLEX_ARRAY(u8, inline_data);
	};
};

/*
 * Operations of the carrier of a queue pair. The comment of an operation that may be NULL mentions
 * NULL. BH are disabled and send_lock is held, unless stated otherwise.
 */
struct hca_qp_ops {
	/* The run: hca_qp_run() with the carrier's functions to respond and to send (qp/run.h). */
	bool (*run)(struct hca_runnable *r, int *budget);
	/* Return whether all requests that have begun are complete. */
	bool (*drained)(const struct hca_qp *qp);
	/*
	 * Stop sending, because all requests are about to be flushed. Returns false if this has to
	 * wait for another run.
	 */
	bool (*stop_sends)(struct hca_qp *qp);
	/* Stop receiving for a queue pair in Error; or NULL. */
	void (*stop_recvs)(struct hca_qp *qp);
	/* Note a flush: the next request to be fetched is the next to be sent; or NULL. */
	void (*flushed)(struct hca_qp *qp);

	/* Copy and check the part of a request that names its destination; or NULL. */
	enum hca_vendor_err (*parse)(struct hca_qp *qp, struct hca_request *req,
				     const struct hca_send_wqe *wqe);
	/* Handle a request that was fetched and checked; or NULL. */
	void (*fetched)(struct hca_qp *qp, struct hca_request *req);

	/* Parts of hca_qp_modify(): check all, then set all but the state. Both locks are held. */
	int (*modify_check)(const struct hca_qp *qp, const struct hca_qp_attr *attr, int mask);
	void (*modify_apply)(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask);
	void (*query)(const struct hca_qp *qp, struct hca_qp_attr *attr);
	/* Return to the state after creation. Both locks are held. */
	void (*reset)(struct hca_qp *qp);
	/*
	 * Detach a queue pair, whose state is Reset already, from the objects that work on it; or
	 * NULL. Context: process; no lock is held.
	 */
	void (*disconnect)(struct hca_qp *qp);

	/* Report an event. No lock is held. */
	void (*notify)(struct hca_qp *qp, enum hca_qp_event event);
	/* Hide a queue pair that is being destroyed from look-ups. Context: process; no lock. */
	void (*withdraw)(struct hca_qp *qp);
	/*
	 * Stop the rest, after the last put and the end of the run. Context: process, may sleep; no
	 * lock.
	 */
	void (*stop)(struct hca_qp *qp);
};

struct hca_qp {
	const struct hca_qp_ops *ops;
	struct hca_qp_common common;
	struct hca_tpt *tpt;
	u32 qpn;
	u8 type; /* enum ib_qp_type */
	bool kernel;
	bool signal_all;
	const void *pd;
	const void *owner;
	void *context;
	u64 cookie;
	struct hca_cq *send_cq, *recv_cq; /* may be NULL */

	refcount_t users; /* references: the owner, and each look-up in progress */
	struct completion unused;
	struct rcu_head rcu;

	/* Sending; under send_lock. */
	spinlock_t post_lock; /* irqsave; leaf; kernel consumers post to either ring under it */
	/*
	 * Kernel consumers: indices up to which completions of each ring have been polled; no lock.
	 */
	atomic_t sq_reaped, rq_reaped;
	struct hca_queue sq;
	u32 max_send_sge, max_inline;
	u8 *requests; /* sq.entries requests of request_stride octets each */
	u32 request_stride;
	u32 sq_done; /* index of the oldest incomplete request; the ring's consumer index */
	u32 sq_current; /* index of the request being sent */
	u32 sq_fetched; /* index up to which requests have been fetched from the ring */
	u32 sq_completed; /* index up to which a completion has reported entries as free */
	u32 sq_flush_end; /* after SQE: requests before this index are flushed, not sent */
	bool sq_flushing; /* requests before sq_flush_end remain to be flushed */
	/* type 2 windows bound by this queue pair; under the lock of the tpt */
	struct hlist_head windows;

	/* Receiving; under recv_lock. */
	struct hca_queue rq;
	struct hca_srq *srq; /* source of receive requests instead of rq; or NULL */
	struct hca_recv recv; /* the receive request being filled */
	u32 max_recv_sge;
	u32 rq_consumed; /* the ring's consumer index */
	const void *recv_pd; /* PD of the keys in receive requests: the SRQ's or the queue pair's */
	bool last_wqe_reached; /* in Error: SRQ not used any more, and event reported */

	/* enum hca_vendor_err of the last failed request of either queue; no lock */
	u8 last_error;
};

/**
 * hca_qp_init() - initialize a queue pair in state Reset, for its carrier
 * @qp: zeroed
 * @ops: the carrier's operations
 * @tpt: the keys that its requests may name
 * @init: type, sizes and objects of the queue pair; all numbers within the adapter's limits
 *
 * The rings have at least the requested number of entries; sq.entries and rq.entries are the actual
 * numbers. The carrier then makes the queue pair findable.
 *
 * Context: process.
 * Return: 0; -EINVAL (a number is out of range) or -ENOMEM, after which only @qp itself is to be
 * freed.
 */
int hca_qp_init(struct hca_qp *qp, const struct hca_qp_ops *ops, struct hca_tpt *tpt,
		const struct hca_qp_init *init);

/**
 * hca_qp_free() - free the queues of a queue pair, and the queue pair after a grace period
 * @qp: the queue pair, which is the beginning of its carrier's structure
 *
 * Context: process, may sleep.
 */
void hca_qp_free(struct hca_qp *qp);

/**
 * hca_qp_destroy() - withdraw a queue pair, wait for its last user and free it
 * @qp: the queue pair
 *
 * Completions in the CQs of a process stay; those in kernel CQs are removed.
 *
 * Context: process, may sleep.
 */
void hca_qp_destroy(struct hca_qp *qp);

/**
 * hca_qp_modify() - change the state and attributes of a queue pair
 * @qp: the queue pair
 * @attr: new values
 * @mask: enum ib_qp_attr_mask: the attributes to set
 *
 * Either all attributes are set or none.
 *
 * Context: process.
 * Return: 0, or -EINVAL if a value is out of range, the transition does not exist, the queue pair
 * has no such attribute or does not accept it in the transition, or @mask contains IB_QP_CUR_STATE
 * and attr->cur_state is not the current state.
 */
int hca_qp_modify(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask);

/**
 * hca_qp_query() - return the current attributes
 * @qp: the queue pair
 * @attr: result
 *
 * Context: process.
 */
void hca_qp_query(struct hca_qp *qp, struct hca_qp_attr *attr);

/**
 * hca_qp_kick() - schedule the queue pair's run, as a doorbell does
 * @qp: the queue pair
 *
 * Context: any; hca_engine_run() must follow.
 */
static inline void hca_qp_kick(struct hca_qp *qp)
{
	hca_qp_common_kick(&qp->common);
}

/**
 * hca_qp_error() - set a queue pair to Error and schedule the run, which flushes
 * @qp: the queue pair
 *
 * Context: BH disabled; send_lock or recv_lock held.
 */
void hca_qp_error(struct hca_qp *qp);

/**
 * hca_qp_send_error() - set a queue pair that sends to SQE, because a request has failed
 * @qp: the queue pair; send_lock held
 *
 * Context: BH disabled.
 */
void hca_qp_send_error(struct hca_qp *qp);

/**
 * hca_qp_fatal() - report HCA_QP_FATAL, once, and set a queue pair to Error
 * @qp: the queue pair; one of its CQs has no room (req V3-284) or one of its rings has an invalid
 *      index (req R0-471)
 *
 * Context: BH disabled; send_lock or recv_lock held.
 */
void hca_qp_fatal(struct hca_qp *qp);

/**
 * hca_qp_failed() - record the error of a failed request for later queries
 * @qp: the queue pair
 * @error: vendor error of its completion; ignored if the request is flushed
 *
 * Context: send_lock or recv_lock held.
 */
void hca_qp_failed(struct hca_qp *qp, enum hca_vendor_err error);

/**
 * hca_qp_use() - get a reference, for a carrier's look-up
 * @qp: the queue pair that was found, or NULL
 *
 * Context: any.
 * Return: @qp, to be released by hca_qp_put(), or NULL if it is NULL or being destroyed.
 */
static inline struct hca_qp *hca_qp_use(struct hca_qp *qp)
{
	return qp && refcount_inc_not_zero(&qp->users) ? qp : NULL;
}

/**
 * hca_qp_put() - release a reference
 * @qp: the queue pair
 *
 * Context: any.
 */
void hca_qp_put(struct hca_qp *qp);

/**
 * hca_qp_reap() - free the ring entries of a completion that a kernel consumer has polled
 * @qp: the queue pair of the completion
 * @cqe: the completion
 *
 * Context: any.
 */
void hca_qp_reap(struct hca_qp *qp, const struct hca_cqe *cqe);

/**
 * hca_qp_post_send_ok() - return whether requests may be posted in the current state
 * @qp: the queue pair
 *
 * The states are those of the table in IBA C10-96.
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int hca_qp_post_send_ok(const struct hca_qp *qp);

/**
 * hca_qp_post_recv_ok() - return whether receive requests may be posted in the current state
 * @qp: the queue pair
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int hca_qp_post_recv_ok(const struct hca_qp *qp);

#endif
