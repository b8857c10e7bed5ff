// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcadump: filters, printed lines, records of capture files, and the defects of packets. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compat.h"
#include "linux/hca_tap.h"
#include "tests/unit/suites.h"
#include "tests/unit/tools/captured.h"
#include "tools/dump/erf.h"
#include "tools/dump/filter.h"
#include "tools/dump/line.h"
#include "tools/dump/mark.h"
#include "tools/dump/syndrome.h"
#include "wire/opcode.h"

enum { SEND, ACK, NAK, SMP, GMP, MULTICAST, RD, XRC, RAW, FLOW, SHORT, NUM_PACKETS };

static u8 octets[NUM_PACKETS][CAPTURED_OCTETS];
static struct packet packets[NUM_PACKETS];

/* A MAD's header: class, method, attribute; a directed route's hop 1 of 2. */
static const u8 smp[256] = { 1, 0x81, 1, 1, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0x12, 0x34, 0, 0x15, 0,
			     0, 0, 0, 0, 1 };
static const u8 gmp[256] = { 1, 0x03, 2, 0x92, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0x56, 0x78, 0, 0x35 };

static const struct {
	struct hca_headers h;
	const u8 *payload;
	u32 payload_octets;
	u8 direction;
} made[] = {
	[SEND] = {
		.h.lrh = { .slid = 1, .dlid = 2, .vl = 3, .sl = 4, .lnh = IB_LNH_IBA_LOCAL },
		.h.bth = { .opcode = HCA_OPCODE(RC, SEND_ONLY), .flags = HCA_BTH_ACKREQ,
			   .pkey = 0xffff, .destqp = 18, .psn = 0xfffffe },
		.payload = smp, .payload_octets = 5, .direction = HCA_TAP_OUT,
	},
	[ACK] = {
		.h.lrh = { .slid = 2, .dlid = 1, .lnh = IB_LNH_IBA_LOCAL },
		.h.bth = { .opcode = HCA_OPCODE(RC, ACKNOWLEDGE), .pkey = 0xffff, .destqp = 17,
			   .psn = 1 },
		.h.aeth = { .syndrome = 0x0a, .msn = 7 }, .direction = HCA_TAP_IN,
	},
	[NAK] = {
		.h.lrh = { .slid = 2, .dlid = 1, .lnh = IB_LNH_IBA_LOCAL },
		.h.bth = { .opcode = HCA_OPCODE(RC, ACKNOWLEDGE), .pkey = 0xffff, .destqp = 17,
			   .psn = 2 },
		.h.aeth = { .syndrome = 0x60, .msn = 7 }, .direction = HCA_TAP_IN,
	},
	[SMP] = {
		.h.lrh = { .slid = 0xffff, .dlid = 0xffff, .vl = 15, .lnh = IB_LNH_IBA_LOCAL },
		.h.bth = { .opcode = HCA_OPCODE(UD, SEND_ONLY), .pkey = 0xffff },
		.payload = smp, .payload_octets = 256, .direction = HCA_TAP_OUT,
	},
	[GMP] = {
		.h.lrh = { .slid = 1, .dlid = 2, .lnh = IB_LNH_IBA_LOCAL },
		.h.bth = { .opcode = HCA_OPCODE(UD, SEND_ONLY), .pkey = 0xffff, .destqp = 1,
			   .psn = 9 },
		.h.deth = { .qkey = 0x80010000, .srcqp = 1 },
		.payload = gmp, .payload_octets = 256, .direction = HCA_TAP_OUT,
	},
	[MULTICAST] = {
		.h.lrh = { .slid = 1, .dlid = 0xc001, .lnh = IB_LNH_IBA_GLOBAL },
		.h.grh = { .ipver = 6, .sgid.raw = { 0xfe, 0x80, [15] = 1 },
			   .dgid.raw = { 0xff, 0x12, [15] = 2 } },
		.h.bth = { .opcode = HCA_OPCODE(UD, SEND_ONLY_WITH_IMMEDIATE), .pkey = 0x8001,
			   .destqp = HCA_QPN_MULTICAST, .psn = 10, .flags = HCA_BTH_SOLICITED },
		.h.deth = { .qkey = 0xb1b, .srcqp = 300 },
		.payload = gmp, .payload_octets = 8,
	},
	[RD] = {
		.h.lrh = { .slid = 1, .dlid = 2, .lnh = IB_LNH_IBA_LOCAL },
		.h.bth = { .opcode = HCA_OPCODE(RD, RDMA_WRITE_ONLY), .pkey = 0xffff, .destqp = 18,
			   .psn = 100 },
		.h.rdeth_eecn = 5,
		.h.deth = { .qkey = 0x1111, .srcqp = 19 },
		.h.reth = { .va = 0x1000, .rkey = 0x203, .length = 4 },
		.payload = gmp, .payload_octets = 4,
	},
	[XRC] = {
		.h.lrh = { .slid = 1, .dlid = 2, .lnh = IB_LNH_IBA_LOCAL },
		.h.bth = { .opcode = HCA_OPCODE(XRC, SEND_ONLY), .pkey = 0xffff, .destqp = 18,
			   .psn = 200 },
		.h.xrceth_srqn = 6,
		.payload = gmp, .payload_octets = 4,
	},
	[RAW] = {
		.h.lrh = { .slid = 1, .dlid = 2, .lnh = IB_LNH_IP },
		.payload = gmp, .payload_octets = 40,
	},
};

