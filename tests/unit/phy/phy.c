// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Ports whose links lead to another kernel: two of them, connected by a network that knows only
 * octets.
 */
#include <check.h>
#include <errno.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include "fabric/node.h"
#include "link/port/notice.h"
#include "link/port/port.h"
#include "link/port/port_init.h"
#include "link/rx/rx.h"
#include "link/state/phy.h"
#include "link/state/recovery.h"
#include "link/state/remote_link.h"
#include "link/state/state.h"
#include "packet/payload.h"
#include "packet/serialize.h"
#include "phy/cable.h"
#include "phy/fault.h"
#include "shim.h"
#include "tests/unit/suites.h"
#include "wire/flow.h"
#include "wire/opcode.h"

#define MS 1000000ull
#define PAYLOAD 4096u
#define BLOCKS 65u /* of a packet of PAYLOAD octets */
#define POOL 1000

/* Probabilities of faults in percent, for packets and for flow-control packets. */
struct harm {
	unsigned int lost, damaged, doubled;
};

struct side {
	struct hca_node node;
	struct hca_packet_pool pool;
	struct hca_port port;
	struct hca_phy phy;
	struct side *other;
	struct harm packets, flows;
	unsigned int lost; /* packets that were lost or damaged */
	unsigned int got, smps;
	u32 last_psn;
	bool in_order;
	unsigned int ups, downs; /* number of will() callbacks for each state */
	struct hca_packet *kept[8];
	unsigned int num_kept, keep; /* packets to be captured */
};

static struct side side[2];
static u32 chance = 1;

static bool happens(unsigned int percent)
{
	chance = chance * 1664525 + 1013904223;
	return (chance >> 16) % 100 < percent;
}

static struct side *side_of(struct hca_phy *phy)
{
	return container_of(phy, struct side, phy);
}

static void test_carry(struct hca_phy *phy, struct hca_port *peer, struct hca_packet *pkt)
{
	struct side *from = side_of(phy);
	unsigned int len = hca_packet_bytes(pkt);
	u8 wire[HCA_MAX_WIRE_BYTES];

	ck_assert_ptr_null(peer);
	ck_assert_int_eq(hca_packet_gather(pkt), 0);
	if (pkt->flags & HCA_PACKET_SERIALIZED)
		memcpy(wire, pkt->buffer, len);
	else
		hca_packet_serialize(pkt, wire);
	hca_packet_free(pkt);
	if (happens(from->packets.lost)) {
		from->lost++;
		return;
	}
	if (happens(from->packets.damaged)) {
		from->lost++;
		wire[chance % len] ^= 0x10;
	}
	hca_phy_receive(&from->other->port, wire, len);
	if (happens(from->packets.doubled))
		hca_phy_receive(&from->other->port, wire, len);
}

static void test_flow(struct hca_phy *phy, struct hca_port *peer, const u8 *octets,
		      unsigned int len)
{
	struct side *from = side_of(phy);
	u8 one[HCA_FLOW_BYTES];
	unsigned int i;

	ck_assert_ptr_null(peer);
	ck_assert_uint_eq(len % HCA_FLOW_BYTES, 0);
	for (i = 0; i < len; i += HCA_FLOW_BYTES) {
		memcpy(one, octets + i, sizeof(one));
		if (happens(from->flows.lost))
			continue;
		if (happens(from->flows.damaged))
			one[chance % sizeof(one)] ^= 1;
		hca_phy_flow(&from->other->port, one, sizeof(one));
	}
}

static void test_will(struct hca_phy *phy, bool enabled)
{
	struct side *from = side_of(phy);

	*(enabled ? &from->ups : &from->downs) += 1;
}

static void receive_data(struct hca_port *port, struct hca_packet *pkt)
{
	struct side *to = container_of(port, struct side, port);

	if (pkt->h.bth.psn != to->last_psn + 1)
		to->in_order = false;
	to->last_psn = pkt->h.bth.psn;
	to->got++;
	if (to->num_kept < to->keep)
		to->kept[to->num_kept++] = pkt;
	else
		hca_packet_free(pkt);
}

static void receive_smp_packet(struct hca_port *port, struct hca_packet *pkt)
{
	container_of(port, struct side, port)->smps++;
	hca_packet_free(pkt);
}

static const struct hca_port_ops ops = { .receive = receive_data,
					 .receive_smp = receive_smp_packet };
