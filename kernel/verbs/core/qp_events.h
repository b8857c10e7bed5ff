/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Affiliated asynchronous events of queue pairs (req V3-217). */
#ifndef HCA_VERBS_CORE_QP_EVENTS_H
#define HCA_VERBS_CORE_QP_EVENTS_H

#include <linux/atomic.h>
#include <linux/workqueue.h>
#include <rdma/ib_verbs.h>
#include "qp/event.h"

struct hca_qp;

/* Events of a queue pair that the handler of the kernel consumer has not received yet. */
struct hca_qp_events {
	atomic_t pending; /* bits: 1 << enum hca_qp_event */
	struct work_struct work;
};

/**
 * hca_qp_events_start() - create the workqueue of handlers
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int hca_qp_events_start(void);

/**
 * hca_qp_events_stop() - remove the workqueue of handlers
 *
 * All devices are gone.
 *
 * Context: process.
 */
void hca_qp_events_stop(void);

void hca_qp_events_init(struct hca_qp_events *events);
void hca_qp_events_cancel(struct hca_qp_events *events);
void hca_ib_qp_event(struct hca_qp *qp, enum hca_qp_event event);
enum ib_event_type hca_event_type(enum hca_qp_event event);

#endif
