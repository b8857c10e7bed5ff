// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Link training, recovery from errors, and the thresholds of errors. */
#include <check.h>
#include <linux/bottom_half.h>
#include <linux/kernel.h>
#include "link/rx/integrity.h"
#include "link/state/rate.h"
#include "link/state/recovery.h"
#include "link/state/state.h"
#include "phy/cable.h"
#include "phy/delay.h"
#include "phy/fault.h"
#include "shim.h"
#include "tests/unit/fixture/pair.h"
#include "tests/unit/fixture/switched.h"
#include "tests/unit/suites.h"
#include "transport/retry.h"

#define MS 1000000ull

static struct pair *pair;
static struct hca_port *port[2];

static void setup(void)
{
	pair = pair_new(&pair_rc);
	port[0] = &pair->end[0].ports[1];
	port[1] = &pair->end[1].ports[1];
}

static void teardown(void)
{
	pair_free(pair);
}

static void enable(struct hca_port *p, u8 width, u8 speed, u8 speed_ext)
{
	p->info.link_width_enabled = width;
	p->info.link_speed_enabled = speed;
	p->info.link_speed_ext_enabled = speed_ext;
}

static void retrain(void)
{
	ck_assert_int_eq(hca_port_set_phys_state(port[0], IB_PORT_PHYS_STATE_POLLING), 0);
}

/*
 * C4-119, C4-177, V3-034: a link is trained to the highest values that both ends enable, and both
 * report them; or it stays Down.
 */
START_TEST(trained)
{
	static const struct {
		u8 enabled[2][3];
		u8 active[3]; /* width 0: the link stays down */
		u32 mbps;
	} want[] = {
		{ { { 3, 7, 3 }, { 3, 7, 3 } }, { 2, 4, 2 }, 100000 },
		{ { { 1, 7, 3 }, { 3, 7, 3 } }, { 1, 4, 2 }, 25000 },
		{ { { 3, 7, 1 }, { 3, 7, 3 } }, { 2, 4, 1 }, 54544 },
		{ { { 3, 7, 0 }, { 3, 7, 3 } }, { 2, 4, 0 }, 32000 },
		{ { { 3, 3, 0 }, { 3, 7, 0 } }, { 2, 2, 0 }, 16000 },
		{ { { 3, 1, 2 }, { 3, 7, 1 } }, { 2, 1, 0 }, 8000 },
		{ { { 3, 1, 2 }, { 3, 2, 3 } }, { 2, 4, 2 }, 100000 },
		{ { { 31, 7, 15 }, { 31, 7, 15 } }, { 8, 4, 8 }, 1200000 },
		{ { { 19, 7, 7 }, { 16, 7, 7 } }, { 16, 4, 4 }, 100000 },
		{ { { 1, 7, 3 }, { 2, 7, 3 } }, { 0 }, 0 },
		{ { { 3, 1, 0 }, { 3, 6, 0 } }, { 0 }, 0 },
		{ { { 3, 1, 1 }, { 3, 6, 2 } }, { 0 }, 0 },
	};
	struct hca_link_rate active;
	int i, end;

	for (end = 0; end < 2; end++)
		enable(port[end], want[_i].enabled[end][0], want[_i].enabled[end][1],
		       want[_i].enabled[end][2]);
	retrain();
	for (i = 0; i < 2; i++) {
		if (!want[_i].active[0]) {
			ck_assert_uint_eq(port[i]->info.state, IB_PORT_DOWN);
			ck_assert_uint_eq(port[i]->info.phys_state, IB_PORT_PHYS_STATE_POLLING);
			continue;
		}
		ck_assert_uint_eq(port[i]->info.state, IB_PORT_INIT);
		active = hca_link_rate_active(&port[i]->info);
		ck_assert_uint_eq(active.width, want[_i].active[0]);
		ck_assert_uint_eq(active.speed, want[_i].active[1]);
		ck_assert_uint_eq(active.speed_ext, want[_i].active[2]);
		ck_assert_uint_eq(hca_link_mbps(&active), want[_i].mbps);
	}
	/* Once they have enabled values in common again, the link is trained. */
	enable(port[0], 3, 7, 3);
	enable(port[1], 3, 7, 3);
	retrain();
	ck_assert_uint_eq(port[1]->info.state, IB_PORT_INIT);
}
END_TEST