static const struct hca_port_ops relay_ops = { .relays = true,
					       .receive = receive_data,
					       .receive_smp = receive_smp_packet };

static void make(struct side *s, struct side *other, u16 lid, const struct hca_port_ops *what)
{
	hca_packet_pool_init(&s->pool, NULL, POOL);
	s->node.pool = &s->pool;
	ck_assert_int_eq(hca_node_init_port(&s->port, &s->node, 1, what, 0), 0);
	s->port.info.lid = lid;
	s->port.rx_buffer.vl_blocks = BLOCKS + 1;
	s->phy = (struct hca_phy){ .carry = test_carry, .flow = test_flow,
				   .will = test_will };
	s->other = other;
	s->in_order = true;
}

static void setup(void)
{
	shim_reset(1);
	shim_advance(MS);
	memset(side, 0, sizeof(side));
	ck_assert_int_eq(hca_engine_start(), 0);
	make(&side[0], &side[1], 1, &ops);
	make(&side[1], &side[0], 2, &relay_ops);
	hca_phy_attach(&side[0].port, &side[0].phy);
	hca_phy_attach(&side[1].port, &side[1].phy);
}

static void teardown(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		hca_phy_detach(&side[i].port);
		hca_port_destroy(&side[i].port);
	}
	for (i = 0; i < 2; i++) {
		ck_assert_uint_eq(side[i].pool.in_use, 0);
		hca_packet_pool_destroy(&side[i].pool);
	}
	hca_engine_stop();
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

static void bring_up(void)
{
	hca_phy_up(&side[0].port, IB_MTU_4096);
	hca_phy_up(&side[1].port, IB_MTU_4096);
	shim_run_until_idle();
}

static void activate(void)
{
	u8 state;
	int i;

	for (state = IB_PORT_ARMED; state <= IB_PORT_ACTIVE; state++)
		for (i = 0; i < 2; i++)
			ck_assert_int_eq(hca_port_set_state(&side[i].port, state), 0);
}

/* Send one packet. Return: whether the port accepted it. */
static bool send_one(struct side *from, u8 vl, u32 psn)
{
	struct hca_packet *pkt;
	bool accepted;

	local_bh_disable();
	pkt = hca_packet_alloc(&from->pool);
	memset(&pkt->h, 0, sizeof(pkt->h));
	pkt->h.lrh.lnh = IB_LNH_IBA_LOCAL;
	pkt->h.lrh.sl = vl;
	pkt->h.lrh.vl = vl;
	pkt->h.lrh.dlid = from->other->port.info.lid;
	pkt->h.bth.opcode = HCA_OPCODE(UD, SEND_ONLY);
	pkt->h.bth.psn = psn;
	if (vl != HCA_VL_MANAGEMENT) {
		pkt->payload_length = PAYLOAD;
		pkt->payload_kind = HCA_PAYLOAD_GATHERED;
		pkt->buffer = kzalloc(PAYLOAD, GFP_ATOMIC);
	} else {
		pkt->payload_length = 256;
		memset(pkt->data, 0, 256);
	}
	hca_packet_finish(pkt);
	accepted = hca_port_send(&from->port, pkt, NULL);
	if (!accepted)
		hca_packet_free(pkt);
	hca_engine_run();
	local_bh_enable();
	return accepted;
}

static void send_all(struct side *from, u8 vl, unsigned int packets)
{
	unsigned int sent = 0, ms = 0;

	while (sent < packets) {
		if (send_one(from, vl, sent + 1)) {
			sent++;
			continue;
		}
		ck_assert_uint_lt(ms++, 60000);
		shim_advance(MS);
	}
	for (ms = 0; from->port.tx.pending; ms++) {
		ck_assert_uint_lt(ms, 1000);
		shim_advance(MS);
	}
}

/* All credits are available, and both ends agree on them (C4-151). */
static void check_credits(void)
{
	struct hca_port *a, *b;
	unsigned int vl;
	int i;

	side[0].flows = side[1].flows = (struct harm){};
	shim_advance(2 * HCA_FLOW_PERIOD_MS * MS);
	for (i = 0; i < 2; i++) {
		a = &side[i].port;
		b = &side[!i].port;
		for (vl = 0; vl < 8; vl++)
			ck_assert_uint_eq((a->flow.fccl_received[vl] - a->tx.fctbs[vl]) % 4096,
					  b->rx_buffer.vl_blocks);
	}
}

