/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The common part of queue pairs and RD EE contexts: the state, send_lock and recv_lock, a runnable
 * (engine/run.h), and events that are to be reported.
 *
 * send_lock guards the half that sends requests and receives their responses. recv_lock guards the
 * half that receives requests, and is taken inside send_lock. The run function holds send_lock. A
 * holder of recv_lock that finds work for the sending half schedules the runnable, because it may
 * not take send_lock inside recv_lock. The locks of an RD EE context are taken before the locks of
 * a queue pair.
 */
#ifndef HCA_QP_COMMON_H
#define HCA_QP_COMMON_H

#include <linux/spinlock.h>
#include <rdma/ib_verbs.h>
#include "engine/run.h"
#include "qp/attr.h"
#include "qp/event.h"

/* Number of states, enum ib_qp_state. */
#define HCA_NUM_QPS (IB_QPS_ERR + 1)

/* The meaning of a state. Each carrier has a row for each state. */
struct hca_state_kind {
	bool post_send : 1; /* send requests may be posted */
	bool post_recv : 1; /* receive requests may be posted */
	bool fetches : 1; /* send requests that have not begun may begin */
	bool sends : 1; /* send requests that have begun are processed */
	/*
	 * The modify from a state with fetches begins to drain the send queue: sq_draining is set
	 * until all requests that had begun are complete.
	 */
	bool draining : 1;
	bool flush_sends : 1; /* send requests are flushed */
	bool flush_recvs : 1; /* receive requests are flushed */
	/* The carrier itself enters the state; a modify to it sets the other attributes alone. */
	bool by_carrier : 1;
};

/* Result of a step of a run function. */
enum hca_progress {
	HCA_DONE, /* no work is left */
	/*
	 * the work waits for credits, an acknowledgement or a timer, which schedules the runnable
	 */
	HCA_WAITING,
	HCA_BUDGET, /* the budget is used up, and work is left; the runnable is run again */
};

struct hca_qp_common {
	/*
	 * enum ib_qp_state; a modify changes it with send_lock and recv_lock held, an error with
	 * one of the two locks held
	 */
	u8 state;
	bool sq_draining; /* state with draining: requests are in progress; under send_lock */
	bool en_sqd_async_notify; /* HCA_QP_SQ_DRAINED is raised when SQD is drained */
	atomic_t events; /* events to report, as bits 1 << enum hca_qp_event */
	/* Reports an event to the consumer. BH are disabled; no lock is held. */
	void (*notify)(struct hca_qp_common *common, enum hca_qp_event event);
	struct hca_runnable run;
	spinlock_t send_lock; /* taken with BH disabled */
	spinlock_t recv_lock; /* taken with BH disabled, inside send_lock */
};

/**
 * hca_qp_common_init() - initialize the common part of a queue pair or RD EE context
 * @common: zeroed; set to state Reset
 * @run: the run function, which takes send_lock
 * @notify: reports an event to the consumer
 *
 * Context: process.
 */
void hca_qp_common_init(struct hca_qp_common *common,
			bool (*run)(struct hca_runnable *r, int *budget),
			void (*notify)(struct hca_qp_common *common, enum hca_qp_event event));

/**
 * hca_qp_common_kick() - schedule the run function
 * @common: common part of the queue pair or RD EE context
 *
 * Context: any; hca_engine_run() must follow.
 */
static inline void hca_qp_common_kick(struct hca_qp_common *common)
{
	hca_run_schedule(&common->run);
}

/**
 * hca_qp_common_raise() - make the run function report an event to the consumer
 * @common: common part of the queue pair or RD EE context
 * @event: the event
 *
 * Context: BH disabled.
 */
void hca_qp_common_raise(struct hca_qp_common *common, enum hca_qp_event event);

/**
 * hca_qp_common_notify() - report the raised events to the consumer
 * @common: common part of the queue pair or RD EE context
 *
 * Context: called by the run function; BH disabled, no lock held.
 */
void hca_qp_common_notify(struct hca_qp_common *common);

/**
 * hca_qp_common_drained() - note that in SQD all requests that had begun are complete
 * @common: common part of the queue pair or RD EE context; send_lock held
 *
 * HCA_QP_SQ_DRAINED is raised if the modify to SQD has requested this event.
 *
 * Context: BH disabled.
 */
void hca_qp_common_drained(struct hca_qp_common *common);

/**
 * hca_qp_common_modify() - set the state
 * @common: common part of the queue pair or RD EE context; send_lock and recv_lock held
 * @states: the carrier's row of each state
 * @attr: new values, already checked; only state and en_sqd_async_notify are used
 * @mask: enum ib_qp_attr_mask, with IB_QP_STATE
 *
 * Context: BH disabled.
 */
void hca_qp_common_modify(struct hca_qp_common *common, const struct hca_state_kind *states,
			  const struct hca_qp_attr *attr, int mask);

/**
 * hca_qp_common_query() - query the attributes that describe the state
 * @common: common part of the queue pair or RD EE context; send_lock held
 * @attr: state, cur_state, sq_draining and en_sqd_async_notify are set
 *
 * Context: BH disabled.
 */
void hca_qp_common_query(const struct hca_qp_common *common, struct hca_qp_attr *attr);

/**
 * hca_qp_common_reset() - reset the fields about draining, but not the state
 * @common: common part of the queue pair or RD EE context; send_lock and recv_lock held
 *
 * Context: BH disabled.
 */
static inline void hca_qp_common_reset(struct hca_qp_common *common)
{
	common->sq_draining = false;
	common->en_sqd_async_notify = false;
}

/**
 * hca_qp_common_draining() - return whether requests are still in progress in state SQD
 * @common: common part of the queue pair or RD EE context; send_lock held
 *
 * Context: any.
 * Return: true from the modify to SQD until hca_qp_common_drained() or the next state.
 */
static inline bool hca_qp_common_draining(const struct hca_qp_common *common)
{
	return common->state == IB_QPS_SQD && common->sq_draining;
}

#endif