/*
 * C4-233: the effects of a Set on its own port cause no event; what the link does by itself causes
 * one.
 */
START_TEST(port_state_change)
{
	struct switched *s = switched_new(&pair_ud);
	struct hca_port *own = switched_port(s, 3), *peer = &s->listener[0].port;
	bool *news = &s->sw->info.port_state_change;

	*news = false;
	ck_assert_int_eq(hca_port_set_phys_state(own, IB_PORT_PHYS_STATE_DISABLED), 0);
	ck_assert(!*news);
	ck_assert_int_eq(hca_port_set_phys_state(own, IB_PORT_PHYS_STATE_POLLING), 0);
	ck_assert(*news); /* to Initialize by training */
	*news = false;
	ck_assert_int_eq(hca_port_set_phys_state(peer, IB_PORT_PHYS_STATE_DISABLED), 0);
	ck_assert(*news);
	switched_free(s);
}
END_TEST

/* Enabled values apply when the link is trained next, not before (IBA 14.2.5.6). */
START_TEST(enabled_later)
{
	enable(port[1], 1, 1, 0);
	ck_assert_uint_eq(port[0]->info.link_width_active, 2);
	retrain();
	ck_assert_uint_eq(port[0]->info.link_width_active, 1);
	ck_assert_uint_eq(port[0]->info.link_speed_active, 1);
	ck_assert_uint_eq(port[0]->info.link_speed_ext_active, 0);
}
END_TEST

/*
 * C4-178, B4-459: a port whose link is lost enters the state LinkDownDefaultState; in Sleep it
 * stays down.
 */
START_TEST(link_down_default)
{
	port[1]->info.link_down_default = IB_PORT_PHYS_STATE_SLEEP;
	retrain();
	ck_assert_uint_eq(port[1]->info.phys_state, IB_PORT_PHYS_STATE_SLEEP);
	ck_assert_uint_eq(port[0]->info.phys_state, IB_PORT_PHYS_STATE_POLLING);
	ck_assert_uint_eq(port[0]->info.state, IB_PORT_DOWN);
	ck_assert_int_eq(hca_port_set_phys_state(port[1], IB_PORT_PHYS_STATE_POLLING), 0);
	ck_assert_uint_eq(port[0]->info.state, IB_PORT_INIT);
}
END_TEST

static void recover(void)
{
	local_bh_disable();
	hca_link_recover(port[0]);
	hca_engine_run();
	local_bh_enable();
}

static void signal(int end, bool there)
{
	local_bh_disable();
	hca_link_signal(port[end], there);
	hca_engine_run();
	local_bh_enable();
}

static void check_states(u8 state, u8 phys)
{
	int i;

	for (i = 0; i < 2; i++) {
		ck_assert_uint_eq(port[i]->info.state, state);
		ck_assert_uint_eq(port[i]->info.phys_state, phys);
	}
}

static void check_counts(u64 recoveries, u64 downs)
{
	int i;

	for (i = 0; i < 2; i++) {
		ck_assert_uint_eq(hca_counter_read(port[i], HCA_CTR_LINK_ERROR_RECOVERY),
				  recoveries);
		ck_assert_uint_eq(hca_counter_read(port[i], HCA_CTR_LINK_DOWNED), downs);
		ck_assert_uint_eq(pair->end[i].port_events[HCA_EVENT_PORT_ERROR], downs);
	}
}

static void set_phys(int end, u8 phys)
{
	ck_assert_int_eq(hca_port_set_phys_state(port[end], phys), 0);
}

static void check_phys(u8 phys0, u8 phys1)
{
	ck_assert_uint_eq(port[0]->info.phys_state, phys0);
	ck_assert_uint_eq(port[1]->info.phys_state, phys1);
}

/*
 * C4-177, C4-178: a port that has entered Sleep ignores signals for 400 ms; then a polling peer
 * wakes it, whenever that begins. A peer that sleeps, or is disabled, does not.
 */
