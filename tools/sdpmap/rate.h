/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Notices a flood of requests. */
#ifndef HCA_TOOLS_SDPMAP_RATE_H
#define HCA_TOOLS_SDPMAP_RATE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct sdpmap_rate - how many events there were within a second
 * @limit: more are a flood
 * @begin: when the second began, in milliseconds
 * @count: events since
 */
struct sdpmap_rate {
	uint64_t limit, begin, count;
};

/**
 * sdpmap_rate_add() - an event
 * @rate: where it is counted
 * @now: the time in milliseconds
 *
 * Return: whether it is the first above the limit within a second.
 */
bool sdpmap_rate_add(struct sdpmap_rate *rate, uint64_t now);

#endif
