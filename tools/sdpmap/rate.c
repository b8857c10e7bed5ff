// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Detects a flood of requests. */
#include "tools/sdpmap/rate.h"

#define SECOND 1000

bool sdpmap_rate_add(struct sdpmap_rate *rate, uint64_t now)
{
	if (now - rate->begin >= SECOND) {
		rate->begin = now;
		rate->count = 0;
	}
	return ++rate->count == rate->limit + 1;
}
