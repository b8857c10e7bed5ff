// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Which packets pass a link in each of its states. */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/kernel.h>
#include "link/tx/tx.h"
#include "tests/unit/fixture/chain.h"
#include "tests/unit/suites.h"

/* The fates of data packets that are sent. */
enum fate { LOST, WAITS, SENT };

static const struct {
	u8 state;
	enum fate data;
	bool receives_data, sends_smps, receives_smps;
} states[] = {
	{ IB_PORT_DOWN, LOST, false, false, false }, /* C4-129, B4-432 */
	{ IB_PORT_INIT, LOST, false, true, true }, /* C4-130, B4-433 */
	{ IB_PORT_ARMED, LOST, true, true, true }, /* C4-131, B4-434 */
	{ IB_PORT_ACTIVE, SENT, true, true, true }, /* C4-132, B4-435 */
	/* C4-133, B4-436: packets on the cable arrive */
	{ IB_PORT_ACTIVE_DEFER, WAITS, true, false, true },
};

static struct hca_port *from = &c.relay[1], *to = &c.to;

static u64 counted(struct hca_port *port, enum hca_counter counter)
{
	return hca_counter_read(port, counter);
}

static void send_smp(void)
{
	struct hca_packet *pkt;

	local_bh_disable();
	pkt = hca_packet_alloc(&c.pool);
	memset(&pkt->h, 0, sizeof(pkt->h));
	pkt->h.lrh.vl = HCA_VL_MANAGEMENT;
	pkt->h.lrh.lnh = IB_LNH_IBA_LOCAL;
	pkt->h.lrh.dlid = HCA_LID_PERMISSIVE;
	pkt->h.bth.opcode = 0x64; /* UD SEND Only */
	pkt->payload_length = CHAIN_BYTES;
	memset(pkt->data, 0, CHAIN_BYTES);
	hca_packet_finish(pkt);
	ck_assert(hca_port_send(from, pkt, NULL));
	hca_engine_run();
	local_bh_enable();
}

START_TEST(sender)
{
	enum fate fate = states[_i].data;

	from->info.state = states[_i].state;
	ck_assert(chain_send(from, 0, 1, NULL));
	ck_assert_uint_eq(c.num_got, fate == SENT);
	ck_assert_uint_eq(counted(from, HCA_CTR_XMIT_PACKETS), fate == SENT);
	ck_assert_uint_eq(counted(from, HCA_CTR_XMIT_DISCARDS), fate == LOST);
	ck_assert_uint_eq(from->tx.vl_queue[0].count, fate == WAITS);
	send_smp();
	ck_assert_uint_eq(counted(from, HCA_CTR_XMIT_PACKETS),
			  (fate == SENT) + states[_i].sends_smps);
	from->info.state = IB_PORT_ACTIVE;
}
END_TEST

START_TEST(receiver)
{
	u32 credit = to->rx_buffer.fccl[0] - from->tx.fctbs[0];

	to->info.state = states[_i].state;
	ck_assert(chain_send(from, 0, 1, NULL));
	ck_assert_uint_eq(c.num_got, states[_i].receives_data);
	send_smp();
	ck_assert_uint_eq(counted(to, HCA_CTR_RCV_PACKETS),
			  states[_i].receives_data + states[_i].receives_smps);
	/* Whatever happens to the packet, its buffer space is released. */
	ck_assert_uint_eq(to->rx_buffer.fccl[0] - from->tx.fctbs[0], credit);
	ck_assert_int_eq(atomic_read(&to->rx_buffer.vl15_queued), 0);
	to->info.state = IB_PORT_ACTIVE;
}
END_TEST

Suite *link_states_suite(void)
{
	Suite *suite = suite_create("link_states");
	TCase *tc = tcase_create("what passes");

	tcase_add_checked_fixture(tc, chain_setup, chain_teardown);
	tcase_add_loop_test(tc, sender, 0, ARRAY_SIZE(states));
	tcase_add_loop_test(tc, receiver, 0, ARRAY_SIZE(states));
	suite_add_tcase(suite, tc);
	return suite;
}