static void make(struct packet *packet, u8 *to, int i)
{
	captured_make(packet, to, &made[i].h, made[i].payload, made[i].payload_octets);
	packet->time_ns = 1700000000000000042ull;
	packet->port = made[i].direction ? "hca0/1" : NULL;
	packet->direction = made[i].direction;
}

static void make_flow(struct packet *packet, u8 *to)
{
	hca_flow_pack(&(struct hca_flow){ HCA_FLOW_INIT, 3, 4095, 128 }, to);
	*packet = (struct packet){
		.time_ns = 1700000000000000042ull,
		.port = "hca0/1",
		.interface = 1,
		.direction = HCA_TAP_OUT,
		.length = HCA_FLOW_BYTES,
		.captured = HCA_FLOW_BYTES,
		.octets = to,
		.is_flow = true,
	};
	packet_decode(packet);
}

static void setup(void)
{
	int i;

	setenv("TZ", "UTC", 1);
	for (i = 0; i < FLOW; i++)
		make(&packets[i], octets[i], i);
	make_flow(&packets[FLOW], octets[FLOW]);
	packets[SEND].marks = MARK_RETRANSMIT | MARK_LOST | MARK_DAMAGED;
	packets[ACK].marks = MARK_DUPLICATE;
	packets[XRC].marks = MARK_LOST;
	packets[SHORT] = (struct packet){ .length = 5, .captured = 5, .octets = octets[SEND] };
	packet_decode(&packets[SHORT]);
}

#define P(i) (1u << (i))
#define ALL (P(NUM_PACKETS) - 1)

