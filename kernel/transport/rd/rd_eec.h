/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The RD EE contexts that RD queue pairs share (req C4-003, C4-036). An RD EE context has one
 * message in progress at a time (req C4-024). Queue pairs with a request for the context wait in a
 * FIFO list.
 */
#ifndef HCA_TRANSPORT_RD_EEC_H
#define HCA_TRANSPORT_RD_EEC_H

#include "transport/iba_qp.h"

struct hca_rd_eec {
	struct hca_qp_common common;
	struct hca_eec eec;
	struct hca_recv recv; /* the receive request of the message being received */
	u32 eecn;
	const void *rdd;
	const void *owner;
	void *context;
	/* references: the owner, each get, each queue pair in the list or being served */
	refcount_t users;
	struct completion unused;
	struct rcu_head rcu;
	struct hca_charge charge; /* charge to the process that created it */
	spinlock_t lock; /* BH; leaf; guards waiting */
	struct list_head waiting; /* struct hca_iba_qp.scheduled */
};

struct hca_rd_eec_init {
	const void *rdd; /* reliable datagram domain; only its queue pairs may use the context */
	const void *owner; /* the user context that created it */
	void *context; /* event context */
};

/**
 * hca_rd_eec_create() - create an RD EE context in state Reset
 * @ca: the channel adapter
 * @init: its reliable datagram domain, owner and event context
 *
 * Context: process.
 * Return: the EE context, whose number is in ->eecn, or ERR_PTR(-ENOMEM) if there is no memory, no
 * free EE context number, or RLIMIT_MEMLOCK is exceeded.
 */
struct hca_rd_eec *hca_rd_eec_create(struct hca_ca *ca, const struct hca_rd_eec_init *init);

/**
 * hca_rd_eec_destroy() - withdraw an RD EE context, wait for its last user and free it
 * @rd_eec: the EE context
 *
 * Requests that name the EE context, now or later, complete with IB_WC_INV_EECN_ERR.
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
 * @attr: the result
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
 * Lock the send queue that an RD EE context serves. The requester, the completer and the retry
 * timer of an RD EE context work on the send queue of a queue pair, whose send_lock nests inside
 * that of the context. Return: the queue pair to pass to hca_client_unlock(), or NULL if no lock
 * was taken.
 */
static inline struct hca_qp *hca_client_lock(struct hca_eec *eec)
{
	struct hca_qp *qp = eec->is_rd_eec ? eec->qp : NULL;

	if (qp) {
		spin_lock_nested(&qp->common.send_lock, SINGLE_DEPTH_NESTING);
		/* for sparse; hca_client_unlock() does the reverse */
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

/* The functions below are the requester's side, in rd_eec_run.c. */

extern const struct hca_eec_ops hca_rd_eec_ops;

/* Functions for hca_qp_common_init(): the run of an RD EE context, and the report of an event. */
bool hca_rd_eec_run(struct hca_runnable *r, int *budget);
void hca_rd_eec_notify(struct hca_qp_common *common, enum hca_qp_event event);

/*
 * Append the next request of an RD queue pair to the list of the RD EE context that it names.
 * Called from the queue pair's run. The queue pair's send_lock is held.
 */
enum hca_progress hca_rd_eec_submit(struct hca_qp *qp);

/*
 * Detach all queue pairs that wait or are served and abort the message being received, because the
 * EE context has stopped. The EE context's send_lock is held.
 */
void hca_rd_eec_fail(struct hca_rd_eec *rd_eec);

/**
 * hca_rd_eec_withdraw() - withdraw the request of a queue pair in state Error
 * @qp: the queue pair; send_lock held
 *
 * Context: BH disabled.
 * Return: true if the queue pair is detached from its EE context; false if the EE context is
 * sending the request, in which case it releases the queue pair soon and runs it.
 */
bool hca_rd_eec_withdraw(struct hca_qp *qp);

/*
 * Withdraw the request of a queue pair, and end its service if it is being served. The queue pair
 * is in state Reset or Error, so the request is not queued again. Context: process.
 */
void hca_rd_eec_dequeue(struct hca_qp *qp);

/*
 * Detach a queue pair in state Reset or Error from all RD EE contexts, both as a requester and as
 * the destination of a message. Context: process.
 */
void hca_rd_eec_disconnect(struct hca_qp *qp);

/* The QPN of the requester, which is the destination QPN of the response. */
static inline u32 hca_requester_of(const struct hca_eec *eec, const struct hca_packet *pkt)
{
	return eec->is_rd_eec ? pkt->h.deth.srcqp : eec->attr.dest_qpn;
}

/* The EE context number for completions; 0 for a connection. */
static inline u32 hca_eecn(const struct hca_eec *eec)
{
	return eec->is_rd_eec ? container_of(eec, struct hca_rd_eec, eec)->eecn : 0;
}

#endif
