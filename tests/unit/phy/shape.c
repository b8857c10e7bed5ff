// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The shape of a cable: delay, jitter, reordered packets, and a signal that is lost and returns. */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include "link/rx/rx.h"
#include "link/state/state.h"
#include "phy/cable.h"
#include "phy/fault.h"
#include "phy/shape.h"
#include "shim.h"
#include "tests/unit/fixture/chain.h"
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"

#define US 1000ull
#define MS 1000000ull

static void shape(struct hca_port *port, struct hca_shape_spec spec)
{
	ck_assert_int_eq(hca_shape_set(port, &spec), 0);
}

static void send_many(u32 first, unsigned int n)
{
	while (n--)
		ck_assert(chain_send(&c.relay[1], 0, first++, NULL));
}

static void check_order(void)
{
	unsigned int i;

	for (i = 0; i < c.num_got; i++)
		ck_assert_uint_eq(c.got[i], i);
}

/* The delay of each packet; other hops take no time. */
START_TEST(delayed)
{
	shape(&c.relay[1], (struct hca_shape_spec){ .delay.delay = 50 * US });
	send_many(0, 2);
	shim_advance(20 * US);
	send_many(2, 1);
	shim_advance(30 * US - 1);
	ck_assert_uint_eq(c.num_got, 0);
	shim_advance(1);
	ck_assert_uint_eq(c.num_got, 2);
	shim_advance(20 * US - 1);
	ck_assert_uint_eq(c.num_got, 2);
	shim_advance(1);
	ck_assert_uint_eq(c.num_got, 3);
	check_order();
	ck_assert_uint_eq(shim_next_timer_ns(), U64_MAX);
}
END_TEST

/* Jitter: delays differ, no packet overtakes another, and the mean delay is the configured one. */
START_TEST(jitter)
{
	u64 sent, least = U64_MAX, most = 0;
	unsigned int i;

	shape(&c.relay[1], (struct hca_shape_spec){
				   .delay = { .delay = 50 * US, .jitter = 20 * US } });
	for (i = 0; i < 200; i++) {
		send_many(i, 1);
		for (sent = 0; c.num_got <= i; sent++)
			shim_advance(US);
		least = min(least, sent);
		most = max(most, sent);
	}
	ck_assert_uint_ge(least, 30);
	ck_assert_uint_lt(least, 35);
	ck_assert_uint_le(most, 71);
	ck_assert_uint_gt(most, 65);
	for (i = 200; i < 600; i++) { /* many at a time */
		send_many(i, 1);
		shim_advance(US);
	}
	shim_advance(100 * US);
	ck_assert_uint_eq(c.num_got, 600);
	check_order();
}
END_TEST

/* Some packets are late, and all arrive; the others keep their order. */
START_TEST(reordered)
{
	struct hca_shape_counts counts;
	unsigned int i, behind = 0;
	u32 highest = 0;

	shape(&c.relay[1], (struct hca_shape_spec){ .delay.reorder = U32_MAX / 10 });
	for (i = 0; i < 500; i++) {
		send_many(i, 1);
		shim_advance(10 * US);
	}
	shim_advance(200 * US);
	ck_assert_uint_eq(c.num_got, 500);
	for (i = 0; i < 500; i++) {
		if (c.got[i] < highest)
			behind++;
		highest = max(highest, c.got[i]);
	}
	ck_assert_ptr_nonnull(hca_shape_get(&c.relay[1], &counts));
	ck_assert_uint_gt(counts.reordered, 25);
	ck_assert_uint_lt(counts.reordered, 80);
	ck_assert_uint_gt(behind, 20);
	ck_assert_uint_le(behind, counts.reordered);
}
END_TEST

/*
 * Equal seeds delay equal packets equally, jitter included; other seeds choose others; packets that
 * follow the clock, such as flow-control packets, do not affect that.
 */