/*
 * A link is up if both ends enable it; SMPs pass at once, data needs credit; the MTU is limited by
 * the path (B4-438).
 */
START_TEST(link)
{
	ck_assert_int_eq(hca_cable_connect(&side[0].port, &side[1].port), -EBUSY);
	ck_assert_uint_eq(side[0].ups, 1);
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_DOWN);
	ck_assert(send_one(&side[0], HCA_VL_MANAGEMENT, 1));
	ck_assert_uint_eq(side[1].smps, 0);
	bring_up();
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_INIT);
	ck_assert_uint_eq(side[1].port.info.phys_state, IB_PORT_PHYS_STATE_LINK_UP);
	ck_assert(send_one(&side[0], HCA_VL_MANAGEMENT, 1));
	ck_assert_uint_eq(side[1].smps, 1);
	activate();
	send_all(&side[0], 0, 100);
	send_all(&side[1], 5, 100);
	ck_assert_uint_eq(side[1].got, 100);
	ck_assert_uint_eq(side[0].got, 100);
	ck_assert(side[0].in_order && side[1].in_order);
	check_credits();
	hca_phy_down(&side[0].port);
	hca_phy_down(&side[1].port);
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_DOWN);
	ck_assert_uint_eq(side[0].port.info.mtu_cap, IB_MTU_4096);
	hca_phy_up(&side[0].port, IB_MTU_1024);
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_INIT);
	ck_assert_uint_eq(side[0].port.info.mtu_cap, IB_MTU_1024);
	ck_assert_uint_le(side[0].port.info.neighbor_mtu, IB_MTU_1024);
}
END_TEST

/* B4-445: at full load, a buffer of one packet never overruns, whatever happens to the packets. */
START_TEST(b4_445_full_load)
{
	static const struct harm packets[] = { {}, { .lost = 5 }, { .damaged = 5 },
		{ .lost = 10 } };
	static const struct harm flows[] = { {}, { .lost = 5 }, { .damaged = 5 }, { .lost = 50 } };

	bring_up();
	activate();
	side[0].packets = packets[_i];
	side[0].flows = flows[_i];
	side[1].flows = flows[_i];
	send_all(&side[0], 0, 2000);
	ck_assert_uint_eq(side[1].got, 2000 - side[0].lost);
	ck_assert_uint_eq(side[1].in_order, !_i);
	ck_assert_uint_eq(
		hca_counter_read(&side[1].port, HCA_CTR_EXCESSIVE_BUFFER_OVERRUNS), 0);
	ck_assert_uint_eq(hca_counter_read(&side[0].port, HCA_CTR_XMIT_DISCARDS), 0);
	ck_assert_uint_eq(side[1].port.info.state, IB_PORT_ACTIVE);
	check_credits();
}
END_TEST

/*
 * A duplicate occupies buffer space twice; where there is none it is dropped and counted (C4-158).
 */
START_TEST(c4_158_overrun)
{
	bring_up();
	activate();
	side[0].packets.doubled = 100;
	side[1].keep = 1;
	ck_assert(send_one(&side[0], 2, 1));
	ck_assert_uint_eq(side[1].got, 1);
	/* One overrun is below the threshold OverrunErrors. */
	ck_assert_uint_eq(side[1].port.integrity.overruns, 1);
	ck_assert_uint_eq(
		hca_counter_read(&side[1].port, HCA_CTR_EXCESSIVE_BUFFER_OVERRUNS), 0);
	side[0].packets.doubled = 0;
	/*
	 * B4-448: with the fault installed all packets in the buffer wait until the slow VL
	 * releases it.
	 */
	ck_assert(send_one(&side[0], 2, 2));
	shim_advance(50 * MS);
	ck_assert_uint_eq(side[1].got, 1);
	local_bh_disable();
	hca_packet_free(side[1].kept[0]);
	hca_engine_run();
	local_bh_enable();
	shim_advance(50 * MS);
	ck_assert_uint_eq(side[1].got, 2);
	side[0].packets.doubled = 30;
	send_all(&side[0], 2, 500);
	check_credits();
}
END_TEST

static unsigned int trap_130;

static void noticed(struct hca_port *port, const struct hca_notice *notice)
{
	(void)port;
	trap_130 += notice->trap == cpu_to_be16(HCA_TRAP_BUFFER_OVERRUN);
}

/*
 * C4-250: a sender that ignores FCCL overruns the buffer in each flow-control update period; after
 * one period more than OverrunErrors the subnet manager is notified.
 */
