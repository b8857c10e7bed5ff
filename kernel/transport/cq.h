/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Completion queues: filling, arming, signalling. */
#ifndef HCA_TRANSPORT_CQ_H
#define HCA_TRANSPORT_CQ_H

#include <linux/spinlock.h>
#include "engine/run.h"
#include "transport/ring.h"

/* Beside enum ib_uverbs_wc_opcode: values of enum ib_wc_opcode. */
enum hca_wc_opcode {
	HCA_WC_RECV = 1 << 7,
	HCA_WC_RECV_RDMA_WITH_IMM,
	HCA_WC_REG_MR, /* of kernel queue pairs */
};

struct hca_cq {
	spinlock_t lock; /* irqsave; leaf */
	struct hca_queue queue;
	u32 producer; /* ours; the ring's is a copy for the consumer */
	u32 consumer; /* kernel CQs: ours; else the ring's is the user's word */
	u32 cqe; /* capacity promised: what was asked for, rounded up */
	bool kernel;
	bool overflow;
	bool fired; /* kernel CQs: notify is due */
	bool error_raised; /* error has been called */
	/* Where error, and a kernel CQ's notify, are called. */
	struct hca_runnable run;
	/* Calls the consumer's handler; BH disabled; for kernel CQs no lock of ours is held. */
	void (*notify)(struct hca_cq *cq);
	/*
	 * Kernel CQs: a completion with a cookie is polled; under the lock, so that its QP, which
	 * takes the cookie away before it goes, is there.
	 */
	void (*reap)(const struct hca_cqe *cqe);
	/* CQ error: the affiliated event; BH disabled, no lock of ours is held. */
	void (*error)(struct hca_cq *cq);
	void *context;
};

/**
 * hca_cq_init() - make a completion queue
 * @cq: zeroed; notify, error, reap (or NULL) and context set
 * @cqe: at least so many entries
 * @kernel: polled by hca_cq_poll(), its handler called from the engine's run
 *
 * Context: process. Return: 0, -EINVAL, -ENOMEM.
 */
int hca_cq_init(struct hca_cq *cq, u32 cqe, bool kernel);

/* Context: process, may sleep: waits for the handler. No QP uses it any more. */
void hca_cq_destroy(struct hca_cq *cq);

/**
 * hca_cq_push() - add a completion, signal if armed for it
 * @cq: the queue
 * @cqe: the completion; errors and HCA_CQE_SOLICITED count as solicited
 *
 * Without room the queue is in error for good, existing entries stay (C11-39).
 *
 * Context: BH disabled. Return: false on overflow; the QP must go to Error.
 */
bool hca_cq_push(struct hca_cq *cq, const struct hca_cqe *cqe);

/**
 * hca_cq_poll() - take completions from a kernel CQ
 * Context: any. Return: how many.
 */
int hca_cq_poll(struct hca_cq *cq, struct hca_cqe *cqe, int n);

/**
 * hca_cq_arm() - arm a kernel CQ
 * @flags: HCA_CQ_ARM_SOLICITED or HCA_CQ_ARM_NEXT
 *
 * Context: any. Return: true if there are completions to poll.
 */
bool hca_cq_arm(struct hca_cq *cq, u32 flags);

/**
 * hca_cq_clean() - a kernel QP is reset or destroyed: its unpolled completions free no entries
 * @cq: one of its queues; that of a process is left alone
 * @cookie: the QP's
 * @gone: it is destroyed: the cookie in these completions becomes 0
 *
 * Context: any.
 */
void hca_cq_clean(struct hca_cq *cq, u64 cookie, bool gone);

#endif
