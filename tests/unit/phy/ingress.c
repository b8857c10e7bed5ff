// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Frames that another kernel sends: their lengths, packets that are fragmented, and frames of a
 * hostile or broken peer. The test composes the octets of the peer's frames from the description in
 * phy/frame.h.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/random.h>
#include <linux/unaligned.h>
#include "fabric/node.h"
#include "link/credit/credit.h"
#include "link/port/port.h"
#include "link/port/port_init.h"
#include "link/state/phy.h"
#include "link/state/remote_link.h"
#include "link/state/state.h"
#include "packet/payload.h"
#include "packet/serialize.h"
#include "phy/ingress.h"
#include "shim.h"
#include "tests/unit/suites.h"
#include "wire/crc.h"
#include "wire/flow.h"
#include "wire/opcode.h"

#define MS 1000000ull
#define PAYLOAD 4096u
#define LID 7
#define ROUNDS 24000

/* The local port, and everything between it and the network. */
static struct {
	struct hca_node node;
	struct hca_packet_pool pool;
	struct hca_port port;
	struct hca_phy phy;
	struct hca_peer peer;
	struct hca_ingress ingress;
	unsigned int got;
	u8 last[PAYLOAD]; /* the payload of the latest packet */
	u32 length;
} here;

/* The remote end. */
static struct {
	struct hca_address address;
	u64 session, number;
} there;

static void carry(struct hca_phy *phy, struct hca_port *peer, struct hca_packet *pkt)
{
	hca_packet_free(pkt);
}

static void flow(struct hca_phy *phy, struct hca_port *peer, const u8 *octets,
		 unsigned int len)
{
}

static void will(struct hca_phy *phy, bool enabled)
{
	hca_peer_will(&here.peer, enabled);
}

static void transmit(struct hca_peer *peer, const struct hca_address *to, u8 *frame,
		     unsigned int len)
{
	memset(frame + len, 0, HCA_FRAME_TAG);
}

static void changed(struct hca_peer *peer, bool up)
{
	if (up)
		hca_phy_up(&here.port, IB_MTU_4096);
	else
		hca_phy_down(&here.port);
}

static void receive(struct hca_port *port, struct hca_packet *pkt)
{
	here.got++;
	here.length = pkt->payload_length;
	memcpy(here.last, hca_packet_payload(pkt), pkt->payload_length);
	hca_packet_free(pkt);
}

static void receive_smp(struct hca_port *port, struct hca_packet *pkt)
{
	hca_packet_free(pkt);
}

static const struct hca_port_ops port_ops = { .receive = receive, .receive_smp = receive_smp };
static const struct hca_peer_ops peer_ops = { .transmit = transmit, .changed = changed };

static void setup(void)
{
	struct hca_hello own = { .enabled = true, .mtu_cap = IB_MTU_4096, .port = 1,
				 .node_guid = 1, .port_guid = 2 };

	shim_reset(1);
	shim_advance(MS);
	memset(&here, 0, sizeof(here));
	ck_assert_int_eq(hca_engine_start(), 0);
	hca_packet_pool_init(&here.pool, NULL, 1000);
	here.node.pool = &here.pool;
	ck_assert_int_eq(hca_node_init_port(&here.port, &here.node, 1, &port_ops, 0), 0);
	here.port.info.lid = LID;
	here.port.rx_buffer.vl_blocks = 200;
	here.phy = (struct hca_phy){ .carry = carry, .flow = flow, .will = will };
	ck_assert_int_eq(hca_ingress_init(&here.ingress, &here.port, &here.peer), 0);
	hca_peer_init(&here.peer, &peer_ops, &own, NULL);
	hca_phy_attach(&here.port, &here.phy);
	hca_peer_start(&here.peer);
	there.address = (struct hca_address){ .len = 1, .octet = { 9 } };
	there.session = 0x1234;
	there.number = 0;
}

static void teardown(void)
{
	hca_peer_stop(&here.peer);
	hca_phy_detach(&here.port);
	hca_port_destroy(&here.port);
	ck_assert_uint_eq(here.pool.in_use, 0);
	hca_packet_pool_destroy(&here.pool);
	hca_ingress_destroy(&here.ingress);
	hca_engine_stop();
	shim_quiesce();
	ck_assert_uint_eq(shim_live_allocations(), 0);
}