static const struct {
	const char *text;
	unsigned int packets;
} filters[] = {
	{ "smp", P(SMP) },
	{ "gmp", P(GMP) },
	{ "smp or gmp", P(SMP) | P(GMP) },
	{ "not smp", ALL & ~P(SMP) },
	{ "not not smp", P(SMP) },
	{ "multicast", P(MULTICAST) },
	{ "grh", P(MULTICAST) },
	{ "raw", P(RAW) },
	{ "ackreq", P(SEND) },
	{ "in", P(ACK) | P(NAK) },
	{ "out", P(SEND) | P(SMP) | P(GMP) | P(FLOW) },
	{ "flow", P(FLOW) },
	{ "vl 3", P(SEND) | P(FLOW) },
	{ "damaged", P(SHORT) },
	{ "lid 2", P(SEND) | P(ACK) | P(NAK) | P(GMP) | P(RD) | P(XRC) | P(RAW) },
	{ "slid 2", P(ACK) | P(NAK) },
	{ "dlid 0xc000-0xfffe", P(MULTICAST) },
	{ "vl 15", P(SMP) },
	{ "sl 4", P(SEND) },
	{ "qpn 18", P(SEND) | P(RD) | P(XRC) },
	{ "qpn 19", P(RD) },
	{ "destqp 19", 0 },
	{ "srcqp 300", P(MULTICAST) },
	{ "psn 1-9", P(ACK) | P(NAK) | P(GMP) },
	{ "psn 16777214-1", P(SEND) | P(ACK) | P(SMP) }, /* the range wraps around */
	{ "pkey 0x8001", P(MULTICAST) },
	{ "eecn 5", P(RD) },
	{ "eecn 0-10", P(RD) },
	{ "srqn 6", P(XRC) },
	{ "srqn 0-0xffffff", P(XRC) }, /* other packets have no such field */
	{ "length 0-30", P(SHORT) | P(ACK) | P(NAK) | P(FLOW) },
	{ "src 2", P(ACK) | P(NAK) },
	{ "dst 0xc000-0xfffe", P(MULTICAST) },
	{ "qp 18", P(SEND) | P(RD) | P(XRC) },
	{ "rc", P(SEND) | P(ACK) | P(NAK) },
	{ "uc", 0 },
	{ "rd", P(RD) },
	{ "ud", P(SMP) | P(GMP) | P(MULTICAST) },
	{ "xrc", P(XRC) },
	{ "ack", P(ACK) },
	{ "nak", P(NAK) },
	{ "rnr", 0 },
	{ "retransmit", P(SEND) },
	{ "duplicate", P(ACK) },
	{ "lost", P(SEND) | P(XRC) },
	{ "port hca0", P(SEND) | P(ACK) | P(NAK) | P(SMP) | P(GMP) | P(FLOW) },
	{ "port hca0/1 in", P(ACK) | P(NAK) },
	{ "port hca0/2 or port hca", 0 },
	{ "opcode rc", P(SEND) | P(ACK) | P(NAK) },
	{ "opcode RC-Send-Only", P(SEND) },
	{ "opcode ud-send-only", P(SMP) | P(GMP) }, /* the name does not match "with Immediate" */
	{ "opcode ud-send-only-", P(MULTICAST) },
	{ "opcode rd-rdma-write", P(RD) },
	{ "opcode xrc", P(XRC) },
	{ "opcode rd,xrc", P(RD) | P(XRC) },
	{ "opcode rc-ack,ud-send-only-", P(ACK) | P(NAK) | P(MULTICAST) },
	{ "not opcode rc,ud", P(RD) | P(XRC) | P(RAW) | P(FLOW) | P(SHORT) },
	{ "opcode 0x04 or opcode 0x11-0x12", P(SEND) | P(ACK) | P(NAK) },
	/* "and" binds more tightly than "or", and may be omitted. */
	{ "smp or gmp and lid 1", P(SMP) | P(GMP) },
	{ "(smp or gmp) and lid 1", P(GMP) },
	{ "opcode rc lid 2 not ackreq", P(ACK) | P(NAK) },
	{ "not(smp or gmp)psn 2", P(NAK) },
	{ " \tsmp\n", P(SMP) },
};

START_TEST(filter)
{
	struct filter_error error;
	struct filter *filter = filter_compile(filters[_i].text, &error);
	unsigned int matched = 0;
	int i;

	ck_assert_msg(filter, "%s: %s", filters[_i].text, error.what);
	for (i = 0; i < NUM_PACKETS; i++)
		if (filter_matches(filter, &packets[i]))
			matched |= P(i);
	ck_assert_msg(matched == filters[_i].packets, "%s: packets %x instead of %x",
		      filters[_i].text, matched, filters[_i].packets);
	filter_free(filter);
}
END_TEST

#define TEN "hca0123456"
#define LONG_NAME TEN TEN TEN TEN TEN TEN TEN TEN