START_TEST(asleep)
{
	set_phys(1, IB_PORT_PHYS_STATE_SLEEP);
	shim_advance(400 * MS - 1);
	check_phys(IB_PORT_PHYS_STATE_POLLING, IB_PORT_PHYS_STATE_SLEEP);
	shim_advance(1);
	check_states(IB_PORT_INIT, IB_PORT_PHYS_STATE_LINK_UP);

	set_phys(0, IB_PORT_PHYS_STATE_DISABLED);
	set_phys(1, IB_PORT_PHYS_STATE_SLEEP);
	shim_advance(1000 * MS);
	check_phys(IB_PORT_PHYS_STATE_DISABLED, IB_PORT_PHYS_STATE_SLEEP);
	set_phys(0, IB_PORT_PHYS_STATE_SLEEP);
	shim_advance(1000 * MS);
	check_states(IB_PORT_DOWN, IB_PORT_PHYS_STATE_SLEEP);
	set_phys(_i, IB_PORT_PHYS_STATE_POLLING);
	check_states(IB_PORT_INIT, IB_PORT_PHYS_STATE_LINK_UP);
	ck_assert_uint_eq(shim_next_timer_ns(), U64_MAX);
}
END_TEST

/*
 * A peer without a signal, or without a cable, does not wake it, either; as soon as there is a
 * signal, it wakes.
 */
START_TEST(sleeps_on)
{
	set_phys(1, IB_PORT_PHYS_STATE_SLEEP);
	if (_i)
		ck_assert_int_eq(hca_cable_disconnect(port[0]), 0);
	else
		signal(0, false);
	shim_advance(1000 * MS);
	check_phys(IB_PORT_PHYS_STATE_POLLING, IB_PORT_PHYS_STATE_SLEEP);
	if (_i)
		ck_assert_int_eq(hca_cable_connect(port[0], port[1]), 0);
	else
		signal(0, true);
	check_states(IB_PORT_INIT, IB_PORT_PHYS_STATE_LINK_UP);
}
END_TEST

/*
 * The cable has lost flow-control packets, too: a port that wakes begins to poll, and its peer
 * receives that.
 */
START_TEST(sleeps_on_a_lossy_cable)
{
	const struct hca_fault_spec lossy = { .classes = HCA_FAULT_CLASS_SMP,
					      .chance[HCA_FAULT_DROP] = 1 };

	hca_fault_install(port[0], hca_fault_new(&lossy));
	set_phys(1, IB_PORT_PHYS_STATE_SLEEP);
	shim_advance(1000 * MS);
	check_states(IB_PORT_INIT, IB_PORT_PHYS_STATE_LINK_UP);
	hca_fault_install(port[0], NULL);
	shim_advance(MS);
}
END_TEST

/* C4-178: of two ports that enter Sleep when their link is lost, neither wakes by itself. */
START_TEST(both_sleep_by_default)
{
	port[0]->info.link_down_default = IB_PORT_PHYS_STATE_SLEEP;
	port[1]->info.link_down_default = IB_PORT_PHYS_STATE_SLEEP;
	signal(0, false);
	shim_advance(20 * MS);
	signal(0, true);
	shim_advance(1000 * MS);
	check_states(IB_PORT_DOWN, IB_PORT_PHYS_STATE_SLEEP);
	set_phys(_i, IB_PORT_PHYS_STATE_POLLING);
	check_states(IB_PORT_INIT, IB_PORT_PHYS_STATE_LINK_UP);
}
END_TEST

/*
 * C4-134, B4-433, B4-434: packets from before the last training that arrive late do not make an
 * Armed port Active: ActiveEnable waits until the peer leaves Initialize.
 */
START_TEST(active_enable)
{
	const struct hca_delay_spec slow = { .delay = 5 * MS }, none = {};
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	pair_recv(b, 0, DST, 10);
	pair_recv(b, 1, DST, 10);
	pair_recv(b, 2, DST, 10);
	pair_send(a, 0, 0, SRC, 10); /* its acknowledgement brings credit for the others */
	pair_expect(&b->recv_cq, 0, IB_WC_SUCCESS);
	ck_assert_int_eq(hca_delay_set(port[1], &slow), 0);
	pair_send(a, 1, 0, SRC, 10);
	retrain();
	ck_assert_int_eq(hca_port_set_state(port[1], IB_PORT_ARMED), 0);
	shim_advance(5 * MS);
	pair_expect(&b->recv_cq, 1, IB_WC_SUCCESS); /* the packet is data, and is received */
	ck_assert_uint_eq(port[1]->info.state, IB_PORT_ARMED);

	ck_assert_int_eq(hca_delay_set(port[1], &none), 0);
	ck_assert_int_eq(hca_port_set_state(port[0], IB_PORT_ARMED), 0);
	ck_assert_int_eq(hca_port_set_state(port[0], IB_PORT_ACTIVE), 0);
	pair_send(a, 2, 0, SRC, 10);
	pair_expect(&b->recv_cq, 2, IB_WC_SUCCESS);
	ck_assert_uint_eq(port[1]->info.state, IB_PORT_ACTIVE);
}
END_TEST