/* The frame is copied to memory of exactly its length, so that a read past its end is detected. */
static void arrives(const u8 *frame, unsigned int len)
{
	u8 *exact = malloc(len);

	memcpy(exact, frame, len);
	local_bh_disable();
	hca_ingress_receive(&here.ingress, &there.address, exact, len);
	hca_engine_run();
	local_bh_enable();
	free(exact);
}

static unsigned int write_frame(u8 *buf, u8 type, const void *payload, unsigned int length)
{
	put_unaligned_be32(0x68636121, buf);
	buf[4] = 2;
	buf[5] = type;
	put_unaligned_be16(length, buf + 6);
	put_unaligned_be64(there.session, buf + 8);
	put_unaligned_be64(here.peer.session, buf + 16);
	put_unaligned_be64(++there.number, buf + 24);
	memset(buf + 32, 0, 4);
	memcpy(buf + 36, payload, length);
	return 36 + length;
}

static void send_hello(void)
{
	u8 hello[HCA_HELLO_BYTES] = { 1, IB_MTU_4096, 0, 1 }, buf[200];

	hello[19] = 5; /* the last octet of the port's GUID */
	arrives(buf, write_frame(buf, HCA_FRAME_HELLO, hello, sizeof(hello)));
}

/* Without flow-control packets a port that has been up regards its peer as down. */
static void send_flow(void)
{
	struct hca_flow flow = { .op = HCA_FLOW_INIT, .fccl = 200 };
	u8 octets[HCA_FLOW_BYTES], buf[100];

	hca_flow_pack(&flow, octets);
	arrives(buf, write_frame(buf, HCA_FRAME_FLOW, octets, sizeof(octets)));
}

/* Return: whether the port is Active. */
static bool activate(void)
{
	hca_port_set_state(&here.port, IB_PORT_ARMED);
	return !hca_port_set_state(&here.port, IB_PORT_ACTIVE);
}

static void bring_up(void)
{
	send_hello();
	if (!here.peer.up)
		send_hello(); /* the first Hello has ended the session of the earlier peer */
	ck_assert(here.peer.up);
	send_flow();
	shim_run_until_idle();
	ck_assert(activate());
}

/*
 * Write a packet for the port in wire format, with so much payload. Return: its length in octets.
 */
static unsigned int write_packet(u8 *wire, const struct hca_headers *headers, u32 payload)
{
	static u8 data[PAYLOAD];
	struct hca_packet pkt = {
		.h = *headers,
		.payload_kind = HCA_PAYLOAD_GATHERED,
		.payload_length = payload,
		.buffer = data,
		.packets = 1,
	};

	get_random_bytes(data, payload);
	hca_packet_finish(&pkt);
	hca_packet_serialize(&pkt, wire);
	return hca_packet_bytes(&pkt);
}

static unsigned int write_good_packet(u8 *wire, u32 payload)
{
	struct hca_headers headers = {
		.lrh = { .lnh = IB_LNH_IBA_LOCAL, .dlid = LID },
		.bth = { .opcode = HCA_OPCODE(UD, SEND_ONLY), .pkey = 0xffff, .destqp = 5 },
	};

	return write_packet(wire, &headers, payload);
}

struct segments {
	unsigned int count, len;
	u8 frame[16][HCA_FRAME_HEADER + HCA_MAX_WIRE_BYTES];
};

/* Compose the frames of a packet, as phy/frame.h describes them. */
static void cut(struct segments *to, const u8 *wire, unsigned int total, unsigned int count)
{
	unsigned int i, length = (total + count - 1) / count;
	u8 padded[HCA_MAX_WIRE_BYTES + 16] = {};

	memcpy(padded, wire, total);
	to->count = count;
	for (i = 0; i < count; i++) {
		to->len = write_frame(to->frame[i], HCA_FRAME_PACKET, padded + i * length, length);
		to->frame[i][32] = i;
		to->frame[i][33] = count;
		put_unaligned_be16(total, to->frame[i] + 34);
	}
}

static u64 malformed(void)
{
	return atomic64_read(&here.ingress.malformed);
}