static const struct {
	const char *text, *what;
	size_t at, length;
} errors[] = {
	{ "", "something is missing", 0, 0 },
	{ "  ", "something is missing", 2, 0 },
	{ "smp and", "something is missing", 7, 0 },
	{ "smp or or gmp", "is not known here", 7, 2 },
	{ "lid 5 and foo", "is not known here", 10, 3 },
	{ "smp foo", "is not known here", 4, 3 },
	{ "lid", "a number is missing", 3, 0 },
	{ "lid five", "is not a number", 4, 4 },
	{ "lid 0x", "is not a number", 4, 2 },
	{ "lid 5x", "is not a number", 4, 2 },
	{ "lid -5", "is not a number", 4, 2 },
	{ "lid 5-", "is not a number", 4, 2 },
	{ "lid 5-6-7", "is not a range of numbers", 4, 5 },
	{ "srqn 0x1000000", "is too large", 5, 9 },
	{ "lid 65536", "is too large", 4, 5 },
	{ "lid 1-65536", "is too large", 6, 5 },
	{ "lid 99999999999999999999999", "is too large", 4, 23 },
	{ "lid 6-5", "is an empty range", 4, 3 },
	{ "opcode", "an opcode is missing", 6, 0 },
	{ "opcode xx", "is not an opcode", 7, 2 },
	{ "opcode )", "is not an opcode", 7, 1 },
	{ "opcode data", "is not an opcode", 7, 4 }, /* a class of hcactl's */
	{ "smp or opcode rc,xx,ud", "is not an opcode", 17, 2 },
	{ "opcode rc,,ud", "an opcode is missing", 10, 0 },
	{ "opcode rc, ud", "an opcode is missing", 10, 0 },
	{ "port", "a port is missing", 4, 0 },
	{ "port (", "is not a port", 5, 1 },
	{ "port " LONG_NAME, "is too long", 5, 80 },
	{ "(smp", "a ')' is missing", 4, 0 },
	{ "(smp or (gmp)", "a ')' is missing", 13, 0 },
	{ "smp)", "is one too many", 3, 1 },
	{ "()", "is not known here", 1, 1 },
	{ "not", "something is missing", 3, 0 },
};

START_TEST(filter_errors)
{
	struct filter_error error = {};

	ck_assert_ptr_null(filter_compile(errors[_i].text, &error));
	ck_assert_str_eq(error.what, errors[_i].what);
	ck_assert_msg(error.at == errors[_i].at && error.length == errors[_i].length,
		      "'%s': at %zu, %zu", errors[_i].text, error.at, error.length);
}
END_TEST

START_TEST(filter_depth)
{
	struct filter_error error = {};
	char text[1000];

	memset(text, '(', sizeof(text));
	text[sizeof(text) - 1] = 0;
	ck_assert_ptr_null(filter_compile(text, &error));
	ck_assert_str_eq(error.what, "is too deep");
}
END_TEST

