/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The clock of the port mapper's timers. */
#ifndef HCA_TOOLS_SDPMAP_CLOCK_H
#define HCA_TOOLS_SDPMAP_CLOCK_H

#include <stdint.h>
#include <time.h>

/**
 * clock_ms() - the current time in milliseconds, counted from an arbitrary time
 */
static inline uint64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * UINT64_C(1000) + now.tv_nsec / 1000000;
}

#endif
