// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Two ends of an SDP connection with random programs, over links that deliver in order and at any
 * time; and the same with octets of messages changed. SDP_SEED is the first seed, SDP_SEEDS how
 * many there are.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "sdp/protocol/conn.h"
#include "sdp/protocol/hello.h"
#include "tests/unit/suites.h"

#define BUFS_MAX 40
#define QUEUE 16 /* Data messages that wait to be sent */
#define MARKS 64
#define MESSAGES 200 /* with payload, about, in each direction */
#define PATTERN 65521
#define STEPS 1000000

struct packet {
	u8 *octets;
	u32 size;
};

struct side {
	struct sdp_conn conn;
	struct side *peer;
	u32 bufs;
	u32 size; /* of buffers that are posted from now on */
	u32 posted[BUFS_MAX]; /* sizes of those that are, in order */
	u32 num_posted;
	struct packet in[BUFS_MAX]; /* under way to this side */
	u32 in_count;
	/* The program. */
	u32 budget; /* octets that it will write yet */
	u32 rest; /* of the write that is going on */
	bool oob; /* of that write's last octet */
	bool closes_last;
	bool reads;
	u32 unread;
	struct sdp_advert part; /* what is being read of what the peer advertises */
	/* The streams, in octets from their beginnings. */
	struct {
		u32 len;
		bool oob;
	} queue[QUEUE];
	u32 queued;
	u32 written;
	u32 sent;
	u32 received;
	u32 marks[MARKS]; /* ends of octets out of band */
	u32 num_marks;
	u32 announced[MARKS]; /* where the peer's were announced */
	u32 num_announced;
	u32 seen; /* of the peer's */
};

/* Rare events, and how often each has happened. */
static struct {
	u32 copied; /* Data with payload */
	u32 read; /* RDMA Reads */
	u32 written; /* RDMA Writes */
	u32 transactions;
	u32 discarded; /* SinkAvail, by payload that crossed it */
	u32 stale; /* SinkAvail, by its receiver, which has sent payload meanwhile */
	u32 overridden; /* SrcAvail, by a SinkAvail that crossed it */
	u32 ignored; /* SinkAvail, by an end that has left Pipelined mode */
	u32 withdrawn; /* SinkAvail, by SinkAvailCancel */
	u32 smaller, larger; /* ChRcvBufAck with a size that is */
	u32 unchanged;
	u32 crossed; /* ChRcvBuf that was disregarded */
} seen;

static struct side sides[2];
static u8 pattern[2 * PATTERN + 100000];
static u64 state, seed;
static bool hostile, changed; /* Messages may be changed; one was. */