/* C4-133, B4-436: Active, ActDefer, Active; packets sent meanwhile wait, and none is lost. */
START_TEST(act_defer)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_cqe cqe;

	recover();
	check_states(IB_PORT_ACTIVE_DEFER, IB_PORT_PHYS_STATE_LINK_ERROR_RECOVERY);
	pair_fill(a, SRC, 5000, 1);
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 5000);
	ck_assert_uint_eq(b->received, 0);
	ck_assert(!pair_poll(&a->send_cq, &cqe));
	shim_advance(MS);
	check_states(IB_PORT_ACTIVE, IB_PORT_PHYS_STATE_LINK_UP);
	check_counts(1, 0);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	ck_assert(pair_same(a, SRC, b, DST, 5000));
	ck_assert_uint_eq(hca_counter_read(port[0], HCA_CTR_XMIT_DISCARDS), 0);
	/* No packet remains in the queues. */
	ck_assert_uint_eq(port[0]->tx.pending, 0);
}
END_TEST

/* The signal returns within 10 ms: the link has not been down. */
START_TEST(short_break)
{
	signal(_i, false);
	shim_advance(8 * MS);
	check_states(IB_PORT_ACTIVE_DEFER, IB_PORT_PHYS_STATE_LINK_ERROR_RECOVERY);
	signal(_i, true);
	shim_advance(MS);
	check_states(IB_PORT_ACTIVE, IB_PORT_PHYS_STATE_LINK_UP);
	check_counts(1, 0);
	shim_advance(100 * MS);
	check_states(IB_PORT_ACTIVE, IB_PORT_PHYS_STATE_LINK_UP);
}
END_TEST

/*
 * C4-133: the signal does not return: after LinkDownTimeout the link is down, until there is a
 * signal.
 */
START_TEST(long_break)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	hca_early_retries = false; /* One packet is discarded. */
	signal(_i, false);
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 100);
	shim_advance(10 * MS - 1);
	check_states(IB_PORT_ACTIVE_DEFER, IB_PORT_PHYS_STATE_LINK_ERROR_RECOVERY);
	ck_assert_uint_eq(hca_counter_read(port[0], HCA_CTR_XMIT_DISCARDS), 0);
	shim_advance(1);
	check_states(IB_PORT_DOWN, IB_PORT_PHYS_STATE_POLLING);
	ck_assert_uint_eq(hca_counter_read(port[0], HCA_CTR_XMIT_DISCARDS), 1); /* B4-432 */
	check_counts(0, 1);
	retrain();
	check_states(IB_PORT_DOWN, IB_PORT_PHYS_STATE_POLLING);
	signal(_i, true);
	check_states(IB_PORT_INIT, IB_PORT_PHYS_STATE_LINK_UP);
	pair_wait(10000);
	pair_expect(&a->send_cq, 1, IB_WC_RETRY_EXC_ERR);
	hca_early_retries = true;
}
END_TEST

static void admin_down(int end, bool down)
{
	local_bh_disable();
	hca_link_set_admin_down(port[end], down);
	hca_engine_run();
	local_bh_enable();
}

/* Make both ports Active, as a manager does. */
static void activate(void)
{
	int i;

	for (i = 0; i < 2; i++)
		ck_assert_int_eq(hca_port_set_state(port[i], IB_PORT_ARMED), 0);
	for (i = 0; i < 2; i++)
		ck_assert_int_eq(hca_port_set_state(port[i], IB_PORT_ACTIVE), 0);
}

static void write_something(u64 wr_id)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	pair_fill(a, SRC, 5000, wr_id);
	pair_rdma(a, b, wr_id, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 5000);
	pair_expect(&a->send_cq, wr_id, IB_WC_SUCCESS);
	ck_assert(pair_same(a, SRC, b, DST, 5000));
}

/*
 * A link that is administratively down is Down at once and stays so, whatever would begin training,
 * until it is taken up at either end; then its cable and its faults are what they were.
 */