START_TEST(nothing_follows_a_frame)
{
	u8 buf[128] = {}, payload[6] = {};
	unsigned int len = write_frame(buf, HCA_FRAME_FLOW, payload, sizeof(payload));

	ck_assert_uint_eq(hca_frame_octets(buf, len, 0, 0), len);
	ck_assert_uint_eq(hca_frame_octets(buf, len + 1, 0, 0), 0);
	ck_assert_uint_eq(hca_frame_octets(buf, len - 1, 0, 0), 0);
	ck_assert_uint_eq(hca_frame_octets(buf, len + 16, 16, 0), len);
	ck_assert_uint_eq(hca_frame_octets(buf, len, 16, 0), 0);
	ck_assert_uint_eq(hca_frame_octets(buf, len + 17, 16, 0), 0);
	/* Octets that an Ethernet interface pads the frame with are allowed. */
	ck_assert_uint_eq(hca_frame_octets(buf, 46, 0, 46), len);
	ck_assert_uint_eq(hca_frame_octets(buf, 47, 0, 46), 0);
	/* The header of another version may differ, and the sender must receive a Reject. */
	buf[4]++;
	ck_assert_uint_eq(hca_frame_octets(buf, 100, 16, 0), 84);
}
END_TEST

START_TEST(segments_that_no_packet_has)
{
	static const struct { unsigned int segment, segments, total,
		length; bool good; } cases[] = {
		{ 0, 1, 300, 300, true },   { 0, 1, 300, 299, false },  { 0, 1, 299, 300, false },
		{ 0, 0, 300, 300, false },  { 1, 1, 300, 300, false },  { 0, 2, 300, 150, true },
		{ 1, 2, 300, 150, true },   { 2, 2, 300, 150, false },  { 1, 2, 300, 151, false },
		{ 1, 2, 299, 150, true },   { 0, 3, 300, 150, false },  { 255, 2, 300, 150, false },
		{ 15, 16, 4230, 265, true }, { 16, 17, 4230, 249, false }, { 0, 255, 4230, 17,
									     false },
		{ 0, 2, 4231, 2116, false }, { 0, 2, 65535, 32768, false }, { 0, 1, 0, 0, false },
		{ 0, 16, 20, 2, false }, /* the last frames would be empty */
	};
	static u8 buf[70000], payload[70000];
	struct hca_frame frame;
	unsigned int i, len;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		len = write_frame(buf, HCA_FRAME_PACKET, payload, cases[i].length);
		buf[32] = cases[i].segment;
		buf[33] = cases[i].segments;
		put_unaligned_be16(cases[i].total, buf + 34);
		ck_assert_msg(!hca_frame_parse(&frame, buf, len) == cases[i].good, "case %u", i);
	}
}
END_TEST

/* A packet may arrive in any permitted number of frames, in any order of them. */
START_TEST(segments_are_put_together)
{
	static struct segments segments;
	u8 wire[HCA_MAX_WIRE_BYTES];
	unsigned int i, from, total;

	bring_up();
	for (i = 1; i <= 16; i++)
		for (from = 0; from < i; from++) {
			unsigned int got = here.got, n;

			total = write_good_packet(wire, PAYLOAD - i * from % 50);
			cut(&segments, wire, total, i);
			for (n = 0; n < i; n++) {
				ck_assert_uint_eq(here.got, got);
				arrives(segments.frame[(from + n * (i % 5 ? 1 : i - 1)) % i],
					segments.len);
			}
			ck_assert_uint_eq(here.got, got + 1);
			ck_assert_mem_eq(here.last, wire + 8 + 12 + 8, here.length);
		}
	ck_assert_uint_eq(malformed(), 0);
	ck_assert_uint_eq(here.ingress.reassembly.incomplete, 0);
}
END_TEST

/*
 * As many packets as the reassembly window holds may be interleaved; one more evicts the first one,
 * and no memory grows.
 */