/* An assertion of Check's writes to a file each time, which is too slow here. */
#define require(condition) \
	do { \
		if (!(condition)) \
			ck_abort_msg("seed %llu: %s", (unsigned long long)seed, #condition); \
	} while (0)

static u32 draw(void)
{
	state += 0x9e3779b97f4a7c15ull;
	return (state ^ state >> 29) * 0xbf58476d1ce4e5b9ull >> 32;
}

static bool one_in(u32 n)
{
	return draw() % n == 0;
}

/* The octets that a side sends from a place of its stream on. */
static const u8 *stream(const struct side *side, u32 at)
{
	return pattern + at % PATTERN + (side == sides ? 0 : 17);
}

/* S2-229 to S2-231, S2-T09: there is credit, and a buffer when the message arrives. */
static void transmit(struct side *side, const u8 *headers, u32 size, u32 payload, u32 available)
{
	struct side *peer = side->peer;
	u8 *octets = malloc(size + payload);

	require(available >= (payload ? 3 : 1) || changed);
	require(peer->in_count < peer->conn.credits.posted || changed);
	memcpy(octets, headers, size);
	memcpy(octets + size, stream(side, side->sent), payload);
	side->sent += payload;
	if (peer->in_count < BUFS_MAX)
		peer->in[peer->in_count++] = (struct packet){ octets, size + payload };
	else
		free(octets);
}

static void post(struct side *side)
{
	if (side->num_posted < BUFS_MAX)
		side->posted[side->num_posted++] = side->size;
}

/* Buffers are used in the order in which they were posted. */
static u32 use(struct side *side)
{
	u32 size = side->posted[0];

	require(side->num_posted || changed);
	if (side->num_posted)
		memmove(side->posted, side->posted + 1, --side->num_posted * sizeof(u32));
	return size;
}

static void repost(struct side *side)
{
	post(side);
	sdp_conn_posted(&side->conn, 1);
}

/* S2-234: any size, but no smaller one while longer payload is queued. */
static void ask(struct side *side)
{
	u32 size = 37 + draw() % (one_in(2) ? 300 : 300000), longest = 0, i;

	for (i = 0; i < side->queued; i++)
		longest = side->queue[i].len > longest ? side->queue[i].len : longest;
	if (!side->queued && one_in(4))
		sdp_resize_ask_back(&side->conn.resize, side->conn.peer_size,
				    sdp_credits_available(&side->conn.credits));
	else if (size >= longest + SDP_BSDH_SIZE)
		sdp_resize_ask(&side->conn.resize, side->conn.peer_size, size);
}

/* S2-238: there may be no memory for what the peer has asked for. */
static void adopt(struct side *side, u32 size)
{
	if (!size || one_in(4))
		return;
	side->size = size;
	sdp_conn_resized(&side->conn, size);
}

static void send_data(struct side *side)
{
	u32 available = sdp_credits_available(&side->conn.credits), len = side->queue[0].len;
	struct sdp_bsdh bsdh;
	u8 headers[SDP_BSDH_SIZE];

	require(len <= sdp_conn_payload_max(&side->conn));
	seen.copied++;
	sdp_conn_data(&side->conn, len, side->queue[0].oob, &bsdh);
	sdp_bsdh_pack(&bsdh, headers);
	memmove(side->queue, side->queue + 1, --side->queued * sizeof(side->queue[0]));
	transmit(side, headers, sizeof(headers), len, available);
}

/* There is not always room for a message without payload. */
static void push(struct side *side)
{
	u32 available;

	for (;;) {
		bool quiet = sdp_conn_is_quiet(&side->conn);
		bool payload = side->queued && sdp_conn_is_payload_next(&side->conn);
		struct sdp_message message;
		u8 headers[SDP_HEADER_MAX];

		available = sdp_credits_available(&side->conn.credits);
		if (!one_in(8) && sdp_conn_next(&side->conn, side->queued, &message)) {
			require(!quiet && !payload);
			require(message.bsdh.mid != SDP_MID_ABORT_CONN ||
				side->conn.end.disconn_sent);
			transmit(side, headers, sdp_message_pack(&message, headers), 0, available);
		} else if (side->queued && sdp_conn_payload_max(&side->conn)) {
			send_data(side);
		} else {
			require(!payload);
			break;
		}
	}
}

/*
 * Writes by Read Zcopy: what is advertised is addressed by its place in the stream. S2-260: nothing
 * with payload goes until it is answered.
 */
static void advertise_some(struct side *side)
{
	u32 available = sdp_credits_available(&side->conn.credits);
	u32 most, payload = 0;
	bool may = sdp_conn_may_advertise(&side->conn, &most);
	struct sdp_message message;
	u8 headers[SDP_HEADER_MAX];

	if (!may || side->queued || side->oob || side->rest < 2 || !one_in(3))
		return;
	if (most)
		payload = 1 + draw() % (most < side->rest - 1 ? most : side->rest - 1);
	sdp_conn_advertise(&side->conn,
			   &(struct sdp_advert){ .len = side->rest, .rkey = 1 + (side == sides),
						 .addr = side->sent },
			   payload, &message);
	side->written += side->rest;
	side->rest = 0;
	transmit(side, headers, sdp_message_pack(&message, headers), payload, available);
	require(!sdp_conn_payload_max(&side->conn));
}

/* S2-174, S2-178: what was read is sent; what the peer refuses is to be written anew. */
static void answered(struct side *side, u32 left)
{
	struct sdp_source *source = &side->conn.source;

	if (!source->refused)
		side->sent += left - source->left;
	seen.overridden += source->overridden;
	side->written -= source->refused;
	side->rest += source->refused;
	source->refused = 0;
}

/* S2-170: what came with SrcAvail is read first, and the rest is read in order, or refused. */
static void read_advertised(struct side *side)
{
	struct sdp_sink *sink = &side->conn.sink;
	u32 octets = side->part.len;

	if (sink->reading) {
		if (one_in(3))
			return;
		if (one_in(8))
			octets = 0;
		if (!changed)
			require(side->part.addr == side->received &&
				side->part.rkey == 1 + (side->peer == sides));
		side->received += octets;
		seen.read += octets > 0;
		sdp_conn_read_end(&side->conn, octets);
		return;
	}
	if (!sdp_sink_is_readable(sink) || side->unread)
		return;
	if (one_in(4))
		sdp_sink_refuse(sink);
	else if (one_in(2))
		sdp_sink_read_begin(sink, 1 + draw() % 60000, &side->part);
}

/*
 * Reads by Write Zcopy, and sends what is queued with SinkAvail, if there is any (a Transaction).
 * Where the peer may write is addressed by the place in its stream.
 */
static void make_room(struct side *side)
{
	u32 available = sdp_credits_available(&side->conn.credits), payload = 0;
	u32 most = sdp_conn_payload_max(&side->conn), headers = sdp_header_size(SDP_MID_SINK_AVAIL);
	struct sdp_message message;
	u8 octets[SDP_HEADER_MAX];

	if (!sdp_conn_may_make_room(&side->conn) || side->unread || one_in(3))
		return;
	if (side->queued && most && !side->queue[0].oob &&
	    side->queue[0].len + headers <= side->conn.peer_size) {
		payload = side->queue[0].len;
		memmove(side->queue, side->queue + 1, --side->queued * sizeof(side->queue[0]));
		seen.transactions++;
	}
	sdp_conn_make_room(&side->conn,
			   &(struct sdp_advert){ .len = 1 + draw() % 60000,
						 .rkey = 3 + (side == sides),
						 .addr = side->received },
			   payload, &message);
	transmit(side, octets, sdp_message_pack(&message, octets), payload, available);
}

/* S2-183, S2-184: RDMA Writes continue the stream, and are reported before more is sent. */
static void write_room(struct side *side)
{
	const struct sdp_advert *advert = sdp_conn_may_write(&side->conn);
	u32 octets;

	if (!advert || side->queued || side->oob || !side->rest || one_in(4))
		return;
	if (!changed)
		require(advert->addr == side->sent && advert->rkey == 3 + (side->peer == sides));
	octets = 1 + draw() % (side->rest < advert->len ? side->rest : advert->len);
	sdp_conn_wrote(&side->conn, octets);
	side->rest -= octets;
	side->written += octets;
	side->sent += octets;
	seen.written++;
	require(!sdp_conn_payload_max(&side->conn) && !sdp_conn_may_write(&side->conn));
}

static void write_some(struct side *side)
{
	u32 len, most;
	bool oob;

	if (!side->rest && side->budget) {
		side->rest = 1 + draw() % (one_in(2) ? 200 : 100000);
		side->rest = side->rest < side->budget ? side->rest : side->budget;
		side->budget -= side->rest;
		side->oob = one_in(6) && side->num_marks < MARKS;
	}
	write_room(side);
	advertise_some(side);
	if (one_in(8))
		sdp_source_cancel(&side->conn.source);
	if (one_in(40))
		ask(side);
	if (!side->rest || side->queued == QUEUE || side->conn.source.left)
		return;
	most = sdp_conn_message_max(&side->conn) - SDP_BSDH_SIZE;
	len = side->rest < most ? side->rest : most;
	oob = side->oob && len == side->rest;
	if (sdp_urgent_queue(&side->conn.urgent, len, oob))
		return;
	side->rest -= len;
	side->written += len;
	if (oob)
		side->marks[side->num_marks++] = side->written;
	side->queue[side->queued].len = len;
	side->queue[side->queued++].oob = oob;
}

static void close_some(struct side *side)
{
	if (!side->rest && !side->budget && !side->conn.source.left &&
	    (!side->closes_last || side->conn.end.disconn_received))
		side->conn.end.disconn = true;
}

static void read_some(struct side *side)
{
	if (one_in(20))
		side->reads = !side->reads;
	if (one_in(100))
		side->conn.modes.pipelined = !side->conn.modes.pipelined;
	if (one_in(30))
		sdp_room_cancel(&side->conn.room);
	if (side->reads) {
		read_advertised(side);
		make_room(side);
	}
	if (!side->reads || !side->unread)
		return;
	side->unread--;
	repost(side);
}

/*
 * S2-201 to S2-205, S2-T36: each octet out of band is where it was, and was announced once and in
 * time.
 */
static void check_urgent(struct side *side, const struct sdp_delivery *delivery)
{
	u32 end = side->received + delivery->payload;

	if (delivery->oob_pend) {
		require(side->num_announced < side->peer->num_marks);
		side->announced[side->num_announced++] = side->received;
	}
	if (!delivery->oob_pres)
		return;
	require(side->seen < side->num_announced);
	require(side->peer->marks[side->seen] == end);
	require(end - side->announced[side->seen] <= 65535);
	side->seen++;
}

/* S2-158: what is refused is the end: AbortConn at most follows, and only if DisConn was sent. */
static void refused(struct side *side)
{
	bool disconn_sent = side->conn.end.disconn_sent;
	struct sdp_message message;

	require(changed);
	side->conn.end.abort = true;
	require(!sdp_conn_payload_max(&side->conn));
	while (sdp_conn_next(&side->conn, side->queued, &message)) {
		require(disconn_sent && message.bsdh.mid == SDP_MID_ABORT_CONN);
		disconn_sent = false;
	}
}

/* Changes octets of a message, mostly of its headers. */
static void change(struct packet *packet)
{
	u32 count = 1 + draw() % 3;

	changed = true;
	while (count--) {
		u32 at = draw() % (one_in(4) ? packet->size : SDP_BSDH_SIZE);

		packet->octets[at] = one_in(2) ? draw() : packet->octets[at] + 1;
	}
}

static void note_size(const struct side *side, u8 mid, const struct sdp_resize *before)
{
	if (mid == SDP_MID_CH_RCV_BUF)
		seen.crossed += !side->conn.resize.size;
	if (mid != SDP_MID_CH_RCV_BUF_ACK)
		return;
	seen.smaller += side->conn.peer_size < before->before;
	seen.larger += side->conn.peer_size > before->before;
	seen.unchanged += side->conn.peer_size == before->before;
}

static void note(const struct side *side, u8 mid, u32 non_discards)
{
	if (mid == SDP_MID_SINK_CANCEL_ACK)
		seen.withdrawn++;
	if (mid != SDP_MID_SINK_AVAIL)
		return;
	seen.stale += side->conn.write.non_discards != non_discards;
	seen.ignored += side->conn.modes.send != SDP_MODE_PIPELINED;
}

/* S2-219, S2-221, S2-235, S2-238: whatever was asked for, a message fits into its buffer. */
static void deliver(struct side *side)
{
	const struct sdp_resize before = side->conn.resize;
	struct packet packet = side->in[0];
	u32 left = side->conn.source.left, non_discards = side->conn.write.non_discards;
	struct sdp_delivery delivery;

	if (!side->in_count)
		return;
	memmove(side->in, side->in + 1, --side->in_count * sizeof(packet));
	if (hostile && one_in(100))
		change(&packet);
	require(packet.size <= use(side) || changed);
	if (sdp_conn_receive(&side->conn, packet.octets, packet.size, &delivery)) {
		refused(side);
	} else {
		require(!delivery.payload || delivery.offset + delivery.payload == packet.size);
		if (!changed) {
			check_urgent(side, &delivery);
			require(!memcmp(packet.octets + delivery.offset,
					stream(side->peer, side->received), delivery.payload));
		}
		require(!delivery.released || !side->conn.room.len);
		note(side, packet.octets[0], non_discards);
		note_size(side, packet.octets[0], &before);
		adopt(side, delivery.resize);
		seen.discarded += delivery.released && delivery.payload;
		side->received += delivery.payload + delivery.written;
		if (delivery.answered)
			answered(side, left);
		if (delivery.payload)
			side->unread++;
		else
			repost(side);
	}
	free(packet.octets);
}

static void begin(void)
{
	static const u32 sizes[] = { 37, 100, 2048, 8192, 40000, 100000 };
	u32 room;
	int i;

	memset(sides, 0, sizeof(sides));
	changed = false;
	for (i = 0; i < 2; i++) {
		sides[i].peer = &sides[!i];
		sides[i].bufs = 4 + draw() % (one_in(2) ? 3 : BUFS_MAX - 3);
		sides[i].size = sizes[draw() % 6] + draw() % 50;
		sides[i].closes_last = one_in(3);
		sides[i].reads = true;
		while (sides[i].num_posted < sides[i].bufs)
			post(&sides[i]);
	}
	sides[1].closes_last &= !sides[0].closes_last;
	for (i = 0; i < 2; i++) {
		struct side *side = &sides[i], *peer = side->peer;

		sdp_conn_init(&side->conn, side->bufs, side->size, SDP_ADVERTS, peer->bufs,
			      peer->size, one_in(4) ? 1 : SDP_ADVERTS);
		side->conn.modes.pipelined = !one_in(4);
		side->conn.resize.connects = !i;
		room = sdp_conn_payload_max(&side->conn);
		side->budget = draw() % (MESSAGES * (room < 2048 ? room : 2048));
	}
}

static void step(struct side *side)
{
	u32 n;

	switch (draw() % 4) {
	case 0:
		for (n = draw() % 4; n; n--)
			write_some(side);
		if (one_in(3))
			close_some(side);
		break;
	case 1:
		for (n = draw() % 4; n; n--)
			read_some(side);
		break;
	default:
		for (n = draw() % 4; n; n--)
			deliver(side);
	}
	if (!one_in(4))
		push(side);
}

static bool closed(const struct side *side)
{
	return side->conn.end.disconn_sent && side->conn.end.disconn_received;
}

/* S2-154, S2-201, S2-202, S2-T14: all has come, and one end at least ends the connection. */
static void check_end(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		require(!sides[i].rest && !sides[i].budget && !sides[i].queued);
		require(sides[i].received == sides[!i].written);
		require(sides[i].conn.octets_sent == sides[i].written);
		require(sides[i].conn.octets_received == sides[i].received);
		require(sides[i].seen == sides[!i].num_marks);
		require(sides[i].num_announced == sides[!i].num_marks);
		/* S2-077, S2-195: both count the same, once nothing is under way. */
		if (!sides[0].in_count && !sides[1].in_count)
			require(sides[i].conn.room.non_discards ==
				sides[!i].conn.write.non_discards);
	}
	require(sides[0].conn.end.ours || sides[1].conn.end.ours);
}