START_TEST(down_and_up)
{
	const struct hca_fault_spec lossy = { .classes = HCA_FAULT_CLASS_SMP,
					      .chance[HCA_FAULT_DROP] = 7 };
	struct hca_fault_counts counts;

	hca_fault_install(port[0], hca_fault_new(&lossy));
	admin_down(_i, true);
	check_states(IB_PORT_DOWN, IB_PORT_PHYS_STATE_POLLING);
	check_counts(0, 1);
	admin_down(0, true);
	admin_down(1, true);
	retrain();
	signal(0, false);
	signal(0, true);
	recover();
	shim_advance(5000 * MS);
	check_states(IB_PORT_DOWN, IB_PORT_PHYS_STATE_POLLING);
	check_counts(0, 1);

	admin_down(1, false);
	check_states(IB_PORT_INIT, IB_PORT_PHYS_STATE_LINK_UP);
	admin_down(0, false);
	check_states(IB_PORT_INIT, IB_PORT_PHYS_STATE_LINK_UP);
	check_counts(0, 1);
	ck_assert_ptr_eq(port[0]->peer, port[1]);
	ck_assert_uint_eq(hca_fault_get(port[0], &counts)->chance[HCA_FAULT_DROP], 7);
	activate();
	shim_advance(5000 * MS);
	check_states(IB_PORT_ACTIVE, IB_PORT_PHYS_STATE_LINK_UP);
	write_something(1);
	hca_fault_install(port[0], NULL);
	shim_advance(MS);
}
END_TEST

/* A link goes down during its recovery, and up before or after LinkDownTimeout. */
START_TEST(down_in_recovery)
{
	signal(0, false);
	check_states(IB_PORT_ACTIVE_DEFER, IB_PORT_PHYS_STATE_LINK_ERROR_RECOVERY);
	admin_down(0, true);
	check_states(IB_PORT_DOWN, IB_PORT_PHYS_STATE_POLLING);
	shim_advance(_i ? 20 * MS : MS / 2);
	admin_down(0, false);
	check_states(IB_PORT_DOWN, IB_PORT_PHYS_STATE_POLLING);
	signal(0, true);
	check_states(IB_PORT_INIT, IB_PORT_PHYS_STATE_LINK_UP);
	activate();
	shim_advance(100 * MS);
	check_states(IB_PORT_ACTIVE, IB_PORT_PHYS_STATE_LINK_UP);
	check_counts(0, 1);
	write_something(1);
}
END_TEST

/* A manager disables a port meanwhile: it stays so. */
START_TEST(down_and_disabled)
{
	admin_down(0, true);
	set_phys(_i, IB_PORT_PHYS_STATE_DISABLED);
	admin_down(0, false);
	ck_assert_uint_eq(port[_i]->info.phys_state, IB_PORT_PHYS_STATE_DISABLED);
	ck_assert_uint_eq(port[!_i]->info.state, IB_PORT_DOWN);
	set_phys(_i, IB_PORT_PHYS_STATE_POLLING);
	check_states(IB_PORT_INIT, IB_PORT_PHYS_STATE_LINK_UP);
}
END_TEST

/* A cable that is down is removed, and another one is connected: that is up. */
START_TEST(down_and_pulled)
{
	admin_down(0, true);
	ck_assert_int_eq(hca_cable_disconnect(port[_i]), 0);
	check_states(IB_PORT_DOWN, IB_PORT_PHYS_STATE_POLLING);
	ck_assert_int_eq(hca_cable_connect(port[0], port[1]), 0);
	check_states(IB_PORT_INIT, IB_PORT_PHYS_STATE_LINK_UP);
	activate();
	write_something(1);
}
END_TEST

/*
 * Two processors detect, each for its own end, that the link fails, or is up: both together do not
 * take it down.
 */
START_TEST(both_at_once)
{
	local_bh_disable();
	ck_assert(hca_port_defer(port[!_i]));
	hca_link_recover(port[_i]);
	local_bh_enable();
	check_states(IB_PORT_ACTIVE_DEFER, IB_PORT_PHYS_STATE_LINK_ERROR_RECOVERY);
	local_bh_disable();
	ck_assert(hca_port_resume(port[!_i]));
	local_bh_enable();
	shim_advance(MS);
	check_states(IB_PORT_ACTIVE, IB_PORT_PHYS_STATE_LINK_UP);
	check_counts(1, 0);
}
END_TEST

