// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The transitions between credit limits in memory and in flow-control packets, of both ends of a
 * cable, in every order in which two processors can make them.
 */
#include <check.h>
#include "link/credit/credit.h"
#include "tests/unit/suites.h"

/* The steps that the control path takes with a cable, again and again. */
static const struct {
	unsigned int end;
	enum hca_credit_event event;
} steps[] = {
	{ 0, HCA_CREDIT_BEGIN }, { 1, HCA_CREDIT_BEGIN }, { 0, HCA_CREDIT_START },
	{ 1, HCA_CREDIT_START }, { 0, HCA_CREDIT_END }, { 1, HCA_CREDIT_END },
};

enum { NUM_STEPS = sizeof(steps) / sizeof(steps[0]), FIRST_START = 2 };

/* A receiver's run processes last flow-control packets in three parts; others run between them. */
enum part { IDLE, ACCEPTED, SENDER_DONE, NUM_PARTS };

struct cable {
	unsigned int step; /* the next step of the control path */
	enum hca_credit_state state[2];
	enum part part[2]; /* of each receiver's run */
};

enum { STATES = HCA_NUM_CREDIT_STATES };

static bool seen[NUM_STEPS][STATES][STATES][NUM_PARTS][NUM_PARTS];
static unsigned int num_seen, num_shared;

static bool *seen_of(const struct cable *c)
{
	return &seen[c->step][c->state[0]][c->state[1]][c->part[0]][c->part[1]];
}

static void apply(struct cable *c, unsigned int end, enum hca_credit_event event)
{
	enum hca_credit_state next = hca_credit_next(c->state[end], event);

	if (next != HCA_CREDIT_NO_STATE)
		c->state[end] = next;
}

/* The control path: before it starts packets it waits for the runs that are on their way. */
static bool control(struct cable *c)
{
	if (c->step == FIRST_START && (c->part[0] != IDLE || c->part[1] != IDLE))
		return false;
	apply(c, steps[c->step].end, steps[c->step].event);
	c->step = (c->step + 1) % NUM_STEPS;
	return true;
}

static bool receive(struct cable *c, unsigned int receiver)
{
	switch (c->part[receiver]) {
	case IDLE:
		if (!hca_credit_sends_last(c->state[!receiver]) ||
		    !hca_credit_awaits_last(c->state[receiver]))
			return false;
		c->part[receiver] = ACCEPTED;
		return true;
	case ACCEPTED:
		apply(c, !receiver, HCA_CREDIT_LAST_SENT);
		c->part[receiver] = SENDER_DONE;
		return true;
	default:
		apply(c, receiver, HCA_CREDIT_LAST_RECEIVED);
		c->part[receiver] = IDLE;
		return true;
	}
}

/* Between END of both and the next BEGIN. */
static bool has_ended(const struct cable *c)
{
	return c->step == 0;
}

static void check_cable(const struct cable *c, bool idle)
{
	unsigned int end;

	/* Between START and END packets are exchanged in both directions. */
	if (c->step == FIRST_START + 2)
		for (end = 0; end < 2; end++)
			ck_assert_int_eq(c->state[end], HCA_CREDIT_EXCHANGED);
	/* When nothing is left to be received, both ends read the limits in memory. */
	if (has_ended(c) && idle) {
		ck_assert_int_eq(c->state[0], HCA_CREDIT_SHARED);
		ck_assert_int_eq(c->state[1], HCA_CREDIT_SHARED);
		num_shared++;
	}
}

/* Visit each state of the cable that can be reached from @c. */
static void explore(struct cable c)
{
	bool idle = true;
	unsigned int end;

	if (*seen_of(&c))
		return;
	*seen_of(&c) = true;
	num_seen++;
	for (end = 0; end < 2; end++) {
		struct cable next = c;

		if (receive(&next, end)) {
			idle = false;
			explore(next);
		}
	}
	check_cable(&c, idle);
	if (control(&c))
		explore(c);
}

/*
 * Flow-control packets may begin again between any two parts of what ended them, and no end is left
 * with a limit that nobody advertises.
 */
START_TEST(begun_again_at_any_time)
{
	const struct cable cable = { .state = { HCA_CREDIT_SHARED, HCA_CREDIT_SHARED } };

	explore(cable);
	ck_assert_uint_gt(num_seen, 40);
	ck_assert_uint_gt(num_shared, 0);
}
END_TEST

/* The link may go in any state: it is silent then, and late events do not end that. */
START_TEST(stopped)
{
	enum hca_credit_state state;

	for (state = HCA_CREDIT_SHARED; state < HCA_NUM_CREDIT_STATES; state++) {
		ck_assert_int_eq(hca_credit_next(state, HCA_CREDIT_STOP), HCA_CREDIT_SILENT);
	}
	ck_assert_int_eq(hca_credit_next(HCA_CREDIT_SILENT, HCA_CREDIT_END), HCA_CREDIT_NO_STATE);
	ck_assert_int_eq(hca_credit_next(HCA_CREDIT_SILENT, HCA_CREDIT_LAST_SENT),
			 HCA_CREDIT_NO_STATE);
	ck_assert_int_eq(hca_credit_next(HCA_CREDIT_SILENT, HCA_CREDIT_LAST_RECEIVED),
			 HCA_CREDIT_NO_STATE);
}
END_TEST

/* A sender has the limits of packets as long as its peer advertises them, but while they end. */
START_TEST(limits)
{
	ck_assert(!hca_credit_is_received(HCA_CREDIT_SHARED));
	ck_assert(!hca_credit_is_advertised(HCA_CREDIT_SHARED));
	ck_assert(hca_credit_is_received(HCA_CREDIT_EXCHANGED));
	ck_assert(hca_credit_is_advertised(HCA_CREDIT_EXCHANGED));
	ck_assert(!hca_credit_is_received(HCA_CREDIT_ENDING_TX));
	ck_assert(hca_credit_is_sent(HCA_CREDIT_ENDING_TX));
	ck_assert(!hca_credit_sends_last(HCA_CREDIT_ENDING_TX));
	ck_assert(!hca_credit_is_advertised(HCA_CREDIT_ENDING_RX));
	ck_assert(hca_credit_is_sent(HCA_CREDIT_ENDING_RX));
	ck_assert(!hca_credit_awaits_last(HCA_CREDIT_ENDING_RX));
}
END_TEST

Suite *credit_states_suite(void)
{
	Suite *suite = suite_create("credit_states");
	TCase *tc = tcase_create("credit_states");

	tcase_add_test(tc, begun_again_at_any_time);
	tcase_add_test(tc, stopped);
	tcase_add_test(tc, limits);
	suite_add_tcase(suite, tc);
	return suite;
}
