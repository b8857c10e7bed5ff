/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Detection of replayed frames by a window of the frame numbers received in a session. */
#ifndef HCA_PHY_REPLAY_H
#define HCA_PHY_REPLAY_H

#include <linux/types.h>

#define HCA_REPLAY_WINDOW 64 /* size of the window; frames with older numbers are dropped */

/* The window of a peer, guarded by peer->lock. Zeroed memory means that no frame has arrived. */
struct hca_replay {
	u64 session; /* session of the peer; 0: none */
	u64 last; /* the highest number received */
	u64 seen; /* bit i: number last - i has been received */
};

/**
 * hca_replay_is_new() - check a frame against the window and record it
 * @replay: the window
 * @session: session of the peer; a new session resets the window
 * @number: number of the frame in this session
 *
 * Context: peer->lock held.
 * Return: true if the frame is new; false if it has been received before or is older than the
 * window.
 */
bool hca_replay_is_new(struct hca_replay *replay, u64 session, u64 number);

#endif