/* A port that is not Active does not enter ActDefer: it goes down, and comes up at once. */
START_TEST(not_active)
{
	ck_assert_int_eq(hca_port_set_phys_state(port[1], IB_PORT_PHYS_STATE_POLLING), 0);
	ck_assert_int_eq(hca_port_set_state(port[0], IB_PORT_ARMED), 0);
	recover();
	check_states(IB_PORT_INIT, IB_PORT_PHYS_STATE_LINK_UP);
	ck_assert_uint_eq(hca_counter_read(port[0], HCA_CTR_LINK_DOWNED), 2);
	/* once, as requested */
	ck_assert_uint_eq(hca_counter_read(port[1], HCA_CTR_LINK_DOWNED), 1);
}
END_TEST

/*
 * C4-180: LinkDownedCounter counts links that have failed. A port that a manager has set Down does
 * not count; the other end of its link does.
 */
START_TEST(asked_for)
{
	if (_i)
		ck_assert_int_eq(hca_port_set_phys_state(port[1], IB_PORT_PHYS_STATE_DISABLED), 0);
	else
		ck_assert_int_eq(hca_port_set_state(port[1], IB_PORT_DOWN), 0);
	ck_assert_uint_eq(hca_counter_read(port[1], HCA_CTR_LINK_DOWNED), 0);
	ck_assert_uint_eq(hca_counter_read(port[0], HCA_CTR_LINK_DOWNED), 1);
	ck_assert_uint_eq(pair->end[1].port_events[HCA_EVENT_PORT_ERROR], 1);
	/* The link is trained anew by itself, without a manager. */
	if (_i)
		ck_assert_int_eq(hca_port_set_phys_state(port[1], IB_PORT_PHYS_STATE_POLLING), 0);
	local_bh_disable();
	hca_link_retrain(port[1]);
	hca_engine_run();
	local_bh_enable();
	ck_assert_uint_eq(hca_counter_read(port[1], HCA_CTR_LINK_DOWNED), 1);
	ck_assert_uint_eq(hca_counter_read(port[0], HCA_CTR_LINK_DOWNED), 2);
	check_states(IB_PORT_INIT, IB_PORT_PHYS_STATE_LINK_UP);
}
END_TEST

/* A cable is pulled, or a port is disabled, during the recovery. */
START_TEST(taken_down)
{
	recover();
	if (_i)
		ck_assert_int_eq(hca_cable_disconnect(port[1]), 0);
	else
		ck_assert_int_eq(hca_port_set_phys_state(port[1], IB_PORT_PHYS_STATE_DISABLED), 0);
	shim_advance(100 * MS);
	ck_assert_uint_eq(port[0]->info.state, IB_PORT_DOWN);
	ck_assert_uint_eq(port[0]->info.phys_state, IB_PORT_PHYS_STATE_POLLING);
	ck_assert_uint_eq(port[1]->info.phys_state,
			  _i ? IB_PORT_PHYS_STATE_POLLING : IB_PORT_PHYS_STATE_DISABLED);
	ck_assert_uint_eq(hca_counter_read(port[0], HCA_CTR_LINK_DOWNED), 1);
	ck_assert_uint_eq(hca_counter_read(port[1], HCA_CTR_LINK_DOWNED), _i);
	ck_assert_uint_eq(hca_counter_read(port[0], HCA_CTR_LINK_ERROR_RECOVERY), 0);
	ck_assert_uint_eq(pair->end[0].port_events[HCA_EVENT_PORT_ERROR], 1);
	ck_assert_uint_eq(pair->end[1].port_events[HCA_EVENT_PORT_ERROR], 1);
}
END_TEST

/*
 * C4-179, C4-339, B4-462: LocalPhyErrors damaged packets are tolerated; one more exceeds the
 * threshold.
 */
START_TEST(too_many_errors)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_fault_spec spec = { .chance[HCA_FAULT_CORRUPT] = HCA_FAULT_ALWAYS };
	unsigned int i;

	port[1]->info.local_phy_errors = _i;
	local_bh_disable();
	for (i = 0; i < _i; i++)
		hca_integrity_error(port[1]);
	local_bh_enable();
	ck_assert_uint_eq(hca_counter_read(port[1], HCA_CTR_LOCAL_LINK_INTEGRITY_ERRORS), 0);
	check_states(IB_PORT_ACTIVE, IB_PORT_PHYS_STATE_LINK_UP);
	hca_fault_install(port[0], hca_fault_new(&spec));
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 10);
	ck_assert_uint_eq(hca_counter_read(port[1], HCA_CTR_LOCAL_LINK_INTEGRITY_ERRORS), 1);
	check_states(IB_PORT_ACTIVE_DEFER, IB_PORT_PHYS_STATE_LINK_ERROR_RECOVERY);
	hca_fault_install(port[0], NULL);
	shim_advance(MS);
	check_states(IB_PORT_ACTIVE, IB_PORT_PHYS_STATE_LINK_UP);
	check_counts(1, 0);
}
END_TEST