static const struct {
	int packet;
	const char *brief, *verbose;
} lines[] = {
	{ SEND, " hca0/1 out 1 > 2 vl 3 sl 4 RC SEND Only qp 18 psn 0xfffffe ackreq payload 5 length 34 RETRANSMIT LOST (damaged)",
	  " hca0/1 out 1 > 2 vl 3 sl 4 RC SEND Only qp 18 psn 0xfffffe ackreq pkey 0xffff payload 5 length 34 RETRANSMIT LOST (damaged)" },
	{ ACK, " hca0/1 in 2 > 1 vl 0 sl 0 RC Acknowledge qp 17 psn 0x000001 ACK credits 32 msn 7 payload 0 length 30 DUPLICATE",
	  " hca0/1 in 2 > 1 vl 0 sl 0 RC Acknowledge qp 17 psn 0x000001 ACK credits 32 msn 7 pkey 0xffff payload 0 length 30 DUPLICATE" },
	{ NAK, " hca0/1 in 2 > 1 vl 0 sl 0 RC Acknowledge qp 17 psn 0x000002 NAK PSN sequence error msn 7 payload 0 length 30",
	  " hca0/1 in 2 > 1 vl 0 sl 0 RC Acknowledge qp 17 psn 0x000002 NAK PSN sequence error msn 7 pkey 0xffff payload 0 length 30" },
	{ SMP, " hca0/1 out 0xffff > 0xffff vl 15 sl 0 SubnGet(PortInfo) modifier 0x1 hop 1 of 2 tid 0x1234 payload 256 length 290",
	  " hca0/1 out 0xffff > 0xffff vl 15 sl 0 SubnGet(PortInfo) modifier 0x1 hop 1 of 2 tid 0x1234"
	  " UD SEND Only qp 0 > 0 psn 0x000000 pkey 0xffff qkey 0x00000000 payload 256 length 290" },
	{ GMP, " hca0/1 out 1 > 2 vl 0 sl 0 SubnAdmGetTableResp(PathRecord) status 0x0004 tid 0x5678 payload 256 length 290",
	  " hca0/1 out 1 > 2 vl 0 sl 0 SubnAdmGetTableResp(PathRecord) status 0x0004 tid 0x5678"
	  " UD SEND Only qp 1 > 1 psn 0x000009 pkey 0xffff qkey 0x80010000 payload 256 length 290" },
	{ MULTICAST, " 1 > 0xc001 vl 0 sl 0 UD SEND Only with Immediate qp 300 > 16777215 psn 0x00000a solicited payload 8 length 86",
	  " 1 > 0xc001 vl 0 sl 0 UD SEND Only with Immediate qp 300 > 16777215 psn 0x00000a solicited"
	  " pkey 0x8001 qkey 0x00000b1b imm 0x00000000 grh fe80::1 > ff12::2 payload 8 length 86" },
	{ RD, " 1 > 2 vl 0 sl 0 RD RDMA WRITE Only qp 19 > 18 eec 5 psn 0x000064 payload 4 length 58",
	  " 1 > 2 vl 0 sl 0 RD RDMA WRITE Only qp 19 > 18 eec 5 psn 0x000064 pkey 0xffff qkey 0x00001111"
	  " at 0x1000 rkey 0x00000203 of 4 payload 4 length 58" },
	{ XRC, " 1 > 2 vl 0 sl 0 XRC SEND Only qp 18 srq 6 psn 0x0000c8 payload 4 length 34 LOST",
	  " 1 > 2 vl 0 sl 0 XRC SEND Only qp 18 srq 6 psn 0x0000c8 pkey 0xffff payload 4 length 34 LOST" },
	{ RAW, " 1 > 2 vl 0 sl 0 raw IPv6 payload 40 length 50",
	  " 1 > 2 vl 0 sl 0 raw IPv6 payload 40 length 50" },
	{ FLOW, " hca0/1 out flow control init vl 3 fctbs 4095 fccl 128 length 6",
	  " hca0/1 out flow control init vl 3 fctbs 4095 fccl 128 length 6" },
	{ SHORT, " not understood length 5", " not understood length 5" },
};

static void check_line(const struct packet *packet, bool verbose, const char *expected)
{
	struct line_style style = { .verbose = verbose };
	char *line = NULL, whole[512];
	size_t length;
	FILE *to = open_memstream(&line, &length);

	snprintf(whole, sizeof(whole), "%s%s\n",
		 packet->time_ns ? "22:13:20.000000042" : "00:00:00.000000000", expected);
	line_print(to, packet, &style);
	fclose(to);
	ck_assert_str_eq(line, whole);
	free(line);
}

START_TEST(line)
{
	check_line(&packets[lines[_i].packet], false, lines[_i].brief);
	check_line(&packets[lines[_i].packet], true, lines[_i].verbose);
}
END_TEST

START_TEST(filter_marks_of)
{
	struct filter_error error;
	struct filter *filter = filter_compile("smp or not (lost and retransmit)", &error);

	ck_assert_uint_eq(filter_marks(filter), MARK_LOST | MARK_RETRANSMIT);
	ck_assert(!filter_names_flow(filter));
	filter_free(filter);
}
END_TEST

/* A packet at both ends is one line, with the time between them if it is asked for. */
START_TEST(line_of_both_ends)
{
	struct packet packet = packets[RAW];

	packet.direction = HCA_TAP_OUT;
	packet.has_peer = true;
	packet.has_arrived = true;
	packet.peer_interface = 1;
	packet.arrived_ns = packet.time_ns + 1200;
	check_line(&packet, false, " #1 > #2 1 > 2 vl 0 sl 0 raw IPv6 payload 40 length 50");
	packet.port = "hca0/1";
	packet.peer_port = "sw0/2";
	check_line(&packet, true, " hca0/1 > sw0/2 1 > 2 vl 0 sl 0 raw IPv6 payload 40 length 50"
		   " after 0.000001200");
}
END_TEST