START_TEST(c4_250_overruns)
{
	struct hca_port_ops telling = relay_ops;
	struct hca_port *port = &side[1].port;
	unsigned int i;

	telling.notice = noticed;
	port->ops = &telling;
	trap_130 = 0;
	bring_up();
	activate();
	side[1].keep = 1;
	side[0].packets.doubled = 100;
	ck_assert(send_one(&side[0], 2, 1));
	ck_assert_uint_eq(hca_counter_read(port, HCA_CTR_BUFFER_OVERRUN_ERRORS), 1);
	for (i = 1; i <= port->info.overrun_errors; i++) {
		ck_assert_uint_eq(trap_130, 0);
		shim_advance(HCA_FLOW_PERIOD_MS * MS);
		/* Simulate credit. */
		side[0].port.flow.fccl_received[2] = side[0].port.tx.fctbs[2] + BLOCKS;
		side[0].packets.doubled = 0;
		ck_assert(send_one(&side[0], 2, 1 + i));
	}
	ck_assert_uint_eq(side[1].got, 1);
	ck_assert_uint_eq(trap_130, 1);
	ck_assert_uint_eq(hca_counter_read(port, HCA_CTR_EXCESSIVE_BUFFER_OVERRUNS), 1);
	port->ops = &relay_ops;
	local_bh_disable();
	hca_packet_free(side[1].kept[0]);
	hca_engine_run();
	local_bh_enable();
}
END_TEST

/*
 * C4-158: a damaged frame is counted and has no other effect; an SMP that finds no buffer is
 * counted, too.
 */
START_TEST(c4_158_damaged)
{
	u8 octets[300] = { 0 };
	unsigned int i;

	bring_up();
	activate();
	local_bh_disable();
	ck_assert_int_eq(hca_phy_receive(&side[0].port, octets, 300), -EBADMSG);
	ck_assert_int_eq(hca_phy_receive(&side[0].port, octets, 3), -EINVAL);
	ck_assert_uint_eq(hca_counter_read(&side[0].port, HCA_CTR_RCV_ERRORS), 2);
	hca_phy_flow(&side[0].port, octets, 12);
	hca_phy_flow(&side[0].port, octets, 5);
	hca_engine_run();
	ck_assert_uint_eq(hca_counter_read(&side[0].port, HCA_CTR_RCV_ERRORS), 4);
	ck_assert_uint_eq(side[0].got + side[0].smps, 0);
	/* The receiver cannot run. */
	local_bh_enable();
	for (i = 0; i < 5; i++)
		ck_assert(send_one(&side[1], HCA_VL_MANAGEMENT, i));
	ck_assert_uint_eq(side[0].smps, 5);
	atomic_set(&side[0].port.rx_buffer.vl15_queued, HCA_VL15_BUFFER);
	ck_assert(send_one(&side[1], HCA_VL_MANAGEMENT, i));
	ck_assert_uint_eq(side[0].smps, 5);
	ck_assert_uint_eq(hca_counter_read(&side[0].port, HCA_CTR_VL15_DROPPED), 1);
	atomic_set(&side[0].port.rx_buffer.vl15_queued, 0);
}
END_TEST

/*
 * C4-149: silence takes the link down at the end that detects it, which notifies the other; a frame
 * brings it up again.
 */
START_TEST(c4_149_watchdog)
{
	bring_up();
	activate();
	shim_advance(2000 * MS);
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_ACTIVE);
	side[1].flows.lost = 100;
	shim_advance((HCA_FLOW_NETWORK_WATCHDOG_MS - 20) * MS);
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_ACTIVE);
	shim_advance(40 * MS);
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_DOWN);
	ck_assert_uint_eq(side[0].downs, 1);
	ck_assert_uint_eq(side[0].ups, 2);
	ck_assert_uint_eq(hca_counter_read(&side[0].port, HCA_CTR_LINK_DOWNED), 1);
	/*
	 * Its packets say that it is not initialized any more, so the other end leaves Active, too.
	 */
	shim_advance(40 * MS);
	ck_assert_uint_eq(side[1].port.info.state, IB_PORT_INIT);
	shim_advance(2000 * MS);
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_DOWN);
	side[1].flows.lost = 0;
	shim_advance(40 * MS);
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_INIT);
	activate();
	send_all(&side[0], 0, 100);
	ck_assert_uint_eq(side[1].got, 100);
	check_credits();
}
END_TEST

