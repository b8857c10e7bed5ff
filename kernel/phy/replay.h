/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Which frames of a session have come, so that none is taken twice where they are authenticated. */
#ifndef HCA_PHY_REPLAY_H
#define HCA_PHY_REPLAY_H

#include <linux/types.h>

#define HCA_REPLAY_WINDOW 64 /* so far may a frame be overtaken */

/* Of a partner, guarded by its lock. Zeroed memory: none has come. */
struct hca_replay {
	u64 session; /* 0: none */
	u64 last; /* the highest number */
	u64 seen; /* a bit for it and each of those before */
};

/**
 * hca_replay_is_new() - take note of a frame
 * @replay: of the link
 * @session: the sender's, found to be the partner's; a new one begins anew
 * @number: the frame's in it
 *
 * Context: the owner's lock held. Return: false: it has been here, or may have.
 */
bool hca_replay_is_new(struct hca_replay *replay, u64 session, u64 number);

#endif