static const struct {
	enum time_kind kind;
	const char *text;
} times[] = {
	{ TIME_CLOCK, "00:00:05.000000001 00:00:06.500000000 00:00:06.000000000 " },
	{ TIME_EPOCH, "5.000000001 6.500000000 6.000000000 " },
	{ TIME_FIRST, "0.000000000 1.499999999 0.999999999 " },
	{ TIME_PREVIOUS, "0.000000000 1.499999999 -0.500000000 " },
};

START_TEST(line_times)
{
	static const u64 ns[] = { 5000000001, 6500000000, 6000000000 };
	struct time_style style = { times[_i].kind };
	char *text = NULL;
	size_t length, i;
	FILE *to = open_memstream(&text, &length);

	for (i = 0; i < 3; i++) {
		time_print(to, &style, ns[i]);
		fputc(' ', to);
	}
	fclose(to);
	ck_assert_str_eq(text, times[_i].text);
	free(text);
}
END_TEST

static const struct {
	u8 syndrome;
	const char *text;
} syndromes[] = {
	{ 0x00, "ACK credits 0" }, { 0x0a, "ACK credits 32" }, { 0x1f, "ACK" },
	{ 0x20, "RNR NAK timer 655.36 ms" }, { 0x21, "RNR NAK timer 0.01 ms" },
	{ 0x2c, "RNR NAK timer 0.64 ms" }, { 0x3f, "RNR NAK timer 491.52 ms" },
	{ 0x40, "syndrome 0x40" }, { 0x60, "NAK PSN sequence error" },
	{ 0x61, "NAK invalid request" }, { 0x62, "NAK remote access error" },
	{ 0x63, "NAK remote operational error" }, { 0x64, "NAK invalid RD request" },
	{ 0x65, "syndrome 0x65" },
};

START_TEST(syndrome)
{
	char text[SYNDROME_OCTETS];

	ck_assert_str_eq(syndrome_text(syndromes[_i].syndrome, text), syndromes[_i].text);
}
END_TEST

/*
 * C4-147, C4-152, C4-153: any single wrong bit is detected; a truncated packet is not reported as
 * damaged.
 */
START_TEST(faults)
{
	struct packet packet, *whole = &packets[_i];
	u8 wire[CAPTURED_OCTETS];
	unsigned int bit;
	bool cut;

	ck_assert_ptr_null(packet_fault(whole, &cut));
	ck_assert(!cut);
	for (bit = 0; bit < whole->length * 8; bit++) {
		memcpy(wire, whole->octets, whole->length);
		wire[bit / 8] ^= 1 << bit % 8;
		packet = (struct packet){
			.length = whole->length, .captured = whole->length, .octets = wire,
			.is_flow = whole->is_flow,
		};
		packet_decode(&packet);
		ck_assert_ptr_nonnull(packet_fault(&packet, &cut));
	}
	for (packet.captured = 0; packet.captured < whole->length; packet.captured++) {
		packet_decode(&packet);
		ck_assert_ptr_null(packet_fault(&packet, &cut));
		ck_assert(cut);
	}
}
END_TEST

/* No length in a file causes a read out of bounds. */
START_TEST(lengths)
{
	u32 captured, length;
	bool cut;

	for (captured = 0; captured <= packets[_i].length; captured++) {
		u8 *exact = malloc(captured);

		memcpy(exact, packets[_i].octets, captured);
		for (length = 0; length < 400; length++) {
			struct packet packet = {
				.length = length, .captured = captured, .octets = exact,
				.is_flow = packets[_i].is_flow,
			};

			packet_decode(&packet);
			packet_fault(&packet, &cut);
		}
		free(exact);
	}
}
END_TEST

