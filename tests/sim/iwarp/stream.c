// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Streams of the simulator (see stream.h). Each memory has the size of its octets, for ASan. */
#include "tests/sim/iwarp/stream.h"
#include <linux/bug.h>
#include <linux/container_of.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <sanitizer/asan_interface.h>
#include <stdlib.h>
#include <string.h>

#define USUAL_MSS 1448
#define POISON 0x6b /* octets of a stream that was released */

/* Contiguous octets that have arrived. */
struct segment {
	struct list_head node;
	u32 length;
	u8 *octets;
};

static struct sim_stream *sim_stream_of(struct hca_stream *s)
{
	struct sim_stream *end = container_of(s, struct sim_stream, stream);

	BUG_ON(end->is_released);
	return end;
}

/* Octets that an end has received and not consumed. */
static u32 sim_stream_unread(const struct sim_stream *s)
{
	return s->peer->carried - s->consumed;
}

static struct segment *segment_alloc(const u8 *octets, u32 length)
{
	struct segment *segment = malloc(sizeof(*segment));

	BUG_ON(!segment);
	segment->length = length;
	segment->octets = malloc(length);
	BUG_ON(!segment->octets);
	memcpy(segment->octets, octets, length);
	return segment;
}

static void segment_free(struct segment *segment)
{
	free(segment->octets);
	free(segment);
}

static void segments_free(struct sim_stream *s)
{
	struct segment *segment, *next;

	list_for_each_entry_safe(segment, next, &s->segments, node) {
		list_del(&segment->node);
		segment_free(segment);
	}
}

/* All that is unread becomes one segment, as staging memory is. */
static void segments_join(struct sim_stream *s)
{
	u32 unread = sim_stream_unread(s);
	struct segment *segment;

	if (!unread)
		return;
	segments_free(s);
	segment = segment_alloc(s->peer->log + s->consumed, unread);
	list_add_tail(&segment->node, &s->segments);
}

/* Whether peek() has no memory to show all. READABLE follows, when it has. */
static bool sim_stream_is_short(struct sim_stream *s)
{
	u32 hides = s->pair->options.hides;
	bool is_short = hides && !s->is_reset && !s->was_short && rng_one_in(&s->pair->rng, hides);

	s->was_short = is_short;
	s->is_readable |= is_short;
	return is_short;
}

static u32 sim_stream_peek(struct hca_stream *stream, u32 offset, struct hca_octets *octets,
			   int max)
{
	struct sim_stream *s = sim_stream_of(stream);
	struct segment *segment;
	u32 total = 0;
	int count = 0;

	stream->is_short = sim_stream_is_short(s);
	if (s->is_reset)
		return 0;
	if (stream->is_short)
		max = 1;
	list_for_each_entry(segment, &s->segments, node) {
		if (count == max)
			break;
		if (offset >= segment->length) {
			offset -= segment->length;
			continue;
		}
		octets[count].data = segment->octets + offset;
		octets[count].length = segment->length - offset;
		total += octets[count++].length;
		offset = 0;
	}
	return total;
}

/* The rest of a segment gets other memory, so that no range of peek() stays valid. */
static void sim_stream_consume(struct hca_stream *stream, u32 octets)
{
	struct sim_stream *s = sim_stream_of(stream);
	struct segment *first, *rest;

	BUG_ON(octets > sim_stream_unread(s));
	s->consumed += octets;
	s->staged -= min(octets, s->staged);
	while (octets) {
		first = list_first_entry(&s->segments, struct segment, node);
		list_del(&first->node);
		if (octets < first->length) {
			rest = segment_alloc(first->octets + octets, first->length - octets);
			list_add(&rest->node, &s->segments);
			octets = first->length;
		}
		octets -= first->length;
		segment_free(first);
	}
}

/* READABLE is raised at the next step, since ranges of peek() may still be in use. */
static void sim_stream_want(struct hca_stream *stream, u32 octets)
{
	struct sim_stream *s = sim_stream_of(stream);

	BUG_ON(octets > HCA_FPDU_MAX);
	s->wanted = octets;
	s->is_readable = stream->is_short || (octets && sim_stream_unread(s) >= octets);
}

