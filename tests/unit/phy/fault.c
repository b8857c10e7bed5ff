// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Faults of a cable: which packets are lost or damaged, what is counted, and what recovers from it.
 */
#include <check.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include "link/rx/rx.h"
#include "phy/cable.h"
#include "phy/fault.h"
#include "shim.h"
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"
#include "transport/early_retry.h"
#include "wire/opcode.h"

#define PERCENT (HCA_FAULT_ALWAYS / 100)

/* Timeouts are short, so that a lost packet is soon sent again. */
static struct pair *fault_pair(void)
{
	struct pair_qp how = pair_rc;

	how.timeout = 8;
	return pair_new(&how);
}

static struct hca_port *port_of(struct pair *pair, int end)
{
	return &pair->end[end].ports[1];
}

static u64 matched(struct pair *pair, int end)
{
	struct hca_fault_counts counts = {};

	hca_fault_get(port_of(pair, end), &counts);
	return counts.matched;
}

static u64 count_of(struct pair *pair, int end, enum hca_fault_kind kind)
{
	struct hca_fault_counts counts = {};

	hca_fault_get(port_of(pair, end), &counts);
	return counts.v[kind];
}

/* Return: 0, or the error if the faults are invalid. */
static int fault_set(struct hca_port *port, const struct hca_fault_spec *spec)
{
	struct hca_fault *fault = hca_fault_new(spec);

	if (IS_ERR(fault))
		return PTR_ERR(fault);
	hca_fault_install(port, fault);
	return 0;
}

/* Initializes the members of struct hca_fault_spec that select packets with one opcode. */
#define ONLY_OPCODE(opcode) .has_opcodes = true, .opcodes[(opcode) / 8] = 1 << (opcode) % 8

/* Adds an opcode to those that are selected. */
static void add_opcode(struct hca_fault_spec *spec, u8 opcode)
{
	spec->has_opcodes = true;
	spec->opcodes[opcode / 8] |= 1 << opcode % 8;
}

static void set_both(struct pair *pair, struct hca_fault_spec spec)
{
	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), 0);
	spec.seed++;
	ck_assert_int_eq(fault_set(port_of(pair, 1), &spec), 0);
}

/*
 * Every block that was sent has been returned or is known to be lost, in both directions, and no
 * SMP occupies buffer space (C4-148, C4-151).
 */
static void check_credits(struct pair *pair)
{
	int end, vl;

	pair_wait(2 * HCA_FLOW_PERIOD_MS);
	for (end = 0; end < 2; end++) {
		for (vl = 0; vl < HCA_NUM_VLS; vl++)
			ck_assert_uint_eq(port_of(pair, !end)->rx_buffer.fccl[vl] -
						  port_of(pair, end)->tx.fctbs[vl],
					  HCA_VL_BUFFER_BLOCKS);
		ck_assert_int_eq(atomic_read(&port_of(pair, end)->rx_buffer.vl15_queued), 0);
	}
}

/* RDMA WRITEs of up to 8 KiB: many packets in one direction, acknowledgements in the other. */
static void write_all(struct pair *pair)
{
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_cqe cqe;
	u32 i;

	for (i = 0; i < 100; i++) {
		u32 length = 1 + i * 83;

		pair_fill(a, SRC, length, i);
		pair_rdma(a, b, i, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, length);
		pair_wait(1000);
		ck_assert(pair_poll(&a->send_cq, &cqe));
		ck_assert_uint_eq(cqe.status, IB_WC_SUCCESS);
		ck_assert(pair_same(a, SRC, b, DST, length));
	}
	check_credits(pair);
}