/*
 * C4-134: ActiveEnable with a remote peer: its flow-control packets say when it leaves Initialize.
 */
START_TEST(c4_134_active_enable)
{
	bring_up();
	shim_advance(100 * MS);
	ck_assert(!side[0].port.flow.past_init);
	ck_assert_int_eq(hca_port_set_state(&side[1].port, IB_PORT_ARMED), 0);
	shim_run_until_idle();
	ck_assert(side[0].port.flow.past_init);
	ck_assert(!side[1].port.flow.past_init);
	ck_assert_int_eq(hca_port_set_state(&side[0].port, IB_PORT_ARMED), 0);
	ck_assert_int_eq(hca_port_set_state(&side[1].port, IB_PORT_ACTIVE), 0);
	send_all(&side[1], 0, 1);
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_ACTIVE);
}
END_TEST

/*
 * A state change that a manager requests is signaled to the other end; queued packets are lost
 * with the link.
 */
START_TEST(asked)
{
	u32 i;

	bring_up();
	activate();
	side[1].keep = 1;
	for (i = 1; i < 4; i++)
		ck_assert(send_one(&side[0], 0, i));
	ck_assert_uint_eq(side[1].got, 1);
	local_bh_disable();
	ck_assert_int_eq(hca_port_set_phys_state(&side[0].port, IB_PORT_PHYS_STATE_DISABLED), 0);
	hca_engine_run();
	local_bh_enable();
	shim_run_until_idle();
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_DOWN);
	ck_assert_uint_eq(side[0].downs, 1);
	ck_assert_uint_eq(side[0].ups, 1);
	ck_assert_uint_eq(hca_counter_read(&side[0].port, HCA_CTR_XMIT_DISCARDS), 2);
	hca_phy_down(&side[1].port);
	hca_phy_up(&side[1].port, IB_MTU_4096);
	local_bh_disable();
	ck_assert_int_eq(hca_port_set_phys_state(&side[0].port, IB_PORT_PHYS_STATE_POLLING), 0);
	hca_packet_free(side[1].kept[0]);
	local_bh_enable();
	shim_run_until_idle();
	ck_assert_uint_eq(side[0].ups, 2);
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_INIT);
	activate();
	send_all(&side[0], 0, 50);
	ck_assert_uint_eq(side[1].got, 51);
	check_credits();
}
END_TEST

#define SMP_BYTES 290 /* LRH, BTH, DETH, MAD, ICRC, VCRC */

/*
 * Copies of one packet as sent: the original, and the number of times each octet and bit differed.
 */
static struct {
	u8 clean[SMP_BYTES];
	unsigned int octet[SMP_BYTES], bit[8];
} struck;

static void carry_and_compare(struct hca_phy *phy, struct hca_port *peer,
			      struct hca_packet *pkt)
{
	unsigned int i, others = 0;
	u8 other;

	(void)phy;
	(void)peer;
	ck_assert_uint_eq(hca_packet_bytes(pkt), SMP_BYTES);
	if (pkt->flags & HCA_PACKET_SERIALIZED) {
		for (i = 0; i < SMP_BYTES; i++) {
			other = pkt->buffer[i] ^ struck.clean[i];
			if (!other)
				continue;
			ck_assert_uint_eq(other & (other - 1), 0);
			struck.octet[i]++;
			struck.bit[__builtin_ctz(other)]++;
			others++;
		}
		ck_assert_uint_eq(others, 1);
	} else {
		hca_packet_serialize(pkt, struck.clean);
	}
	hca_packet_free(pkt);
}

/* One bit of a damaged packet is inverted, and it may be any bit of headers, payload or CRCs. */
START_TEST(each_bit_may_be_struck)
{
	struct hca_fault_spec spec = { .classes = HCA_FAULT_CLASS_SMP, .seed = 5,
				       .chance[HCA_FAULT_CORRUPT] = HCA_FAULT_ALWAYS };
	struct hca_fault *fault = hca_fault_new(&spec);
	unsigned int i;

	ck_assert(!IS_ERR(fault));
	memset(&struck, 0, sizeof(struck));
	bring_up();
	side[0].phy.carry = carry_and_compare;
	ck_assert(send_one(&side[0], HCA_VL_MANAGEMENT, 1));
	hca_fault_install(&side[0].port, fault);
	for (i = 0; i < 40 * SMP_BYTES; i++)
		ck_assert(send_one(&side[0], HCA_VL_MANAGEMENT, 1));
	for (i = 0; i < SMP_BYTES; i++)
		ck_assert_msg(struck.octet[i] >= 10 && struck.octet[i] <= 90, "octet %u: %u", i,
			      struck.octet[i]);
	for (i = 0; i < 8; i++)
		ck_assert_uint_ge(struck.bit[i], 4 * SMP_BYTES);
	hca_fault_install(&side[0].port, NULL);
	side[0].phy.carry = test_carry;
}
END_TEST

