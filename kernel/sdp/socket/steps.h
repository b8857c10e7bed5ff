/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A transfer that continues while no call waits for it. The transfer is in one of several states. A
 * task runs after each event, and takes the steps from state to state.
 */
#ifndef HCA_SDP_SOCKET_STEPS_H
#define HCA_SDP_SOCKET_STEPS_H

#include <linux/jiffies.h>
#include "sdp/link/lock.h"
#include "sdp/socket/sock.h"

/**
 * sdp_steps_init() - initialize the transfer of a new socket, in state 0
 * @steps: the transfer
 * @ssk: the new socket
 * @table: the step of each state
 *
 * Context: any.
 */
void sdp_steps_init(struct sdp_steps *steps, struct sdp_sock *ssk, const sdp_step *table);

/**
 * sdp_steps_begin() - take a reference to the socket until the transfer ends
 * @steps: transfer of a socket, whose lock is held; the caller sets a state other than 0 next
 *
 * Context: any.
 */
void sdp_steps_begin(struct sdp_steps *steps);

/**
 * sdp_steps_wait() - set the state and its timeout
 * @steps: transfer of a socket, whose lock is held
 * @state: the new state
 * @delay: jiffies after which the state has timed out, and the task runs
 *
 * Context: any.
 */
void sdp_steps_wait(struct sdp_steps *steps, u8 state, unsigned long delay);

/**
 * sdp_steps_is_expired() - whether the state has timed out
 * @steps: transfer of a socket, whose lock is held
 *
 * Context: any.
 */
static inline bool sdp_steps_is_expired(const struct sdp_steps *steps)
{
	return time_after_eq(jiffies, steps->until);
}

/**
 * sdp_steps_end() - end the transfer: set the state to 0 and stop the timer
 * @steps: transfer of a socket, whose lock is held
 *
 * Context: any.
 */
void sdp_steps_end(struct sdp_steps *steps);

/**
 * sdp_steps_kick() - queue the task after an event, if there is a transfer
 * @steps: transfer of a socket, of which the lock or its spinlock is held
 *
 * Context: any.
 */
static inline void sdp_steps_kick(struct sdp_steps *steps)
{
	if (steps->state)
		sdp_task_queue(&steps->task);
}

/**
 * sdp_steps_kick_all() - queue the tasks of all transfers of a socket after an event
 * @ssk: the socket, whose lock is held
 *
 * Context: any.
 */
static inline void sdp_steps_kick_all(struct sdp_sock *ssk)
{
	sdp_steps_kick(&ssk->zsend.steps);
	sdp_steps_kick(&ssk->zread.steps);
}

#endif
