/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Queue pairs: the part that is common to all transports. A transport provides a table of functions
 * (struct hca_qp_ops) and a structure of its own that begins with a struct hca_qp.
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

struct hca_ci;
struct hca_qp;
struct hca_qp_type;
struct hca_request;
struct hca_srq;
struct hca_wr_info;

struct hca_qp_init {
	u8 type; /* enum ib_qp_type */
	u8 port_num; /* QP0, QP1: number of the port */
	bool kernel; /* the rings belong to a kernel consumer, which may use HCA_LOCAL_DMA_KEY */
	bool signal_all;
	/* UD: the queue pair receives no copy of the multicast packets that it sends */
	bool block_loopback;
	u32 max_send_wr, max_recv_wr;
	u32 max_send_sge, max_recv_sge;
	u32 max_inline; /* octets */
	const void *pd;
	const void *rdd; /* RD: the reliable datagram domain */
	const void *xrcd; /* XRC target: the XRC domain */
	/* SRQ; NULL: the queue pair has a receive queue of max_recv_wr entries */
	struct hca_srq *srq;
	struct hca_cq *send_cq, *recv_cq; /* NULL: the queue pair has no such CQ */
	const void *owner; /* user context whose doorbells are accepted for the queue pair */
	void *context; /* argument of the event handler */
	u64 cookie; /* copied to hca_cqe.kernel of each completion */
};

/*
 * The kernel's copy of a send request. It is made and checked when the request is fetched from the
 * ring.
 */
struct hca_request {
	u64 wr_id;
	u8 opcode; /* enum ib_uverbs_wr_opcode */
	u8 flags; /* enum hca_wqe_flags */
	u8 num_sge;
	u8 error; /* enum hca_vendor_err found by the check */
	u16 kind; /* enum hca_wr_flags of the opcode */
	union {
		/* The progress of InfiniBand's carriers, and the destination. */
		struct {
			/* first PSN of the request's packets; Read: first PSN of the responses */
			u32 psn;
			/* last PSN of the request's packets; Read: last PSN of the responses */
			u32 last_psn;
			union {
				u32 remote_qpn; /* used by RD and UD */
				u32 remote_srqn; /* used by XRC */
			};
			u32 remote_qkey; /* used by RD and UD */
		} iba;
		struct { /* the progress of an RNIC */
			u32 msn; /* of the Send or the Read Request */
			u32 done; /* octets of payload that were sent; Read: that have arrived */
			/* position in the stream behind the last octet; Read: it has ended */
			u64 end;
		} iwarp;
	};
	u32 length; /* octets */
	union {
		__be32 imm_data;
		u32 invalidate_rkey;
		/* Read of InfiniBand: PSN of the request packet that was sent last */
		u32 requested_psn;
	};
	union {
		struct {
			u64 remote_addr;
			u32 rkey;
			u32 eecn; /* used by RD of InfiniBand */
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
		struct { /* used by datagrams of InfiniBand */
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
		} memory; /* bind, register: the key, and the memory that the key is to refer to */
	};
	union {
		DECLARE_FLEX_ARRAY(struct hca_fragment, sge);
		DECLARE_FLEX_ARRAY(u8, inline_data);
	};
};

/*
 * Operations of a queue pair that its transport implements. An operation may be NULL only if the
 * comment of the operation says so. BH are disabled and send_lock is held, unless stated otherwise.
 */
struct hca_qp_ops {
	const struct hca_wr_info *wr; /* the carrier's requests: HCA_NUM_WR rows, by opcode */
	const struct hca_state_kind *states; /* the carrier's states: HCA_NUM_QPS rows */

	/* The run function: it calls hca_qp_run() (qp/run.h). send_lock is not held. */
	bool (*run)(struct hca_runnable *r, int *budget);
	/*
	 * Return whether all requests that have begun are complete, which ends the draining in SQD.
	 */
	bool (*drained)(const struct hca_qp *qp);
	/*
	 * Stop sending, because all requests are about to be flushed. Returns false if an RD EE
	 * context still sends a request; it soon schedules the queue pair's run function, which
	 * calls this operation again.
	 */
	bool (*stop_sends)(struct hca_qp *qp);
	/*
	 * End the messages that are being received, because the queue pair is in Error; or NULL.
	 * recv_lock is not held.
	 */
	void (*stop_recvs)(struct hca_qp *qp);
	/*
	 * Note that requests were flushed, so that the next request to be fetched is the next to be
	 * sent; or NULL.
	 */
	void (*flushed)(struct hca_qp *qp);