/* B4-343: everything is lost, and retries are exhausted; no credit is missing. */
START_TEST(all_dropped)
{
	struct pair_qp how = pair_rc;
	struct pair *pair;
	struct pair_end *a, *b;

	hca_early_retries = false;
	how.timeout = 8;
	how.retry = 2;
	pair = pair_new(&how);
	a = &pair->end[0];
	b = &pair->end[1];
	set_both(pair, (struct hca_fault_spec){ .chance[HCA_FAULT_DROP] = HCA_FAULT_ALWAYS });
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 10);
	pair_wait(1000);
	pair_expect(&a->send_cq, 1, IB_WC_RETRY_EXC_ERR);
	ck_assert_uint_eq(b->received, 0);
	ck_assert_uint_eq(count_of(pair, 0, HCA_FAULT_DROP), 3);
	ck_assert_uint_eq(count_of(pair, 1, HCA_FAULT_DROP), 0);
	/* The sender's port has counted them as sent; the receiver's port has counted nothing. */
	ck_assert_uint_eq(hca_counter_read(port_of(pair, 0), HCA_CTR_XMIT_PACKETS), 3);
	ck_assert_uint_eq(hca_counter_read(port_of(pair, 1), HCA_CTR_RCV_PACKETS), 0);
	ck_assert_uint_eq(hca_counter_read(port_of(pair, 1), HCA_CTR_RCV_ERRORS), 0);
	check_credits(pair);
	hca_early_retries = true;
	pair_free(pair);
}
END_TEST

/* A lost or damaged packet is sent again until it arrives; a duplicate is executed once. */
START_TEST(survived)
{
	struct pair *pair = fault_pair();
	struct hca_fault_spec spec = { .seed = 42 };

	spec.chance[_i] = 10 * PERCENT;
	set_both(pair, spec);
	write_all(pair);
	ck_assert_uint_gt(count_of(pair, 0, _i), 10);
	ck_assert_uint_gt(count_of(pair, 1, _i), 3);
	pair_free(pair);
}
END_TEST

/* C4-158, C4-336, R0-463: a receiver drops and counts a damaged packet, and does not report it. */
START_TEST(c4_336_corrupted)
{
	struct pair *pair = fault_pair();
	struct hca_fault_spec spec = { .chance[HCA_FAULT_CORRUPT] = 20 * PERCENT, .seed = 3 };
	int end;

	set_both(pair, spec);
	write_all(pair);
	for (end = 0; end < 2; end++) {
		struct hca_port *from = port_of(pair, end), *to = port_of(pair, !end);

		ck_assert_uint_gt(count_of(pair, end, HCA_FAULT_CORRUPT), 0);
		ck_assert_uint_eq(hca_counter_read(to, HCA_CTR_RCV_ERRORS),
				  count_of(pair, end, HCA_FAULT_CORRUPT));
		ck_assert_uint_eq(hca_counter_read(to, HCA_CTR_SYMBOL_ERROR), 0);
		ck_assert_uint_eq(hca_counter_read(to, HCA_CTR_RCV_PACKETS),
				  hca_counter_read(from, HCA_CTR_XMIT_PACKETS));
		ck_assert_uint_eq(pair->end[!end].received,
				  hca_counter_read(from, HCA_CTR_XMIT_PACKETS) -
					  count_of(pair, end, HCA_FAULT_CORRUPT));
	}
	pair_free(pair);
}
END_TEST

/* Equal seeds choose equal faults for equal packets; other seeds choose others. */
START_TEST(seeds)
{
	static const u32 seed[] = { 7, 7, 8 };
	u64 count[3][HCA_NUM_FAULTS];
	int i, kind;

	for (i = 0; i < 3; i++) {
		struct pair *pair = fault_pair();

		set_both(pair, (struct hca_fault_spec){
				       .chance = { 5 * PERCENT, 5 * PERCENT, 5 * PERCENT },
				       .seed = seed[i] });
		write_all(pair);
		for (kind = 0; kind < HCA_NUM_FAULTS; kind++)
			count[i][kind] = count_of(pair, 0, kind);
		pair_free(pair);
	}
	ck_assert_mem_eq(count[0], count[1], sizeof(count[0]));
	ck_assert_mem_ne(count[0], count[2], sizeof(count[0]));
}
END_TEST

/*
 * The number of faults matches the probability: of 10,000 trials it deviates by no more than six
 * standard deviations.
 */
