/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The time that the port mapper's timers count in. */
#ifndef HCA_TOOLS_SDPMAP_CLOCK_H
#define HCA_TOOLS_SDPMAP_CLOCK_H

#include <stdint.h>
#include <time.h>

/**
 * clock_ms() - milliseconds since some time that does not change
 */
static inline uint64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * UINT64_C(1000) + now.tv_nsec / 1000000;
}

#endif
