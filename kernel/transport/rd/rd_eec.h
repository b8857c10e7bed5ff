/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * RD EE contexts, which RD queue pairs share (req C4-003, C4-036). An RD EE context sends one
 * message at a time (req C4-024). Queue pairs that have a request for an RD EE context wait in a
 * FIFO list.
 */
#ifndef HCA_TRANSPORT_RD_RD_EEC_H
#define HCA_TRANSPORT_RD_RD_EEC_H

#include "transport/iba_qp.h"

struct hca_rd_eec {
	struct hca_qp_common common;
	struct hca_eec eec;
	struct hca_recv recv; /* the receive request of the message being received */
	u32 eecn;
	const void *rdd;
	const void *owner;
	void *context;
	/*
	 * references: one of the owner, one of each hca_rd_eec_get(), and one of each queue pair
	 * that is waiting or being served
	 */
	refcount_t users;
	struct completion unused;
	struct rcu_head rcu;
	/* pinned memory that is charged to the process that created the EE context */
	struct hca_charge charge;
	spinlock_t lock; /* leaf lock, taken with BH disabled; guards waiting */
	/* FIFO list of struct hca_iba_qp, linked by hca_iba_qp.scheduled */
	struct list_head waiting;
};

struct hca_rd_eec_init {
	/* reliable datagram domain; only queue pairs of this domain may use the EE context */
	const void *rdd;
	const void *owner; /* the user context that creates the EE context */
	void *context; /* argument of the consumer's event handler */
};

/**
 * hca_rd_eec_create() - create an RD EE context in state Reset
 * @ca: the channel adapter
 * @init: values of the fields rdd, owner and context
 *
 * Context: process.
 * Return: the EE context, with eecn set to its number; ERR_PTR(-ENOMEM) if memory or a free EE
 * context number is lacking, or RLIMIT_MEMLOCK is exceeded.
 */
struct hca_rd_eec *hca_rd_eec_create(struct hca_ca *ca, const struct hca_rd_eec_init *init);

/**
 * hca_rd_eec_destroy() - remove an RD EE context, wait for its last reference, and free it
 * @rd_eec: the EE context
 *
 * Waiting and later requests for the EE context complete with IB_WC_INV_EECN_ERR.
 *
 * Context: process, may sleep.
 */
void hca_rd_eec_destroy(struct hca_rd_eec *rd_eec);

/**
 * hca_rd_eec_modify() - change the state and attributes of an RD EE context
 * @rd_eec: the EE context
 * @attr: new values; dest_qpn is the EE context number of the peer
 * @mask: enum ib_qp_attr_mask: the attributes to set. The transitions are those of RC, without
 *        access rights and without state SQE (req C4-013)
 *
 * Context: process.
 * Return: 0, or -EINVAL if a value is out of range, the transition does not exist, or the EE
 * context has no such attribute or does not accept it in the transition.
 */
int hca_rd_eec_modify(struct hca_rd_eec *rd_eec, const struct hca_qp_attr *attr, int mask);

/**
 * hca_rd_eec_query() - query the current attributes
 * @rd_eec: the EE context
 * @attr: set to the attributes
 *
 * Context: process.
 */
void hca_rd_eec_query(struct hca_rd_eec *rd_eec, struct hca_qp_attr *attr);

/* Get an EE context by its number, with a reference, or NULL. Context: BH disabled. */
struct hca_rd_eec *hca_rd_eec_get(struct hca_ca *ca, u32 eecn);
void hca_rd_eec_put(struct hca_rd_eec *rd_eec);

static inline struct hca_rd_eec *hca_rd_eec_of(struct hca_eec *eec)
{
	return container_of(eec, struct hca_rd_eec, eec);
}

/*
 * Take the send_lock of the queue pair that an RD EE context serves, if any. The requester, the
 * completer and the retry timer of an RD EE context need this lock, because they work on the send
 * queue of that queue pair. The lock nests inside the send_lock of the RD EE context. Return: the
 * queue pair to pass to hca_client_unlock(), or NULL if no lock was taken.
 */
static inline struct hca_qp *hca_client_lock(struct hca_eec *eec)
{
	struct hca_qp *qp = eec->is_rd_eec ? eec->qp : NULL;

	if (qp) {
		spin_lock_nested(&qp->common.send_lock, SINGLE_DEPTH_NESTING);
		/* This is only for sparse; the lock stays held until hca_client_unlock(). */
		__release(&qp->common.send_lock);
	}
	return qp;
}

static inline void hca_client_unlock(struct hca_qp *qp)
{
	if (qp) {
		__acquire(&qp->common.send_lock);
		spin_unlock(&qp->common.send_lock);
	}
}

/* The declarations below belong to the requester of RD EE contexts (rd_eec_run.c). */

extern const struct hca_eec_ops hca_rd_eec_ops;

/* The run function and the notify function of an RD EE context, for hca_qp_common_init(). */
bool hca_rd_eec_run(struct hca_runnable *r, int *budget);
void hca_rd_eec_notify(struct hca_qp_common *common, enum hca_qp_event event);

/*
 * Append an RD queue pair to the list of the RD EE context that its next request names. Called by
 * the queue pair's run function, with the queue pair's send_lock held.
 */
enum hca_progress hca_rd_eec_submit(struct hca_qp *qp);

/*
 * Detach all queue pairs that are waiting or being served, and abort the message being received,
 * because the EE context has stopped. The EE context's send_lock is held.
 */
void hca_rd_eec_fail(struct hca_rd_eec *rd_eec);

/**
 * hca_rd_eec_withdraw() - withdraw the request of a queue pair in state Error
 * @qp: the queue pair; send_lock held
 *
 * Context: BH disabled.
 * Return: true if the queue pair is now detached from its RD EE context; false if the RD EE context
 * is sending the request. In that case, the RD EE context soon detaches the queue pair and
 * schedules the queue pair's run function.
 */
bool hca_rd_eec_withdraw(struct hca_qp *qp);

/*
 * Withdraw the request of a queue pair from its RD EE context, even if the request is being sent.
 * The queue pair is in state Reset or Error, and therefore does not queue the request again.
 * Context: process.
 */
void hca_rd_eec_dequeue(struct hca_qp *qp);

/*
 * Detach a queue pair in state Reset or Error from all RD EE contexts, both as requester and as
 * destination of messages. Context: process.
 */
void hca_rd_eec_disconnect(struct hca_qp *qp);

/* Return the QPN of the requester that has sent @pkt, to which the response is sent. */
static inline u32 hca_requester_of(const struct hca_eec *eec, const struct hca_packet *pkt)
{
	return eec->is_rd_eec ? pkt->h.deth.srcqp : eec->attr.iba.dest_qpn;
}

/* Return the EE context number of an RD EE context; 0 for a connection. */
static inline u32 hca_eecn(const struct hca_eec *eec)
{
	return eec->is_rd_eec ? container_of(eec, struct hca_rd_eec, eec)->eecn : 0;
}

#endif
