// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Detection of replayed frames. */
#include "phy/replay.h"

bool hca_replay_is_new(struct hca_replay *replay, u64 session, u64 number)
{
	u64 bit;

	if (session != replay->session)
		*replay = (struct hca_replay){ .session = session, .last = number - 1 };
	if (number > replay->last) {
		u64 ahead = number - replay->last;

		replay->seen = ahead < HCA_REPLAY_WINDOW ? replay->seen << ahead | 1 : 1;
		replay->last = number;
		return true;
	}
	if (replay->last - number >= HCA_REPLAY_WINDOW)
		return false;
	bit = 1ull << (replay->last - number);
	if (replay->seen & bit)
		return false;
	replay->seen |= bit;
	return true;
}
