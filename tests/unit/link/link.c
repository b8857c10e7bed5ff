// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Ports and cables: states, events, credits, and tables whose entries are added and removed. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/slab.h>
#include "link/rx/rx.h"
#include "link/state/state.h"
#include "phy/cable.h"
#include "shim.h"
#include "tests/consumer/consumer.h"
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"

/*
 * Down -> Init -> Armed -> Active, and the permitted transitions (rows: present state; columns:
 * requested state).
 */
START_TEST(state_table)
{
	static const int allowed[5][5] = {
		/* requested:       Nop Down Init Armed Active */
		[IB_PORT_DOWN] = { 0, 0, -EINVAL, -EINVAL, -EINVAL },
		[IB_PORT_INIT] = { 0, 0, -EINVAL, 0, -EINVAL },
		[IB_PORT_ARMED] = { 0, 0, -EINVAL, 0, 0 },
		[IB_PORT_ACTIVE] = { 0, 0, -EINVAL, -EINVAL, 0 },
	};
	int from, asked;

	for (from = IB_PORT_DOWN; from <= IB_PORT_ACTIVE; from++) {
		for (asked = 0; asked <= IB_PORT_ACTIVE; asked++) {
			struct pair *pair = pair_new(&pair_rc);
			struct hca_port *port = &pair->end[0].ports[1];

			port->info.state = from;
			ck_assert_int_eq(hca_port_set_state(port, asked), allowed[from][asked]);
			if (allowed[from][asked])
				ck_assert_uint_eq(port->info.state, from);
			/* the link is trained again: the cable is present */
			else if (asked == IB_PORT_DOWN)
				ck_assert_uint_eq(port->info.state, IB_PORT_INIT);
			else if (asked)
				ck_assert_uint_eq(port->info.state, asked);
			pair_free(pair);
		}
	}
}
END_TEST

/* V3-089, V3-218 */
START_TEST(pulled_and_plugged)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_port *port = &a->ports[1];

	ck_assert_uint_eq(a->port_events[HCA_EVENT_PORT_ACTIVE], 1);
	ck_assert_int_eq(hca_cable_connect(port, port), -EINVAL);
	ck_assert_int_eq(hca_cable_connect(port, &b->ports[1]), -EBUSY);
	ck_assert_int_eq(hca_cable_disconnect(port), 0);
	ck_assert_uint_eq(port->info.state, IB_PORT_DOWN);
	ck_assert_uint_eq(port->info.phys_state, IB_PORT_PHYS_STATE_POLLING);
	ck_assert_uint_eq(b->ports[1].info.state, IB_PORT_DOWN); /* C4-127 */
	ck_assert_uint_eq(a->port_events[HCA_EVENT_PORT_ERROR], 1); /* B4-275 */
	ck_assert_uint_eq(b->port_events[HCA_EVENT_PORT_ERROR], 1);
	ck_assert_uint_eq(hca_counter_read(port, HCA_CTR_LINK_DOWNED), 1);
	ck_assert_int_eq(hca_cable_disconnect(port), -ENOTCONN);
	ck_assert_int_eq(hca_cable_connect(port, &b->ports[1]), 0);
	ck_assert_uint_eq(port->info.state, IB_PORT_INIT); /* C4-127 */
	ck_assert_uint_eq(port->info.phys_state, IB_PORT_PHYS_STATE_LINK_UP);
	/* The link stays in Init: only management packets pass. */
	pair_wait(10000);
	ck_assert_uint_eq(port->info.state, IB_PORT_INIT);
	pair_free(pair);
}
END_TEST

START_TEST(disabled_stays_down)
{
	struct pair *pair = pair_new(&pair_rc);
	struct hca_port *port = &pair->end[0].ports[1], *peer = &pair->end[1].ports[1];

	ck_assert_int_eq(hca_port_set_phys_state(port, IB_PORT_PHYS_STATE_DISABLED), 0);
	ck_assert_uint_eq(port->info.state, IB_PORT_DOWN);
	ck_assert_uint_eq(port->info.phys_state, IB_PORT_PHYS_STATE_DISABLED);
	ck_assert_uint_eq(peer->info.state, IB_PORT_DOWN);
	ck_assert_uint_eq(peer->info.phys_state, IB_PORT_PHYS_STATE_POLLING);
	ck_assert_int_eq(hca_port_set_state(peer, IB_PORT_DOWN), 0);
	ck_assert_uint_eq(peer->info.state, IB_PORT_DOWN);
	ck_assert_int_eq(hca_port_set_phys_state(port, IB_PORT_PHYS_STATE_POLLING), 0);
	ck_assert_uint_eq(port->info.state, IB_PORT_INIT);
	ck_assert_uint_eq(peer->info.state, IB_PORT_INIT);
	ck_assert_int_eq(hca_port_set_phys_state(port, IB_PORT_PHYS_STATE_LINK_UP), -EINVAL);
	pair_free(pair);
}
END_TEST