START_TEST(a_few_packets_at_once)
{
	static struct segments segments[HCA_REASSEMBLY_PACKETS + 1];
	u8 wire[HCA_MAX_WIRE_BYTES];
	unsigned int i, n, total, round;
	unsigned long allocations;

	bring_up();
	total = write_good_packet(wire, PAYLOAD);
	cut(&segments[0], wire, total, 1);
	arrives(segments[0].frame[0], segments[0].len);
	allocations = shim_live_allocations();
	for (round = 0; round < 2; round++) {
		here.got = 0;
		for (i = 0; i < HCA_REASSEMBLY_PACKETS + round; i++) {
			total = write_good_packet(wire, PAYLOAD);
			cut(&segments[i], wire, total, 3);
		}
		for (n = 0; n < 3; n++)
			for (i = 0; i < HCA_REASSEMBLY_PACKETS + round; i++)
				if (!n || i) /* the other frames of the first packet are lost */
					arrives(segments[i].frame[n], segments[i].len);
		ck_assert_uint_eq(here.got, HCA_REASSEMBLY_PACKETS - 1 + round);
		ck_assert_uint_eq(here.ingress.reassembly.incomplete, round);
		ck_assert_uint_eq(malformed(), 0);
		arrives(segments[0].frame[1], segments[0].len);
		arrives(segments[0].frame[2], segments[0].len);
		here.ingress.reassembly.incomplete = round ? 2 : 0;
	}
	ck_assert_uint_eq(shim_live_allocations(), allocations);
}
END_TEST

START_TEST(segments_that_contradict_each_other)
{
	static struct segments one, other;
	u8 wire[HCA_MAX_WIRE_BYTES];
	unsigned int total;

	bring_up();
	total = write_good_packet(wire, PAYLOAD);
	cut(&one, wire, total, 4);
	there.number -= 4; /* the numbers of those frames again, and two more */
	cut(&other, wire, total, 6);
	arrives(one.frame[0], one.len);
	arrives(other.frame[4], other.len); /* as if the packet had six segments */
	ck_assert_uint_eq(malformed(), 1);
	there.number -= 6;
	cut(&other, wire, total - 20, 6);
	arrives(other.frame[5], other.len); /* and were shorter */
	ck_assert_uint_eq(malformed(), 2);
	arrives(one.frame[1], one.len);
	arrives(one.frame[2], one.len);
	ck_assert_uint_eq(here.got, 0);
	arrives(one.frame[3], one.len);
	ck_assert_uint_eq(here.got, 1);
	ck_assert_mem_eq(here.last, wire + 28, PAYLOAD);
	/* A number below the session's first. */
	there.session++;
	bring_up();
	there.number = 100;
	cut(&one, wire, total, 8);
	put_unaligned_be64(7, one.frame[7] + 24);
	arrives(one.frame[7], one.len);
	ck_assert_uint_eq(malformed(), 3);
}
END_TEST

/* A network may deliver a frame twice; a link of InfiniBand delivers no packet twice. */
START_TEST(nothing_arrives_twice)
{
	static struct segments segments;
	u8 wire[HCA_MAX_WIRE_BYTES];
	unsigned int i, count, total;

	bring_up();
	for (count = 1; count <= 3; count += 2) {
		total = write_good_packet(wire, PAYLOAD);
		cut(&segments, wire, total, count);
		here.got = 0;
		here.peer.replayed = 0;
		for (i = 0; i < 2 * count; i++)
			arrives(segments.frame[i / 2], segments.len);
		for (i = 0; i < count; i++)
			arrives(segments.frame[i], segments.len);
		ck_assert_uint_eq(here.got, 1);
		ck_assert_uint_eq(here.peer.replayed, 2 * count);
	}
	ck_assert_uint_eq(malformed(), 0);
}
END_TEST

/* A network may let one packet overtake another; a link of InfiniBand keeps order. */
START_TEST(nothing_arrives_after_a_later_one)
{
	static struct segments early, late;
	u8 wire[HCA_MAX_WIRE_BYTES];
	unsigned int cuts, last, i, total;

	bring_up();
	for (cuts = 1; cuts <= 9; cuts++) {
		total = write_good_packet(wire, PAYLOAD);
		cut(&early, wire, total, (cuts - 1) % 3 + 1);
		cut(&late, wire, total, (cuts - 1) / 3 + 1);
		here.got = 0;
		last = early.count - 1; /* the segment that is overtaken */
		for (i = 0; i < last; i++)
			arrives(early.frame[i], early.len);
		for (i = 0; i < late.count; i++)
			arrives(late.frame[i], late.len);
		ck_assert_uint_eq(here.got, 1);
		arrives(early.frame[last], early.len);
		ck_assert_uint_eq(here.got, 1);
		ck_assert_uint_eq(here.ingress.overtaken, cuts);
	}
	ck_assert_uint_eq(malformed(), 0);
	ck_assert_uint_eq(here.ingress.reassembly.incomplete, 0);
}
END_TEST

