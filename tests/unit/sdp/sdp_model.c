// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * SDP's credits: a check of all states that two ends with a few private buffers can reach. Each end
 * always wants to send payload and other messages, sends an empty Data message only if it is due,
 * and reads what it received at any time or not at all. Links deliver in order, at any time.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "sdp/protocol/credits.h"
#include "sdp/protocol/hello.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* An assertion of Check's writes to a file each time, which is too slow here. */
#define require(condition) \
	do { \
		if (!(condition)) \
			ck_abort_msg("%s", #condition); \
	} while (0)

#define MAX_BUFS 5
#define MAX_STATES (1 << 19)
#define ORIGIN 1000 /* what counters that are alike in all but their origin are counted from */

enum kind { PAYLOAD, CONTROL, UPDATE };

struct link {
	u8 count;
	struct in_flight {
		u8 kind;
		u8 last; /* the sender had one credit */
		u8 bufs;
		u8 behind; /* what the receiver has sent, less MSeqAck */
	} messages[MAX_BUFS];
};

/* The part of a state that is hashed: values that never matter are left out. */
struct state {
	struct end {
		u8 in_flight; /* sent, less acknowledged */
		u8 peer_bufs;
		u8 posted;
		u8 known_bufs;
		u8 unknown; /* messages received since the last that was sent */
		u8 empty;
		u8 unread;
	} end[2];
	struct link link[2]; /* link[i] is what end i has sent. */
};

static struct state *states;
static u32 *table, num_states;
static u8 own[2], under_way;

static struct sdp_credits credits_of(const struct state *state, int i)
{
	const struct end *end = &state->end[i];

	return (struct sdp_credits){
		.sent = ORIGIN,
		.acked = ORIGIN - end->in_flight,
		.peer_bufs = end->peer_bufs,
		.received = ORIGIN - state->link[!i].count,
		.count = ORIGIN,
		.began = true,
		.posted = end->posted,
		.full = own[i],
		.known_bufs = end->known_bufs,
		.known_count = ORIGIN - end->unknown,
		.empty = end->empty,
	};
}

static void store(struct state *state, int i, const struct sdp_credits *credits)
{
	struct end *end = &state->end[i];

	end->in_flight = credits->sent - credits->acked;
	end->peer_bufs = credits->peer_bufs;
	end->posted = credits->posted;
	end->known_bufs = credits->known_bufs;
	end->unknown = credits->count - credits->known_count;
	end->empty = credits->empty;
}

static bool may(const struct state *state, int i, enum kind kind)
{
	struct sdp_credits credits = credits_of(state, i);

	return sdp_credits_may_send(&credits, kind == PAYLOAD) &&
	       (kind != UPDATE || sdp_credits_update_due(&credits));
}

/* S2-225, S2-229 to S2-231: there is credit for the message, and a buffer, whenever it arrives. */
static void model_send(struct state *state, int i, enum kind kind)
{
	struct link *link = &state->link[i], *back = &state->link[!i];
	u32 available = state->end[i].peer_bufs - state->end[i].in_flight, k;
	struct sdp_credits credits = credits_of(state, i);
	struct sdp_bsdh bsdh;

	sdp_credits_sent(&credits, &bsdh);
	require(available >= (kind == PAYLOAD ? 3 : 1));
	require(link->count < state->end[!i].posted);
	store(state, i, &credits);
	link->messages[link->count++] = (struct in_flight){
		.kind = kind,
		.last = available == 1,
		.bufs = bsdh.bufs,
		.behind = back->count,
	};
	for (k = 0; k < back->count; k++)
		back->messages[k].behind++;
}

/* A message that was sent with the last credit provides credit (S2-230). */
static void deliver(struct state *state, int i)
{
	struct sdp_credits credits = credits_of(state, i);
	struct link *link = &state->link[!i];
	struct in_flight message = link->messages[0];
	u32 before = sdp_credits_available(&credits);
	struct sdp_bsdh bsdh = {
		.mid = message.kind == CONTROL ? SDP_MID_DISCONN : SDP_MID_DATA,
		.bufs = message.bufs,
		.len = SDP_BSDH_SIZE + (message.kind == PAYLOAD),
		.mseq = credits.received + 1,
		.mseq_ack = ORIGIN - message.behind,
	};

	require(credits.posted);
	require(sdp_credits_received(&credits, &bsdh) == SDP_OK);
	if (message.last)
		require(sdp_credits_available(&credits) > before);
	if (message.kind == PAYLOAD)
		state->end[i].unread++;
	else
		credits.posted++;
	store(state, i, &credits);
	link->count--;
	memmove(link->messages, link->messages + 1, link->count * sizeof(message));
	link->messages[link->count] = (struct in_flight){ 0 };
}

static void read(struct state *state, int i, u32 bufs)
{
	state->end[i].unread -= bufs;
	state->end[i].posted += bufs;
}

/* Nobody wants to send: the links become empty, and remain so (S2-A11, S2-T12). */
static void idle(struct state *state, bool reading)
{
	u32 messages, old;
	int i;

	for (messages = 0, old = 1; old != messages || state->link[1].count;) {
		old = messages;
		for (i = 0; i < 2; i++) {
			while (state->link[!i].count)
				deliver(state, i);
			if (reading)
				read(state, i, state->end[i].unread);
			if (may(state, i, UPDATE)) {
				model_send(state, i, UPDATE);
				require(messages++ < 4 * MAX_BUFS);
			}
		}
	}
}

/*
 * S2-T09, S2-T13: both ends can send payload once both read; without that, nothing is endless.
 * To an end with three buffers that is never certain: two credits are reserved, and its buffer for
 * payload is too few for an update.
 */
static void check(const struct state *state)
{
	struct state later = *state;
	int i;

	idle(&later, false);
	idle(&later, true);
	for (i = 0; i < 2; i++)
		require(may(&later, i, PAYLOAD) || own[!i] == SDP_BUFS_MIN);
}

static void visit(const struct state *state)
{
	const u8 *octets = (const u8 *)state;
	u32 hash = 2166136261, i;

	for (i = 0; i < sizeof(*state); i++)
		hash = (hash ^ octets[i]) * 16777619;
	for (i = hash ^ hash >> 15;; i++) {
		u32 *entry = &table[i % (2 * MAX_STATES)];

		if (*entry && memcmp(&states[*entry - 1], state, sizeof(*state)))
			continue;
		if (!*entry) {
			require(num_states < MAX_STATES);
			states[num_states] = *state;
			*entry = ++num_states;
		}
		return;
	}
}

static void visit_next(const struct state *state, int i)
{
	enum kind kind;
	struct state next;

	for (kind = PAYLOAD; kind <= UPDATE; kind++)
		if (state->link[i].count < under_way && may(state, i, kind)) {
			next = *state;
			model_send(&next, i, kind);
			visit(&next);
		}
	if (state->link[!i].count) {
		next = *state;
		deliver(&next, i);
		visit(&next);
	}
	if (state->end[i].unread) {
		next = *state;
		read(&next, i, 1);
		visit(&next);
	}
}

/* Private buffers of both ends, and messages under way to each that are no longer held up. */
static const u8 models[][3] = { { 3, 3, 3 }, { 3, 4, 4 }, { 4, 4, 4 },
				{ 3, 5, 3 }, { 4, 5, 2 }, { 5, 5, 1 } };

/* S2-T09, with S2-220, S2-225 to S2-233 */
START_TEST(model)
{
	struct state first = { 0 };
	u32 i;

	states = malloc(MAX_STATES * sizeof(*states));
	table = calloc(2 * MAX_STATES, sizeof(*table));
	num_states = 0;
	under_way = models[_i][2];
	for (i = 0; i < 2; i++) {
		own[i] = models[_i][i];
		first.end[i].posted = first.end[i].known_bufs = own[i];
		first.end[!i].peer_bufs = own[i];
	}
	visit(&first);
	for (i = 0; i < num_states; i++) {
		struct state state = states[i];

		check(&state);
		visit_next(&state, 0);
		visit_next(&state, 1);
	}
	ck_assert_uint_gt(num_states, 1000);
	free(states);
	free(table);
}
END_TEST

Suite *sdp_model_suite(void)
{
	Suite *suite = suite_create("sdp_model");
	TCase *tc = tcase_create("sdp_model");

	tcase_set_timeout(tc, 0);
	tcase_add_loop_test(tc, model, 0, COUNT(models));
	suite_add_tcase(suite, tc);
	return suite;
}