/* C4-179: undamaged packets compensate for damaged ones. */
START_TEST(leaky_bucket)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	unsigned int i;

	port[1]->info.local_phy_errors = 2;
	for (i = 0; i < 50; i++) {
		local_bh_disable();
		hca_integrity_error(port[1]);
		hca_integrity_error(port[1]);
		local_bh_enable();
		pair_rdma(a, b, i, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 10000);
		pair_expect(&a->send_cq, i, IB_WC_SUCCESS);
	}
	ck_assert_uint_eq(hca_counter_read(port[1], HCA_CTR_LOCAL_LINK_INTEGRITY_ERRORS), 0);
}
END_TEST

static void overrun(void)
{
	local_bh_disable();
	hca_integrity_overrun(port[1]);
	hca_engine_run();
	local_bh_enable();
}

/*
 * C4-240, C4-339: the threshold is exceeded after more than OverrunErrors consecutive periods with
 * overruns.
 */
START_TEST(overruns)
{
	unsigned int i;

	port[1]->info.overrun_errors = 3;
	shim_advance(100 * HCA_FLOW_PERIOD_MS * MS);
	for (i = 0; i < 100; i++) /* one period */
		overrun();
	for (i = 0; i < 100; i++) { /* with gaps between them */
		shim_advance(2 * HCA_FLOW_PERIOD_MS * MS);
		overrun();
	}
	ck_assert_uint_eq(hca_counter_read(port[1], HCA_CTR_EXCESSIVE_BUFFER_OVERRUNS), 0);
	for (i = 0; i < 3; i++) {
		shim_advance(HCA_FLOW_PERIOD_MS * MS);
		overrun();
	}
	ck_assert_uint_eq(hca_counter_read(port[1], HCA_CTR_EXCESSIVE_BUFFER_OVERRUNS), 1);
	check_states(IB_PORT_ACTIVE_DEFER, IB_PORT_PHYS_STATE_LINK_ERROR_RECOVERY);
	shim_advance(MS);
	check_counts(1, 0);
}
END_TEST

Suite *recovery_suite(void)
{
	Suite *suite = suite_create("recovery");
	TCase *tc = tcase_create("training");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, trained, 0, 12);
	tcase_add_test(tc, enabled_later);
	tcase_add_test(tc, link_down_default);
	tcase_add_loop_test(tc, asleep, 0, 2);
	tcase_add_loop_test(tc, sleeps_on, 0, 2);
	tcase_add_test(tc, sleeps_on_a_lossy_cable);
	tcase_add_loop_test(tc, both_sleep_by_default, 0, 2);
	tcase_add_test(tc, active_enable);
	suite_add_tcase(suite, tc);

	tc = tcase_create("news");
	tcase_add_test(tc, port_state_change);
	suite_add_tcase(suite, tc);

	tc = tcase_create("recovery");
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, act_defer);
	tcase_add_loop_test(tc, short_break, 0, 2);
	tcase_add_loop_test(tc, long_break, 0, 2);
	tcase_add_loop_test(tc, both_at_once, 0, 2);
	tcase_add_test(tc, not_active);
	tcase_add_loop_test(tc, asked_for, 0, 2);
	tcase_add_loop_test(tc, taken_down, 0, 2);
	suite_add_tcase(suite, tc);

	tc = tcase_create("administratively down");
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, down_and_up, 0, 2);
	tcase_add_loop_test(tc, down_in_recovery, 0, 2);
	tcase_add_loop_test(tc, down_and_disabled, 0, 2);
	tcase_add_loop_test(tc, down_and_pulled, 0, 2);
	suite_add_tcase(suite, tc);

	tc = tcase_create("thresholds");
	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, too_many_errors, 0, 3);
	tcase_add_test(tc, leaky_bucket);
	tcase_add_test(tc, overruns);
	suite_add_tcase(suite, tc);
	return suite;
}
