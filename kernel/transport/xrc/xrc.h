/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Extended reliable connections (XRC). A connection joins two queue pairs with different roles. The
 * initiator only sends requests, and each of its packets names a shared receive queue at the other
 * end. The target has no queues of its own. It executes a request with the receive requests, the CQ
 * and the protection domain of the SRQ that the packets name. Any process of the XRC domain may
 * have created this SRQ.
 */
#ifndef HCA_TRANSPORT_XRC_XRC_H
#define HCA_TRANSPORT_XRC_XRC_H

#include <linux/completion.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include "transport/iba_qp.h"

struct hca_cq;
struct hca_srq;

/* An XRC SRQ, which packets address by number. */
struct hca_xrc_srq {
	u32 srqn;
	struct hca_srq *srq;
	struct hca_cq *cq; /* CQ for the completions of the SRQ's receive requests */
	const void *xrcd; /* XRC domain; only its target queue pairs may use the SRQ */
	/* references: one of the owner, and one of each packet or response being processed */
	refcount_t users;
	struct completion unused;
	struct rcu_head rcu;
};

/**
 * hca_xrc_srq_publish() - assign an XRC SRQ number to an SRQ, so that packets can address it
 * @ca: the channel adapter
 * @srq: the initialized queue
 * @cq: CQ for the completions of the SRQ's receive requests
 * @xrcd: the SRQ's XRC domain
 *
 * Context: process.
 * Return: a new struct hca_xrc_srq, with srqn set to the number; ERR_PTR(-ENOMEM) if there is no
 * memory or no free number.
 */
struct hca_xrc_srq *hca_xrc_srq_publish(struct hca_ca *ca, struct hca_srq *srq, struct hca_cq *cq,
					const void *xrcd);

/**
 * hca_xrc_srq_withdraw() - free the number of an XRC SRQ, and wait for the last reference
 * @ca: the channel adapter
 * @xrc: return value of hca_xrc_srq_publish(); freed
 *
 * If a message for the SRQ is being received, the next packet of the message is refused with a NAK.
 *
 * Context: process, may sleep.
 */
void hca_xrc_srq_withdraw(struct hca_ca *ca, struct hca_xrc_srq *xrc);

/**
 * hca_xrc_srq_get() - get an SRQ by its number, with a reference, for a target queue pair
 * @qp: the target queue pair
 * @srqn: the XRC SRQ number in the XRCETH
 *
 * Context: BH disabled.
 * Return: the SRQ, to be released by hca_xrc_srq_put(), or NULL if no SRQ has the number or the SRQ
 * belongs to another XRC domain than @qp.
 */
struct hca_xrc_srq *hca_xrc_srq_get(const struct hca_qp *qp, u32 srqn);
void hca_xrc_srq_put(struct hca_xrc_srq *xrc);

/* struct hca_eec_ops.dest_get() and dest_put() of a target queue pair. */
struct hca_qp *hca_xrc_dest_get(struct hca_eec *eec, const struct hca_packet *pkt);
void hca_xrc_dest_put(struct hca_eec *eec, struct hca_qp *qp);

/*
 * struct hca_qp_ops.stop_recvs() of a target queue pair. It flushes the receive request of an
 * incomplete message, and raises HCA_QP_LAST_WQE_REACHED once.
 */
void hca_xrc_stop_recvs(struct hca_qp *qp);

#endif
