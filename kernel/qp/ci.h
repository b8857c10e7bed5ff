/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The Channel Interface (IBA 10.1), which lies between verbs and the carrier of a device. Verbs
 * reach the carrier through struct hca_ci and the functions of struct hca_ci_ops and struct
 * hca_qp_ops alone.
 */
#ifndef HCA_QP_CI_H
#define HCA_QP_CI_H

#include <linux/types.h>
#include "qp/event.h"
#include "qp/id_table.h"
#include "tpt/entry.h"

struct hca_ci;
struct hca_cq;
struct hca_qp;
struct hca_qp_counters;
struct hca_qp_init;
struct hca_qp_type;
struct hca_qp_view;
struct hca_srq;
struct hca_xrc_srq;

/* Operations of a carrier. */
struct hca_ci_ops {
	u32 create_flags; /* enum ib_qp_create_flags that at least one type of the carrier has */
	/*
	 * Find a queue pair type. @type: any value of enum ib_qp_type, or HCA_QPT_RD. Context: any.
	 * Return: the row of the type; NULL: the carrier has no such type.
	 */
	const struct hca_qp_type *(*qp_type)(unsigned int type);
	/*
	 * Create a queue pair in state Reset. All numbers in @init are within the limits of the
	 * device (qp/limits.h). Context: process, may sleep. Return: the queue pair, or ERR_PTR():
	 * -EINVAL, -ENOMEM or -EBUSY.
	 */
	struct hca_qp *(*create_qp)(struct hca_ci *ci, const struct hca_qp_init *init);
	/* Take a snapshot of a queue pair. Context: process. */
	void (*view)(struct hca_qp *qp, struct hca_qp_view *view);
	/*
	 * Count the events of a queue pair in @counters or, if @counters is NULL, in the counters
	 * of the port. The former counters may be used for an RCU grace period after the call.
	 * Calls for one queue pair are serialized. Context: process.
	 */
	void (*bind_counters)(struct hca_qp *qp, struct hca_qp_counters *counters);
	/*
	 * Assign a number to an SRQ, by which packets address it, or remove the number and wait for
	 * the last reference to the SRQ; both NULL: the carrier has no XRC. @cq gets the
	 * completions of the SRQ's requests, and @xrcd identifies its XRC domain. Context: process,
	 * may sleep. Return: an object, with *srqn set to the number; or ERR_PTR(-ENOMEM).
	 */
	struct hca_xrc_srq *(*publish_xrc_srq)(struct hca_ci *ci, struct hca_srq *srq,
					       struct hca_cq *cq, const void *xrcd, u32 *srqn);
	void (*withdraw_xrc_srq)(struct hca_ci *ci, struct hca_xrc_srq *xrc);
};

/* The part of a carrier that verbs and queue pairs use. The carrier's structure begins with it. */
struct hca_ci {
	/* first member, so that the table of a queue pair's carrier needs no address calculation */
	struct hca_tpt tpt;
	struct hca_id_table qps; /* queue pairs by QPN */
	const struct hca_ci_ops *ops;
	u32 max_message; /* octets */
	/* Handle an event of a queue pair. BH are disabled; no lock of a ring or CQ is held. */
	void (*qp_event)(struct hca_qp *qp, enum hca_qp_event event);
};

/**
 * hca_ci_init() - initialize the Channel Interface of a carrier, without queue pairs and keys
 * @ci: zeroed; the caller sets qp_event before it creates a queue pair
 * @ops: operations of the carrier
 * @max_message: maximum length of a message in octets
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int hca_ci_init(struct hca_ci *ci, const struct hca_ci_ops *ops, u32 max_message);

/**
 * hca_ci_destroy() - free the tables of a carrier
 * @ci: the Channel Interface; all its queue pairs and keys are destroyed
 *
 * Context: process, may sleep.
 */
void hca_ci_destroy(struct hca_ci *ci);

/**
 * hca_ci_fail() - set the queue pairs of processes to Error, because the device is being removed
 * @ci: the Channel Interface
 *
 * Posted requests are flushed. A process that polls its CQs therefore notices the removal. Queue
 * pairs of kernel consumers are not changed: ib_core notifies kernel consumers, which then end
 * their connections and destroy their queue pairs. A queue pair that is created during the call may
 * be missed.
 *
 * Context: process.
 */
void hca_ci_fail(struct hca_ci *ci);

/**
 * hca_qp_find() - find a queue pair by its number, without a reference
 * @ci: the Channel Interface
 * @qpn: the number, 2 or above
 *
 * The queue pair may be destroyed at any time, but its memory stays valid until BH are enabled
 * again. The caller may read its fields and schedule its run function.
 *
 * Context: BH disabled.
 * Return: the queue pair or NULL.
 */
struct hca_qp *hca_qp_find(struct hca_ci *ci, u32 qpn);

/**
 * hca_qp_get() - get a queue pair by its number, with a reference
 * @ci: the Channel Interface
 * @qpn: the number, 2 or above
 *
 * Context: BH disabled.
 * Return: the queue pair, to be released by hca_qp_put(), or NULL.
 */
struct hca_qp *hca_qp_get(struct hca_ci *ci, u32 qpn);

/**
 * hca_qp_get_index() - get the queue pair at an index of the table, with a reference
 * @ci: the Channel Interface
 * @index: index in hca_ci.qps
 *
 * Context: BH disabled.
 * Return: the queue pair, to be released by hca_qp_put(), or NULL.
 */
struct hca_qp *hca_qp_get_index(struct hca_ci *ci, u32 index);

#endif
