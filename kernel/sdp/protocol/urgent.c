// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Out-of-band octets to be sent to the peer. */
#include "sdp/protocol/urgent.h"
#include <linux/errno.h>
#include "sdp/protocol/wire.h"

int sdp_urgent_queue(struct sdp_urgent *urgent, u32 octets, bool oob)
{
	if (oob && urgent->count == SDP_URGENT_MAX)
		return -ENOBUFS;
	urgent->queued += octets;
	if (oob)
		urgent->ends[(urgent->first + urgent->count++) % SDP_URGENT_MAX] = urgent->queued;
	return 0;
}

bool sdp_urgent_is_due(const struct sdp_urgent *urgent)
{
	return urgent->count && urgent->ends[urgent->first] - urgent->sent <= SDP_URGENT_AHEAD;
}

u8 sdp_urgent_sent(struct sdp_urgent *urgent, u32 payload)
{
	bool due = sdp_urgent_is_due(urgent);

	urgent->sent += payload;
	if (!due)
		return 0;
	urgent->first = (urgent->first + 1) % SDP_URGENT_MAX;
	urgent->count--;
	return SDP_FLAG_OOB_PEND;
}
