// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Which frames of a session have come. */
#include "phy/replay.h"

void hca_replay_init(struct hca_replay *replay)
{
	spin_lock_init(&replay->lock);
}

static bool hca_replay_note(struct hca_replay *replay, s32 ahead)
{
	u64 bit;

	if (ahead > 0) {
		replay->seen = ahead < HCA_REPLAY_WINDOW ? replay->seen << ahead : 0;
		replay->seen |= 1;
		replay->last += ahead;
		return true;
	}
	if (ahead <= -HCA_REPLAY_WINDOW)
		return false;
	bit = 1ull << -ahead;
	if (replay->seen & bit)
		return false;
	replay->seen |= bit;
	return true;
}

bool hca_replay_is_new(struct hca_replay *replay, u64 session, u32 number)
{
	bool fresh;

	spin_lock(&replay->lock);
	if (session != replay->session) {
		replay->session = session;
		replay->last = number - 1;
		replay->seen = 0;
	}
	fresh = hca_replay_note(replay, number - replay->last);
	spin_unlock(&replay->lock);
	return fresh;
}
