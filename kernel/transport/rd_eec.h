/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Reliable datagram channels: EE contexts by themselves (C4-003, C4-036). One message is
 * under way at a time (C4-024); queue pairs with a request for it wait in line.
 */
#ifndef HCA_TRANSPORT_RD_EEC_H
#define HCA_TRANSPORT_RD_EEC_H

#include "transport/qp.h"
#include "transport/send.h"

struct hca_rd_eec {
	struct hca_eec eec;
	u32 eecn;
	const void *rdd;
	const void *owner;
	void *context;
	refcount_t users; /* the owner, each look-up under way, each queue pair in line or at work */
	struct completion unused;
	struct rcu_head rcu;
	spinlock_t lock; /* BH; leaf; guards waiting */
	struct list_head waiting; /* struct hca_qp.scheduled */
};

struct hca_rd_eec_init {
	const void *rdd; /* reliable datagram domain: whose queue pairs may use it */
	const void *owner; /* user context */
	void *context; /* for events */
};

/**
 * hca_rd_eec_create() - make an EE context in state Reset
 * @ca: the channel adapter
 * @init: what it is to be
 *
 * Context: process. Return: the context (its number is ->eecn), or ERR_PTR: -ENOMEM (no memory
 * or no number).
 */
struct hca_rd_eec *hca_rd_eec_create(struct hca_ca *ca, const struct hca_rd_eec_init *init);

/**
 * hca_rd_eec_destroy() - take it out of use, wait for the last user, free
 * @rd_eec: the EE context
 *
 * Requests that name it, now or later, end with HCA_WC_INV_EECN_ERR.
 * Context: process, may sleep.
 */
void hca_rd_eec_destroy(struct hca_rd_eec *rd_eec);

/**
 * hca_rd_eec_modify() - change state and attributes
 * @rd_eec: the EE context
 * @attr: new values; dest_qpn is the peer's EE context number
 * @mask: enum hca_qp_attr_mask: which. Transitions are those of RC, without access
 *        rights and without state SQE (C4-013)
 *
 * Context: process. Return: 0; -EINVAL: a value out of range, a transition there is not, an
 * attribute that it lacks or does not take.
 */
int hca_rd_eec_modify(struct hca_rd_eec *rd_eec, const struct hca_qp_attr *attr, int mask);

/* Attributes as they are now. Context: process. */
void hca_rd_eec_query(struct hca_rd_eec *rd_eec, struct hca_qp_attr *attr);

/* Look up by number, with a user counted; NULL: there is none. Context: BH disabled. */
struct hca_rd_eec *hca_rd_eec_get(struct hca_ca *ca, u32 eecn);
void hca_rd_eec_put(struct hca_rd_eec *rd_eec);

static inline struct hca_rd_eec *hca_rd_eec_of(struct hca_eec *eec)
{
	return container_of(eec, struct hca_rd_eec, eec);
}

/*
 * A channel works on another's queue: that one's lock is taken inside its own, for what
 * requester, completer and timer do. Return: what is to be unlocked; NULL: nothing.
 */
static inline struct hca_qp *hca_client_lock(struct hca_eec *eec)
{
	struct hca_qp *qp = eec->is_rd_eec ? eec->qp : NULL;

	if (qp) {
		spin_lock_nested(&qp->eec.send_lock, SINGLE_DEPTH_NESTING);
		__release(&qp->eec.send_lock); /* to sparse; hca_client_unlock() does the reverse */
	}
	return qp;
}

static inline void hca_client_unlock(struct hca_qp *qp)
{
	if (qp) {
		__acquire(&qp->eec.send_lock);
		spin_unlock(&qp->eec.send_lock);
	}
}

/* Queue pairs and the channels that work for them: schedule.c */

/* The queue pair's run: have its next request stand in line. Its send_lock held. */
enum hca_progress hca_rd_eec_submit(struct hca_qp *qp);

/* The channel's run: send. Its send_lock held. */
enum hca_progress hca_rd_eec_send(struct hca_rd_eec *rd_eec, int *budget);

/*
 * The queue pair at work is through with its request; is to wait and come again (RNR, with the
 * peer's timer code and MSN); has failed with its request. The channel's send_lock and its own
 * are held.
 */
void hca_rd_eec_release(struct hca_eec *eec);
void hca_rd_eec_suspend(struct hca_eec *eec, u8 rnr_code, u32 msn);
void hca_rd_eec_abandon(struct hca_eec *eec, enum hca_status status);

/* The channel has stopped: nobody waits, works or receives any more. Its send_lock held. */
void hca_rd_eec_fail(struct hca_rd_eec *rd_eec);

/**
 * hca_rd_eec_withdraw() - a queue pair in Error wants its request back
 * @qp: the queue pair; send_lock held
 *
 * Return: false: it is being worked at; the channel lets go of it soon and runs the queue pair.
 */
bool hca_rd_eec_withdraw(struct hca_qp *qp);

/* The same, at once. The queue pair's state keeps it from standing in line again. Process. */
void hca_rd_eec_dequeue(struct hca_qp *qp);

/* No channel works for it any more, nor will: its state is Reset or Error. Process. */
void hca_rd_eec_disconnect(struct hca_qp *qp);

/* What comes while a Resync is out: its acknowledgement, or what does not count any more. */
void hca_rd_eec_resynced(struct hca_eec *eec, const struct hca_packet *pkt);

/* The receiving side: deliver.c */

/* What was received of a message whose rest will not come ends like this. recv_lock held. */
void hca_rd_eec_abort(struct hca_eec *eec, enum hca_status status);

/* The peer has abandoned a message (C4-033). recv_lock held. */
void hca_rd_eec_resync(struct hca_eec *eec, const struct hca_packet *pkt);

/* The same for a channel. */
struct hca_qp *hca_rd_eec_dest_qp(struct hca_eec *eec, const struct hca_packet *pkt);

/**
 * hca_dest_qp_get() - whom a request packet is for
 * @eec: the EE context it came by; recv_lock held
 * @pkt: the packet
 *
 * A connection's is its queue pair. A channel's is checked: domain first, then Q_Key (B4-323).
 * Return: the queue pair, its recv_lock held, or NULL.
 */
static inline struct hca_qp *hca_dest_qp_get(struct hca_eec *eec, const struct hca_packet *pkt)
{
	return eec->is_rd_eec ? hca_rd_eec_dest_qp(eec, pkt) : container_of(eec, struct hca_qp,
									    eec);
}

static inline void hca_dest_qp_put(struct hca_eec *eec, struct hca_qp *qp)
{
	if (!eec->is_rd_eec)
		return;
	__acquire(&qp->eec.recv_lock);
	spin_unlock(&qp->eec.recv_lock);
	hca_qp_put(qp);
}

/**
 * hca_rd_eecs_drop() - no channel goes on to deliver to a queue pair that has stopped
 * @qp: the queue pair, in Error or Reset; recv_lock not held
 * @flush: the receives they have in hand are completed as flushed, else forgotten
 *
 * Context: BH disabled.
 */
void hca_rd_eecs_drop(struct hca_qp *qp, bool flush);

/* Who asked: what an answer's BTH names. */
static inline u32 hca_requester_of(const struct hca_eec *eec, const struct hca_packet *pkt)
{
	return eec->is_rd_eec ? pkt->h.deth.srcqp : eec->attr.dest_qpn;
}

/* A channel's number, for completions; 0: a connection's. */
static inline u32 hca_eecn(const struct hca_eec *eec)
{
	return eec->is_rd_eec ? container_of(eec, struct hca_rd_eec, eec)->eecn : 0;
}

#endif
