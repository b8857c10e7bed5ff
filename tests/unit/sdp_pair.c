// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Two ends of an SDP connection with random programs, over links that deliver in order and at any
 * time; and the same with octets of messages changed. SDP_SEED is the first seed, SDP_SEEDS how
 * many there are.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "sdp/conn.h"
#include "sdp/hello.h"
#include "suites.h"

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
	u32 size;
	u32 room; /* octets of payload in a message to the peer */
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

/* What side sends at a place of its stream. */
static const u8 *stream(const struct side *side, u32 at)
{
	return pattern + at % PATTERN + (side == sides ? 0 : 17);
}

/* S2-229 to S2-231: there is credit, and a buffer when the message arrives. */
static void transmit(struct side *side, const u8 *headers, u32 size, u32 payload, u32 available)
{
	struct side *peer = side->peer;
	u8 *octets = malloc(size + payload);

	require(available >= (payload ? 3 : 1) || changed);
	require(peer->in_count < peer->conn.credits.posted || changed);
	require(size + payload <= peer->size); /* S2-221 */
	memcpy(octets, headers, size);
	memcpy(octets + size, stream(side, side->sent), payload);
	side->sent += payload;
	if (peer->in_count < BUFS_MAX)
		peer->in[peer->in_count++] = (struct packet){ octets, size + payload };
	else
		free(octets);
}

static void send_data(struct side *side)
{
	u32 available = sdp_credits_available(&side->conn.credits), len = side->queue[0].len;
	struct sdp_bsdh bsdh;
	u8 headers[SDP_BSDH_SIZE];

	require(len <= sdp_conn_payload_max(&side->conn));
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
		struct sdp_message message;
		u8 headers[SDP_HEADER_MAX];

		available = sdp_credits_available(&side->conn.credits);
		if (!one_in(8) && sdp_conn_next(&side->conn, side->queued, &message)) {
			require(message.bsdh.mid != SDP_MID_ABORT_CONN || side->conn.disconn_sent);
			transmit(side, headers, sdp_message_pack(&message, headers), 0, available);
		} else if (side->queued && sdp_conn_payload_max(&side->conn)) {
			send_data(side);
		} else {
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
	u32 most = sdp_conn_may_advertise(&side->conn), payload;
	struct sdp_message message;
	u8 headers[SDP_HEADER_MAX];

	if (!most || side->queued || side->oob || side->rest < 2 || !one_in(3))
		return;
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
		sdp_conn_read_end(&side->conn, octets);
		return;
	}
	if (!sink->advert.len || side->unread)
		return;
	if (one_in(4))
		sdp_sink_refuse(sink);
	else if (one_in(2))
		sdp_sink_read_begin(sink, 1 + draw() % 60000, &side->part);
}

static void write_some(struct side *side)
{
	u32 len;
	bool oob;

	if (!side->rest && side->budget) {
		side->rest = 1 + draw() % (one_in(2) ? 200 : 100000);
		side->rest = side->rest < side->budget ? side->rest : side->budget;
		side->budget -= side->rest;
		side->oob = one_in(6) && side->num_marks < MARKS;
	}
	advertise_some(side);
	if (one_in(8))
		sdp_source_cancel(&side->conn.source);
	if (!side->rest || side->queued == QUEUE || side->conn.source.left)
		return;
	len = side->rest < side->room ? side->rest : side->room;
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
	    (!side->closes_last || side->conn.disconn_received))
		side->conn.disconn = true;
}

static void read_some(struct side *side)
{
	if (one_in(20))
		side->reads = !side->reads;
	if (side->reads)
		read_advertised(side);
	if (!side->reads || !side->unread)
		return;
	side->unread--;
	sdp_conn_posted(&side->conn, 1);
}

/* S2-201 to S2-205: each octet out of band is where it was, and was announced once and in time. */
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
	bool disconn_sent = side->conn.disconn_sent;
	struct sdp_message message;

	require(changed);
	side->conn.abort = true;
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

static void deliver(struct side *side)
{
	struct packet packet = side->in[0];
	u32 left = side->conn.source.left;
	struct sdp_delivery delivery;

	if (!side->in_count)
		return;
	memmove(side->in, side->in + 1, --side->in_count * sizeof(packet));
	if (hostile && one_in(100))
		change(&packet);
	if (sdp_conn_receive(&side->conn, packet.octets, packet.size, &delivery)) {
		refused(side);
	} else {
		require(!delivery.payload || delivery.offset + delivery.payload == packet.size);
		if (!changed) {
			check_urgent(side, &delivery);
			require(!memcmp(packet.octets + delivery.offset,
					stream(side->peer, side->received), delivery.payload));
		}
		side->received += delivery.payload;
		if (delivery.answered)
			answered(side, left);
		if (delivery.payload)
			side->unread++;
		else
			sdp_conn_posted(&side->conn, 1);
	}
	free(packet.octets);
}

static void begin(void)
{
	static const u32 sizes[] = { 37, 100, 2048, 8192, 40000, 100000 };
	int i;

	memset(sides, 0, sizeof(sides));
	changed = false;
	for (i = 0; i < 2; i++) {
		sides[i].peer = &sides[!i];
		sides[i].bufs = 4 + draw() % (one_in(2) ? 3 : BUFS_MAX - 3);
		sides[i].size = sizes[draw() % 6] + draw() % 50;
		sides[i].closes_last = one_in(3);
		sides[i].reads = true;
	}
	sides[1].closes_last &= !sides[0].closes_last;
	for (i = 0; i < 2; i++) {
		struct side *side = &sides[i], *peer = side->peer;

		sdp_conn_init(&side->conn, side->bufs, side->size, 1, peer->bufs, peer->size);
		side->room = sdp_conn_payload_max(&side->conn);
		side->budget = draw() % (MESSAGES * (side->room < 2048 ? side->room : 2048));
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
	return side->conn.disconn_sent && side->conn.disconn_received;
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
	}
	require(sides[0].conn.ends || sides[1].conn.ends);
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
			side->conn.abort = true;
		if (sides[0].conn.abort || sides[1].conn.abort || steps == STEPS)
			break;
	}
	if (steps < STEPS && !changed && !sides[0].conn.abort && !sides[1].conn.abort)
		check_end();
	/* Whatever was under way is received still, and AbortConn after it. */
	for (steps = 0; steps < 200; steps++) {
		deliver(&sides[steps & 1]);
		push(&sides[steps & 1]);
	}
	for (steps = 0; steps < 2 && !changed; steps++)
		require(sides[steps].conn.abort_sent == sides[!steps].conn.abort_received);
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

/* S2-001, S2-002, S2-T09, S2-T13, S2-T14, S2-T36, S2-T37 */
START_TEST(streams)
{
	hostile = false;
	run_all(false);
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
