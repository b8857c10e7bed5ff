// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Affiliated asynchronous events of queue pairs (req V3-217).
 *
 * The handlers of kernel consumers run in a workqueue, where they may sleep, as with mlx4 and mlx5
 * since Linux 6.3. For example, the handler of ib_srpt calls ib_cm_notify(), and the locks of
 * ib_cm_notify() must not be acquired in a softirq. An event that is raised again before its
 * handler has run is reported once.
 */
#include "verbs/core/qp_events.h"
#include <linux/bitops.h>
#include "verbs/queue/ib_qp.h"

/*
 * Workqueue of handlers. WQ_MEM_RECLAIM is set, because a storage driver may wait for the
 * destruction of a queue pair, and the destruction waits for the handler.
 */
static struct workqueue_struct *events_wq;

static const enum ib_event_type event_types[] = {
	[HCA_QP_FATAL] = IB_EVENT_QP_FATAL,
	[HCA_QP_REQUEST_ERROR] = IB_EVENT_QP_REQ_ERR,
	[HCA_QP_ACCESS_ERROR] = IB_EVENT_QP_ACCESS_ERR,
	[HCA_QP_COMM_ESTABLISHED] = IB_EVENT_COMM_EST,
	[HCA_QP_SQ_DRAINED] = IB_EVENT_SQ_DRAINED,
	[HCA_QP_PATH_MIG] = IB_EVENT_PATH_MIG,
	[HCA_QP_PATH_MIG_ERROR] = IB_EVENT_PATH_MIG_ERR,
	[HCA_QP_LAST_WQE_REACHED] = IB_EVENT_QP_LAST_WQE_REACHED,
};

/* Converts a transport event to the RDMA core's type. Context: any. */
enum ib_event_type hca_event_type(enum hca_qp_event event)
{
	return event_types[event];
}

static void qp_events_dispatch(struct ib_qp *ib, enum hca_qp_event type)
{
	struct ib_event event = {
		.device = ib->device,
		.element.qp = ib,
		.event = hca_event_type(type),
	};

	if (ib->event_handler)
		ib->event_handler(&event, ib->qp_context);
}

static void qp_events_work(struct work_struct *work)
{
	struct hca_ib_qp *qp = container_of(work, struct hca_ib_qp, events.work);
	unsigned long pending = atomic_xchg(&qp->events.pending, 0);
	unsigned int event;

	for_each_set_bit(event, &pending, ARRAY_SIZE(event_types))
		qp_events_dispatch(&qp->ib, event);
}

/* Implements hca_ci.qp_event. The handlers of uverbs, which do not sleep, are called at once. */
void hca_ib_qp_event(struct hca_qp *core, enum hca_qp_event event)
{
	struct hca_ib_qp *qp = to_hca_ib_qp(core->context);

	if (!core->kernel) {
		qp_events_dispatch(&qp->ib, event);
		return;
	}
	atomic_or(BIT(event), &qp->events.pending);
	queue_work(events_wq, &qp->events.work);
}

/**
 * hca_qp_events_init() - initialize the events of a new queue pair
 * @events: events of a struct hca_ib_qp
 *
 * Context: process.
 */
void hca_qp_events_init(struct hca_qp_events *events)
{
	atomic_set(&events->pending, 0);
	INIT_WORK(&events->work, qp_events_work);
}

/**
 * hca_qp_events_cancel() - wait for the handler of a queue pair that raises no more events
 * @events: events of a struct hca_ib_qp; on return, its handler is not called any more
 *
 * Context: process; not from the handler.
 */
void hca_qp_events_cancel(struct hca_qp_events *events)
{
	cancel_work_sync(&events->work);
}

int hca_qp_events_start(void)
{
	events_wq = alloc_workqueue("hca-events", WQ_MEM_RECLAIM | WQ_UNBOUND, 0);
	return events_wq ? 0 : -ENOMEM;
}

void hca_qp_events_stop(void)
{
	destroy_workqueue(events_wq);
}
