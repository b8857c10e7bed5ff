// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Captures of ports: which packets they see, to the octet, and what happens without buffer space.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include "capture/capture.h"
#include "link/state/state.h"
#include "link/tap/tap.h"
#include "packet/serialize.h"
#include "phy/cable.h"
#include "phy/fault.h"
#include "shim.h"
#include "tests/unit/fixture/pair.h"
#include "tests/unit/suites.h"
#include "transport/payload.h"
#include "wire/flow.h"
#include "wire/opcode.h"

#define BOTH (HCA_TAP_IN | HCA_TAP_OUT)

struct watch {
	struct hca_capture capture;
	u8 *ring;
	struct hca_tap tap[2];
	unsigned int notified;
};

static void notify(struct hca_capture *capture)
{
	container_of(capture, struct watch, capture)->notified++;
}

/* The oldest record. Who only asks whether there is one gets the same answer. */
static const struct hca_tap_record *first_of(struct hca_capture *capture)
{
	bool readable = hca_capture_is_readable(capture);
	const struct hca_tap_record *record = hca_capture_first(capture);

	ck_assert_int_eq(readable, record != NULL);
	return record;
}

static struct hca_port *port_of(struct pair *pair, int end)
{
	return &pair->end[end].ports[1];
}

static struct watch *watch_new(u32 octets, u32 snap)
{
	struct watch *watch = calloc(1, sizeof(*watch));

	watch->ring = calloc(1, octets);
	hca_capture_init(&watch->capture, watch->ring, octets, snap, notify);
	return watch;
}

static void watch_port(struct watch *watch, int num, struct hca_port *port, u8 directions)
{
	watch->tap[num].capture = &watch->capture;
	watch->tap[num].num = num;
	watch->tap[num].directions = directions;
	hca_tap_attach(&watch->tap[num], port);
	hca_flow_update(port);
}

/* Captures at both ends of a pair. */
static struct watch *watch_pair(struct pair *pair, u32 octets, u32 snap)
{
	struct watch *watch = watch_new(octets, snap);

	watch_port(watch, 0, port_of(pair, 0), BOTH);
	watch_port(watch, 1, port_of(pair, 1), BOTH);
	return watch;
}

static void watch_free(struct watch *watch)
{
	int i;

	for (i = 0; i < 2; i++)
		if (watch->tap[i].port)
			hca_flow_update(hca_tap_detach(&watch->tap[i]));
	free(watch->ring);
	free(watch);
}

static unsigned int dequeue_all(struct watch *watch)
{
	unsigned int n = 0;

	for (; first_of(&watch->capture); n++)
		hca_capture_drop(&watch->capture);
	return n;
}

/* Send a message and its acknowledgement. */
static void send(struct pair *pair, u32 length)
{
	struct hca_cqe cqe;

	pair_recv(&pair->end[1], 1, DST, length);
	pair_send(&pair->end[0], 2, HCA_WQE_SIGNALED, SRC, length);
	pair_wait(500);
	while (pair_poll(&pair->end[0].send_cq, &cqe) || pair_poll(&pair->end[1].recv_cq, &cqe))
		;
}

/*
 * A whole packet in wire format, with correct CRCs and the payload that was sent (C4-152, C4-153).
 */
static void check_record(struct pair *pair, const struct hca_tap_record *record)
{
	struct hca_packet *pkt;
	u8 sent[4096];

	local_bh_disable();
	pkt = hca_packet_alloc(&pair->end[0].ca.pool);
	ck_assert_uint_eq(record->captured, record->length);
	ck_assert_int_eq(hca_packet_deserialize(pkt, (const u8 *)(record + 1), record->length), 0);
	if (hca_opcodes[pkt->h.bth.opcode].flags & HCA_IS_FIRST && pkt->payload_length) {
		pair_read(&pair->end[0], SRC, sent, pkt->payload_length);
		ck_assert_mem_eq(pkt->payload_length > HCA_INLINE_BYTES ? pkt->buffer : pkt->data,
				 sent, pkt->payload_length);
	}
	hca_packet_free(pkt);
	local_bh_enable();
}

