/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A gate to objects of a device. A user of the objects goes through, and comes out soon: nobody
 * inside waits for a page, a lock or an act of a process. So whoever closes the gate to destroy the
 * objects needs no lock that a process can keep.
 */
#ifndef HCA_SDP_LINUX_GATE_H
#define HCA_SDP_LINUX_GATE_H

#include <linux/completion.h>
#include <linux/refcount.h>

struct sdp_gate {
	bool closed;
	refcount_t inside; /* and one more while it is open */
	struct completion empty; /* it is closed, and nobody is inside */
};

/**
 * sdp_gate_open() - initialize a gate
 * @gate: the gate, open from now on
 *
 * Context: any.
 */
static inline void sdp_gate_open(struct sdp_gate *gate)
{
	gate->closed = false;
	refcount_set(&gate->inside, 1);
	init_completion(&gate->empty);
}

/**
 * sdp_gate_get() - go through a gate
 * @gate: the gate
 *
 * Context: any.
 * Return: whether it is open; sdp_gate_put() is to follow then.
 */
static inline bool sdp_gate_get(struct sdp_gate *gate)
{
	return !READ_ONCE(gate->closed) && refcount_inc_not_zero(&gate->inside);
}

/**
 * sdp_gate_put() - come out
 * @gate: the gate that was entered
 *
 * Context: any.
 */
static inline void sdp_gate_put(struct sdp_gate *gate)
{
	if (refcount_dec_and_test(&gate->inside))
		complete(&gate->empty);
}

/**
 * sdp_gate_close() - close a gate, and wait until nobody is inside
 * @gate: the gate, which nobody closes twice
 *
 * Context: process; sleeps.
 */
static inline void sdp_gate_close(struct sdp_gate *gate)
{
	WRITE_ONCE(gate->closed, true);
	sdp_gate_put(gate);
	wait_for_completion(&gate->empty);
}

#endif
