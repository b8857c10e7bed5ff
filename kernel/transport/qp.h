/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Queue pairs: work queues and the EE context that executes their requests. */
#ifndef HCA_TRANSPORT_QP_H
#define HCA_TRANSPORT_QP_H

#include <linux/completion.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include "transport/cq.h"
#include "transport/eec.h"
#include "transport/ring.h"

struct hca_rd_eec;
struct hca_srq;

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
	/* source of receive requests, or NULL; with an SRQ max_recv_* are ignored */
	struct hca_srq *srq;
	struct hca_cq *send_cq, *recv_cq;
	const void *owner; /* the user context whose doorbell may ring the queue pair */
	void *context; /* for the event handler */
	u64 cookie; /* copied into completions of kernel CQs */
};

/* A send request: copied from the ring, checked, and owned by the engine until its completion. */
struct hca_request {
	u64 wr_id;
	u8 opcode; /* enum ib_uverbs_wr_opcode */
	u8 flags; /* enum hca_wqe_flags */
	u8 kind; /* enum hca_wr_flags of the opcode */
	u8 num_sge;
	u8 status; /* enum ib_wc_status found by the check */
	u32 length; /* octets */
	u32 psn; /* first and last PSN; for a Read those of its responses */
	u32 last_psn;
	union {
		__be32 imm_data;
		u32 invalidate_rkey;
		/* Read: PSN of the first response that the last request packet asked for */
		u32 requested_psn;
	};
	u32 remote_qpn, remote_qkey; /* RD, UD */
	union {
		struct {
			u64 remote_addr;
			u32 rkey;
			u32 eecn; /* RD */
			u64 compare_add;
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

struct hca_qp {
	struct hca_eec eec;
	u32 qpn;
	u8 type; /* enum ib_qp_type */
	bool kernel;
	bool signal_all;
	const void *pd;
	const void *rdd;
	const void *owner;
	void *context;
	u64 cookie;
	struct hca_cq *send_cq, *recv_cq;

	refcount_t users; /* references: the owner, and each look-up in progress */
	struct completion unused;
	struct rcu_head rcu;

	/* Sending; under eec.send_lock. */
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
	/* RD: the EE context that the oldest request is queued at or is sent by. */
	struct hca_rd_eec *rd_eec;
	struct list_head scheduled; /* in rd_eec->waiting; under rd_eec->lock */

	/* Receiving; under eec.recv_lock. */
	struct hca_queue rq;
	struct hca_srq *srq; /* source of receive requests instead of rq; or NULL */
	u32 max_recv_sge;
	u32 rq_consumed; /* the ring's consumer index */
	const void *recv_pd; /* PD of the keys in receive requests: the SRQ's or the queue pair's */
	bool last_wqe_reached; /* in Error: consumes no more from the SRQ; event reported */
	bool block_loopback; /* receives no copy of its own multicast packets */
	struct list_head raw; /* raw QP: in the list of the adapter's raw QPs; RCU */
	/* groups that it is attached to; under the lock of the adapter's groups */
	struct list_head groups;
};

/**
 * hca_qp_create() - create a queue pair in state Reset
 * @ca: the channel adapter
 * @init: type, sizes and objects of the queue pair; all numbers within the adapter's limits
 *
 * The rings hold at least the requested number of entries; sq.entries and rq.entries are the actual
 * numbers.
 *
 * Context: process.
 * Return: the queue pair, or ERR_PTR: -EINVAL (a number is out of range), -ENOMEM, -EOPNOTSUPP
 * (type), -EBUSY (the port's QP0 or QP1 exists already).
 */
struct hca_qp *hca_qp_create(struct hca_ca *ca, const struct hca_qp_init *init);

/**
 * hca_qp_destroy() - withdraw a queue pair, wait for its last user and free it
 * @qp: the queue pair
 *
 * Completions in CQs stay; in kernel CQs they lose their cookie.
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

/* Query the current attributes. Context: process. */
void hca_qp_query(struct hca_qp *qp, struct hca_qp_attr *attr);

/**
 * hca_qp_kick() - schedule the queue pair's run, as a doorbell does
 * @qp: the queue pair
 *
 * Context: any; hca_engine_run() must follow.
 */
static inline void hca_qp_kick(struct hca_qp *qp)
{
	hca_eec_kick(&qp->eec);
}

/**
 * hca_qp_error() - set a queue pair to Error and schedule the run, which flushes
 * @qp: the queue pair
 *
 * Context: BH disabled; send_lock or recv_lock held.
 */
void hca_qp_error(struct hca_qp *qp);

/*
 * Set a queue pair that sends to SQE, because a request has failed. Context: BH disabled; send_lock
 * held.
 */
void hca_qp_send_error(struct hca_qp *qp);

/*
 * Report HCA_QP_FATAL, once, and set the queue pair to Error, because a CQ has no room (req V3-284)
 * or the index of a ring is invalid (req R0-471). Context: as for hca_qp_error().
 */
void hca_qp_fatal(struct hca_qp *qp);

static inline bool hca_qp_is_raw(const struct hca_qp *qp)
{
	return qp->eec.transport == HCA_TRANSPORT_RAW;
}

/**
 * hca_qp_find() - find a queue pair by its number without taking a reference
 * @ca: the adapter
 * @qpn: 2 and above
 *
 * The queue pair may be destroyed at any time and is valid only until BH are enabled again. It may
 * be read and kicked.
 *
 * Context: BH disabled.
 * Return: the queue pair or NULL.
 */
struct hca_qp *hca_qp_find(struct hca_ca *ca, u32 qpn);

/**
 * hca_qp_get() - get a queue pair by its number, with a reference
 * @ca: the adapter
 * @qpn: 2 and above
 *
 * Context: BH disabled.
 * Return: the queue pair, to be released by hca_qp_put(), or NULL.
 */
struct hca_qp *hca_qp_get(struct hca_ca *ca, u32 qpn);
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
 * hca_qp_post_recv_ok() returns that for receive requests (IBA C10-96, table).
 *
 * Context: any.
 * Return: 0 or -EINVAL.
 */
int hca_qp_post_send_ok(const struct hca_qp *qp);
int hca_qp_post_recv_ok(const struct hca_qp *qp);

#endif
