// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Reception of a stream that is a socket. Octets are shown where they have arrived: in clones of
 * the buffers in the receive queue, which TCP may join or free meanwhile. Octets are copied out of
 * TCP if they are few, as a copy costs less than a clone then. They are copied as well if they lie
 * in more ranges than a reader takes, or if the receive buffer is filled by the overhead of small
 * segments before all octets that are wanted have arrived.
 */
#include "iwarp/tcp/tcp_receive.h"
#include <linux/mm.h>
#include <linux/sched/mm.h>
#include <net/tcp.h>
#include "iwarp/tcp/tcp_retry.h"

/* Octets of a buffer into which octets are copied. It has a page with its overhead. */
#define RECEIVE_COPY_OCTETS SKB_WITH_OVERHEAD(PAGE_SIZE)
#define RECEIVE_UNSHOWN 0x10000 /* ranges of a buffer that cannot be shown */
#define RECEIVE_BEHIND_MAX 16384 /* consumed octets of which TCP may not know */
/*
 * Segments after which small ones are acknowledged. A sender may have TCP_INIT_CWND of them under
 * way and wait for the acknowledgment of the first.
 */
#define RECEIVE_UNACKNOWLEDGED (TCP_INIT_CWND - 2)

struct receive_cb {
	u32 skip; /* octets that are consumed, or that were consumed before it was made */
	u32 ranges;
	bool is_copy;
};

static struct receive_cb *receive_cb(struct sk_buff *skb)
{
	return (struct receive_cb *)skb->cb;
}

static u32 receive_octets(struct sk_buff *skb)
{
	return skb->len - receive_cb(skb)->skip;
}

/* Ranges of octets that are being collected. */
struct receive_ranges {
	struct hca_octets *range;
	int num, max;
	u32 skip; /* octets that are not to be shown */
	u32 octets; /* in the ranges */
};

static void receive_add(struct receive_ranges *r, const void *data, u32 length)
{
	u32 skip = min(r->skip, length);

	r->skip -= skip;
	if (skip == length || r->num == r->max)
		return;
	r->range[r->num++] = (struct hca_octets){ .data = data + skip, .length = length - skip };
	r->octets += length - skip;
}

/* Add the octets of a buffer, without those of its fragment list. */
static void receive_add_one(struct receive_ranges *r, struct sk_buff *skb)
{
	const struct skb_shared_info *shared = skb_shinfo(skb);
	unsigned int i;

	receive_add(r, skb->data, skb_headlen(skb));
	for (i = 0; i < shared->nr_frags && r->num < r->max; i++)
		receive_add(r, skb_frag_address(&shared->frags[i]),
			    skb_frag_size(&shared->frags[i]));
}

static void receive_add_skb(struct receive_ranges *r, struct sk_buff *skb)
{
	struct sk_buff *part;

	receive_add_one(r, skb);
	skb_walk_frags(skb, part)
		receive_add_one(r, part);
}

/* Whether the memory of a buffer, without its fragment list, has kernel addresses. */
static bool receive_is_mapped(struct sk_buff *skb)
{
	unsigned int i;

	for (i = 0; IS_ENABLED(CONFIG_HIGHMEM) && i < skb_shinfo(skb)->nr_frags; i++)
		if (PageHighMem(skb_frag_page(&skb_shinfo(skb)->frags[i])))
			return false;
	return true;
}

/* Return: ranges in which a buffer lies, or RECEIVE_UNSHOWN. */
static u32 receive_count(struct sk_buff *skb)
{
	u32 ranges = 1 + skb_shinfo(skb)->nr_frags;
	struct sk_buff *part;

	if (!receive_is_mapped(skb))
		return RECEIVE_UNSHOWN;
	skb_walk_frags(skb, part) {
		if (skb_has_frag_list(part) || !receive_is_mapped(part))
			return RECEIVE_UNSHOWN;
		ranges += 1 + skb_shinfo(part)->nr_frags;
	}
	return ranges;
}

static void receive_drop(struct hca_tcp_receive *rx, struct sk_buff *skb)
{
	rx->ranges -= receive_cb(skb)->ranges;
	__skb_unlink(skb, &rx->queue);
	consume_skb(skb);
}

/*
 * Choose whether TCP acknowledges small segments as soon as they are read, which it may do for each
 * of them. Otherwise a segment that goes the other way does it, or TCP's timer. Full segments are
 * acknowledged by TCP's own rule, every second one. The socket is locked.
 */