START_TEST(probability)
{
	static const u32 chances[] = { PERCENT, 10 * PERCENT, 50 * PERCENT, 99 * PERCENT };
	static const unsigned int likely[] = { 100, 1000, 5000, 9900 };
	static const unsigned int deviation[] = { 10, 30, 50, 10 };
	struct pair *pair = pair_new(&pair_ud);
	struct hca_port *port = port_of(pair, 0), *peer = port_of(pair, 1);
	struct hca_fault_spec spec = { .chance[HCA_FAULT_DROP] = chances[_i], .seed = 11 };
	struct hca_packet *pkt;
	u64 dropped;
	int i;

	ck_assert_int_eq(fault_set(port, &spec), 0);
	local_bh_disable();
	for (i = 0; i < 10000; i++) {
		pkt = hca_packet_alloc(&pair->end[0].ca.pool);
		memset(&pkt->h, 0, sizeof(pkt->h));
		pkt->h.lrh.lnh = IB_LNH_IBA_LOCAL;
		pkt->h.lrh.dlid = 2;
		pkt->h.bth.opcode = HCA_OPCODE(UD, SEND_ONLY);
		hca_packet_finish(pkt);
		ck_assert(hca_port_send(port, pkt, NULL));
		hca_engine_run();
	}
	local_bh_enable();
	dropped = count_of(pair, 0, HCA_FAULT_DROP);
	ck_assert_uint_gt(dropped, likely[_i] - 6 * deviation[_i]);
	ck_assert_uint_lt(dropped, likely[_i] + 6 * deviation[_i]);
	ck_assert_uint_eq(pair->end[1].received, 10000 - dropped);
	ck_assert_uint_eq(hca_counter_read(peer, HCA_CTR_RCV_PACKETS), 10000 - dropped);
	check_credits(pair);
	pair_free(pair);
}
END_TEST

/* Packets received, by opcode. */
static unsigned int seen[256];

static bool see(struct pair *pair, int receiver, const struct hca_packet *pkt)
{
	(void)pair;
	(void)receiver;
	seen[pkt->h.bth.opcode]++;
	return true;
}

/*
 * Only acknowledgements are lost, in both directions; the data that they acknowledge is sent again.
 */
START_TEST(only_acknowledgements)
{
	struct pair *pair = fault_pair();
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];

	hca_early_retries = false;
	memset(seen, 0, sizeof(seen));
	pair->filter = see;
	set_both(pair, (struct hca_fault_spec){ .chance[HCA_FAULT_DROP] = HCA_FAULT_ALWAYS,
						ONLY_OPCODE(HCA_OPCODE(RC, ACKNOWLEDGE)) });
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 10);
	pair_wait(1000);
	pair_expect(&a->send_cq, 1, IB_WC_RETRY_EXC_ERR);
	ck_assert_uint_eq(seen[HCA_OPCODE(RC, RDMA_WRITE_ONLY)], 8);
	ck_assert_uint_eq(seen[HCA_OPCODE(RC, ACKNOWLEDGE)], 0);
	ck_assert_uint_eq(count_of(pair, 0, HCA_FAULT_DROP), 0);
	ck_assert_uint_eq(count_of(pair, 1, HCA_FAULT_DROP), 8);
	hca_early_retries = true;
	pair_free(pair);
}
END_TEST

/* The third packet is damaged whenever it is sent; those before it arrive. */
START_TEST(only_one_psn)
{
	struct pair *pair = fault_pair();
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_fault_spec spec = { .chance[HCA_FAULT_CORRUPT] = HCA_FAULT_ALWAYS,
				       .has_psn = true,
				       .psn = hca_psn_add(pair_rc.psn[0], 2) };

	memset(seen, 0, sizeof(seen));
	pair->filter = see;
	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), 0);
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 4096);
	pair_wait(2000);
	pair_expect(&a->send_cq, 1, IB_WC_RETRY_EXC_ERR);
	ck_assert_uint_ge(seen[HCA_OPCODE(RC, RDMA_WRITE_FIRST)], 1);
	ck_assert_uint_eq(seen[HCA_OPCODE(RC, RDMA_WRITE_MIDDLE)], 1);
	ck_assert_uint_ge(count_of(pair, 0, HCA_FAULT_CORRUPT), 1);
	check_credits(pair);
	pair_free(pair);
}
END_TEST

/*
 * The programs choose random PSNs, and the third of five responses to an RDMA READ is lost, once:
 * what is missing is requested again, once.
 */
