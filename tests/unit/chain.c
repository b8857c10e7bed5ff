// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include "chain.h"
#include "link/port/port_init.h"
#include "link/rx/rx.h"
#include "link/state/state.h"
#include "link/tx/tx.h"
#include "phy/cable.h"
#include "shim.h"

struct chain c;

static void chain_receive(struct hca_port *port, struct hca_packet *pkt)
{
	(void)port;
	ck_assert_ptr_null(pkt->reserved_at);
	c.got[c.num_got % CHAIN_PACKETS] = pkt->h.bth.psn;
	c.got_vl[c.num_got++ % CHAIN_PACKETS] = pkt->h.lrh.vl;
	hca_packet_free(pkt);
}

static void chain_relay(struct hca_port *port, struct hca_packet *pkt)
{
	ck_assert_ptr_eq(pkt->reserved_at, port);
	if (c.keep) {
		c.kept[c.num_kept++] = pkt;
		return;
	}
	pkt->h.lrh.vl = c.out_vl;
	hca_port_forward(&c.relay[1], pkt);
}

static void chain_drop(struct hca_port *port, struct hca_packet *pkt)
{
	(void)port;
	hca_packet_free(pkt);
}

static const struct hca_port_ops end_ops = { .receive = chain_receive, .receive_smp = chain_drop };
static const struct hca_port_ops relay_ops = { .relays = true,
					       .receive = chain_relay,
					       .receive_smp = chain_drop };

void chain_join(struct hca_port *a, struct hca_port *b)
{
	u8 state;

	ck_assert_int_eq(hca_cable_connect(a, b), 0);
	for (state = IB_PORT_ARMED; state <= IB_PORT_ACTIVE; state++) {
		ck_assert_int_eq(hca_port_set_state(a, state), 0);
		ck_assert_int_eq(hca_port_set_state(b, state), 0);
	}
}

void chain_setup(void)
{
	int i;

	shim_reset(1);
	shim_advance(1000000); /* transmission to a port with peer 0 takes no time */
	memset(&c, 0, sizeof(c));
	ck_assert_int_eq(hca_engine_start(), 0);
	hca_packet_pool_init(&c.pool, NULL, CHAIN_PACKETS);
	c.node.pool = &c.pool;
	ck_assert_int_eq(hca_node_init_port(&c.from, &c.node, 1, &end_ops, 0), 0);
	ck_assert_int_eq(hca_node_init_port(&c.to, &c.node, 1, &end_ops, 0), 0);
	for (i = 0; i < 2; i++)
		ck_assert_int_eq(hca_node_init_port(&c.relay[i], &c.node, i + 1, &relay_ops, 0), 0);
	c.from.info.lid = 1;
	c.to.info.lid = 2;
	chain_join(&c.from, &c.relay[0]);
	chain_join(&c.relay[1], &c.to);
}

void chain_teardown(void)
{
	hca_cable_disconnect(&c.from);
	hca_cable_disconnect(&c.to);
	shim_run_until_idle();
	hca_port_destroy(&c.from);
	hca_port_destroy(&c.relay[0]);
	hca_port_destroy(&c.relay[1]);
	hca_port_destroy(&c.to);
	ck_assert_uint_eq(c.pool.in_use, 0);
	hca_packet_pool_destroy(&c.pool);
	hca_engine_stop();
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

static struct hca_packet *chain_packet(u8 sl, u32 psn)
{
	struct hca_packet *pkt = hca_packet_alloc(&c.pool);

	ck_assert_ptr_nonnull(pkt);
	memset(&pkt->h, 0, sizeof(pkt->h));
	pkt->h.lrh.lnh = IB_LNH_IBA_LOCAL;
	pkt->h.lrh.sl = sl;
	pkt->h.lrh.dlid = 2;
	pkt->h.bth.opcode = 0x64; /* UD SEND Only */
	pkt->h.bth.psn = psn;
	pkt->payload_length = CHAIN_BYTES;
	memset(pkt->data, psn, CHAIN_BYTES);
	hca_packet_finish(pkt);
	ck_assert_uint_eq(pkt->blocks, CHAIN_BLOCKS);
	return pkt;
}

bool chain_send(struct hca_port *port, u8 sl, u32 psn, struct hca_blocked_sender *blocked)
{
	struct hca_packet *pkt;
	bool accepted;

	local_bh_disable();
	pkt = chain_packet(sl, psn);
	accepted = hca_port_send(port, pkt, blocked);
	if (!accepted)
		hca_packet_free(pkt);
	hca_engine_run();
	local_bh_enable();
	return accepted;
}

void chain_credit(struct hca_port *sender, struct hca_port *receiver, u8 vl, u32 blocks)
{
	local_bh_disable();
	receiver->rx_buffer.fccl[vl] = sender->tx.fctbs[vl] + blocks;
	hca_port_wake(sender);
	hca_engine_run();
	local_bh_enable();
}

static bool stalled_run(struct hca_runnable *r, int *budget)
{
	(void)r;
	return false;
}

void chain_stall(bool stalls)
{
	c.to.rx.run.run = stalls ? stalled_run : hca_rx_run;
	if (stalls)
		return;
	local_bh_disable();
	hca_run_schedule(&c.to.rx.run);
	hca_engine_run();
	local_bh_enable();
}