/* One connection; with @aborts, a program of it may abort it at any time (S2-155, S2-156). */
static void run(bool aborts)
{
	u32 steps;

	state = seed;
	begin();
	for (steps = 0; !closed(&sides[0]) || !closed(&sides[1]); steps++) {
		struct side *side = &sides[draw() & 1];

		require(steps < STEPS || changed);
		step(side);
		if (aborts && one_in(300))
			side->conn.end.abort = true;
		if (sides[0].conn.end.abort || sides[1].conn.end.abort || steps == STEPS)
			break;
	}
	if (steps < STEPS && !changed && !sides[0].conn.end.abort && !sides[1].conn.end.abort)
		check_end();
	/* Whatever was under way is received still, and AbortConn after it. */
	for (steps = 0; steps < 200; steps++) {
		deliver(&sides[steps & 1]);
		push(&sides[steps & 1]);
	}
	for (steps = 0; steps < 2 && !changed; steps++)
		require(sides[steps].conn.end.abort_sent == sides[!steps].conn.end.abort_received);
	for (steps = 0; steps < 2; steps++)
		while (sides[steps].in_count)
			free(sides[steps].in[--sides[steps].in_count].octets);
}

static void run_all(bool aborts)
{
	const char *first = getenv("SDP_SEED"), *count = getenv("SDP_SEEDS");
	u64 end;
	u32 i;

	for (i = 0; i < sizeof(pattern); i++)
		pattern[i] = i < PATTERN ? draw() : pattern[i - PATTERN];
	seed = first ? strtoull(first, NULL, 0) : 0;
	end = seed + (count ? strtoull(count, NULL, 0) : 20000);
	for (; seed < end; seed++)
		run(aborts);
}

