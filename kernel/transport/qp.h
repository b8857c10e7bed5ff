/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Queue pairs and the EE context, which owns what makes a connection reliable: an RC
 * queue pair embeds one.
 *
 * Two halves, each with a lock, taken in this order: send_lock (requester, completer,
 * responses), recv_lock (responder). The queue pair's run holds the first, its port's
 * run the second; neither waits for the other half but by being run.
 */
#ifndef HCA_TRANSPORT_QP_H
#define HCA_TRANSPORT_QP_H

#include <linux/completion.h>
#include <linux/llist.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/types.h>
#include <rdma/ib_user_verbs.h>
#include "engine/run.h"
#include "link/port.h"
#include "transport/ca.h"
#include "transport/cq.h"
#include "transport/ring.h"

enum hca_qp_type {
	HCA_QPT_SMI,
	HCA_QPT_GSI,
	HCA_QPT_RC,
	HCA_QPT_UC,
	HCA_QPT_UD,
};

/* Values of enum ib_qp_state. */
enum hca_qp_state {
	HCA_QPS_RESET,
	HCA_QPS_INIT,
	HCA_QPS_RTR,
	HCA_QPS_RTS,
	HCA_QPS_SQD,
	HCA_QPS_SQE,
	HCA_QPS_ERR,
};

/* Values of enum ib_wc_status. */
enum hca_status {
	HCA_WC_SUCCESS = 0,
	HCA_WC_LOC_LEN_ERR = 1,
	HCA_WC_LOC_QP_OP_ERR = 2,
	HCA_WC_LOC_PROT_ERR = 4,
	HCA_WC_WR_FLUSH_ERR = 5,
	HCA_WC_BAD_RESP_ERR = 7,
	HCA_WC_LOC_ACCESS_ERR = 8,
	HCA_WC_REM_INV_REQ_ERR = 9,
	HCA_WC_REM_ACCESS_ERR = 10,
	HCA_WC_REM_OP_ERR = 11,
	HCA_WC_RETRY_EXC_ERR = 12,
	HCA_WC_RNR_RETRY_EXC_ERR = 13,
};

/* Values of enum ib_qp_attr_mask. */
enum hca_qp_attr_mask {
	HCA_QP_STATE = 1 << 0,
	HCA_QP_CUR_STATE = 1 << 1,
	HCA_QP_EN_SQD_ASYNC_NOTIFY = 1 << 2,
	HCA_QP_ACCESS_FLAGS = 1 << 3,
	HCA_QP_PKEY_INDEX = 1 << 4,
	HCA_QP_PORT = 1 << 5,
	HCA_QP_QKEY = 1 << 6,
	HCA_QP_AV = 1 << 7,
	HCA_QP_PATH_MTU = 1 << 8,
	HCA_QP_TIMEOUT = 1 << 9,
	HCA_QP_RETRY_CNT = 1 << 10,
	HCA_QP_RNR_RETRY = 1 << 11,
	HCA_QP_RQ_PSN = 1 << 12,
	HCA_QP_MAX_QP_RD_ATOMIC = 1 << 13,
	HCA_QP_ALT_PATH = 1 << 14,
	HCA_QP_MIN_RNR_TIMER = 1 << 15,
	HCA_QP_SQ_PSN = 1 << 16,
	HCA_QP_MAX_DEST_RD_ATOMIC = 1 << 17,
	HCA_QP_PATH_MIG_STATE = 1 << 18,
	HCA_QP_CAP = 1 << 19,
	HCA_QP_DEST_QPN = 1 << 20,
};

/* What modify sets and query returns. */
struct hca_qp_attr {
	u8 state; /* enum hca_qp_state */
	u8 cur_state; /* modify: what the transition was checked against */
	u8 path_mtu; /* enum hca_mtu */
	u8 port_num;
	u8 timeout; /* 4.096 us * 2^timeout; 0: never */
	u8 retry_cnt;
	u8 rnr_retry; /* 7: for ever */
	u8 min_rnr_timer; /* AETH's code */
	u8 max_rd_atomic;
	u8 max_dest_rd_atomic;
	u16 pkey_index;
	u32 access; /* enum ib_uverbs_access_flags */
	u32 qkey;
	u32 rq_psn;
	u32 sq_psn;
	u32 dest_qpn;
	struct hca_av av;
};

struct hca_qp_init {
	u8 type; /* enum hca_qp_type */
	u8 port_num; /* QP0, QP1 */
	bool kernel; /* rings are the kernel's own; L_Key 0 is allowed */
	bool signal_all;
	u32 max_send_wr, max_recv_wr;
	u32 max_send_sge, max_recv_sge;
	u32 max_inline; /* octets */
	const void *pd;
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
	u8 num_sge;
	u8 status; /* enum hca_status: what the check found */
	u32 length; /* octets */
	u32 psn; /* first and last; a read's are those of its responses */
	u32 last_psn;
	__be32 imm_data;
	union {
		struct {
			u64 remote_addr;
			u32 rkey;
		};
		struct {
			struct hca_av av;
			u32 remote_qpn;
			u32 remote_qkey;
			u32 pkey_index;
		};
	};
	union {
		DECLARE_FLEX_ARRAY(struct hca_fragment, sge);
		DECLARE_FLEX_ARRAY(u8, inline_data);
	};
};

