// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Segment batches: their effects equal those of single packets, and they can be split anywhere. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include "capture/capture.h"
#include "link/tap/tap.h"
#include "link/tx/vl_queue.h"
#include "packet/batch.h"
#include "packet/payload.h"
#include "shim.h"
#include "tests/unit/fixture/switched.h"
#include "tests/unit/suites.h"
#include "transport/payload.h"
#include "wire/opcode.h"

#define RING (1u << 22)
#define COMPLETIONS 64

/* Every result of a program. */
struct account {
	u64 counter[4][HCA_NUM_COUNTERS]; /* those of adapter, switch, switch, adapter */
	struct hca_cqe cqe[COMPLETIONS];
	unsigned int completions;
	u8 memory[2][PAIR_MEMORY];
	/* of each end, by direction: packets in wire format, one behind the other */
	u8 *seen[2][3];
	u32 octets[2][3];
	unsigned int handled; /* packets or segment batches that the transport has received */
};

static struct account *current;

static void spy_receive(struct hca_port *port, struct hca_packet *pkt)
{
	current->handled++;
	hca_transport_receive(port, pkt);
}

static const u8 opcodes[] = {
	IB_UVERBS_WR_SEND,	IB_UVERBS_WR_SEND_WITH_IMM,
	IB_UVERBS_WR_RDMA_READ, IB_UVERBS_WR_RDMA_WRITE,
	IB_UVERBS_WR_RDMA_WRITE_WITH_IMM,
};

static void poll_completions(struct switched *s)
{
	struct hca_cq *cqs[] = { &s->a->send_cq, &s->b->recv_cq };
	unsigned int i;

	for (i = 0; i < 2; i++)
		while (pair_poll(cqs[i], &current->cqe[current->completions]))
			ck_assert_uint_lt(++current->completions, COMPLETIONS);
}

static void program(struct switched *s, u32 length)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
		u8 opcode = opcodes[i];

		pair_fill(s->a, SRC, length, 3 + i);
		pair_fill(s->b, SRC, length, 30 + i);
		pair_recv(s->b, 100 + i, DST, length);
		if (opcode == IB_UVERBS_WR_SEND)
			pair_send(s->a, i, HCA_WQE_SIGNALED, SRC, length);
		else
			pair_rdma(s->a, s->b, i, opcode, HCA_WQE_SIGNALED, SRC,
				  opcode == IB_UVERBS_WR_RDMA_READ ? SRC : DST, length);
		pair_wait(2000);
		poll_completions(s);
	}
}

static void see(struct hca_capture *capture)
{
	const struct hca_tap_record *record;

	for (; (record = hca_capture_first(capture)); hca_capture_drop(capture)) {
		u32 *octets = &current->octets[record->port][record->direction];

		ck_assert_uint_eq(record->captured, record->length);
		ck_assert_uint_le(*octets + record->length, RING);
		memcpy(current->seen[record->port][record->direction] + *octets, record + 1,
		       record->length);
		*octets += record->length;
	}
}

static void no_notice(struct hca_capture *capture)
{
	(void)capture;
}

static bool is_of_time(unsigned int c)
{
	return c == HCA_CTR_XMIT_WAIT || c == HCA_CTR_XMIT_FLOW_PACKETS ||
	       c == HCA_CTR_RCV_FLOW_PACKETS ||
	       (c >= HCA_CTR_XMIT_WAIT_VL && c < HCA_CTR_XMIT_WAIT_VL + HCA_COUNTED_VLS);
}

static void count(struct switched *s)
{
	struct hca_port *ports[] = { &s->a->ports[1], switched_port(s, 1), switched_port(s, 2),
				     &s->b->ports[1] };
	unsigned int i, c;

	for (i = 0; i < 4; i++)
		for (c = 0; c < HCA_NUM_COUNTERS; c++)
			current->counter[i][c] =
				is_of_time(c) ? 0 : hca_counter_read(ports[i], c);
	pair_read(s->a, 0, current->memory[0], PAIR_MEMORY);
	pair_read(s->b, 0, current->memory[1], PAIR_MEMORY);
}

static struct account *run(const struct pair_qp *how, u32 length, bool batches)
{
	struct switched *s = switched_new(how);
	struct hca_port_ops spy = *s->b->ports[1].ops;
	struct hca_port *end[] = { &s->a->ports[1], &s->b->ports[1] };
	u8 *ring = calloc(1, RING);
	struct hca_capture capture;
	struct hca_tap tap[2];
	int i, d;

	hca_batches = batches;
	current = calloc(1, sizeof(*current));
	hca_capture_init(&capture, ring, RING, U32_MAX, no_notice);
	spy.receive = spy_receive;
	for (i = 0; i < 2; i++) {
		end[i]->ops = &spy;
		tap[i] = (struct hca_tap){
			.capture = &capture,
			.num = i,
			.directions = HCA_TAP_IN | HCA_TAP_OUT,
		};
		hca_tap_attach(&tap[i], end[i]);
		hca_flow_update(end[i]);
		for (d = HCA_TAP_IN; d <= HCA_TAP_OUT; d++)
			current->seen[i][d] = calloc(1, RING);
	}
	program(s, length);
	see(&capture);
	ck_assert_uint_eq(capture.lost, 0);
	count(s);
	for (i = 0; i < 2; i++)
		hca_flow_update(hca_tap_detach(&tap[i]));
	switched_free(s);
	hca_batches = true;
	free(ring);
	return current;
}