/*
 * S2-001, S2-002, S2-T13, S2-T37: by all four mechanisms, from either end: whatever crosses, no
 * octet is lost, doubled or misplaced.
 */
START_TEST(streams)
{
	hostile = false;
	run_all(false);
	if (getenv("SDP_SEEDS"))
		return;
	ck_assert_uint_gt(seen.copied, 100000); /* S2-160, S2-162 */
	ck_assert_uint_gt(seen.read, 10000); /* S2-160, S2-163 */
	ck_assert_uint_gt(seen.written, 500); /* S2-160, S2-163 */
	ck_assert_uint_gt(seen.transactions, 20); /* S2-160, S2-163, S2-T27 */
	ck_assert_uint_gt(seen.discarded, 1000);
	ck_assert_uint_gt(seen.stale, 1000); /* S2-T25 */
	ck_assert_uint_gt(seen.overridden, 200); /* S2-T26 */
	ck_assert_uint_gt(seen.ignored, 200); /* S2-T34 */
	ck_assert_uint_gt(seen.withdrawn, 1000); /* S2-T30 */
	ck_assert_uint_gt(seen.smaller, 1000);
	ck_assert_uint_gt(seen.larger, 1000);
	ck_assert_uint_gt(seen.unchanged, 1000);
	ck_assert_uint_gt(seen.crossed, 100); /* S2-T40 */
}
END_TEST

/* S2-155, S2-156, S2-T38 */
START_TEST(aborts)
{
	hostile = false;
	run_all(true);
}
END_TEST

/* S2-158, S2-302, S2-316 */
START_TEST(changes)
{
	hostile = true;
	run_all(false);
}
END_TEST

Suite *sdp_pair_suite(void)
{
	Suite *suite = suite_create("sdp_pair");
	TCase *tc = tcase_create("sdp_pair");

	tcase_set_timeout(tc, 0);
	tcase_add_test(tc, streams);
	tcase_add_test(tc, aborts);
	tcase_add_test(tc, changes);
	suite_add_tcase(suite, tc);
	return suite;
}