/*
 * Each packet is captured twice, where it leaves and where it arrives, as often as it is counted
 * (C4-325).
 */
START_TEST(both_ends)
{
	struct pair *pair = pair_new(&pair_rc);
	struct watch *watch = watch_pair(pair, 1 << 20, U32_MAX);
	const struct hca_tap_record *record;
	u64 seen[2][3] = {}, before = 0;
	unsigned int n = 0;
	int end;

	pair_fill(&pair->end[0], SRC, 20000, 3);
	send(pair, 1);
	send(pair, 256);
	send(pair, 20000);
	for (; (record = first_of(&watch->capture)); n++) {
		check_record(pair, record);
		ck_assert_uint_eq(record->lost, 0);
		ck_assert_uint_ge(record->time_ns, before);
		before = record->time_ns;
		seen[record->port][record->direction]++;
		hca_capture_drop(&watch->capture);
	}
	for (end = 0; end < 2; end++) {
		struct hca_port *port = port_of(pair, end);

		ck_assert_uint_gt(seen[end][HCA_TAP_OUT], 2);
		ck_assert_uint_eq(seen[end][HCA_TAP_OUT],
				  hca_counter_read(port, HCA_CTR_XMIT_PACKETS));
		ck_assert_uint_eq(seen[end][HCA_TAP_IN],
				  hca_counter_read(port, HCA_CTR_RCV_PACKETS));
	}
	ck_assert_uint_eq(watch->notified, n);
	ck_assert_uint_eq(watch->capture.captured, n);
	watch_free(watch);
	pair_free(pair);
}
END_TEST

/* One capture sees outgoing packets, another one incoming packets, until it is detached. */
START_TEST(two_captures)
{
	struct pair *pair = pair_new(&pair_rc);
	struct watch *out = watch_new(1 << 16, U32_MAX), *in = watch_new(1 << 16, U32_MAX);
	const struct hca_tap_record *record;

	watch_port(out, 0, port_of(pair, 0), HCA_TAP_OUT);
	watch_port(in, 0, port_of(pair, 0), HCA_TAP_IN);
	send(pair, 10);
	record = first_of(&out->capture);
	ck_assert_uint_eq(record->direction, HCA_TAP_OUT);
	ck_assert_uint_eq(dequeue_all(out), 1);
	record = first_of(&in->capture);
	ck_assert_uint_eq(record->direction, HCA_TAP_IN);
	ck_assert_uint_gt(dequeue_all(in), 0); /* acknowledgements, and flow-control packets */
	hca_flow_update(hca_tap_detach(&out->tap[0]));
	send(pair, 10);
	ck_assert_uint_eq(dequeue_all(out), 0);
	ck_assert_uint_gt(dequeue_all(in), 0); /* acknowledgements, and flow-control packets */
	watch_free(in);
	ck_assert_ptr_null(port_of(pair, 0)->taps);
	watch_free(out);
	pair_free(pair);
}
END_TEST

/* A truncated packet has the first octets of the whole one, and ends before the CRCs. */
START_TEST(snap_length)
{
	struct pair *pair = pair_new(&pair_rc);
	struct watch *whole = watch_new(1 << 16, U32_MAX), *cut = watch_new(1 << 16, _i);
	const struct hca_tap_record *record, *other;

	pair_fill(&pair->end[0], SRC, 300, 3);
	watch_port(whole, 0, port_of(pair, 0), HCA_TAP_OUT);
	watch_port(cut, 0, port_of(pair, 0), HCA_TAP_OUT);
	send(pair, 300);
	record = first_of(&whole->capture);
	other = first_of(&cut->capture);
	ck_assert_uint_eq(record->length, 8 + 12 + 4 + 300 + 4 + 2);
	ck_assert_uint_eq(other->length, record->length);
	ck_assert_uint_eq(other->captured, _i >= 330 ? 330 : _i > 324 ? 324 : _i);
	ck_assert_mem_eq(other + 1, record + 1, other->captured);
	watch_free(cut);
	watch_free(whole);
	pair_free(pair);
}
END_TEST