/* The fate of each of ten packets; a duplicate has no credit. */
START_TEST(faults_of_what_leaves)
{
	static const unsigned int arrive[HCA_NUM_FAULTS] = {
		[HCA_FAULT_DUPLICATE] = 20,
	};
	struct hca_fault_spec spec = { .classes = HCA_FAULT_CLASS_DATA, .seed = 1 };
	enum hca_fault_kind kind = _i;
	struct hca_fault_counts counts;
	struct hca_fault *fault;

	bring_up();
	activate();
	spec.chance[kind] = HCA_FAULT_ALWAYS;
	fault = hca_fault_new(&spec);
	ck_assert(!IS_ERR(fault));
	hca_fault_install(&side[0].port, fault);
	local_bh_disable();
	ck_assert(hca_phy_is_up(&side[0].port));
	local_bh_enable();
	/* all of them are damaged, and no link fails because of it */
	side[1].port.info.local_phy_errors = 15;
	send_all(&side[0], 0, 10);
	ck_assert_ptr_nonnull(hca_fault_get(&side[0].port, &counts));
	ck_assert_uint_eq(counts.v[kind], 10);
	ck_assert_uint_eq(side[1].got, arrive[kind]);
	hca_fault_install(&side[0].port, NULL);
	ck_assert_ptr_eq(side[0].port.phy, &side[0].phy);
	side[1].last_psn = 0;
	send_all(&side[0], 0, 10);
	ck_assert_uint_eq(side[1].got, arrive[kind] + 10);
}
END_TEST

/* Without a signal there is no link. */
START_TEST(signal_of_what_leaves)
{
	bring_up();
	activate();
	local_bh_disable();
	hca_link_signal(&side[0].port, false);
	local_bh_enable();
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_DOWN);
	ck_assert_uint_eq(side[0].downs, 1);
	local_bh_disable();
	hca_link_signal(&side[0].port, true);
	local_bh_enable();
	ck_assert_uint_eq(side[0].ups, 2);
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_INIT);
}
END_TEST

static void admin_down(bool down)
{
	local_bh_disable();
	hca_link_set_admin_down(&side[0].port, down);
	hca_engine_run();
	local_bh_enable();
}

/* A link that is administratively down does not come up with its peer. */
START_TEST(down_and_up)
{
	bring_up();
	activate();
	admin_down(true);
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_DOWN);
	ck_assert_uint_eq(side[0].ups, 1);
	ck_assert_uint_eq(side[0].downs, 1);
	hca_phy_down(&side[0].port);
	bring_up();
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_DOWN);
	admin_down(false);
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_INIT);
	ck_assert_uint_eq(side[0].ups, 2);

	/* The next link of the port is up. */
	admin_down(true);
	hca_phy_detach(&side[0].port);
	hca_phy_attach(&side[0].port, &side[0].phy);
	bring_up();
	ck_assert_uint_eq(side[0].port.info.state, IB_PORT_INIT);
}
END_TEST

Suite *phy_suite(void)
{
	Suite *suite = suite_create("phy");
	TCase *tc = tcase_create("phy");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, link);
	tcase_add_loop_test(tc, b4_445_full_load, 0, 4);
	tcase_add_test(tc, c4_158_overrun);
	tcase_add_test(tc, c4_250_overruns);
	tcase_add_test(tc, c4_158_damaged);
	tcase_add_test(tc, c4_149_watchdog);
	tcase_add_test(tc, c4_134_active_enable);
	tcase_add_test(tc, asked);
	tcase_add_loop_test(tc, faults_of_what_leaves, 0, HCA_NUM_FAULTS);
	tcase_add_test(tc, each_bit_may_be_struck);
	tcase_add_test(tc, signal_of_what_leaves);
	tcase_add_test(tc, down_and_up);
	suite_add_tcase(suite, tc);
	return suite;
}