/* Credits are counted from what was received before, so flow-control packets keep order, too. */
START_TEST(credits_do_not_go_back)
{
	static struct segments packet;
	u8 wire[HCA_MAX_WIRE_BYTES], octets[HCA_FLOW_BYTES], flow[2][100];
	struct hca_flow limit = { .op = HCA_FLOW_NORMAL };
	unsigned int i, len = 0, total;

	bring_up();
	for (i = 0; i < 2; i++) {
		limit.fccl = 300 + 100 * i;
		hca_flow_pack(&limit, octets);
		len = write_frame(flow[i], HCA_FRAME_FLOW, octets, sizeof(octets));
	}
	arrives(flow[1], len);
	arrives(flow[0], len);
	ck_assert_uint_eq(here.ingress.overtaken, 1);
	ck_assert_uint_eq(here.port.flow.fccl_received[0] % HCA_FLOW_MODULUS, 400);
	/* A packet that was sent before a flow-control packet is counted as lost by that one. */
	total = write_good_packet(wire, PAYLOAD);
	cut(&packet, wire, total, 1);
	limit.fctbs = here.port.rx_buffer.abr[0] + 10;
	hca_flow_pack(&limit, octets);
	len = write_frame(flow[0], HCA_FRAME_FLOW, octets, sizeof(octets));
	here.got = 0;
	arrives(flow[0], len);
	arrives(packet.frame[0], packet.len);
	ck_assert_uint_eq(here.got, 0);
	ck_assert_uint_eq(here.ingress.overtaken, 2);
	ck_assert_uint_eq(here.port.rx_buffer.abr[0], limit.fctbs);
}
END_TEST

/* Frames of one session are not combined with frames of the next. */
START_TEST(sessions_do_not_mix)
{
	static struct segments segments;
	u8 wire[HCA_MAX_WIRE_BYTES];
	unsigned int total;

	bring_up();
	total = write_good_packet(wire, PAYLOAD);
	cut(&segments, wire, total, 2);
	arrives(segments.frame[0], segments.len);
	there.session++;
	send_hello(); /* the Hello ends the earlier session */
	ck_assert(!here.peer.known);
	there.number = 0;
	bring_up();
	there.number = 2; /* the number that the first session used */
	cut(&segments, wire, total, 2);
	arrives(segments.frame[1], segments.len);
	ck_assert_uint_eq(here.got, 0);
	ck_assert_uint_eq(here.ingress.reassembly.incomplete, 1);
	arrives(segments.frame[0], segments.len);
	ck_assert_uint_eq(here.got, 1);
}
END_TEST

static u64 seed;

static unsigned int chance(unsigned int below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % below;
}

/* Random headers; most of these packets have at least the length of their headers. */
static unsigned int write_random_packet(u8 *wire)
{
	u8 raw[HCA_MAX_HEADER_BYTES], opcode;
	struct hca_headers headers = {};
	unsigned int len;

	do
		opcode = get_random_u32();
	while (!hca_opcodes[opcode].name);
	get_random_bytes(raw, sizeof(raw));
	raw[0] &= chance(4) ? 0 : chance(4) ? 0xf0 : 0xff; /* VL, LVer */
	raw[1] = (raw[1] & ~3) | (chance(2) ? IB_LNH_IBA_GLOBAL : IB_LNH_IBA_LOCAL);
	put_unaligned_be16(chance(2) ? LID : 0xffff, raw + 2);
	raw[(raw[1] & 3) == IB_LNH_IBA_GLOBAL ? 48 : 8] = opcode;
	if (hca_headers_parse(&headers, raw, sizeof(raw)) < 0)
		return write_good_packet(wire, chance(300));
	len = write_packet(wire, &headers, chance(2) ? chance(100) : chance(PAYLOAD + 1));
	if (!chance(10)) { /* damaged or truncated, with correct CRCs */
		wire[chance(64)] ^= 1 << chance(8);
		len = chance(3) ? len : 2 + chance(len - 1);
		if (len >= 8)
			put_unaligned_le32(hca_icrc(wire, len - 6), wire + len - 6);
		put_unaligned_le16(hca_vcrc(wire, len - 2), wire + len - 2);
	}
	return len;
}