/*
 * Without buffer space a packet is missing in the capture alone, and is counted; later there is
 * space again.
 */
START_TEST(no_room)
{
	struct pair *pair = pair_new(&pair_rc);
	struct watch *watch = watch_new(HCA_CAPTURE_MIN_OCTETS, U32_MAX);
	unsigned int sent, n, rounds;

	watch_port(watch, 0, port_of(pair, 0), HCA_TAP_OUT);
	pair_fill(&pair->end[0], SRC, 4000, 3);
	for (rounds = 0; rounds < 5; rounds++) {
		u64 lost = watch->capture.lost;

		for (sent = 0; sent < 30 + rounds; sent++)
			send(pair, 3777);
		ck_assert_uint_gt(watch->capture.lost, lost);
		for (n = 0; first_of(&watch->capture); n++) {
			check_record(pair, first_of(&watch->capture));
			hca_capture_drop(&watch->capture);
		}
		/* All messages have arrived, each in as many packets as the MTU requires. */
		ck_assert_uint_eq((n + watch->capture.lost - lost) % sent, 0);
		lost = watch->capture.lost_since;
		send(pair, 8);
		ck_assert_uint_eq(first_of(&watch->capture)->lost, lost);
		ck_assert_uint_eq(dequeue_all(watch), 1);
	}
	ck_assert_uint_eq(watch->capture.head, watch->capture.tail);
	watch_free(watch);
	pair_free(pair);
}
END_TEST

/* Records are read in the order of reservation, even if an earlier one is committed later. */
START_TEST(order)
{
	struct watch *watch = watch_new(HCA_CAPTURE_MIN_OCTETS, U32_MAX);
	struct hca_tap_record *one, *two;

	local_bh_disable();
	one = hca_capture_reserve(&watch->capture, 10);
	two = hca_capture_reserve(&watch->capture, 20);
	one->captured = 10;
	two->captured = 20;
	hca_capture_commit(&watch->capture, two);
	ck_assert_ptr_null(first_of(&watch->capture));
	hca_capture_commit(&watch->capture, one);
	ck_assert_ptr_eq(first_of(&watch->capture), one);
	hca_capture_drop(&watch->capture);
	ck_assert_ptr_eq(first_of(&watch->capture), two);
	hca_capture_drop(&watch->capture);
	ck_assert_ptr_null(first_of(&watch->capture));
	local_bh_enable();
	watch_free(watch);
}
END_TEST

static void fault(struct hca_port *port, enum hca_fault_kind kind)
{
	struct hca_fault_spec spec = { .seed = 5 };
	struct hca_fault *made;

	spec.chance[kind] = HCA_FAULT_ALWAYS;
	made = hca_fault_new(&spec);
	ck_assert(!IS_ERR(made));
	hca_fault_install(port, made);
}

static unsigned int bits_between(const struct hca_tap_record *one, const struct hca_tap_record *two)
{
	const u8 *a = (const u8 *)(one + 1), *b = (const u8 *)(two + 1);
	unsigned int i, n = 0;

	for (i = 0; i < one->length; i++)
		n += __builtin_popcount(a[i] ^ b[i]);
	return n;
}

/*
 * Lost: the packet is seen where it was sent. Corrupted: it is seen as it was sent, and with one
 * bit inverted as it arrived.
 */
START_TEST(faults)
{
	struct pair *pair = pair_new(&pair_uc);
	struct watch *watch = watch_pair(pair, 1 << 16, U32_MAX);
	const struct hca_tap_record *record, *other;

	fault(port_of(pair, 0), HCA_FAULT_DROP);
	send(pair, 100);
	ck_assert_uint_eq(first_of(&watch->capture)->port, 0);
	ck_assert_uint_eq(dequeue_all(watch), 1);

	fault(port_of(pair, 0), HCA_FAULT_CORRUPT);
	send(pair, 100);
	record = first_of(&watch->capture);
	check_record(pair, record);
	hca_capture_drop(&watch->capture);
	other = first_of(&watch->capture);
	ck_assert_uint_eq(other->port, 1);
	ck_assert_uint_eq(bits_between(record, other), 1);
	ck_assert_uint_eq(dequeue_all(watch), 1);
	hca_fault_install(port_of(pair, 0), NULL);
	watch_free(watch);
	pair_free(pair);
}
END_TEST