static void account_free(struct account *account)
{
	int i, d;

	for (i = 0; i < 2; i++)
		for (d = HCA_TAP_IN; d <= HCA_TAP_OUT; d++)
			free(account->seen[i][d]);
	free(account);
}

static const struct {
	const struct pair_qp *how;
	u8 mtu;
	u32 length;
} programs[] = {
	{ &pair_rc, IB_MTU_256, 30000 },   { &pair_rc, IB_MTU_1024, 100001 },
	{ &pair_rc, IB_MTU_2048, 6145 },   { &pair_rc, IB_MTU_4096, 300000 },
	{ &pair_rc, IB_MTU_4096, 1 << 18 }, { &pair_rd, IB_MTU_1024, 100001 },
	{ &pair_rd, IB_MTU_4096, 300000 }, { &pair_uc, IB_MTU_2048, 20000 },
	{ &pair_uc, IB_MTU_4096, 300000 },  { &pair_uc, IB_MTU_256, 30000 },
	{ &pair_xrc, IB_MTU_1024, 100001 }, { &pair_xrc, IB_MTU_4096, 300000 },
};

/*
 * Completions, memory, counters and packets are equal with and without batches, through a switch.
 */
START_TEST(the_same)
{
	struct pair_qp how = *programs[_i].how;
	struct account *on, *off;
	int i, d;

	how.mtu = programs[_i].mtu;
	off = run(&how, programs[_i].length, false);
	on = run(&how, programs[_i].length, true);

	ck_assert_uint_ge(on->completions, how.type == IB_QPT_UC ? 6 : 8);
	ck_assert_uint_eq(on->completions, off->completions);
	ck_assert_mem_eq(on->cqe, off->cqe, sizeof(on->cqe));
	ck_assert_mem_eq(on->memory, off->memory, sizeof(on->memory));
	for (i = 0; i < 2; i++)
		for (d = HCA_TAP_IN; d <= HCA_TAP_OUT; d++) {
			ck_assert_uint_eq(on->octets[i][d], off->octets[i][d]);
			ck_assert_mem_eq(on->seen[i][d], off->seen[i][d], on->octets[i][d]);
		}
	for (i = 0; i < 4; i++)
		for (d = 0; d < HCA_NUM_COUNTERS; d++)
			ck_assert_msg(on->counter[i][d] == off->counter[i][d],
				      "port %d, counter %d: %llu, without batches %llu", i, d,
				      (unsigned long long)on->counter[i][d],
				      (unsigned long long)off->counter[i][d]);
	/* The program did use segment batches. */
	if (programs[_i].length / hca_mtu_bytes(how.mtu) > 20)
		ck_assert_uint_lt(on->handled, off->handled / 3);
	else
		ck_assert_uint_lt(on->handled, off->handled);
	account_free(on);
	account_free(off);
}
END_TEST

/* --- splitting */

#define PARTS 5
#define PART_OCTETS 1024u

/*
 * A segment batch whose memory is in three segments, with boundaries that differ from those of its
 * packets.
 */
static struct hca_packet *batch_new(struct pair_end *end, u8 *expected)
{
	static const u32 length[] = { 1500, 100, PARTS * PART_OCTETS - 1600 };
	struct hca_packet *pkt;
	u32 at = 0, i;

	pair_fill(end, SRC, 3 * 8192, 9);
	pkt = hca_packet_alloc(&end->ca.pool);
	memset(&pkt->h, 0, sizeof(pkt->h));
	pkt->h.lrh.lnh = IB_LNH_IBA_LOCAL;
	pkt->h.bth.opcode = HCA_OPCODE(RC, SEND_MIDDLE);
	pkt->h.bth.psn = HCA_PSN_MASK - 1;
	pkt->h.bth.flags = HCA_BTH_ACKREQ;
	hca_payload_borrow(pkt, end->entry, 0, PART_OCTETS, PARTS);
	pkt->num_fragments = 3;
	for (i = 0; i < 3; i++) {
		pkt->fragment[i] = pkt->fragment[0];
		pkt->fragment[i].addr = pair_addr(end, SRC + i * 8192 + 77);
		pkt->fragment[i].length = length[i];
		pair_read(end, SRC + i * 8192 + 77, expected + at, length[i]);
		at += length[i];
	}
	hca_packet_finish(pkt);
	return pkt;
}

