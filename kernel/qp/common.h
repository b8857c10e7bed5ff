/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The common part of queue pairs and RD EE contexts: a state, two halves each with a lock, a run,
 * and events.
 *
 * send_lock guards the half that sends requests and receives their responses. It is taken before
 * recv_lock, which guards the half that receives requests. The run holds send_lock; one half makes
 * the other work only by scheduling the run. The locks of an RD EE context are taken before those
 * of the queue pair that it serves.
 */
#ifndef HCA_QP_COMMON_H
#define HCA_QP_COMMON_H

#include <linux/bits.h>
#include <linux/spinlock.h>
#include <rdma/ib_verbs.h>
#include "engine/run.h"
#include "qp/attr.h"
#include "qp/event.h"

#define HCA_NUM_QPS (IB_QPS_ERR + 1)

/* Result of one part of the run. */
enum hca_progress {
	HCA_DONE, /* nothing left to do */
	/* waits for credits, an acknowledgement or a timer, which schedules the run again */
	HCA_WAITING,
	HCA_BUDGET, /* the budget is used up; more work remains */
};

struct hca_qp_common {
	u8 state; /* enum ib_qp_state; written under both locks, read without */
	bool sq_draining; /* in SQD, requests are in progress; under send_lock */
	bool en_sqd_async_notify; /* the end of the draining raises HCA_QP_SQ_DRAINED */
	atomic_t events; /* bits: enum hca_qp_event; the run reports them */
	/* Reports an event to the consumer. BH are disabled; no lock is held. */
	void (*notify)(struct hca_qp_common *common, enum hca_qp_event event);
	struct hca_runnable run;
	spinlock_t send_lock; /* BH */
	spinlock_t recv_lock; /* BH; inside send_lock */
};

/**
 * hca_qp_common_init() - initialize the common part of a queue pair or RD EE context
 * @common: zeroed; set to state Reset
 * @run: the run, which holds send_lock while it works
 * @notify: reports an event to the consumer
 *
 * Context: process.
 */
void hca_qp_common_init(struct hca_qp_common *common,
			bool (*run)(struct hca_runnable *r, int *budget),
			void (*notify)(struct hca_qp_common *common, enum hca_qp_event event));

/**
 * hca_qp_common_kick() - schedule the run
 * @common: common part of the queue pair or RD EE context
 *
 * Context: any; hca_engine_run() must follow.
 */
static inline void hca_qp_common_kick(struct hca_qp_common *common)
{
	hca_run_schedule(&common->run);
}

/**
 * hca_qp_common_raise() - have the run report an event to the consumer while it holds no lock
 * @common: common part of the queue pair or RD EE context
 * @event: the event
 *
 * Context: BH disabled.
 */
void hca_qp_common_raise(struct hca_qp_common *common, enum hca_qp_event event);

/**
 * hca_qp_common_notify() - report the events that were raised
 * @common: common part of the queue pair or RD EE context
 *
 * Context: the run; BH disabled, no lock held.
 */
void hca_qp_common_notify(struct hca_qp_common *common);

/**
 * hca_qp_common_drained() - end the draining, because all requests that had begun are complete
 * @common: common part of the queue pair or RD EE context; send_lock held
 *
 * HCA_QP_SQ_DRAINED is raised if the modify to state SQD has requested it.
 *
 * Context: BH disabled.
 */
void hca_qp_common_drained(struct hca_qp_common *common);

/**
 * hca_qp_common_modify() - set the state to which checked attributes lead
 * @common: common part of the queue pair or RD EE context; both locks held
 * @attr: new values
 * @mask: enum ib_qp_attr_mask, with IB_QP_STATE
 *
 * Context: BH disabled.
 */
void hca_qp_common_modify(struct hca_qp_common *common, const struct hca_qp_attr *attr, int mask);

/**
 * hca_qp_common_query() - return the attributes that belong to the state
 * @common: common part of the queue pair or RD EE context; send_lock held
 * @attr: result: state, cur_state, sq_draining, en_sqd_async_notify
 *
 * Context: BH disabled.
 */
void hca_qp_common_query(const struct hca_qp_common *common, struct hca_qp_attr *attr);

/**
 * hca_qp_common_reset() - reset all but the state
 * @common: common part of the queue pair or RD EE context; both locks held
 *
 * Context: BH disabled.
 */
static inline void hca_qp_common_reset(struct hca_qp_common *common)
{
	common->sq_draining = false;
	common->en_sqd_async_notify = false;
}

/**
 * hca_qp_common_draining() - return whether the end of requests in state SQD was not reported yet
 * @common: common part of the queue pair or RD EE context; send_lock held
 *
 * Context: any.
 * Return: true in state SQD from the modify until hca_qp_common_drained().
 */
static inline bool hca_qp_common_draining(const struct hca_qp_common *common)
{
	return common->state == IB_QPS_SQD && common->sq_draining;
}

/**
 * hca_state_receives() - return whether requests are received in a state
 * @state: enum ib_qp_state
 *
 * Context: any.
 * Return: whether packets of requests are accepted (IBA 10.3.1).
 */
static inline bool hca_state_receives(u8 state)
{
	return BIT(state) & (BIT(IB_QPS_RTR) | BIT(IB_QPS_RTS) | BIT(IB_QPS_SQD) |
			     BIT(IB_QPS_SQE));
}

#endif