/*
 * V3-218, V3-219: a peer that sends data is Active, and an Armed port that receives data becomes
 * Active, too (IBA 7.2.7).
 */
START_TEST(data_activates)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_send_wqe *wqe;

	b->ports[1].info.state = IB_PORT_ARMED;
	pair_recv(b, 1, 0, 10);
	wqe = pair_wqe(a, 1, IB_UVERBS_WR_SEND, 0);
	pair_sge(a, wqe, 0, 10);
	pair_post(a);
	ck_assert_uint_eq(b->ports[1].info.state, IB_PORT_ACTIVE);
	ck_assert_uint_eq(b->port_events[HCA_EVENT_PORT_ACTIVE], 2);
	pair_free(pair);
}
END_TEST

static bool run_nothing(struct hca_runnable *r, int *budget)
{
	(void)r;
	(void)budget;
	return false;
}

/*
 * Without buffer space at the receiver nothing is sent; when there is space, blocked senders
 * continue.
 */
START_TEST(credits)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	bool (*run)(struct hca_runnable *r, int *budget) = b->ports[1].rx.run.run;
	struct hca_send_wqe *wqe;
	struct hca_cqe cqe;
	unsigned int i;

	b->ports[1].rx.run.run = run_nothing;
	for (i = 0; i < 10; i++) {
		wqe = pair_wqe(a, i, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED);
		wqe->rdma.remote_addr = pair_addr(b, 0);
		wqe->rdma.rkey = b->entry->key;
		pair_sge(a, wqe, 0, 65536);
		pair_post(a);
	}
	ck_assert_uint_le(a->ports[1].tx.fctbs[0], HCA_VL_BUFFER_BLOCKS);
	ck_assert_uint_gt(a->ports[1].tx.fctbs[0], HCA_VL_BUFFER_BLOCKS - 20);
	ck_assert(!pair_poll(&a->send_cq, &cqe));

	b->ports[1].rx.run.run = run;
	local_bh_disable();
	hca_run_schedule(&b->ports[1].rx.run);
	hca_engine_run();
	local_bh_enable();
	pair_settle();
	for (i = 0; i < 10; i++) {
		ck_assert(pair_poll(&a->send_cq, &cqe));
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
	}
	/* Credit for every block that was sent has been returned. */
	ck_assert_uint_eq(b->ports[1].rx_buffer.fccl[0] - a->ports[1].tx.fctbs[0],
			  HCA_VL_BUFFER_BLOCKS);
	pair_free(pair);
}
END_TEST

/* The cable is pulled while packets are queued and a queue pair waits for credit. */
START_TEST(pulled_under_load)
{
	struct pair_qp how = pair_rc;
	struct pair *pair;
	struct pair_end *a, *b;
	bool (*run)(struct hca_runnable *r, int *budget);
	struct hca_send_wqe *wqe;
	struct hca_cqe cqe;

	how.timeout = 8;
	how.retry = 1;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	run = b->ports[1].rx.run.run;
	b->ports[1].rx.run.run = run_nothing;
	wqe = pair_wqe(a, 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED);
	wqe->rdma.remote_addr = pair_addr(b, 0);
	wqe->rdma.rkey = b->entry->key;
	pair_sge(a, wqe, 0, 500000);
	pair_post(a);
	b->ports[1].rx.run.run = run;
	ck_assert_int_eq(hca_cable_disconnect(&a->ports[1]), 0);
	pair_wait(1000);
	ck_assert(pair_poll(&a->send_cq, &cqe));
	ck_assert_uint_eq(cqe.status, IB_WC_RETRY_EXC_ERR);
	/* Packets queued on the old cable consume no credit of the new one. */
	ck_assert_int_eq(hca_cable_connect(&a->ports[1], &b->ports[1]), 0);
	pair_wait(10);
	ck_assert_uint_eq(b->ports[1].rx_buffer.fccl[0] - a->ports[1].tx.fctbs[0],
			  HCA_VL_BUFFER_BLOCKS);
	pair_free(pair);
}
END_TEST