	/* Copy and check the destination of a request; or NULL. */
	enum hca_vendor_err (*parse)(struct hca_qp *qp, struct hca_request *req,
				     const struct hca_send_wqe *wqe);
	/* Handle a request that has just been fetched and checked; or NULL. */
	void (*fetched)(struct hca_qp *qp, struct hca_request *req);

	/* Check the new attributes of a modify. Returns 0 or -EINVAL. recv_lock is also held. */
	int (*modify_check)(const struct hca_qp *qp, const struct hca_qp_attr *attr, int mask);
	/* Set the checked attributes of a modify, except for the state. recv_lock is also held. */
	void (*modify_apply)(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask);
	/*
	 * Copy the current attributes to @attr, except for those that hca_qp_common_query() sets.
	 */
	void (*query)(const struct hca_qp *qp, struct hca_qp_attr *attr);
	/*
	 * Reset the transport's part of the queue pair to the state after creation. recv_lock is
	 * also held.
	 */
	void (*reset)(struct hca_qp *qp);
	/*
	 * Detach a queue pair in state Reset from the RD EE contexts that use it; or NULL. Context:
	 * process; no lock is held.
	 */
	void (*disconnect)(struct hca_qp *qp);

	/*
	 * Remove a queue pair that is being destroyed from all tables. Context: process; no lock is
	 * held.
	 */
	void (*withdraw)(struct hca_qp *qp);
	/*
	 * Stop the timers of the queue pair and free its queued packets. All references have been
	 * released, and the run function is not called any more. Context: process, may sleep; no
	 * lock is held.
	 */
	void (*stop)(struct hca_qp *qp);
};

struct hca_qp {
	const struct hca_qp_ops *ops;
	struct hca_qp_common common;
	struct hca_ci *ci; /* the carrier, whose table contains the keys of the requests */
	u64 opcodes; /* send requests of the type, as BIT_ULL(enum ib_uverbs_wr_opcode) */
	u32 qpn;
	u8 type; /* enum ib_qp_type */
	bool addressed; /* each request of a kernel consumer has an address handle */
	bool kernel;
	bool signal_all;
	const void *pd;
	const void *owner;
	void *context;
	u64 cookie;
	struct hca_cq *send_cq, *recv_cq; /* may be NULL */

	/* references: one of the owner, and one of each user that has looked up the queue pair */
	refcount_t users;
	struct completion unused;
	struct rcu_head rcu;

	/* The sending half; under send_lock. */
	/* leaf lock, taken with interrupts disabled; kernel consumers hold it while they post */
	spinlock_t post_lock;
	/*
	 * Kernel consumers: indices up to which entries of the send ring and of the receive ring
	 * are free, because their completions have been polled. No lock guards them.
	 */
	atomic_t sq_reaped, rq_reaped;
	struct hca_queue sq;
	u32 max_send_sge, max_inline;
	u8 *requests; /* sq.entries requests of request_stride octets each */
	u32 request_stride;
	/* index of the oldest incomplete request, which is the ring's consumer index */
	u32 sq_done;
	u32 sq_current; /* index of the request being sent */
	u32 sq_fetched; /* index up to which requests have been fetched from the ring */
	u32 sq_completed; /* index up to which completions have reported ring entries as free */
	/* after a modify from SQE to RTS: requests before this index are flushed */
	u32 sq_flush_end;
	bool sq_flushing; /* requests before sq_flush_end remain to be flushed */
	/* enum hca_vendor_err of requests that are flushed; 0: the one of the state */
	u8 sq_flush_error;
	/*
	 * list of the type 2 memory windows that are bound to this queue pair; under the TPT's lock
	 */
	struct hlist_head windows;