static void receive_set_quick(struct hca_tcp_receive *rx, struct sock *sk)
{
	struct inet_connection_sock *icsk = inet_csk(sk);
	const struct tcp_sock *tp = tcp_sk(sk);

	if (!before(tp->rcv_wup, rx->seen))
		rx->acknowledged = rx->segments;
	if (tp->data_segs_in - rx->acknowledged >= RECEIVE_UNACKNOWLEDGED)
		icsk->icsk_ack.pending |= ICSK_ACK_PUSHED2;
	else
		icsk->icsk_ack.pending &= ~(ICSK_ACK_PUSHED | ICSK_ACK_PUSHED2);
	rx->seen = tp->rcv_nxt;
	rx->segments = tp->data_segs_in;
}

/* Tell TCP of octets that were consumed. The socket is locked. */
static void receive_done(struct hca_tcp_stream *ts)
{
	u32 octets = ts->rx.behind;

	ts->rx.behind = 0;
	if (!octets)
		return;
	receive_set_quick(&ts->rx, ts->sock->sk);
	tcp_read_done(ts->sock->sk, octets);
}

/* Whether nothing else may arrive, since the receive buffer is full or TCP has no more memory. */
static bool receive_is_tight(const struct sock *sk)
{
	return atomic_read(&sk->sk_rmem_alloc) > sk->sk_rcvbuf / 4 * 3 ||
	       tcp_under_memory_pressure(sk);
}

/* Append a clone of a buffer in the receive queue. @skip: its octets that were shown before. */
static bool receive_clone(struct hca_tcp_receive *rx, struct sk_buff *skb, u32 skip)
{
	struct sk_buff *clone = skb_clone(skb, GFP_ATOMIC | __GFP_NOWARN);

	if (!clone)
		return false;
	*receive_cb(clone) = (struct receive_cb){ .skip = skip, .ranges = receive_count(skb) };
	rx->ranges += receive_cb(clone)->ranges;
	rx->cloned += clone->len - skip;
	__skb_queue_tail(&rx->queue, clone);
	return true;
}

/* Return: the first buffer that TCP has; or NULL. @offset: octets of it that were consumed. */
static struct sk_buff *receive_first(const struct hca_tcp_stream *ts, u32 *offset)
{
	return tcp_recv_skb(ts->sock->sk, tcp_sk(ts->sock->sk)->copied_seq, offset);
}

/* Return: the buffer behind another one; or NULL. */
static struct sk_buff *receive_next(const struct hca_tcp_stream *ts, struct sk_buff *skb)
{
	struct sk_buff_head *queue = &ts->sock->sk->sk_receive_queue;

	return skb_queue_is_last(queue, skb) ? NULL : skb_queue_next(queue, skb);
}

/* Copy buffers that are short out of TCP. The socket is locked. */
static void receive_copy_short(struct hca_tcp_stream *ts)
{
	struct hca_tcp_receive *rx = &ts->rx;
	struct sk_buff *skb;
	u32 offset, octets;

	for (skb = receive_first(ts, &offset); skb; skb = receive_next(ts, skb)) {
		octets = skb->len - offset;
		if (octets > HCA_TCP_SHORT - rx->end ||
		    skb_copy_bits(skb, offset, rx->octets + rx->end, octets))
			break;
		rx->end += octets;
		rx->copied += octets;
		rx->behind += octets;
		offset = 0;
	}
	receive_done(ts);
}

/* Clone what has arrived, up to the longest FPDU. The socket is locked. */
static bool receive_clone_all(struct hca_tcp_stream *ts)
{
	struct hca_tcp_receive *rx = &ts->rx;
	struct sk_buff *skb;
	u32 offset, end = 0;

	for (skb = receive_first(ts, &offset); skb; skb = receive_next(ts, skb)) {
		u32 begin = end;

		if (rx->copied + rx->cloned >= HCA_FPDU_MAX || rx->ranges >= HCA_STREAM_RANGES)
			break;
		/* Only the first buffer has octets that were consumed. */
		end += skb->len - offset;
		if (end > rx->cloned &&
		    !receive_clone(rx, skb, offset + rx->cloned - begin))
			return false;
		offset = 0;
	}
	return true;
}

/* Return: an empty buffer for copies, charged to the user of the stream; or NULL. */
static struct sk_buff *receive_alloc(const struct hca_tcp_stream *ts)
{
	struct mem_cgroup *before = set_active_memcg(ts->memcg);
	struct sk_buff *skb;

	skb = alloc_skb(RECEIVE_COPY_OCTETS, GFP_ATOMIC | __GFP_NOWARN | __GFP_ACCOUNT);
	set_active_memcg(before);
	return skb;
}

/* Return: a copy with room for more octets, at the end of the copies; or NULL. */
static struct sk_buff *receive_copy_room(struct hca_tcp_stream *ts, struct sk_buff *first)
{
	struct hca_tcp_receive *rx = &ts->rx;
	struct sk_buff *last, *skb;

