/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Extended reliable connections (XRC). A connection has two roles. Its initiator queue pair only
 * sends requests, and each request packet names a shared receive queue at the other end. The target
 * queue pair there has no queues of its own: it executes a request with the receive requests, the
 * CQ and the protection domain of the SRQ. Any process of the XRC domain may have created that SRQ.
 */
#ifndef HCA_TRANSPORT_XRC_H
#define HCA_TRANSPORT_XRC_H

#include <linux/completion.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include "transport/iba_qp.h"

struct hca_cq;
struct hca_srq;

/* An SRQ that packets name by its number. */
struct hca_xrc_srq {
	u32 srqn;
	struct hca_srq *srq;
	struct hca_cq *cq; /* CQ for the completions of its receive requests */
	const void *xrcd; /* only target queue pairs of this XRC domain may use it */
	refcount_t users; /* references: the owner, and each packet or response in progress */
	struct completion unused;
	struct rcu_head rcu;
};

/**
 * hca_xrc_srq_publish() - number an SRQ and let packets find it
 * @ca: the channel adapter
 * @srq: the initialized queue
 * @cq: for the completions of its requests
 * @xrcd: its XRC domain
 *
 * Context: process.
 * Return: the object that packets find, whose number is in ->srqn, or ERR_PTR(-ENOMEM) if there is
 * no memory or no free number.
 */
struct hca_xrc_srq *hca_xrc_srq_publish(struct hca_ca *ca, struct hca_srq *srq, struct hca_cq *cq,
					const void *xrcd);

/**
 * hca_xrc_srq_withdraw() - hide an SRQ from packets, and wait for its last user
 * @ca: the channel adapter
 * @xrc: the object that hca_xrc_srq_publish() has returned; it is freed
 *
 * A message that is being received for the SRQ ends with its next packet, which is refused.
 *
 * Context: process, may sleep.
 */
void hca_xrc_srq_withdraw(struct hca_ca *ca, struct hca_xrc_srq *xrc);

/**
 * hca_xrc_srq_get() - find the SRQ that a target queue pair may use by its number
 * @qp: the target queue pair
 * @srqn: the number in the XRCETH
 *
 * Context: BH disabled.
 * Return: the SRQ with a reference, to be released by hca_xrc_srq_put(), or NULL if there is none
 * or if it belongs to another XRC domain.
 */
struct hca_xrc_srq *hca_xrc_srq_get(const struct hca_qp *qp, u32 srqn);
void hca_xrc_srq_put(struct hca_xrc_srq *xrc);

/* struct hca_eec_ops.dest_get() and dest_put() of a target queue pair. */
struct hca_qp *hca_xrc_dest_get(struct hca_eec *eec, const struct hca_packet *pkt);
void hca_xrc_dest_put(struct hca_eec *eec, struct hca_qp *qp);

/*
 * struct hca_qp_ops.stop_recvs() of a target queue pair: flush the receive request of an incomplete
 * message, and report once that no more are consumed.
 */
void hca_xrc_stop_recvs(struct hca_qp *qp);

#endif