static u32 sim_stream_space(const struct sim_stream *s)
{
	u32 buffer = s->pair->options.buffer;
	u64 queued = s->sent - s->carried;

	if (!buffer)
		return HCA_TX_BUFFER_MAX;
	return queued < buffer ? buffer - queued : 0;
}

static u32 sim_stream_room(struct hca_stream *stream)
{
	struct sim_stream *s = sim_stream_of(stream);
	u32 space = sim_stream_space(s);

	if (s->is_lost || s->is_closed)
		return 0;
	if (!space)
		s->is_blocked = true;
	return space;
}

static u32 sim_stream_mss(struct hca_stream *stream)
{
	return sim_stream_of(stream)->pair->options.mss ?: USUAL_MSS;
}

static void sim_stream_append(struct sim_stream *s, const void *octets, u32 length)
{
	if (s->sent + length > s->size) {
		s->size = 2 * (s->sent + length);
		s->log = realloc(s->log, s->size);
		BUG_ON(!s->log);
	}
	memcpy(s->log + s->sent, octets, length);
	s->sent += length;
}

/* TCP keeps back less than a segment of what others are to follow, if it has room for them. */
static void sim_stream_push(struct sim_stream *s, bool more)
{
	u32 mss = s->pair->options.mss ?: USUAL_MSS;

	if (more && s->pair->options.keeps_more && sim_stream_space(s))
		s->pushed += (s->sent - s->pushed) / mss * mss;
	else
		s->pushed = s->sent;
}

/* A refusal for want of memory is not repeated at once, or a user might never get on. */
static bool sim_stream_refuses(struct sim_stream *s)
{
	u32 again = s->pair->options.again;

	if (!sim_stream_space(s))
		return true;
	s->was_refused = again && !s->was_refused && rng_one_in(&s->pair->rng, again);
	return s->was_refused;
}

static int sim_stream_send(struct hca_stream *stream, const struct hca_tx_buffer *b, bool more)
{
	struct sim_stream *s = sim_stream_of(stream);

	BUG_ON(b->used <= b->sent || b->used > b->size);
	if (s->is_lost || s->is_closed)
		return -EPIPE;
	if (sim_stream_refuses(s)) {
		s->is_blocked = true;
		return -EAGAIN;
	}
	sim_stream_append(s, b->data + b->sent, b->used - b->sent);
	sim_stream_push(s, more);
	return 0;
}

static void sim_stream_close(struct hca_stream *stream)
{
	struct sim_stream *s = sim_stream_of(stream);

	s->is_closed = true;
	sim_stream_push(s, false);
}

/* LOST is raised at the next step. */
static void sim_stream_lose(struct sim_stream *s, int error)
{
	if (s->is_lost || s->is_closed_raised)
		return;
	s->is_lost = true;
	if (!s->is_released)
		s->stream.error = error;
}

static void sim_stream_reset(struct hca_stream *stream)
{
	struct sim_stream *s = sim_stream_of(stream);

	s->is_reset = true;
	sim_stream_lose(s, 0);
	sim_stream_push(s, false);
	if (s->pair->options.overtakes)
		sim_stream_lose(s->peer, -ECONNRESET);
	else
		s->reset_at = min(s->reset_at, s->sent);
}

/* The memory of a stream may have been freed: ASan reports any access of its user. */
static void sim_stream_release(struct hca_stream *stream)
{
	sim_stream_of(stream)->is_released = true;
	segments_free(container_of(stream, struct sim_stream, stream));
	memset(stream, POISON, sizeof(*stream));
	ASAN_POISON_MEMORY_REGION(stream, sizeof(*stream));
}

static const struct hca_stream_ops sim_stream_ops = {
	.peek = sim_stream_peek,
	.consume = sim_stream_consume,
	.want = sim_stream_want,
	.room = sim_stream_room,
	.mss = sim_stream_mss,
	.send = sim_stream_send,
	.close = sim_stream_close,
	.reset = sim_stream_reset,
	.release = sim_stream_release,
};