START_TEST(third_response_once)
{
	struct pair *pair = fault_pair();
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_fault_spec spec = { .chance[HCA_FAULT_DROP] = HCA_FAULT_ALWAYS,
				       .nth = 3,
				       .count = 1 };
	u32 length = 5 * hca_mtu_bytes(pair_rc.mtu);

	add_opcode(&spec, HCA_OPCODE(RC, RDMA_READ_RESPONSE_FIRST));
	add_opcode(&spec, HCA_OPCODE(RC, RDMA_READ_RESPONSE_MIDDLE));
	add_opcode(&spec, HCA_OPCODE(RC, RDMA_READ_RESPONSE_LAST));
	add_opcode(&spec, HCA_OPCODE(RC, RDMA_READ_RESPONSE_ONLY));
	memset(seen, 0, sizeof(seen));
	pair->filter = see;
	ck_assert_int_eq(fault_set(port_of(pair, 1), &spec), 0);
	pair_fill(b, DST, length, 1);
	pair_rdma(a, b, 1, IB_UVERBS_WR_RDMA_READ, HCA_WQE_SIGNALED, SRC, DST, length);
	pair_wait(1000);
	pair_expect(&a->send_cq, 1, IB_WC_SUCCESS);
	ck_assert(pair_same(a, SRC, b, DST, length));
	ck_assert_uint_eq(count_of(pair, 1, HCA_FAULT_DROP), 1);
	ck_assert_uint_eq(seen[HCA_OPCODE(RC, RDMA_READ_REQUEST)], 2);
	ck_assert_uint_eq(hca_counter_read(port_of(pair, 0), HCA_CTR_IMPLIED_NAKS), 1);
	ck_assert_uint_eq(hca_counter_read(port_of(pair, 0), HCA_CTR_RETRANSMITTED_PACKETS), 1);
	ck_assert_uint_eq(matched(pair, 1), 5 + 3);
	check_credits(pair);
	pair_free(pair);
}
END_TEST

static struct hca_packet *packet(struct pair *pair, u8 opcode, u8 vl)
{
	struct hca_packet *pkt = hca_packet_alloc(&pair->end[0].ca.pool);

	memset(&pkt->h, 0, sizeof(pkt->h));
	pkt->h.lrh.lnh = IB_LNH_IBA_LOCAL;
	pkt->h.lrh.dlid = 2;
	pkt->h.lrh.vl = vl;
	pkt->h.bth.opcode = opcode;
	return pkt;
}

static void send_packet(struct pair *pair, struct hca_packet *pkt)
{
	hca_packet_finish(pkt);
	ck_assert(hca_port_send(port_of(pair, 0), pkt, NULL));
	hca_engine_run();
}

/* Sends a packet. Return: whether it arrives. */
static bool arrives(struct pair *pair, u8 opcode, u8 vl)
{
	unsigned int before = pair->end[1].received;

	local_bh_disable();
	send_packet(pair, packet(pair, opcode, vl));
	local_bh_enable();
	return pair->end[1].received > before;
}

/* Returns whether a packet arrives although faults drop the packets that @spec selects. */
static bool passes(struct pair *pair, struct hca_fault_spec spec, u8 opcode, u8 vl)
{
	bool arrived;

	spec.chance[HCA_FAULT_DROP] = HCA_FAULT_ALWAYS;
	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), 0);
	arrived = arrives(pair, opcode, vl);
	check_credits(pair);
	return arrived;
}

#define MATCH_QPN 0x123456
#define MATCH_PSN 0xfffffe

