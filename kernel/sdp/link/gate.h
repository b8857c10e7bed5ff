/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A gate prevents the destruction of a device's objects while code uses them. The code enters the
 * gate, uses the objects, and leaves the gate soon: inside, it must not wait for a page, for a lock
 * or for a process. A worker closes the gate, waits until all users have left it, and then destroys
 * the objects. The worker therefore needs no lock that a process can hold for a long time.
 */
#ifndef HCA_SDP_LINK_GATE_H
#define HCA_SDP_LINK_GATE_H

#include <linux/completion.h>
#include <linux/refcount.h>

struct sdp_gate {
	bool closed;
	refcount_t inside; /* number of users, plus one while the gate is open */
	struct completion empty; /* the gate is closed and has no users */
};

/**
 * sdp_gate_open() - initialize a gate
 * @gate: the gate, which is open afterwards
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
 * sdp_gate_get() - enter a gate, if it is open
 * @gate: the gate
 *
 * Context: any.
 * Return: true: the gate was entered, and sdp_gate_put() must follow; false: it is closed.
 */
static inline bool sdp_gate_get(struct sdp_gate *gate)
{
	return !READ_ONCE(gate->closed) && refcount_inc_not_zero(&gate->inside);
}

/**
 * sdp_gate_put() - leave a gate
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
 * sdp_gate_close() - close a gate, and wait until all users have left it
 * @gate: the gate, which may be closed once only
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