START_TEST(erf_record)
{
	struct packet packet = packets[SEND], back = {};
	u8 record[ERF_OCTETS + CAPTURED_OCTETS];

	packet.lost = 70000;
	erf_pack(&packet, record);
	memcpy(record + ERF_OCTETS, packet.octets, packet.length);
	ck_assert(erf_parse(&back, record, ERF_OCTETS + packet.captured));
	ck_assert_uint_eq(get_unaligned_le64(record) >> 32, 1700000000);
	ck_assert_uint_eq(record[8], 21);
	ck_assert_uint_eq(record[9] & 3, 1);
	ck_assert(!back.is_flow);
	ck_assert_uint_eq(back.lost, 0xffff);
	ck_assert_uint_eq(back.length, packet.length);
	ck_assert_uint_eq(back.captured, packet.captured);
	ck_assert_ptr_eq(back.octets, record + ERF_OCTETS);
	/* With padding; with an extension header; of another type; too short. */
	ck_assert(erf_parse(&back, record, ERF_OCTETS + packet.captured + 6));
	ck_assert_uint_eq(back.captured, packet.length);
	record[8] |= 0x80;
	record[ERF_OCTETS] = 0;
	ck_assert(erf_parse(&back, record, ERF_OCTETS + 8));
	ck_assert_uint_eq(back.captured, 0);
	ck_assert(!erf_parse(&back, record, ERF_OCTETS + 7));
	record[8] = 2;
	ck_assert(!erf_parse(&back, record, sizeof(record)));
}
END_TEST

/*
 * A file stores the direction of a packet, which of two ports it passed, and the exact nanosecond.
 */
START_TEST(erf_direction)
{
	u8 record[ERF_OCTETS + CAPTURED_OCTETS];
	struct packet back;
	u64 fraction;
	u32 ns;

	erf_pack(&packets[FLOW], record);
	memcpy(record + ERF_OCTETS, packets[FLOW].octets, HCA_FLOW_BYTES);
	ck_assert_uint_eq(record[8], 25);
	ck_assert_uint_eq(record[9] & 3, 3);
	back = (struct packet){};
	ck_assert(erf_parse(&back, record, ERF_OCTETS + HCA_FLOW_BYTES));
	ck_assert(back.is_flow);
	ck_assert_uint_eq(back.direction, HCA_TAP_OUT);
	packet_decode(&back);
	ck_assert(back.has_flow);
	ck_assert_uint_eq(back.flow.fccl, 128);

	erf_pack(&packets[ACK], record);
	ck_assert_uint_eq(record[9] & 3, 0);
	ck_assert(erf_parse(&back, record, ERF_OCTETS));
	ck_assert_uint_eq(back.direction, HCA_TAP_IN);
	for (ns = 0; ns < 1000000000; ns += 999983) {
		back.time_ns = 1700000000000000000ull + ns;
		erf_pack(&back, record);
		fraction = get_unaligned_le64(record) & 0xffffffff;
		ck_assert_uint_eq(fraction * 1000000000 >> 32, ns);
	}
}
END_TEST

Suite *dump_suite(void)
{
	Suite *suite = suite_create("dump");
	TCase *tc = tcase_create("dump");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_loop_test(tc, filter, 0, sizeof(filters) / sizeof(*filters));
	tcase_add_loop_test(tc, filter_errors, 0, sizeof(errors) / sizeof(*errors));
	tcase_add_test(tc, filter_depth);
	tcase_add_loop_test(tc, line, 0, sizeof(lines) / sizeof(*lines));
	tcase_add_test(tc, filter_marks_of);
	tcase_add_test(tc, line_of_both_ends);
	tcase_add_loop_test(tc, line_times, 0, sizeof(times) / sizeof(*times));
	tcase_add_loop_test(tc, syndrome, 0, sizeof(syndromes) / sizeof(*syndromes));
	tcase_add_loop_test(tc, faults, 0, SHORT);
	tcase_add_loop_test(tc, lengths, 0, SHORT);
	tcase_add_test(tc, erf_record);
	tcase_add_test(tc, erf_direction);
	suite_add_tcase(suite, tc);
	return suite;
}