/* A packet matches what selects by its BTH if all of it does. A raw packet has no BTH. */
static const struct {
	struct hca_fault_spec spec;
	u32 qpn, psn;
	bool raw, struck;
} selections[] = {
	{ { .has_qpn = true, .qpn = MATCH_QPN }, MATCH_QPN, 0, false, true },
	{ { .has_qpn = true, .qpn = MATCH_QPN }, MATCH_QPN + 1, 0, false, false },
	{ { .has_qpn = true, .qpn = 0 }, 0, 0, false, true },
	{ { .has_qpn = true, .qpn = 0 }, MATCH_QPN, 0, false, false },
	{ { .has_psn = true, .psn = MATCH_PSN }, 0, MATCH_PSN, false, true },
	{ { .has_psn = true, .psn = MATCH_PSN }, 0, MATCH_PSN - 1, false, false },
	{ { .has_qpn = true, .qpn = MATCH_QPN, .has_psn = true, .psn = MATCH_PSN },
	  MATCH_QPN, MATCH_PSN, false, true },
	{ { .has_qpn = true, .qpn = MATCH_QPN, .has_psn = true, .psn = MATCH_PSN },
	  MATCH_QPN, 0, false, false },
	{ { .has_qpn = true, .qpn = MATCH_QPN, .has_psn = true, .psn = MATCH_PSN },
	  0, MATCH_PSN, false, false },
	{ { .has_qpn = true, .qpn = MATCH_QPN, ONLY_OPCODE(HCA_OPCODE(RC, SEND_ONLY)) },
	  MATCH_QPN, 0, false, true },
	{ { .has_qpn = true, .qpn = MATCH_QPN, ONLY_OPCODE(HCA_OPCODE(RC, ACKNOWLEDGE)) },
	  MATCH_QPN, 0, false, false },
	{ { .has_qpn = true, .qpn = MATCH_QPN, .classes = HCA_FAULT_CLASS_DATA },
	  MATCH_QPN, 0, false, true },
	{ { .has_qpn = true, .qpn = MATCH_QPN, .classes = HCA_FAULT_CLASS_SMP },
	  MATCH_QPN, 0, false, false },
	{ { .has_qpn = true, .qpn = MATCH_QPN, .classes = HCA_FAULT_CLASS_FLOW },
	  MATCH_QPN, 0, false, false },
	{ { .classes = HCA_FAULT_CLASS_DATA, ONLY_OPCODE(HCA_OPCODE(RC, SEND_ONLY)) },
	  MATCH_QPN, 0, false, true },
	{ { .classes = HCA_FAULT_CLASS_SMP, ONLY_OPCODE(HCA_OPCODE(RC, SEND_ONLY)) },
	  MATCH_QPN, 0, false, false },
	{ {}, MATCH_QPN, MATCH_PSN, true, true },
	{ { .classes = HCA_FAULT_CLASS_DATA }, MATCH_QPN, MATCH_PSN, true, true },
	{ { ONLY_OPCODE(HCA_OPCODE(RC, SEND_ONLY)) }, MATCH_QPN, MATCH_PSN, true, false },
	{ { .has_qpn = true, .qpn = MATCH_QPN }, MATCH_QPN, MATCH_PSN, true, false },
	{ { .has_psn = true, .psn = MATCH_PSN }, MATCH_QPN, MATCH_PSN, true, false },
};

START_TEST(selected)
{
	struct hca_fault_spec spec = selections[_i].spec;
	struct pair *pair = pair_new(&pair_rc);
	struct hca_packet *pkt;

	spec.chance[HCA_FAULT_DROP] = HCA_FAULT_ALWAYS;
	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), 0);
	local_bh_disable();
	pkt = packet(pair, HCA_OPCODE(RC, SEND_ONLY), 0);
	pkt->h.bth.destqp = selections[_i].qpn;
	pkt->h.bth.psn = selections[_i].psn;
	if (selections[_i].raw) {
		pkt->h.lrh.lnh = IB_LNH_RAW;
		pkt->payload_length = 40;
	}
	send_packet(pair, pkt);
	local_bh_enable();
	ck_assert_uint_eq(pair->end[1].received, !selections[_i].struck);
	ck_assert_uint_eq(count_of(pair, 0, HCA_FAULT_DROP), selections[_i].struck);
	ck_assert_uint_eq(matched(pair, 0), selections[_i].struck);
	check_credits(pair);
	pair_free(pair);
}
END_TEST

/* Which of ten packets are hit: bit n is that of packet n, from 1. */
static const struct {
	u32 nth, count;
	u32 struck;
} turns[] = {
	{ 0, 0, 0x7fe }, { 1, 0, 0x7fe }, { 3, 0, 0x248 }, { 10, 0, 0x400 }, { 11, 0, 0 },
	{ U32_MAX, 0, 0 }, { 0, 1, 0x002 }, { 0, 4, 0x01e }, { 0, 10, 0x7fe },
	{ 0, U32_MAX, 0x7fe }, { 3, 1, 0x008 }, { 3, 2, 0x048 }, { 3, 4, 0x248 },
	{ U32_MAX, U32_MAX, 0 },
};

