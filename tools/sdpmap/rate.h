/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Detects a flood of requests. */
#ifndef HCA_TOOLS_SDPMAP_RATE_H
#define HCA_TOOLS_SDPMAP_RATE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct sdpmap_rate - a counter of the events within a second
 * @limit: largest number of events within a second that does not count as a flood
 * @begin: time in milliseconds when the current second began
 * @count: number of events since @begin
 */
struct sdpmap_rate {
	uint64_t limit, begin, count;
};

/**
 * sdpmap_rate_add() - count an event, and detect a flood
 * @rate: the counter
 * @now: the current time in milliseconds
 *
 * Return: true for the first event in a second that exceeds @rate->limit; otherwise false.
 */
bool sdpmap_rate_add(struct sdpmap_rate *rate, uint64_t now);

#endif