static unsigned int flowing(struct pair *pair)
{
	return hca_credit_is_sent(port_of(pair, 0)->flow.state) +
	       hca_credit_is_sent(port_of(pair, 1)->flow.state);
}

/*
 * Check the flow-control packets by C4-147 and C4-150. Return: their number, for a port and
 * direction.
 */
static unsigned int check_flow(struct watch *watch, u64 seen[2][3])
{
	const struct hca_tap_record *record;
	struct hca_flow flow;
	unsigned int n = 0;

	memset(seen, 0, 6 * sizeof(seen[0][0]));
	for (; (record = first_of(&watch->capture)); hca_capture_drop(&watch->capture)) {
		if (!record->flow)
			continue;
		ck_assert_uint_eq(record->length, HCA_FLOW_BYTES);
		ck_assert_uint_eq(record->captured, HCA_FLOW_BYTES);
		ck_assert_int_eq(hca_flow_parse(&flow, (const u8 *)(record + 1), HCA_FLOW_BYTES),
				 0);
		ck_assert_uint_eq(flow.op, HCA_FLOW_NORMAL);
		seen[record->port][record->direction]++;
		n++;
	}
	return n;
}

/*
 * A plain cable has no flow-control packets; while a port is captured its cable has them, in both
 * directions, and each is seen where it leaves and where it arrives by captures that request them
 * (C4-147).
 */
START_TEST(flow_control)
{
	struct pair *pair = pair_new(&pair_rc);
	struct watch *packets, *all;
	u64 seen[2][3];

	ck_assert_uint_eq(flowing(pair), 0);
	packets = watch_new(1 << 16, U32_MAX);
	watch_port(packets, 0, port_of(pair, 0), BOTH);
	ck_assert_uint_eq(flowing(pair), 2);
	all = watch_new(1 << 20, U32_MAX);
	watch_port(all, 0, port_of(pair, 0), BOTH | HCA_TAP_FLOW);
	watch_port(all, 1, port_of(pair, 1), BOTH | HCA_TAP_FLOW);
	pair_wait(100);
	ck_assert_uint_eq(dequeue_all(packets), 0);
	ck_assert_uint_ge(check_flow(all, seen), 4 * 9);
	ck_assert_uint_eq(seen[0][HCA_TAP_OUT], seen[1][HCA_TAP_IN]);
	ck_assert_uint_eq(seen[1][HCA_TAP_OUT], seen[0][HCA_TAP_IN]);

	/* The last capture to be detached ends them, and no earlier one. */
	watch_free(all);
	pair_wait(30);
	ck_assert_uint_eq(flowing(pair), 2);
	send(pair, 1000);
	ck_assert_uint_gt(dequeue_all(packets), 1);
	watch_free(packets);
	pair_wait(30);
	ck_assert_uint_eq(flowing(pair), 0);
	ck_assert(!port_of(pair, 0)->rx_buffer.advertises);
	ck_assert(!port_of(pair, 1)->rx_buffer.advertises);
	send(pair, 1000);
	pair_free(pair);
}
END_TEST