START_TEST(nth_and_count)
{
	struct hca_fault_spec spec = { .chance[HCA_FAULT_DROP] = HCA_FAULT_ALWAYS,
				       ONLY_OPCODE(HCA_OPCODE(RC, SEND_ONLY)),
				       .nth = turns[_i].nth,
				       .count = turns[_i].count };
	struct pair *pair = pair_new(&pair_rc);
	unsigned int before;
	u32 i, struck = 0;

	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), 0);
	local_bh_disable();
	for (i = 1; i <= 10; i++) {
		/* A packet that does not match does not count. */
		send_packet(pair, packet(pair, HCA_OPCODE(UC, SEND_ONLY), 0));
		before = pair->end[1].received;
		send_packet(pair, packet(pair, HCA_OPCODE(RC, SEND_ONLY), 0));
		if (pair->end[1].received == before)
			struck |= 1 << i;
	}
	local_bh_enable();
	ck_assert_uint_eq(struck, turns[_i].struck);
	ck_assert_uint_eq(count_of(pair, 0, HCA_FAULT_DROP), __builtin_popcount(struck));
	ck_assert_uint_eq(matched(pair, 0), 10);
	/* Faults that have ended are installed anew: they begin again. */
	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), 0);
	ck_assert_uint_eq(matched(pair, 0), 0);
	check_credits(pair);
	pair_free(pair);
}
END_TEST

/* The count is of all kinds of faults together; what is left to chance counts where it happens. */
START_TEST(count_of_all_kinds)
{
	struct pair *pair = fault_pair();
	struct hca_fault_spec spec = { .chance = { 20 * PERCENT, 20 * PERCENT, 20 * PERCENT },
				       .count = 12,
				       .seed = 5 };
	u64 hit = 0;
	int kind;

	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), 0);
	write_all(pair);
	for (kind = 0; kind < HCA_NUM_FAULTS; kind++) {
		ck_assert_uint_gt(count_of(pair, 0, kind), 0);
		hit += count_of(pair, 0, kind);
	}
	ck_assert_uint_eq(hit, 12);
	ck_assert_uint_gt(matched(pair, 0), 100);
	pair_free(pair);
}
END_TEST

/* Flow-control packets are counted off like others. */
START_TEST(nth_flow)
{
	struct pair *pair = pair_new(&pair_rc);
	struct hca_fault_spec spec = { .chance[HCA_FAULT_DROP] = HCA_FAULT_ALWAYS,
				       .classes = HCA_FAULT_CLASS_FLOW,
				       .nth = 2,
				       .count = 3 };

	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), 0);
	pair_wait(40 * HCA_FLOW_PERIOD_MS);
	ck_assert_uint_eq(count_of(pair, 0, HCA_FAULT_DROP), 3);
	ck_assert_uint_gt(matched(pair, 0), 6);
	check_credits(pair);
	pair_free(pair);
}
END_TEST

/* Each class of packets can be selected, alone and with others; the default is data and SMPs. */
START_TEST(classes)
{
	struct pair *pair = pair_new(&pair_rc);
	struct hca_fault_spec spec = { .chance[HCA_FAULT_DROP] = HCA_FAULT_ALWAYS, .classes = _i };
	u8 classes = _i ?: HCA_FAULT_CLASS_DATA | HCA_FAULT_CLASS_SMP;
	struct hca_fault_counts counts;
	u64 dropped;

	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), 0);
	ck_assert_uint_eq(hca_fault_get(port_of(pair, 0), &counts)->classes, classes);
	ck_assert(arrives(pair, HCA_OPCODE(UD, SEND_ONLY), 0) !=
		  !!(classes & HCA_FAULT_CLASS_DATA));
	ck_assert(arrives(pair, HCA_OPCODE(UD, SEND_ONLY), HCA_VL_MANAGEMENT) !=
		  !!(classes & HCA_FAULT_CLASS_SMP));
	dropped = count_of(pair, 0, HCA_FAULT_DROP);
	pair_wait(4 * HCA_FLOW_PERIOD_MS);
	ck_assert((count_of(pair, 0, HCA_FAULT_DROP) > dropped) ==
		  !!(classes & HCA_FAULT_CLASS_FLOW));
	pair_free(pair);
}
END_TEST

