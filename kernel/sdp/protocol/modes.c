// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Transitions between flow-control modes. */
#include "sdp/protocol/modes.h"

enum master { NOBODY, SOURCE, SINK };

/* masters[from][to]: the end of a half-connection that may change the mode from @from to @to. */
static const u8 masters[3][3] = {
	[SDP_MODE_COMBINED][SDP_MODE_BUFFERED] = SOURCE,
	[SDP_MODE_COMBINED][SDP_MODE_PIPELINED] = SOURCE,
	[SDP_MODE_PIPELINED][SDP_MODE_COMBINED] = SOURCE,
	[SDP_MODE_BUFFERED][SDP_MODE_COMBINED] = SINK,
};

bool sdp_mode_may_change(bool by_source, enum sdp_mode from, enum sdp_mode to)
{
	return masters[from][to] == (by_source ? SOURCE : SINK);
}
