/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Queue pairs: queues of requests, and the EE context that works on them. */
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
	u8 type; /* enum hca_qp_type */
	u8 port_num; /* QP0, QP1 */
	bool kernel; /* rings are the kernel's own; L_Key 0 is allowed */
	bool signal_all;
	bool block_loopback; /* UD: gets no copy of its own multicasts */
	u32 max_send_wr, max_recv_wr;
	u32 max_send_sge, max_recv_sge;
	u32 max_inline; /* octets */
	const void *pd;
	const void *rdd; /* RD: the reliable datagram domain */
	struct hca_srq *srq; /* receives come from there, and max_recv_* are ignored; or NULL */
	struct hca_cq *send_cq, *recv_cq;
	const void *owner; /* the user context whose doorbell may ring it */
	void *context; /* for events */
	u64 cookie; /* into completions of kernel CQs */
};

/* A send request, taken from the ring, checked and owned by the engine until completed. */
struct hca_request {
	u64 wr_id;
	u8 opcode; /* enum ib_uverbs_wr_opcode */
	u8 flags; /* enum hca_wqe_flags */
	u8 kind; /* enum hca_wr_flags: its opcode's */
	u8 num_sge;
	u8 status; /* enum hca_status: what the check found */
	u32 length; /* octets */
	u32 psn; /* first and last; a read's are those of its responses */
	u32 last_psn;
	union {
		__be32 imm_data;
		u32 invalidate_rkey;
		u32 asked_psn; /* a read: of the first response that it was last asked for */
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
		} memory; /* what a key is to stand for */
	};
	union {
		DECLARE_FLEX_ARRAY(struct hca_fragment, sge);
		DECLARE_FLEX_ARRAY(u8, inline_data);
	};
};

struct hca_qp {
	struct hca_eec eec;
	u32 qpn;
	u8 type; /* enum hca_qp_type */
	bool kernel;
	bool signal_all;
	const void *pd;
	const void *rdd;
	const void *owner;
	void *context;
	u64 cookie;
	struct hca_cq *send_cq, *recv_cq;

	refcount_t users; /* the owner, and each look-up under way */
	struct completion unused;
	struct rcu_head rcu;

	/* Sending; under eec.send_lock. */
	spinlock_t post_lock; /* irqsave; leaf: kernel consumers' posting to either ring */
	/* Kernel consumers: how far each ring's completions have been polled; no lock. */
	atomic_t sq_reaped, rq_reaped;
	struct hca_queue sq;
	u32 max_send_sge, max_inline;
	u8 *requests; /* sq.entries of request_stride octets */
	u32 request_stride;
	u32 sq_done; /* oldest not completed; the ring's consumer */
	u32 sq_current; /* being sent */
	u32 sq_fetched; /* taken from the ring so far */
	u32 sq_completed; /* up to the newest that has a completion */
	u32 sq_flush_end; /* out of SQE: requests before this index are flushed, not sent */
	bool sq_flushing; /* some of them still have to be */
	struct hlist_head windows; /* type 2, bound by it; under the lock of its adapter's tpt */
	/* RD: the channel that has the oldest request, or is to have it. */
	struct hca_rd_eec *rd_eec;
	struct list_head scheduled; /* in channel->waiting; under channel->lock */

	/* Receiving; under eec.recv_lock. */
	struct hca_queue rq;
	struct hca_srq *srq; /* receive requests come from there, and there is no rq; or NULL */
	u32 max_recv_sge;
	u32 rq_consumed; /* the ring's consumer */
	const void *recv_pd; /* whose keys receive requests have: the SRQ's, or the queue pair's */
	bool srq_left; /* in Error: it takes nothing from the SRQ any more, and has said so */
	bool block_loopback; /* of its own multicasts */
	struct list_head raw; /* a raw one: in its adapter's list */
	struct list_head groups; /* it is attached to; under the lock of its adapter's */
};

/**
 * hca_qp_create() - make a queue pair in state Reset
 * @ca: the channel adapter
 * @init: what it is to be; all numbers within the adapter's limits
 *
 * The rings hold at least what was asked; sq.entries, rq.entries say how much.
 * Context: process. Return: the queue pair or ERR_PTR: -EINVAL, -ENOMEM,
 * -EOPNOTSUPP (type), -EBUSY (a port's QP0 or QP1 exists).
 */
struct hca_qp *hca_qp_create(struct hca_ca *ca, const struct hca_qp_init *init);

/**
 * hca_qp_destroy() - take it out of use, wait for the last user, free
 * @qp: the queue pair
 *
 * Completions in CQs stay; in kernel CQs they lose their cookie.
 * Context: process, may sleep.
 */
void hca_qp_destroy(struct hca_qp *qp);

/**
 * hca_qp_modify() - change state and attributes
 * @qp: the queue pair
 * @attr: new values
 * @mask: enum hca_qp_attr_mask: which
 *
 * All or nothing is set. Context: process. Return: 0; -EINVAL: a value out of range, a transition
 * there is not, an attribute that it lacks or does not take, or another state than attr->cur_state
 * if @mask has that.
 */
int hca_qp_modify(struct hca_qp *qp, const struct hca_qp_attr *attr, int mask);

/* Attributes as they are now. Context: process. */
void hca_qp_query(struct hca_qp *qp, struct hca_qp_attr *attr);

/**
 * hca_qp_kick() - look at the rings: what a doorbell does
 * @qp: the queue pair
 *
 * Context: any; a drain or raise must follow.
 */
static inline void hca_qp_kick(struct hca_qp *qp)
{
	hca_eec_kick(&qp->eec);
}

/**
 * hca_qp_find() - look up a queue pair by number, to read it or kick it
 * The same as hca_qp_get(), but no user is counted: it may be destroyed at any time, and
 * goes when the section ends.
 *
 * Context: BH disabled. Return: the queue pair or NULL.
 */
struct hca_qp *hca_qp_find(struct hca_ca *ca, u32 qpn);

/**
 * hca_qp_get() - look up a queue pair by number
 * @ca: the adapter
 * @qpn: 2 and above
 *
 * Context: BH disabled. Return: the queue pair, with a user counted, or NULL.
 */
struct hca_qp *hca_qp_get(struct hca_ca *ca, u32 qpn);
void hca_qp_put(struct hca_qp *qp);

/**
 * hca_qp_reap() - a kernel consumer has polled a completion: its entries may be posted to again
 * @qp: whose completion it is
 * @cqe: the completion
 *
 * Context: any.
 */
void hca_qp_reap(struct hca_qp *qp, const struct hca_cqe *cqe);

/**
 * hca_qp_post_ok() - may work be posted in this state? (C10-96, table)
 * Return: 0 or -EINVAL.
 */
int hca_qp_post_send_ok(const struct hca_qp *qp);
int hca_qp_post_recv_ok(const struct hca_qp *qp);

#endif