/* B4-086: each existing opcode can be selected alone, and all others without it. */
START_TEST(b4_086_every_opcode)
{
	struct pair *pair = pair_new(&pair_rc);
	int i;

	for (i = 0; i < 256; i++) {
		struct hca_fault_spec only = {}, others = { .has_opcodes = true };

		if (!hca_opcodes[i].name)
			continue;
		add_opcode(&only, i);
		memset(others.opcodes, 0xff, sizeof(others.opcodes));
		others.opcodes[i / 8] ^= 1 << i % 8;
		ck_assert_msg(!passes(pair, only, i, 0), "%s", hca_opcodes[i].name);
		ck_assert_msg(passes(pair, others, i, 0), "%s", hca_opcodes[i].name);
	}
	pair_free(pair);
}
END_TEST

/* Faults that cannot be allocated leave the earlier ones installed. */
START_TEST(no_memory_for_faults)
{
	struct pair *pair = pair_new(&pair_rc);
	struct hca_fault_spec spec = { .chance[HCA_FAULT_DROP] = 5, .seed = 9,
				       ONLY_OPCODE(HCA_OPCODE(RC, SEND_ONLY)) };
	const struct hca_fault_spec *installed;
	struct hca_fault_counts counts;

	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), 0);
	spec.seed = 10;
	add_opcode(&spec, 0xff);
	shim_fail_alloc(1);
	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), -ENOMEM);
	shim_fail_alloc(0);
	ck_assert_uint_eq(hca_fault_get(port_of(pair, 0), &counts)->seed, 9);
	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), 0);
	installed = hca_fault_get(port_of(pair, 0), &counts);
	ck_assert(installed->has_opcodes);
	ck_assert_mem_eq(installed->opcodes, spec.opcodes, sizeof(spec.opcodes));
	pair_free(pair);
}
END_TEST

/* Faults are installed, replaced and removed, alone or with the cable. */
START_TEST(come_and_go)
{
	struct pair *pair = pair_new(&pair_ud);
	struct hca_fault_spec spec = { .chance[HCA_FAULT_DROP] = HCA_FAULT_ALWAYS };
	struct hca_fault_counts counts;

	ck_assert_ptr_null(hca_fault_get(port_of(pair, 0), &counts));
	ck_assert(!passes(pair, spec, HCA_OPCODE(UD, SEND_ONLY), 0));
	ck_assert_uint_eq(count_of(pair, 0, HCA_FAULT_DROP), 1);
	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), 0);
	ck_assert_uint_eq(count_of(pair, 0, HCA_FAULT_DROP), 0);
	hca_fault_install(port_of(pair, 0), NULL);
	ck_assert_ptr_null(hca_fault_get(port_of(pair, 0), &counts));
	hca_fault_install(port_of(pair, 0), NULL);
	hca_fault_free(hca_fault_new(&spec));
	set_both(pair, spec);
	ck_assert_int_eq(hca_cable_disconnect(port_of(pair, 1)), 0);
	ck_assert_ptr_null(hca_fault_get(port_of(pair, 0), &counts));
	ck_assert_ptr_null(hca_fault_get(port_of(pair, 1), &counts));
	ck_assert_int_eq(hca_cable_connect(port_of(pair, 0), port_of(pair, 1)), 0);
	pair_free(pair);
}
END_TEST

/*
 * The cable is pulled while damaged, lost and duplicated packets, SMPs among them, are in transit.
 */