	last = skb_queue_is_first(&rx->queue, first) ? NULL : skb_queue_prev(&rx->queue, first);
	if (last && skb_tailroom(last))
		return last;
	skb = receive_alloc(ts);
	if (!skb)
		return NULL;
	*receive_cb(skb) = (struct receive_cb){ .ranges = 1, .is_copy = true };
	rx->ranges++;
	__skb_queue_before(&rx->queue, first, skb);
	return skb;
}

/* Copy the octets of the first clone out of TCP. The socket is locked. Return: false: no memory. */
static bool receive_copy(struct hca_tcp_stream *ts, struct sk_buff *clone)
{
	struct hca_tcp_receive *rx = &ts->rx;
	struct sk_buff *skb;
	u32 now;

	while (receive_octets(clone)) {
		skb = receive_copy_room(ts, clone);
		if (!skb)
			return false;
		now = min_t(u32, receive_octets(clone), skb_tailroom(skb));
		if (skb_copy_bits(clone, receive_cb(clone)->skip, skb_tail_pointer(skb), now))
			return false;
		skb_put(skb, now);
		receive_cb(clone)->skip += now;
		rx->copied += now;
		rx->cloned -= now;
		rx->behind += now;
	}
	receive_drop(rx, clone);
	receive_done(ts);
	return true;
}

/* Copy all clones out of TCP. The socket is locked. Return: false: no memory. */
static bool receive_copy_all(struct hca_tcp_stream *ts)
{
	struct sk_buff *skb, *next;

	skb_queue_walk_safe(&ts->rx.queue, skb, next)
		if (!receive_cb(skb)->is_copy && !receive_copy(ts, skb))
			return false;
	return true;
}

/* Octets that TCP has, without those that were consumed. The socket is locked. */
static u32 receive_held(const struct hca_tcp_stream *ts)
{
	const struct tcp_sock *tp = tcp_sk(ts->sock->sk);
	u32 octets = tp->rcv_nxt - tp->copied_seq;

	/* A FIN has a sequence number as well. */
	if (octets && sock_flag(ts->sock->sk, SOCK_DONE))
		octets--;
	return octets - min(octets, ts->rx.behind);
}

/* Show all that TCP has, up to the longest FPDU. The socket is locked. Return: false: no memory. */
static bool receive_get(struct hca_tcp_stream *ts, bool copy)
{
	if (copy && !receive_copy_all(ts))
		return false;
	receive_done(ts);
	if (skb_queue_empty(&ts->rx.queue))
		receive_copy_short(ts);
	if (!receive_clone_all(ts) ||
	    (ts->rx.ranges >= RECEIVE_UNSHOWN && !receive_copy_all(ts)))
		return false;
	WRITE_ONCE(ts->rx.is_current, receive_held(ts) == ts->rx.cloned);
	return true;
}

/* Bring up to date what can be shown. @copy: whether it is to be copied out of TCP. */
static void receive_update(struct hca_tcp_stream *ts, bool copy)
{
	struct sock *sk = ts->sock->sk;

	bh_lock_sock(sk);
	if (sock_owned_by_user(sk) || !receive_get(ts, copy)) {
		ts->stream.is_short = true;
		set_bit(HCA_TCP_NO_MEMORY, &ts->flags);
		hca_tcp_retry(ts);
	}
	bh_unlock_sock(sk);
}

/* Whether octets are to be copied, so that all that are wanted can arrive and be shown. */
static bool receive_must_copy(const struct hca_tcp_stream *ts, const struct receive_ranges *shown)
{
	const struct hca_tcp_receive *rx = &ts->rx;

	if (!rx->cloned || test_bit(HCA_TCP_NO_MEMORY, &ts->flags))
		return false;
	if (rx->copied + rx->cloned < rx->wanted)
		return rx->ranges >= HCA_STREAM_RANGES || receive_is_tight(ts->sock->sk);
	return shown->max == HCA_STREAM_RANGES && shown->octets < rx->wanted;
}

static void receive_show(struct hca_tcp_stream *ts, struct receive_ranges *r)
{
	struct sk_buff *skb;

	if (ts->rx.ranges >= RECEIVE_UNSHOWN)
		return;
	receive_add(r, ts->rx.octets + ts->rx.begin, ts->rx.end - ts->rx.begin);
	skb_queue_walk(&ts->rx.queue, skb) {
		if (r->num == r->max)
			break;
		r->skip += receive_cb(skb)->skip;
		receive_add_skb(r, skb);
	}
}