void sim_stream_open(struct sim_stream_pair *pair, const struct sim_stream_options *options)
{
	int i;

	memset(pair, 0, sizeof(*pair));
	pair->options = *options;
	pair->rng = rng_seed(options->seed, "stream");
	for (i = 0; i < 2; i++) {
		struct sim_stream *s = &pair->end[i];

		s->stream.ops = &sim_stream_ops;
		s->pair = pair;
		s->peer = &pair->end[!i];
		s->fin_at = SIM_STREAM_NEVER;
		s->reset_at = SIM_STREAM_NEVER;
		INIT_LIST_HEAD(&s->segments);
	}
}

void sim_stream_free(struct sim_stream_pair *pair)
{
	int i;

	for (i = 0; i < 2; i++) {
		BUG_ON(!pair->end[i].is_released && pair->end[i].stream.run);
		ASAN_UNPOISON_MEMORY_REGION(&pair->end[i].stream, sizeof(struct hca_stream));
		segments_free(&pair->end[i]);
		free(pair->end[i].log);
		pair->end[i].log = NULL;
	}
}

static void sim_stream_raise(struct sim_stream *s, int events)
{
	if (!s->is_released)
		hca_stream_event(&s->stream, events);
}

/* READABLE, with the octets that want() has named in as many ranges as a user may ask for. */
static void sim_stream_raise_readable(struct sim_stream *s)
{
	struct segment *segment;
	u32 octets = 0;
	int count = 0;

	list_for_each_entry(segment, &s->segments, node) {
		if (octets < s->wanted)
			count++;
		octets += segment->length;
	}
	if (count > HCA_STREAM_RANGES)
		segments_join(s);
	s->is_readable = false;
	sim_stream_raise(s, HCA_STREAM_READABLE);
}

/* Octets that a receiver has memory for, which staging adds to if a user wants more. */
static u32 sim_stream_window(struct sim_stream *s)
{
	u32 window = s->pair->options.window, unread = sim_stream_unread(s);

	if (!window)
		return U32_MAX;
	if (unread - s->staged >= window && s->wanted > unread && s->staged < HCA_FPDU_MAX) {
		segments_join(s);
		s->staged = unread;
		s->most_staged = max(s->most_staged, (u64)s->staged);
	}
	return window > unread - s->staged ? window - (unread - s->staged) : 0;
}

/* The octets of the next segment on a way; 0: none can arrive now. */
static u32 sim_stream_segment(struct sim_stream *from)
{
	const struct sim_stream_options *options = &from->pair->options;
	u64 end = min3(from->pushed, from->fin_at, from->reset_at);
	u64 length = end - from->carried;

	if (from->carried < options->cut)
		length = min(length, options->cut - from->carried);
	length = min_t(u64, length, sim_stream_window(from->peer));
	length = min_t(u64, length, options->mss ?: USUAL_MSS);
	if (length && options->segment)
		length = min_t(u64, length, rng_between(&from->pair->rng, 1, options->segment));
	return length;
}

/* Whether a segment, a FIN or a RST has still to wait. */
static bool sim_stream_waits(struct sim_stream *from)
{
	if (!from->has_wait) {
		from->wait = from->pair->options.delay ?
			     rng_below(&from->pair->rng, from->pair->options.delay + 1) : 0;
		from->has_wait = true;
	}
	if (from->wait) {
		from->wait--;
		return true;
	}
	from->has_wait = false;
	return false;
}

static void sim_stream_arrive(struct sim_stream *from, u32 length)
{
	struct sim_stream *to = from->peer;
	struct segment *segment = segment_alloc(from->log + from->carried, length);
	bool early = from->pair->options.early && rng_one_in(&from->pair->rng, 2);

	from->carried += length;
	list_add_tail(&segment->node, &to->segments);
	if (from->pair->options.contiguous)
		segments_join(to);
	if (early || sim_stream_unread(to) >= to->wanted)
		sim_stream_raise_readable(to);
}

/* A FIN is due behind the last octet, or behind that of a fault. */
static bool sim_stream_fin_due(const struct sim_stream *from)
{
	return !from->fin_arrived && (from->carried == from->fin_at ||
				      (from->is_closed && from->carried == from->sent));
}