/* The receive request at work. */
struct hca_recv {
	bool valid;
	u64 wr_id;
	u32 num_sge;
	u32 offset; /* octets received */
	struct hca_sge sge[HCA_MAX_SGE];
};

/* What the responder owes: an acknowledgement, or a read's data. In the order of PSNs. */
struct hca_response {
	bool read;
	bool again; /* a duplicate request's: takes nothing of the depth that was agreed */
	u8 syndrome; /* AETH */
	u32 msn;
	u32 psn; /* ack: the PSN acknowledged; read: the next response's */
	u64 va;
	u32 rkey;
	u32 length; /* octets of the request */
	u32 offset; /* octets sent */
};

#define HCA_MAX_RESPONSES (HCA_MAX_RD_ATOMIC * 2)

struct hca_eec {
	/* Requester; under send_lock. */
	u32 assigned_psn; /* of the next request to be fetched */
	u32 next_psn; /* of the next packet */
	u32 sent_psn; /* one past the highest ever sent */
	u32 una_psn; /* oldest not acknowledged */
	u8 retries_left, rnr_left;
	u8 reads_outstanding;
	bool rewound; /* back at una_psn, and nothing acknowledged since */
	bool rnr_wait;
	bool timer_on; /* the deadline matters */
	unsigned long ack_timeout; /* jiffies; 0: for ever */
	unsigned long deadline; /* jiffies: for an acknowledgement, or the end of an RNR wait */
	/* Responder; under recv_lock. */
	u32 expected_psn;
	u32 msn;
	bool nak_sent; /* one NAK per gap */
	u32 message; /* HCA_IS_SEND or HCA_IS_WRITE: in the middle of one; 0: between messages */
	u64 write_va;
	u32 write_rkey;
	u32 write_left; /* octets to come of the RDMA Write */
	u32 write_total;
	/* Responses owed; response_lock is a BH leaf. */
	spinlock_t response_lock;
	u32 response_head, response_tail;
	struct hca_response response[HCA_MAX_RESPONSES];
};

struct hca_qp {
	struct hca_ca *ca;
	struct hca_port *port; /* set by modify to Init; QP0, QP1: at creation */
	u32 qpn;
	u8 type; /* enum hca_qp_type */
	bool kernel;
	bool signal_all;
	u8 state; /* enum hca_qp_state; written under both locks, read by all */
	struct hca_qp_attr attr; /* under send_lock; path fields are read by the receive half */
	const void *pd;
	const void *owner;
	void *context;
	u64 cookie;
	struct hca_cq *send_cq, *recv_cq;
	u32 mtu; /* octets */

	refcount_t users; /* the owner, and each look-up under way */
	struct completion unused;
	struct rcu_head rcu;
	atomic_t events; /* bits: enum hca_qp_event, to be told from the run */

	/* Sending. */
	spinlock_t send_lock; /* BH */
	spinlock_t post_lock; /* irqsave; leaf: kernel consumers' posting to either ring */
	struct hca_runnable run;
	struct hca_waiter waiter;
	struct timer_list timer;
	struct hca_queue sq;
	u32 max_send_sge, max_inline;
	u8 *requests; /* sq.entries of request_stride octets */
	u32 request_stride;
	u32 sq_done; /* oldest not completed; the ring's consumer */
	u32 sq_current; /* being sent */
	u32 sq_fetched; /* taken from the ring so far */
	bool timed_out;
	struct llist_head responses; /* packets for the completer */
	atomic_t num_responses;

	/* Receiving. */
	spinlock_t recv_lock; /* BH; inside send_lock */
	struct hca_queue rq;
	u32 max_recv_sge;
	u32 rq_taken; /* the ring's consumer */
	struct hca_recv recv;
	bool established; /* a packet has arrived in RTR */

	struct hca_eec eec;
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
 * The caller has checked the mask against the transition from @attr->cur_state
 * (ib_modify_qp_is_ok()); should the queue pair have left that state meanwhile, for Error,
 * only Reset and Error may follow.
 * Context: process. Return: 0; -EINVAL: a value out of range, or another state; -EOPNOTSUPP: SQD, SQE,
 * alternate path.
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
	hca_run_schedule(&qp->run);
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
 * hca_qp_post_ok() - may work be posted in this state? (C10-96, table)
 * Return: 0 or -EINVAL.
 */
int hca_qp_post_send_ok(const struct hca_qp *qp);
int hca_qp_post_recv_ok(const struct hca_qp *qp);

#endif
