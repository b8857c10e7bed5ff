/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Detects a flood of requests. */
#ifndef HCA_TOOLS_SDPMAP_RATE_H
#define HCA_TOOLS_SDPMAP_RATE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct sdpmap_rate - a counter of the events within a second
 * @limit: largest number of events that is not a flood
 * @begin: beginning of the second in milliseconds
 * @count: number of events since @begin
 */
struct sdpmap_rate {
	uint64_t limit, begin, count;
};

/**
 * sdpmap_rate_add() - count an event
 * @rate: the counter
 * @now: the time in milliseconds
 *
 * Return: whether the event is the first one above the limit within a second.
 */
bool sdpmap_rate_add(struct sdpmap_rate *rate, uint64_t now);

#endif