/* A RST is due behind the octet of a fault, or of reset(), which can come behind a FIN as well. */
static bool sim_stream_reset_due(const struct sim_stream *from)
{
	return from->carried == from->reset_at ||
	       (from->fin_arrived && from->is_lost && from->reset_at != SIM_STREAM_NEVER);
}

/* Whether there is something on the way from one end that can arrive. */
static bool sim_stream_is_busy(struct sim_stream *from, u32 *length)
{
	if (from->peer->is_lost || from->peer->is_closed_raised)
		return false;
	*length = from->fin_arrived ? 0 : sim_stream_segment(from);
	return *length || sim_stream_reset_due(from) || sim_stream_fin_due(from);
}

/* One way: something arrives, or comes nearer. Returns false if there is nothing. */
static bool sim_stream_carry(struct sim_stream *from)
{
	u32 length;

	if (!sim_stream_is_busy(from, &length))
		return false;
	if (sim_stream_waits(from))
		return true;
	if (length) {
		sim_stream_arrive(from, length);
	} else if (sim_stream_reset_due(from)) {
		sim_stream_lose(from, -ECONNRESET);
		sim_stream_lose(from->peer, -ECONNRESET);
	} else {
		from->fin_arrived = true;
		sim_stream_raise(from->peer, HCA_STREAM_PEER_CLOSED);
	}
	return true;
}

/* Events that follow from the state of both ways. Returns whether there is any. */
static bool sim_stream_notify(struct sim_stream *s)
{
	if (s->is_lost && !s->is_lost_raised) {
		s->is_lost_raised = true;
		sim_stream_raise(s, HCA_STREAM_LOST);
		return true;
	}
	if (!s->is_lost && s->fin_arrived && s->peer->fin_arrived && !s->is_closed_raised) {
		s->is_closed_raised = true;
		sim_stream_raise(s, HCA_STREAM_CLOSED);
		return true;
	}
	if (s->is_readable && !s->is_released) {
		sim_stream_raise_readable(s);
		return true;
	}
	if (!s->is_lost && s->is_blocked && sim_stream_space(s)) {
		s->is_blocked = false;
		sim_stream_raise(s, HCA_STREAM_WRITABLE);
		return true;
	}
	return false;
}

bool sim_stream_step(struct sim_stream_pair *pair)
{
	int first = rng_below(&pair->rng, 2);
	bool busy;

	busy = sim_stream_carry(&pair->end[first]);
	busy |= sim_stream_carry(&pair->end[!first]);
	busy |= sim_stream_notify(&pair->end[first]);
	busy |= sim_stream_notify(&pair->end[!first]);
	pair->steps++;
	if (busy && pair->options.late && !rng_one_in(&pair->rng, pair->options.late)) {
		pair->is_run_due = true;
		return true;
	}
	hca_engine_raise();
	busy |= pair->is_run_due;
	pair->is_run_due = false;
	return busy;
}

u64 sim_stream_settle(struct sim_stream_pair *pair)
{
	u64 before = pair->steps;

	while (sim_stream_step(pair))
		;
	return pair->steps - before;
}

void sim_stream_fin_at(struct sim_stream *s, u64 octets)
{
	BUG_ON(octets < s->carried);
	s->fin_at = octets;
}

void sim_stream_reset_at(struct sim_stream *s, u64 octets)
{
	BUG_ON(octets < s->carried);
	s->reset_at = min(s->reset_at, octets);
}

void sim_stream_write(struct sim_stream *s, const void *octets, u32 length)
{
	if (!length || s->is_lost || s->is_closed)
		return;
	sim_stream_append(s, octets, length);
	sim_stream_push(s, false);
}

u32 sim_stream_read(struct sim_stream *s, void *octets, u32 max)
{
	struct hca_octets range;
	u32 done = 0, length;

	while (done < max && sim_stream_peek(&s->stream, 0, &range, 1)) {
		length = min(range.length, max - done);
		memcpy((u8 *)octets + done, range.data, length);
		sim_stream_consume(&s->stream, length);
		done += length;
	}
	return done;
}
