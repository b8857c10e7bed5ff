/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Queues as an application uses them. */
#ifndef HCA_TESTS_USER_QUEUE_H
#define HCA_TESTS_USER_QUEUE_H

#include <linux/string.h>
#include "qp/cq.h"

/**
 * user_poll_cq() - consume one completion, as libhca does, or as the kernel's users do
 * @cq: the completion queue
 * @cqe: set to the completion
 *
 * Return: false if there is none.
 */
static inline bool user_poll_cq(struct hca_cq *cq, struct hca_cqe *cqe)
{
	struct hca_ring *ring = cq->queue.ring;

	if (cq->kernel)
		return hca_cq_poll(cq, cqe, 1) == 1;
	if (ring->consumer == ring->producer)
		return false;
	memcpy(cqe, hca_queue_entry(&cq->queue, ring->consumer), sizeof(*cqe));
	ring->consumer++;
	return true;
}

#endif