static void check_part(struct hca_packet *part, const u8 *expected, unsigned int first,
		       unsigned int packets)
{
	u8 got[PARTS * PART_OCTETS];

	ck_assert_uint_eq(part->packets, packets);
	ck_assert_uint_eq(part->payload_length, PART_OCTETS);
	ck_assert_uint_eq(part->h.bth.psn, (HCA_PSN_MASK - 1 + first) & HCA_PSN_MASK);
	ck_assert_int_eq(!!(part->h.bth.flags & HCA_BTH_ACKREQ), first + packets == PARTS);
	ck_assert_int_eq(hca_packet_read_payload(part, got, packets * PART_OCTETS), 0);
	ck_assert_mem_eq(got, expected + first * PART_OCTETS, packets * PART_OCTETS);
}

/* Split into any three parts, with borrowed or copied payload. */
START_TEST(cut)
{
	struct pair *pair = pair_new(&pair_rc);
	u8 expected[PARTS * PART_OCTETS];
	struct hca_packet *batch, *a, *b, view;
	unsigned int i, j, gathered;

	local_bh_disable();
	for (gathered = 0; gathered < 2; gathered++)
		for (i = 1; i < PARTS - 1; i++)
			for (j = 1; i + j < PARTS; j++) {
				batch = batch_new(&pair->end[0], expected);
				if (gathered)
					ck_assert_int_eq(hca_packet_gather(batch), 0);
				check_part(batch, expected, 0, PARTS);
				hca_batch_view(batch, i, j, &view);
				check_part(&view, expected, i, j);
				a = hca_batch_split(batch, i);
				b = hca_batch_split(batch, j);
				check_part(a, expected, 0, i);
				check_part(b, expected, i, j);
				check_part(batch, expected, i + j, PARTS - i - j);
				hca_packet_free(a);
				hca_packet_free(b);
				hca_packet_free(batch);
			}
	local_bh_enable();
	pair_free(pair);
}
END_TEST

/* A batch is unchanged if there is no memory for a packet, or for its octets. */
START_TEST(not_cut)
{
	struct pair *pair = pair_new(&pair_rc);
	struct hca_packet_pool *pool = &pair->end[0].ca.pool;
	struct hca_packet *batch, *other, *others = NULL;
	u8 expected[PARTS * PART_OCTETS];

	local_bh_disable();
	batch = batch_new(&pair->end[0], expected);
	pool->limit = pool->count + 1;
	while ((other = hca_packet_alloc(pool))) {
		other->node.next = others ? &others->node : NULL;
		others = other;
	}
	ck_assert_ptr_null(hca_batch_split(batch, 2));
	check_part(batch, expected, 0, PARTS);
	for (; others; others = other) {
		other = others->node.next ? llist_entry(others->node.next, struct hca_packet,
							node) : NULL;
		hca_packet_free(others);
	}
	ck_assert_int_eq(hca_packet_gather(batch), 0);
	shim_fail_alloc(1);
	ck_assert_ptr_null(hca_batch_split(batch, 2));
	shim_fail_alloc(0);
	check_part(batch, expected, 0, PARTS);
	hca_packet_free(batch);
	local_bh_enable();
	pair_free(pair);
}
END_TEST

/*
 * The request of a queued batch ends: of a batch one of whose MRs has gone, nothing is sent later,
 * not even those packets whose own MRs are still there.
 */
START_TEST(part_gone)
{
	struct pair *pair = pair_new(&pair_rc);
	struct hca_tpt_entry *gone = kmalloc(sizeof(*gone), GFP_KERNEL);
	struct pair_end *end = &pair->end[0];
	struct hca_blocked_sender sender = {};
	u8 expected[PARTS * PART_OCTETS];
	struct hca_packet *batch, *part;
	struct hca_vl_queue queue;

	memcpy(gone, end->entry, sizeof(*gone));
	ck_assert_int_eq(hca_tpt_entry_add(&end->ci->tpt, gone), 0);
	hca_vl_queue_init(&queue);
	local_bh_disable();
	batch = batch_new(end, expected);
	batch->fragment[1].lkey = gone->key;
	hca_vl_queue_push(&queue, batch, &sender);
	local_bh_enable();
	hca_tpt_entry_remove(&end->ci->tpt, gone);
	local_bh_disable();
	ck_assert_ptr_null(hca_vl_queue_gather(&queue, &sender));
	for (; batch->packets > 1; hca_packet_free(part)) {
		part = hca_batch_split(batch, 1);
		ck_assert_int_eq(hca_packet_read_payload(part, expected, PART_OCTETS), -ESTALE);
	}
	ck_assert_int_eq(hca_packet_read_payload(batch, expected, PART_OCTETS), -ESTALE);
	hca_packet_free(batch);
	local_bh_enable();
	pair_free(pair);
}
END_TEST

Suite *batch_suite(void)
{
	Suite *suite = suite_create("batch");
	TCase *tc = tcase_create("segment batches");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, the_same, 0, ARRAY_SIZE(programs));
	tcase_add_test(tc, cut);
	tcase_add_test(tc, not_cut);
	tcase_add_test(tc, part_gone);
	suite_add_tcase(suite, tc);
	return suite;
}