	/* The receiving half; under recv_lock. */
	struct hca_queue rq;
	struct hca_srq *srq; /* SRQ that is used instead of rq; or NULL */
	struct hca_recv recv; /* the receive request being filled */
	u32 max_recv_sge;
	u32 rq_consumed; /* the ring's consumer index */
	const void *recv_pd; /* PD of the keys in receive requests: srq->pd, or pd without an SRQ */
	bool last_wqe_reached; /* HCA_QP_LAST_WQE_REACHED was raised */

	/* enum hca_vendor_err of the last failed request of either queue; no lock guards it */
	u8 last_error;
};

/**
 * hca_qp_init() - initialize the common part of a queue pair, in state Reset
 * @qp: zeroed
 * @type: the row of its type
 * @ci: the carrier, whose table contains the keys of its requests
 * @init: type, sizes and objects of the queue pair; all numbers within the adapter's limits
 *
 * The rings have at least the requested number of entries; sq.entries and rq.entries are the actual
 * numbers. The caller then adds the queue pair to the tables in which packets look it up.
 *
 * Context: process.
 * Return: 0; -EINVAL (a number is out of range) or -ENOMEM, after which only @qp itself is to be
 * freed.
 */
int hca_qp_init(struct hca_qp *qp, const struct hca_qp_type *type, struct hca_ci *ci,
		const struct hca_qp_init *init);

/**
 * hca_qp_free() - free the queues of a queue pair, and the queue pair after a grace period
 * @qp: the queue pair, which is the first member of the transport's structure
 *
 * Context: process, may sleep.
 */
void hca_qp_free(struct hca_qp *qp);

/**
 * hca_qp_destroy() - remove a queue pair from all tables, wait for its last reference, and free it
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
 * hca_qp_query() - query the current attributes
 * @qp: the queue pair
 * @attr: set to the attributes
 *
 * Context: process.
 */
void hca_qp_query(struct hca_qp *qp, struct hca_qp_attr *attr);

/**
 * hca_qp_kick() - schedule the queue pair's run function, as a doorbell does
 * @qp: the queue pair
 *
 * Context: any; hca_engine_run() must follow.
 */
static inline void hca_qp_kick(struct hca_qp *qp)
{
	hca_qp_common_kick(&qp->common);
}

/**
 * hca_qp_error() - set a queue pair to Error, and schedule its run function, which flushes requests
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
 * @qp: the queue pair; one of its CQs is full (req V3-284) or one of its rings has an invalid index
 *      (req R0-471)
 *
 * Context: BH disabled; send_lock or recv_lock held.
 */
void hca_qp_fatal(struct hca_qp *qp);

/**
 * hca_qp_failed() - record the error of a failed request for later queries
 * @qp: the queue pair
 * @error: vendor error of the request's completion; ignored if the request was flushed
 *
 * Context: send_lock or recv_lock held.
 */
void hca_qp_failed(struct hca_qp *qp, enum hca_vendor_err error);

/**
 * hca_qp_use() - get a reference to a queue pair
 * @qp: the result of a look-up, which may be NULL
 *
 * Context: any.
 * Return: @qp, to be released by hca_qp_put(); NULL if @qp is NULL or the queue pair is being
 * destroyed.
 */
static inline struct hca_qp *hca_qp_use(struct hca_qp *qp)
{
	return qp && refcount_inc_not_zero(&qp->users) ? qp : NULL;
}

/**
 * hca_qp_put() - release a reference to a queue pair
 * @qp: the queue pair
 *
 * Context: any.
 */
void hca_qp_put(struct hca_qp *qp);

/**
 * hca_qp_reap() - free the ring entries that a completion reports as free
 * @qp: the queue pair of the completion
 * @cqe: the completion, which a kernel consumer has polled
 *
 * Context: any.
 */
void hca_qp_reap(struct hca_qp *qp, const struct hca_cqe *cqe);

/**
 * hca_qp_post_send_ok() - return whether send requests may be posted in the current state
 * @qp: the queue pair
 *
 * Context: any.
 * Return: 0 if they may be posted, otherwise -EINVAL.
 */
int hca_qp_post_send_ok(const struct hca_qp *qp);

/**
 * hca_qp_post_recv_ok() - return whether receive requests may be posted in the current state
 * @qp: the queue pair
 *
 * Context: any.
 * Return: 0 if they may be posted, otherwise -EINVAL.
 */
int hca_qp_post_recv_ok(const struct hca_qp *qp);

#endif
