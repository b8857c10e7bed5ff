/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The stream of the judged RNIC at awkward moments: it takes nothing, has no memory for what has
 * arrived, or raises its events when the RNIC does not look.
 */
#ifndef HCA_TESTS_UNIT_IWARP_JUDGE_STREAM_H
#define HCA_TESTS_UNIT_IWARP_JUDGE_STREAM_H

#include "tests/unit/iwarp/judge.h"

/* Moments of the operations. All members are 0 after judge_stream_hook(). */
struct judge_stream {
	bool is_full; /* room() is 0 */
	bool refuses; /* send() takes nothing */
	bool is_short; /* peek() says that more octets are there than it shows */
	u32 room; /* most octets that room() says; 0: no limit */
	u32 hides; /* so many looks show nothing, and octets arrive behind each */
	u32 revoke_at; /* the MR $fast is revoked by the mss() call of this number; 0: never */
	u32 most_sent; /* octets of the longest send() */
};

extern struct judge_stream judge_stream;

/* Put these operations in front of those of the RNIC's stream. */
void judge_stream_hook(void);

/* The stream takes octets again, and its user learns of it. */
void judge_stream_ready(void);

/* Events are kept, as if the RNIC could not run, until judge_stream_show(). */
void judge_stream_hide(void);
void judge_stream_show(void);

#endif