START_TEST(seeds)
{
	static const u32 seed[] = { 7, 7, 7, 8 };
	const struct hca_fault_spec lossy = { .classes = HCA_FAULT_CLASS_SMP,
					      .chance[HCA_FAULT_DROP] = 1 };
	u32 order[ARRAY_SIZE(seed)][300];
	u64 elapsed[ARRAY_SIZE(seed)];
	unsigned int run, i;

	for (run = 0; run < ARRAY_SIZE(seed); run++) {
		if (run == 2) /* with flow-control packets */
			hca_fault_install(&c.relay[1], hca_fault_new(&lossy));
		shape(&c.relay[1],
		      (struct hca_shape_spec){ .delay = { .delay = 50 * US, .jitter = 20 * US,
							  .reorder = U32_MAX / 5,
							  .seed = seed[run] } });
		c.num_got = 0;
		for (i = 0; i < ARRAY_SIZE(order[0]); i++) {
			send_many(i, 1);
			shim_advance(10 * US);
		}
		for (elapsed[run] = 0; c.num_got < ARRAY_SIZE(order[0]); elapsed[run]++)
			shim_advance(US);
		memcpy(order[run], c.got, sizeof(order[run]));
		if (run == 2)
			hca_fault_install(&c.relay[1], NULL);
		shim_advance(MS);
	}
	for (run = 1; run < 3; run++) {
		ck_assert_mem_eq(order[run], order[0], sizeof(order[0]));
		ck_assert_uint_eq(elapsed[run], elapsed[0]);
	}
	ck_assert_mem_ne(order[3], order[0], sizeof(order[0]));
}
END_TEST

/* After a new setting, packets in transit arrive before all later ones. No credit is missing. */
START_TEST(changed)
{
	shape(&c.relay[1], (struct hca_shape_spec){ .delay.delay = 10 * MS });
	send_many(0, 3);
	shim_advance(MS);
	shape(&c.relay[1], (struct hca_shape_spec){ .delay.delay = 2 * MS });
	ck_assert_uint_eq(c.num_got, 3);
	send_many(3, 2);
	shape(&c.relay[1], (struct hca_shape_spec){ .mbps = 0 });
	ck_assert_ptr_null(c.relay[1].shape);
	ck_assert_uint_eq(c.num_got, 5);
	send_many(5, 1);
	ck_assert_uint_eq(c.num_got, 6);
	check_order();
	ck_assert_uint_eq(c.to.rx_buffer.fccl[0] - c.relay[1].tx.fctbs[0], HCA_VL_BUFFER_BLOCKS);
	ck_assert_uint_eq(shim_next_timer_ns(), U64_MAX);
}
END_TEST

/* The cable is pulled: packets on it are lost, and its shape is removed. */
START_TEST(pulled)
{
	shape(&c.relay[1], (struct hca_shape_spec){ .mbps = 1000, .delay.delay = 10 * MS });
	send_many(0, 3);
	shim_advance(MS);
	ck_assert_uint_eq(c.pool.in_use, 3);
	ck_assert_int_eq(hca_cable_disconnect(&c.to), 0);
	ck_assert_uint_eq(c.pool.in_use, 0);
	ck_assert_uint_eq(c.num_got, 0);
	ck_assert_ptr_null(c.relay[1].shape);
	ck_assert_uint_eq(c.relay[1].tx.pending, 0);
	chain_join(&c.relay[1], &c.to);
	send_many(0, 1);
	ck_assert_uint_eq(c.num_got, 1);
}
END_TEST

/* The data in transit is limited by the credit. */
START_TEST(bounded)
{
	unsigned int i;

	shape(&c.relay[1], (struct hca_shape_spec){ .delay.delay = 10 * MS });
	for (i = 0; i < 600; i++)
		chain_send(&c.relay[1], 0, i, NULL);
	ck_assert_uint_eq(c.relay[1].tx.fctbs[0], 2047 / CHAIN_BLOCKS * CHAIN_BLOCKS);
	shim_advance(10 * MS);
	ck_assert_uint_eq(c.num_got, 2047 / CHAIN_BLOCKS);
	shim_advance(10 * MS);
	ck_assert_uint_eq(c.relay[1].tx.pending, 0);
	check_order();
}
END_TEST