u32 hca_tcp_peek(struct hca_stream *s, u32 offset, struct hca_octets *range, int max)
{
	const struct receive_ranges none = { .range = range, .max = max, .skip = offset };
	struct hca_tcp_stream *ts = hca_tcp_stream_of(s);
	struct receive_ranges r = none;

	s->is_short = false;
	if (!READ_ONCE(ts->rx.is_current) && ts->rx.copied + ts->rx.cloned < HCA_FPDU_MAX)
		receive_update(ts, false);
	receive_show(ts, &r);
	while (!offset && receive_must_copy(ts, &r)) {
		receive_update(ts, true);
		r = none;
		receive_show(ts, &r);
	}
	return r.octets;
}

/* Remove octets from the beginning of those in @octets. Return: the number of them. */
static u32 receive_remove_short(struct hca_tcp_receive *rx, u32 octets)
{
	u32 removed = min_t(u32, rx->end - rx->begin, octets);

	rx->begin += removed;
	if (rx->begin == rx->end) {
		rx->begin = 0;
		rx->end = 0;
	}
	return removed;
}

/* Remove octets from the beginning of all. Return: those of clones. */
static u32 receive_remove(struct hca_tcp_receive *rx, u32 octets)
{
	u32 of_copies = min(rx->copied, octets);
	struct sk_buff *skb;
	u32 now;

	rx->copied -= of_copies;
	rx->cloned -= octets - of_copies;
	of_copies = octets - of_copies;
	octets -= receive_remove_short(rx, octets);
	while (octets && (skb = skb_peek(&rx->queue))) {
		now = min(octets, receive_octets(skb));
		receive_cb(skb)->skip += now;
		octets -= now;
		if (!receive_octets(skb))
			receive_drop(rx, skb);
	}
	return of_copies;
}

/* Tell TCP of octets that were consumed, now or later. The spin lock of the socket is held. */
static void receive_done_or_retry(struct hca_tcp_stream *ts)
{
	if (!sock_owned_by_user(ts->sock->sk))
		receive_done(ts);
	else
		hca_tcp_retry(ts);
}

/*
 * TCP learns of several FPDUs at once. It learns of the last one because a reader calls want() when
 * what is left is no whole FPDU.
 */
void hca_tcp_consume(struct hca_stream *s, u32 octets)
{
	struct hca_tcp_stream *ts = hca_tcp_stream_of(s);
	struct sock *sk = ts->sock->sk;

	ts->rx.wanted = 0;
	ts->rx.behind += receive_remove(&ts->rx, octets);
	if (!ts->rx.behind || (ts->rx.cloned && ts->rx.behind < RECEIVE_BEHIND_MAX))
		return;
	bh_lock_sock(sk);
	receive_done_or_retry(ts);
	bh_unlock_sock(sk);
}

/*
 * Whether want() has nothing to do: the socket has the low-water mark already, and calls back when
 * so many octets have arrived behind those that are shown.
 */
static bool want_is_set(const struct hca_tcp_receive *rx, const struct sock *sk, int low)
{
	return READ_ONCE(rx->is_current) && !rx->cloned && !rx->behind &&
	       READ_ONCE(sk->sk_rcvlowat) == low;
}

/* Whether READABLE is to be raised at once. The socket is locked. */
static bool want_is_there(const struct hca_tcp_stream *ts, u32 octets)
{
	u32 held = receive_held(ts);

	/* Octets that cannot be shown for want of memory are announced by the timer. */
	if (test_bit(HCA_TCP_NO_MEMORY, &ts->flags))
		return false;
	return ts->rx.copied + held >= octets || (held && receive_is_tight(ts->sock->sk));
}

void hca_tcp_want(struct hca_stream *s, u32 octets)
{
	struct hca_tcp_stream *ts = hca_tcp_stream_of(s);
	struct sock *sk = ts->sock->sk;
	int low = clamp_t(int, octets - min(octets, ts->rx.copied), 1, max(sk->sk_rcvbuf / 2, 1));

	ts->rx.wanted = octets;
	if (want_is_set(&ts->rx, sk, low))
		return;
	bh_lock_sock(sk);
	if (ts->rx.behind)
		receive_done_or_retry(ts);
	WRITE_ONCE(sk->sk_rcvlowat, low);
	if (want_is_there(ts, octets)) {
		WRITE_ONCE(ts->rx.is_current, false);
		hca_stream_event(s, HCA_STREAM_READABLE);
	}
	bh_unlock_sock(sk);
}

void hca_tcp_receive_end(struct hca_tcp_stream *ts)
{
	receive_done(ts);
	__skb_queue_purge(&ts->rx.queue);
}