/* V3-032, V3-033: a key covers its MR alone, and only its range; generations are never reused. */
START_TEST(mr_keys)
{
	struct hca_tpt_entry *entry;
	struct hca_tpt tpt;
	u32 key[300];
	unsigned int i;

	shim_reset(1);
	ck_assert_int_eq(hca_tpt_init(&tpt, 2), 0);
	for (i = 0; i < 300; i++) {
		entry = kzalloc(sizeof(*entry), GFP_KERNEL);
		entry->length = 10;
		entry->iova = 1000;
		entry->pd = &tpt;
		entry->access = 1;
		ck_assert_int_eq(hca_tpt_entry_add(&tpt, entry), 0);
		key[i] = entry->key;
		ck_assert_uint_eq(entry->generation, 2 * (i + 2)); /* the null MR has the first */
		ck_assert(i == 0 || key[i] != key[i - 1]);
		local_bh_disable();
		ck_assert_ptr_eq(hca_tpt_entry_get(&tpt, key[i], &tpt, 0, 1, 1000, 10), entry);
		hca_tpt_entry_put(entry);
		ck_assert_ptr_null(hca_tpt_entry_get(&tpt, key[i], &key, 0, 1, 1000, 10));
		ck_assert_ptr_null(hca_tpt_entry_get(&tpt, key[i], &tpt, 0, 3, 1000, 10));
		ck_assert_ptr_null(hca_tpt_entry_get(&tpt, key[i], &tpt, 0, 1, 999, 2));
		ck_assert_ptr_null(hca_tpt_entry_get(&tpt, key[i], &tpt, 0, 1, 1000, 11));
		ck_assert_ptr_null(hca_tpt_entry_get(&tpt, key[i], &tpt, 0, 1, 1010, 1));
		ck_assert_ptr_null(hca_tpt_entry_get(&tpt, key[i], &tpt, 0, 1, ~0ull, 2));
		ck_assert_ptr_null(hca_tpt_entry_get_generation(&tpt, key[i], i));
		if (i)
			ck_assert_ptr_null(hca_tpt_entry_get(&tpt, key[i - 1], &tpt, 0, 1, 1000,
							     10));
		local_bh_enable();
		hca_tpt_entry_remove(&tpt, entry);
	}
	hca_tpt_destroy(&tpt);
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}
END_TEST

/*
 * V3-168, V3-180, V3-058, V3-286: numbers begin at 2, none is reused within time-wait, and then
 * each is.
 */
START_TEST(qp_numbers)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	struct hca_qp_init init = { .type = IB_QPT_RC,
				    .send_cq = &a->send_cq,
				    .recv_cq = &a->recv_cq };
	struct hca_qp *qp;
	u32 first, second;

	qp = consumer_create_qp(a->ci, &init);
	ck_assert(!IS_ERR(qp));
	first = qp->qpn;
	ck_assert_uint_ge(first, 2);
	hca_qp_destroy(qp);
	qp = consumer_create_qp(a->ci, &init);
	second = qp->qpn;
	ck_assert_uint_ne(second & (HCA_MAX_QP - 1), first & (HCA_MAX_QP - 1));
	hca_qp_destroy(qp);
	pair_wait(1000);
	qp = consumer_create_qp(a->ci, &init);
	ck_assert_uint_eq(qp->qpn & (HCA_MAX_QP - 1), second & (HCA_MAX_QP - 1));
	ck_assert_uint_ne(qp->qpn, second);
	hca_qp_destroy(qp);
	pair_free(pair);
}
END_TEST

/*
 * Each allocation while a queue pair is made fails in turn: the result is an error, and nothing
 * leaks.
 */
START_TEST(no_memory)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	struct hca_qp_init init = { .type = IB_QPT_RC,
				    .max_send_wr = 4,
				    .max_recv_wr = 4,
				    .max_send_sge = 1,
				    .max_recv_sge = 1,
				    .send_cq = &a->send_cq,
				    .recv_cq = &a->recv_cq };
	unsigned long before = shim_live_allocations();
	struct hca_qp *qp;
	unsigned int n;

	for (n = 1;; n++) {
		shim_fail_alloc(n);
		qp = consumer_create_qp(a->ci, &init);
		if (!shim_alloc_failed())
			break;
		ck_assert(IS_ERR(qp));
		ck_assert_int_eq(PTR_ERR(qp), -ENOMEM);
		shim_quiesce();
		ck_assert_uint_eq(shim_live_allocations(), before);
	}
	ck_assert_uint_ge(n, 4);
	shim_fail_alloc(0);
	hca_qp_destroy(qp);
	pair_free(pair);
}
END_TEST

Suite *link_suite(void)
{
	Suite *suite = suite_create("link");
	TCase *tc = tcase_create("port");

	tcase_add_test(tc, state_table);
	tcase_add_test(tc, pulled_and_plugged);
	tcase_add_test(tc, disabled_stays_down);
	tcase_add_test(tc, data_activates);
	tcase_add_test(tc, credits);
	tcase_add_test(tc, pulled_under_load);
	suite_add_tcase(suite, tc);

	tc = tcase_create("tables");
	tcase_add_test(tc, mr_keys);
	tcase_add_test(tc, qp_numbers);
	tcase_add_test(tc, no_memory);
	suite_add_tcase(suite, tc);
	return suite;
}
