/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Octet streams of the simulator: two ends in one process, with what TCP may do to each way between
 * them. Octets arrive in segments of any size, late, and within a window; a FIN or a RST can come
 * behind any octet. Everything follows from a seed and from the steps that a test makes.
 */
#ifndef HCA_TESTS_SIM_IWARP_STREAM_H
#define HCA_TESTS_SIM_IWARP_STREAM_H

#include <linux/list.h>
#include <linux/types.h>
#include "iwarp/stream.h"
#include "tools/lib/rng.h"

#define SIM_STREAM_NEVER U64_MAX

/* How a pair of ends behaves. All members may be 0. */
struct sim_stream_options {
	u64 seed;
	u32 segment; /* most octets of a segment; segments have any number up to it; 0: no limit */
	u64 cut; /* no segment extends over this octet of a way; 0: none */
	u32 delay; /* most steps that a segment waits before it arrives */
	u32 window; /* octets that a receiver has memory for; 0: any number */
	u32 buffer; /* octets that a sender has memory for; 0: any number */
	u32 mss; /* 0: 1448 */
	u32 again; /* one of so many sends is refused once, as if memory was short; 0: none */
	u32 hides; /* one of so many looks shows one range only, as if memory was short; 0: none */
	u32 late; /* users run after one of so many steps, and see many events at once; 0: each */
	bool overtakes; /* the RST of a reset() arrives before the octets that were sent */
	bool early; /* READABLE may be raised before as many octets are there as want() names */
	bool contiguous; /* peek() shows one range; otherwise each segment is one */
	/* Octets that were sent with @more wait for others, unless they are whole segments. */
	bool keeps_more;
};

/* One end, which is also what it sends until that arrives at the other end. */
struct sim_stream {
	struct hca_stream stream;
	struct sim_stream_pair *pair;
	struct sim_stream *peer;

	/* Sending. */
	u8 *log; /* all octets that were sent */
	u64 sent; /* octets of @log */
	u64 size; /* octets that @log has memory for */
	u64 pushed; /* octets of @log that are not kept back */
	u64 carried; /* octets that have arrived at the peer */
	u64 fin_at, reset_at; /* faults: a FIN, or a RST, behind so many octets */
	u32 wait; /* steps until the next segment arrives */
	bool has_wait; /* @wait is that of the next segment */
	bool is_closed; /* close() was called */
	bool fin_arrived; /* at the peer */
	bool is_blocked; /* WRITABLE is to be raised when there is room */
	bool was_refused; /* a send was, for want of memory */

	/* Receiving. */
	struct list_head segments; /* arrived, not consumed */
	u64 consumed;
	u32 staged; /* octets of @segments that the window does not contain any more */
	u32 wanted; /* by want() */
	bool is_readable; /* READABLE is to be raised, since as many octets are there */
	bool was_short; /* the last peek() had no memory */
	u64 most_staged; /* for tests */

	bool is_lost, is_lost_raised;
	bool is_reset; /* reset() was called */
	bool is_closed_raised;
	bool is_released;
};

struct sim_stream_pair {
	struct sim_stream end[2];
	struct sim_stream_options options;
	struct rng rng;
	u64 steps;
	bool is_run_due; /* events were raised, for which no user has run yet */
};

/* Make two connected ends. */
void sim_stream_open(struct sim_stream_pair *pair, const struct sim_stream_options *options);

/* Free what is left. Streams with a user must have been released. */
void sim_stream_free(struct sim_stream_pair *pair);

/*
 * Let some time pass: on each way at most one segment arrives, then those that have events run.
 * Returns whether anything has happened or is on its way.
 */
bool sim_stream_step(struct sim_stream_pair *pair);

/* Make steps until nothing happens any more without the users' doing. Returns their number. */
u64 sim_stream_settle(struct sim_stream_pair *pair);

/* A FIN, or a RST, follows the first @octets octets of what an end sends; the rest is lost. */
void sim_stream_fin_at(struct sim_stream *s, u64 octets);
void sim_stream_reset_at(struct sim_stream *s, u64 octets);

/* For an end without a user: send octets, however many there are. */
void sim_stream_write(struct sim_stream *s, const void *octets, u32 length);

/* For an end without a user: receive at most @max octets. Returns their number. */
u32 sim_stream_read(struct sim_stream *s, void *octets, u32 max);

#endif