/* C4-120: the rate follows from the active width and speed, also after the link is trained anew. */
START_TEST(rate_of_link)
{
	shape(&c.relay[1], (struct hca_shape_spec){ .mbps = HCA_RATE_OF_LINK });
	ck_assert_uint_eq(c.relay[1].tx.timing.ps_per_block, 5120); /* 100 Gb/s */
	c.to.info.link_width_enabled = 1;
	c.to.info.link_speed_enabled = 1;
	c.to.info.link_speed_ext_enabled = 0;
	ck_assert_int_eq(hca_port_set_state(&c.to, IB_PORT_DOWN), 0);
	ck_assert_uint_eq(c.relay[1].info.state, IB_PORT_INIT);
	ck_assert_uint_eq(c.relay[1].tx.timing.ps_per_block, 256000); /* B4-001: 2 Gb/s */
}
END_TEST

/*
 * Short losses of signal are tolerated; long ones take the link down, and it comes up again by
 * itself.
 */
START_TEST(flapping)
{
	bool is_long = _i;
	struct hca_shape_counts counts;
	unsigned int i;

	shape(&c.relay[1], (struct hca_shape_spec){ .flap_every = 100 * MS,
						    .flap_for = (is_long ? 20 : 5) * MS });
	shim_advance((is_long ? 80 : 95) * MS - 1);
	ck_assert_uint_eq(c.to.info.state, IB_PORT_ACTIVE);
	shim_advance(1);
	ck_assert_uint_eq(c.to.info.state, IB_PORT_ACTIVE_DEFER);
	for (i = 0; i < 10; i++)
		chain_send(&c.relay[1], 0, i, NULL);
	shim_advance((is_long ? 20 : 6) * MS);
	ck_assert_uint_eq(c.to.info.state, is_long ? IB_PORT_INIT : IB_PORT_ACTIVE);
	ck_assert_uint_eq(c.relay[1].info.state, c.to.info.state);
	ck_assert_uint_eq(c.num_got, is_long ? 0 : 10);
	ck_assert_uint_eq(hca_counter_read(&c.to, HCA_CTR_LINK_DOWNED), is_long);
	ck_assert_uint_eq(hca_counter_read(&c.to, HCA_CTR_LINK_ERROR_RECOVERY), !is_long);
	shim_advance(900 * MS);
	ck_assert_ptr_nonnull(hca_shape_get(&c.relay[1], &counts));
	ck_assert_uint_ge(counts.flapped, 9);
	/* The last setting ends while there is no signal, and the signal returns. */
	while (!READ_ONCE(c.relay[1].recovery.no_signal))
		shim_advance(MS);
	shape(&c.relay[1], (struct hca_shape_spec){ .mbps = 0 });
	shim_advance(2 * MS);
	ck_assert_uint_ne(c.to.info.state, IB_PORT_DOWN);
	ck_assert_uint_ne(c.to.info.state, IB_PORT_ACTIVE_DEFER);
	ck_assert_uint_eq(shim_next_timer_ns(), U64_MAX);
}
END_TEST

/* However long a processor is stalled, a short loss of signal does not take the link down. */
START_TEST(late)
{
	unsigned int i;

	shape(&c.relay[1], (struct hca_shape_spec){ .flap_every = 100 * MS, .flap_for = 4 * MS });
	for (i = 0; i < 20; i++) {
		shim_stall((i % 2 ? 3 : 15) * MS);
		shim_advance(50 * MS);
	}
	shim_stall(0);
	shape(&c.relay[1], (struct hca_shape_spec){});
	shim_advance(2 * MS);
	ck_assert_uint_eq(c.to.info.state, IB_PORT_ACTIVE);
	ck_assert_uint_eq(hca_counter_read(&c.to, HCA_CTR_LINK_DOWNED), 0);
	ck_assert_uint_gt(hca_counter_read(&c.to, HCA_CTR_LINK_ERROR_RECOVERY), 5);
}
END_TEST