START_TEST(pulled)
{
	struct pair *pair = pair_new(&pair_ud);
	struct hca_fault_spec spec = {};
	struct hca_packet *pkt;
	int i;

	spec.chance[_i] = HCA_FAULT_ALWAYS;
	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), 0);
	local_bh_disable();
	for (i = 0; i < 200; i++) {
		pkt = hca_packet_alloc(&pair->end[0].ca.pool);
		memset(&pkt->h, 0, sizeof(pkt->h));
		pkt->h.lrh.lnh = IB_LNH_IBA_LOCAL;
		pkt->h.lrh.dlid = 2;
		pkt->h.lrh.vl = i & 1 ? HCA_VL_MANAGEMENT : 0;
		pkt->h.bth.opcode = HCA_OPCODE(UD, SEND_ONLY);
		hca_packet_finish(pkt);
		ck_assert(hca_port_send(port_of(pair, 0), pkt, NULL));
	}
	ck_assert_int_le(atomic_read(&port_of(pair, 1)->rx_buffer.vl15_queued), HCA_VL15_BUFFER);
	local_bh_enable();
	ck_assert_int_eq(hca_cable_disconnect(port_of(pair, 0)), 0);
	ck_assert_uint_eq(pair->end[1].received, 0);
	ck_assert_int_eq(hca_cable_connect(port_of(pair, 0), port_of(pair, 1)), 0);
	check_credits(pair);
	pair_free(pair);
}
END_TEST

/*
 * Without memory for a copy or for its wire format the packet is forwarded undamaged, and does not
 * count: the next packet is hit, and it is the last one.
 */
START_TEST(no_memory)
{
	struct pair *pair = fault_pair();
	struct pair_end *a = &pair->end[0], *b = &pair->end[1];
	struct hca_fault_spec spec = { .count = 1 };
	unsigned int n;

	spec.chance[_i] = HCA_FAULT_ALWAYS;
	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), 0);
	/*
	 * The pool then has packets for reuse: the failing allocation is one that the fault needs.
	 */
	pair_rdma(a, b, 0, IB_UVERBS_WR_RDMA_WRITE, 0, SRC, DST, 1000);
	hca_fault_install(port_of(pair, 0), NULL);
	pair_wait(100);
	ck_assert_int_eq(fault_set(port_of(pair, 0), &spec), 0);
	for (n = 1; n <= 2; n++) {
		u64 before = count_of(pair, 0, _i);

		pair_fill(a, SRC, 1000, n);
		shim_fail_alloc(n);
		pair_rdma(a, b, n, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 1000);
		ck_assert(shim_alloc_failed());
		shim_fail_alloc(0);
		ck_assert_uint_eq(count_of(pair, 0, _i), before);
		pair_expect(&a->send_cq, n, IB_WC_SUCCESS);
		ck_assert(pair_same(a, SRC, b, DST, 1000));
	}
	for (; n <= 4; n++) {
		pair_rdma(a, b, n, IB_UVERBS_WR_RDMA_WRITE, HCA_WQE_SIGNALED, SRC, DST, 1000);
		pair_wait(1000);
		pair_expect(&a->send_cq, n, IB_WC_SUCCESS);
		ck_assert_uint_eq(count_of(pair, 0, _i), 1);
	}
	pair_free(pair);
}
END_TEST

Suite *fault_suite(void)
{
	Suite *suite = suite_create("fault");
	TCase *tc = tcase_create("fault");

	tcase_add_test(tc, all_dropped);
	tcase_add_loop_test(tc, survived, 0, HCA_NUM_FAULTS);
	tcase_add_test(tc, c4_336_corrupted);
	tcase_add_test(tc, seeds);
	tcase_add_loop_test(tc, probability, 0, 4);
	tcase_add_test(tc, only_acknowledgements);
	tcase_add_test(tc, only_one_psn);
	tcase_add_test(tc, third_response_once);
	tcase_add_loop_test(tc, selected, 0, ARRAY_SIZE(selections));
	tcase_add_loop_test(tc, nth_and_count, 0, ARRAY_SIZE(turns));
	tcase_add_test(tc, count_of_all_kinds);
	tcase_add_test(tc, nth_flow);
	tcase_add_loop_test(tc, classes, 0, 8);
	tcase_add_test(tc, b4_086_every_opcode);
	tcase_add_test(tc, no_memory_for_faults);
	tcase_add_test(tc, come_and_go);
	tcase_add_loop_test(tc, pulled, 0, HCA_NUM_FAULTS);
	tcase_add_loop_test(tc, no_memory, HCA_FAULT_CORRUPT, HCA_NUM_FAULTS);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);
	return suite;
}