/* Damage random bits, or whole fields that lengths and offsets are computed from. */
static void spoil(u8 *frame, unsigned int *len)
{
	switch (chance(4)) {
	case 0:
		frame[chance(*len)] ^= 1 << chance(8);
		break;
	case 1:
		frame[4 + chance(32)] = get_random_u32();
		break;
	case 2:
		*len = chance(*len + 1);
		break;
	default:
		frame[32 + chance(4)] = chance(2) ? chance(18) : get_random_u32();
	}
}

static void arrives_perhaps_spoiled(u8 *frame, unsigned int len)
{
	if (!chance(20))
		spoil(frame, &len);
	arrives(frame, len);
}

static void send_random_packet(void)
{
	static struct segments segments;
	u8 wire[HCA_MAX_WIRE_BYTES + 64];
	unsigned int i, len = write_random_packet(wire), count = chance(3) ? 1 : 1 + chance(16);

	if (len > HCA_MAX_WIRE_BYTES || (count > 1 && len < 256))
		count = 1;
	cut(&segments, wire, min_t(unsigned int, len, HCA_MAX_WIRE_BYTES), count);
	for (i = 0; i < count + chance(2); i++)
		arrives_perhaps_spoiled(segments.frame[chance(8) ? i % count : chance(count)],
					segments.len);
}

static void send_random_frame(void)
{
	u8 buf[1500], payload[1400];
	unsigned int length = chance(4) ? chance(100) : chance(sizeof(payload));
	u8 type = chance(8) ? HCA_FRAME_PACKET + chance(2) : get_random_u32();

	if (!chance(10))
		type = HCA_FRAME_HELLO + chance(3);
	get_random_bytes(payload, sizeof(payload));
	arrives_perhaps_spoiled(buf, write_frame(buf, type, payload, length));
	if (!chance(4)) {
		get_random_bytes(buf, sizeof(buf));
		arrives(buf, chance(sizeof(buf)));
	}
}

/* Whatever arrives: no access is out of bounds, no memory grows, and the link works afterwards. */
START_TEST(noise)
{
	static struct segments segments;
	u8 wire[HCA_MAX_WIRE_BYTES];
	unsigned int i, total;

	seed = _i;
	for (i = 0; i < ROUNDS / 4; i++) {
		if (!here.peer.up || !chance(30))
			send_hello();
		if (!chance(20)) {
			send_flow();
			activate();
		}
		if (chance(4))
			send_random_packet();
		else
			send_random_frame();
		/* A high number makes all lower ones of its session too old. */
		if (!chance(100))
			there.session++;
		if (!chance(20))
			shim_advance(chance(3000) * 1000);
	}
	ck_assert_uint_gt(malformed(), 0);
	ck_assert_uint_gt(here.got, ROUNDS / 100);
	shim_advance(5000 * MS); /* the peer has timed out */
	there.session++;
	bring_up();
	here.got = 0;
	total = write_good_packet(wire, PAYLOAD);
	cut(&segments, wire, total, 3);
	for (i = 0; i < 3; i++)
		arrives(segments.frame[i], segments.len);
	ck_assert_uint_eq(here.got, 1);
	ck_assert_mem_eq(here.last, wire + 28, PAYLOAD);
}
END_TEST

Suite *ingress_suite(void)
{
	Suite *suite = suite_create("ingress");
	TCase *tc = tcase_create("ingress");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_set_timeout(tc, 120);
	tcase_add_test(tc, nothing_follows_a_frame);
	tcase_add_test(tc, segments_that_no_packet_has);
	tcase_add_test(tc, segments_are_put_together);
	tcase_add_test(tc, a_few_packets_at_once);
	tcase_add_test(tc, segments_that_contradict_each_other);
	tcase_add_test(tc, nothing_arrives_twice);
	tcase_add_test(tc, nothing_arrives_after_a_later_one);
	tcase_add_test(tc, credits_do_not_go_back);
	tcase_add_test(tc, sessions_do_not_mix);
	tcase_add_loop_test(tc, noise, 0, 4);
	suite_add_tcase(suite, tc);
	return suite;
}