/* A port that is captured is cabled later, or gets another cable. */
START_TEST(flow_control_of_a_new_cable)
{
	struct pair *pair = pair_new(&pair_rc);
	struct watch *watch = watch_new(1 << 20, U32_MAX);
	u64 seen[2][3];

	hca_cable_disconnect(port_of(pair, 0));
	watch_port(watch, 0, port_of(pair, 0), BOTH | HCA_TAP_FLOW);
	pair_wait(30);
	ck_assert_uint_eq(flowing(pair), 0);
	ck_assert_int_eq(hca_cable_connect(port_of(pair, 0), port_of(pair, 1)), 0);
	ck_assert_uint_eq(flowing(pair), 2);
	ck_assert(first_of(&watch->capture));
	hca_cable_disconnect(port_of(pair, 0));
	dequeue_all(watch);
	pair_wait(30);
	ck_assert_uint_eq(dequeue_all(watch), 0);
	/* The link stays in Init until a manager changes it, and the packets say so. */
	ck_assert_int_eq(hca_cable_connect(port_of(pair, 0), port_of(pair, 1)), 0);
	pair_wait(30);
	ck_assert_uint_eq(((const u8 *)(first_of(&watch->capture) + 1))[0] >> 4,
			  HCA_FLOW_INIT);
	hca_port_set_state(port_of(pair, 0), IB_PORT_ARMED);
	hca_port_set_state(port_of(pair, 1), IB_PORT_ARMED);
	pair_wait(30);
	dequeue_all(watch);
	pair_wait(30);
	ck_assert_uint_ge(check_flow(watch, seen), 4);
	watch_free(watch);
	pair_wait(30);
	ck_assert_uint_eq(flowing(pair), 0);
	pair_free(pair);
}
END_TEST

/* Faults and captures request flow-control packets independently of each other. */
START_TEST(flow_control_with_faults)
{
	struct pair *pair = pair_new(&pair_rc);
	struct watch *watch = watch_new(1 << 16, U32_MAX);
	struct hca_port *port = port_of(pair, 0);

	fault(port, HCA_FAULT_DROP);
	watch_port(watch, 0, port_of(pair, 1), BOTH);
	hca_fault_install(port, NULL);
	pair_wait(30);
	ck_assert_uint_eq(flowing(pair), 2);
	fault(port, HCA_FAULT_DROP);
	hca_flow_update(hca_tap_detach(&watch->tap[0]));
	pair_wait(30);
	ck_assert_uint_eq(flowing(pair), 2);
	hca_fault_install(port, NULL);
	pair_wait(30);
	ck_assert_uint_eq(flowing(pair), 0);
	send(pair, 1000);
	watch_free(watch);
	pair_free(pair);
}
END_TEST

/* The memory that a packet refers to may be deregistered: only its headers are captured then. */
START_TEST(gone)
{
	struct pair *pair = pair_new(&pair_rc);
	struct pair_end *a = &pair->end[0];
	struct hca_packet *pkt;
	u8 wire[HCA_MAX_WIRE_BYTES];

	local_bh_disable();
	pkt = hca_packet_alloc(&a->ca.pool);
	memset(&pkt->h, 0, sizeof(pkt->h));
	pkt->h.lrh.lnh = IB_LNH_IBA_LOCAL;
	pkt->h.bth.opcode = HCA_OPCODE(RC, SEND_ONLY);
	hca_payload_borrow(pkt, a->entry, pair_addr(a, 100), 1000, 1);
	pkt->payload_length = 1000;
	hca_packet_finish(pkt);
	ck_assert_uint_eq(hca_packet_serialize_start(pkt, wire, sizeof(wire)), 1026);
	pkt->fragment[0].generation++;
	ck_assert_uint_eq(hca_packet_serialize_start(pkt, wire, sizeof(wire)), 20);
	hca_packet_free(pkt);
	local_bh_enable();
	pair_free(pair);
}
END_TEST

Suite *tap_suite(void)
{
	Suite *suite = suite_create("tap");
	TCase *tc = tcase_create("tap");

	tcase_add_test(tc, both_ends);
	tcase_add_test(tc, two_captures);
	tcase_add_loop_test(tc, snap_length, 1, 30);
	tcase_add_loop_test(tc, snap_length, 320, 333);
	tcase_add_test(tc, no_room);
	tcase_add_test(tc, order);
	tcase_add_test(tc, faults);
	tcase_add_test(tc, flow_control);
	tcase_add_test(tc, flow_control_of_a_new_cable);
	tcase_add_test(tc, flow_control_with_faults);
	tcase_add_test(tc, gone);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);
	return suite;
}
