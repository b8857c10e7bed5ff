/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The octet stream, which is the only border between the protocol and TCP. A stream carries octets
 * reliably and in order, each way independently. A stream may divide and join what is sent at any
 * octet, so that nothing here depends on how octets were sent.
 */
#ifndef HCA_IWARP_STREAM_H
#define HCA_IWARP_STREAM_H

#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/types.h>
#include "engine/run.h"
#include "iwarp/tx_buffer.h"
#include "iwarp/wire/fpdu.h"

#define HCA_STREAM_RANGES 64 /* in which peek() must be able to show what want() has named */

struct hca_stream;

/* Events of a stream; bits. */
enum hca_stream_events {
	/* At least as many octets are there as want() has named, or more than before a want(). */
	HCA_STREAM_READABLE = 0x01,
	HCA_STREAM_WRITABLE = 0x02, /* room() is above 0 again */
	/* The peer sends no octet behind those that peek() shows (FIN); this end still may. */
	HCA_STREAM_PEER_CLOSED = 0x04,
	/* Both ways have ended in order: close() was called, and both FINs are acknowledged. */
	HCA_STREAM_CLOSED = 0x08,
	/* The stream has ended otherwise: by reset() of either end, a time-out or an error. */
	HCA_STREAM_LOST = 0x10,
};

/*
 * Operations of a stream. The user of a stream calls them one at a time, with BH disabled and, if a
 * queue pair is attached, with its send_lock held. They do not sleep. Each may call
 * hca_stream_event(), for this stream and for others.
 */
struct hca_stream_ops {
	/*
	 * Find octets that have arrived. @offset: octets to skip, from the first one that is not
	 * consumed; @range: filled with at most @max ranges, all contiguous in the stream, which
	 * stay valid until the next consume(), or until the run ends. Octets that arrived before
	 * PEER_CLOSED can still be read after it; also after LOST, unless this end has called
	 * reset(). Return: octets in the ranges; 0 if none has arrived.
	 */
	u32 (*peek)(struct hca_stream *s, u32 offset, struct hca_octets *range, int max);
	/* Free octets for the peer's window. @octets: at most as many as peek() has shown. */
	void (*consume)(struct hca_stream *s, u32 octets);
	/*
	 * Raise READABLE not before @octets octets are there, counted from the first one that is
	 * not consumed; raise it at once if they are. PEER_CLOSED and LOST come without this. The
	 * stream must take at least HCA_FPDU_MAX octets before the window is full. An earlier
	 * READABLE is harmless. When it comes, one call of peek() with HCA_STREAM_RANGES ranges
	 * shows all these octets; a stream that has them in more ranges joins some.
	 */
	void (*want)(struct hca_stream *s, u32 octets);
	/* Return: octets that send() takes best now; 0: none, and WRITABLE follows. */
	u32 (*room)(struct hca_stream *s);
	/* Return: octets of data in a TCP segment, which can change at any time. */
	u32 (*mss)(struct hca_stream *s);
	/*
	 * Send all octets of a buffer that are written but not taken, or none. More than room() are
	 * sent if room() is above 0: the stream then keeps what TCP does not take yet, with a
	 * reference to its pages. @more: other octets follow at once. Return: 0, and the caller
	 * notes that the octets are taken; -EAGAIN: none was taken, and WRITABLE follows; -EPIPE:
	 * close() was called, or the stream is lost.
	 */
	int (*send)(struct hca_stream *s, const struct hca_tx_buffer *b, bool more);
	/* End the sending half, behind what was sent (FIN). CLOSED or LOST follows later. */
	void (*close)(struct hca_stream *s);
	/*
	 * Abort both halves (RST); what was sent may get lost. LOST follows, when the peer cannot
	 * be reached by this stream any more, unless CLOSED or LOST was raised before.
	 */
	void (*reset)(struct hca_stream *s);
	/*
	 * End the use of the stream, which has raised CLOSED or LOST, or whose end nobody waits
	 * for. What was sent before close() is still delivered, for a limited time. No operation is
	 * called and no event is raised afterwards, and the memory may be freed. Events that are
	 * being raised meanwhile must end within an RCU grace period.
	 */
	void (*release)(struct hca_stream *s);
};

/* A stream. The structure of its kind begins with one. */
struct hca_stream {
	const struct hca_stream_ops *ops;
	/* Octets of Full Operation, which are positions of markers. Only the user counts them. */
	u64 sent, received;
	/* Set by hca_stream_event(), and cleared by the user's run function. */
	atomic_t events; /* bits of enum hca_stream_events */
	int error; /* a negative errno, set by the stream before LOST is raised; 0: reset() */
	/*
	 * Set by peek(): octets have arrived which it could not show for want of memory. READABLE
	 * follows when it can be tried again.
	 */
	bool is_short;
	struct hca_runnable *run; /* the user; NULL: none yet, and events are only kept */
};

/**
 * hca_stream_event() - note what has happened to a stream, and schedule its user
 * @s: the stream
 * @events: bits of enum hca_stream_events
 *
 * Context: any, also inside an operation of a stream; takes no lock. hca_engine_run() or
 * hca_engine_raise() must follow, unless hca_engine_run() is the caller of the caller.
 */
static inline void hca_stream_event(struct hca_stream *s, int events)
{
	struct hca_runnable *run;

	atomic_or(events, &s->events);
	run = READ_ONCE(s->run);
	if (run)
		hca_run_schedule(run);
}

#endif