/*
 * B4-045: out-of-order packets are requested again; a connection recovers from all of them at once.
 */
START_TEST(borne)
{
	struct pair *pair;
	struct pair_end *a, *b;
	struct hca_cqe cqe;
	u32 i;

	struct pair_qp how = pair_rc;

	how.timeout = 12;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	for (i = 0; i < 2; i++)
		shape(&pair->end[i].ports[1],
		      (struct hca_shape_spec){ .mbps = 1000,
					       .delay = { 100 * US, 50 * US, U32_MAX / 20 },
					       .flap_every = 50 * MS, .flap_for = 3 * MS });
	for (i = 0; i < 50; i++) {
		pair_fill(a, SRC, 20000, i);
		pair_rdma(a, b, i, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 20000);
		pair_wait(200);
		ck_assert(pair_poll(&a->send_cq, &cqe));
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		ck_assert(pair_same(a, SRC, b, DST, 20000));
	}
	ck_assert_uint_gt(hca_counter_read(&a->ports[1], HCA_CTR_LINK_ERROR_RECOVERY), 10);
	pair_free(pair);
}
END_TEST

/*
 * One packet in six is late, so that all behind a gap are sent in vain. A sender with 256 packets
 * in transit would send a message of 200 packets some twenty times; it learns to send fewer at
 * once.
 */
START_TEST(narrowed)
{
	struct pair_qp how = pair_rc;
	struct pair *pair;
	struct pair_end *a;
	u64 sent;

	how.mtu = IB_MTU_256;
	pair = pair_new(&how);
	a = &pair->end[0];
	shape(&a->ports[1], (struct hca_shape_spec){ .delay = { .delay = 5 * US, .seed = 3,
								.reorder = U32_MAX / 6 } });
	pair_fill(a, SRC, 200 * 256, 1);
	pair_rdma(a, &pair->end[1], 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST,
		  200 * 256);
	pair_wait(2000);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	ck_assert(pair_same(a, SRC, &pair->end[1], DST, 200 * 256));
	sent = hca_counter_read(&a->ports[1], HCA_CTR_XMIT_PACKETS);
	ck_assert_uint_gt(sent, 200);
	ck_assert_uint_lt(sent, 1000);
	pair_free(pair);
}
END_TEST

/* Each allocation fails in turn: the earlier setting is unchanged. */
START_TEST(no_memory)
{
	struct hca_shape_spec spec = { .delay.delay = MS };
	unsigned int n;

	for (n = 1;; n++) {
		shim_fail_alloc(n);
		if (!hca_shape_set(&c.relay[1], &spec))
			break;
		ck_assert_ptr_null(c.relay[1].shape);
		ck_assert_ptr_null(c.to.rx.delay);
	}
	shim_fail_alloc(0);
	ck_assert_uint_eq(n, 3);
}
END_TEST

Suite *shape_suite(void)
{
	Suite *suite = suite_create("shape");
	TCase *tc = tcase_create("cable");

	tcase_add_checked_fixture(tc, chain_setup, chain_teardown);
	tcase_add_test(tc, delayed);
	tcase_add_test(tc, jitter);
	tcase_add_test(tc, reordered);
	tcase_add_test(tc, seeds);
	tcase_add_test(tc, changed);
	tcase_add_test(tc, pulled);
	tcase_add_test(tc, bounded);
	tcase_add_test(tc, rate_of_link);
	tcase_add_loop_test(tc, flapping, 0, 2);
	tcase_add_test(tc, late);
	tcase_add_test(tc, no_memory);
	suite_add_tcase(suite, tc);

	tc = tcase_create("connection");
	tcase_add_test(tc, borne);
	tcase_add_test(tc, narrowed);
	suite_add_tcase(suite, tc);
	return suite;
}
