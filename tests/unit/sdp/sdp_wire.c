// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* SDP messages in wire format: octets worked out by hand, and everything that is refused. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "sdp/protocol/hello.h"
#include "sdp/protocol/wire.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/*
 * S2-015, S2-016: a BSDH whose Bufs, MSeq and MSeqAck are always the same, as values and as octets
 */
#define BSDH(mid, flags, len) { mid, flags, 0x0102, len, 0x83848586, 0x0708090a }
#define BSDH_OCTETS(mid, flags, len) \
	mid, flags, 0x01, 0x02, 0, 0, 0, len, 0x83, 0x84, 0x85, 0x86, 0x07, 0x08, 0x09, 0x0a

#define PAYLOAD 5

/* S2-014: each kind of message, in the order of decision S2-A1 */
static const struct {
	struct sdp_message message;
	u8 octets[SDP_HEADER_MAX];
} golden[] = {
	{ { .bsdh = BSDH(SDP_MID_DISCONN, 0, 16) }, { BSDH_OCTETS(0x02, 0, 16) } }, /* S2-020 */
	{ { .bsdh = BSDH(SDP_MID_ABORT_CONN, 0, 16) }, { BSDH_OCTETS(0x03, 0, 16) } }, /* S2-021 */
	/* S2-022 */
	{ { .bsdh = BSDH(SDP_MID_SEND_SM, SDP_FLAG_OOB_PEND, 16) }, { BSDH_OCTETS(0x04, 2, 16) } },
	{ { .bsdh = BSDH(SDP_MID_RDMA_WR_COMPL, SDP_FLAG_REQ_PIPE, 20), .size = 0x00fedcba },
	  { BSDH_OCTETS(0x05, 4, 20), 0x00, 0xfe, 0xdc, 0xba } }, /* S2-023, S2-040, S2-080 */
	{ { .bsdh = BSDH(SDP_MID_RDMA_RD_COMPL, SDP_FLAG_REQ_PIPE, 20), .size = 0x80000000 },
	  { BSDH_OCTETS(0x06, 4, 20), 0x80, 0x00, 0x00, 0x00 } }, /* S2-024, S2-081 */
	{ { .bsdh = BSDH(SDP_MID_MODE_CHANGE, 0, 20), .change = { SDP_MODE_BUFFERED, false } },
	  { BSDH_OCTETS(0x07, 0, 20), 0x00, 0, 0, 0 } }, /* S2-025 */
	{ { .bsdh = BSDH(SDP_MID_MODE_CHANGE, 0, 20), .change = { SDP_MODE_COMBINED, true } },
	  { BSDH_OCTETS(0x07, 0, 20), 0x90, 0, 0, 0 } },
	{ { .bsdh = BSDH(SDP_MID_MODE_CHANGE, 0, 20), .change = { SDP_MODE_PIPELINED, false } },
	  { BSDH_OCTETS(0x07, 0, 20), 0x20, 0, 0, 0 } },
	/* S2-026, S2-086 */
	{ { .bsdh = BSDH(SDP_MID_SRC_AVAIL_CANCEL, 0, 16) }, { BSDH_OCTETS(0x08, 0, 16) } },
	/* S2-027, S2-087 */
	{ { .bsdh = BSDH(SDP_MID_SINK_AVAIL_CANCEL, 0, 16) }, { BSDH_OCTETS(0x09, 0, 16) } },
	/* S2-028, S2-088 */
	{ { .bsdh = BSDH(SDP_MID_SINK_CANCEL_ACK, 0, 16) }, { BSDH_OCTETS(0x0a, 0, 16) } },
	{ { .bsdh = BSDH(SDP_MID_CH_RCV_BUF, 0, 20), .size = 0x00012345 },
	  { BSDH_OCTETS(0x0b, 0, 20), 0x00, 0x01, 0x23, 0x45 } }, /* S2-029, S2-089 */
	{ { .bsdh = BSDH(SDP_MID_CH_RCV_BUF_ACK, 0, 20), .size = 0x00006789 },
	  { BSDH_OCTETS(0x0c, 0, 20), 0x00, 0x00, 0x67, 0x89 } }, /* S2-030, S2-090 */
	{ { .bsdh = BSDH(SDP_MID_SUSP_COMM, 0, 24), .port = 0xc0de },
	  { BSDH_OCTETS(0x0d, 0, 24), 0, 0, 0, 0, 0x00, 0x01, 0xc0, 0xde } }, /* S2-031, S2-091 */
	/* S2-032, S2-092 */
	{ { .bsdh = BSDH(SDP_MID_SUSP_COMM_ACK, 0, 16) }, { BSDH_OCTETS(0x0e, 0, 16) } },
	{ { .bsdh = BSDH(SDP_MID_SINK_AVAIL, 0, 36),
	    .advert = { 0x01020304, 0xa1a2a3a4, 0xb1b2b3b4b5b6b7b9, 0xc1c2c3c4 } },
	  { BSDH_OCTETS(0xfd, 0, 36), /* S2-035, S2-077 */
	    0x01, 0x02, 0x03, 0x04, 0xa1, 0xa2, 0xa3, 0xa4, 0xb1, 0xb2,
	    0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb9, 0xc1, 0xc2, 0xc3, 0xc4 } },
	{ { .bsdh = BSDH(SDP_MID_SRC_AVAIL, 0, 32 + PAYLOAD),
	    .advert = { 0x80000000, 0xa1a2a3a4, 0xb1b2b3b4b5b6b7b8 } },
	  { BSDH_OCTETS(0xfe, 0, 32 + PAYLOAD), /* S2-036, S2-073 */
	    0x80, 0x00, 0x00, 0x00, 0xa1, 0xa2, 0xa3, 0xa4,
	    0xb1, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8 } },
	{ { .bsdh = BSDH(SDP_MID_DATA, 0, 16) }, { BSDH_OCTETS(0xff, 0, 16) } }, /* S2-037 */
	{ { .bsdh = BSDH(SDP_MID_DATA, SDP_FLAG_OOB_PRES | SDP_FLAG_OOB_PEND, 16 + PAYLOAD) },
	  { BSDH_OCTETS(0xff, 3, 16 + PAYLOAD) } }, /* S2-038, S2-039 */
};

/* Parses octets that lie at the very end of an allocation. */
static enum sdp_fault parse(struct sdp_message *message, const u8 *octets, u32 received)
{
	u8 *buf = malloc(received ? received : 1);
	enum sdp_fault fault;

	memset(message, 0xee, sizeof(*message));
	memcpy(buf, octets, received);
	fault = sdp_message_parse(message, received ? buf : buf + 1, received);
	free(buf);
	return fault;
}

/* A golden message with its payload, and how many octets it has. */
static u32 whole(int i, u8 *buf)
{
	memset(buf, 0x5a, SDP_HEADER_MAX + PAYLOAD);
	memcpy(buf, golden[i].octets, sdp_header_size(golden[i].octets[0]));
	return golden[i].message.bsdh.len;
}

static void same(const struct sdp_message *a, const struct sdp_message *b)
{
	ck_assert_uint_eq(a->bsdh.mid, b->bsdh.mid);
	ck_assert_uint_eq(a->bsdh.bufs, b->bsdh.bufs);
	ck_assert_uint_eq(a->bsdh.len, b->bsdh.len);
	ck_assert_uint_eq(a->bsdh.mseq, b->bsdh.mseq);
	ck_assert_uint_eq(a->bsdh.mseq_ack, b->bsdh.mseq_ack);
	switch (a->bsdh.mid) {
	case SDP_MID_RDMA_WR_COMPL:
	case SDP_MID_RDMA_RD_COMPL:
	case SDP_MID_CH_RCV_BUF:
	case SDP_MID_CH_RCV_BUF_ACK:
		ck_assert_uint_eq(a->size, b->size);
		break;
	case SDP_MID_MODE_CHANGE:
		ck_assert_uint_eq(a->change.mode, b->change.mode);
		ck_assert_int_eq(a->change.send, b->change.send);
		break;
	case SDP_MID_SUSP_COMM:
		ck_assert_uint_eq(a->port, b->port);
		break;
	case SDP_MID_SINK_AVAIL:
		ck_assert_uint_eq(a->advert.non_discards, b->advert.non_discards);
		/* fall through */
	case SDP_MID_SRC_AVAIL:
		ck_assert_uint_eq(a->advert.len, b->advert.len);
		ck_assert_uint_eq(a->advert.rkey, b->advert.rkey);
		ck_assert_uint_eq(a->advert.addr, b->advert.addr);
		break;
	default:
		break;
	}
}

/* S2-T01, and the reserved bits of ModeChange of S2-T04 and S2-082: they are sent as zero. */
START_TEST(octets)
{
	const struct sdp_message *message = &golden[_i].message;
	u32 size = sdp_header_size(message->bsdh.mid);
	u8 *packed = malloc(size), buf[SDP_HEADER_MAX + PAYLOAD];
	struct sdp_message back;

	memset(packed, 0xee, size);
	ck_assert_uint_eq(sdp_message_pack(message, packed), size);
	ck_assert_mem_eq(packed, golden[_i].octets, size);
	free(packed);
	ck_assert_int_eq(parse(&back, buf, whole(_i, buf)), SDP_OK);
	same(&back, message);
	ck_assert_uint_eq(back.bsdh.flags, message->bsdh.flags);
}
END_TEST

/* S2-017, Figure 3: octets of the BSDH and the extended header. */
START_TEST(header_sizes)
{
	static const u8 sizes[256] = {
		[0x02] = 16, [0x03] = 16, [0x04] = 16, [0x05] = 20, [0x06] = 20, [0x07] = 20,
		[0x08] = 16, [0x09] = 16, [0x0a] = 16, [0x0b] = 20, [0x0c] = 20, [0x0d] = 24,
		[0x0e] = 16, [0xfd] = 36, [0xfe] = 32, [0xff] = 16,
	};
	int mid;

	for (mid = 0; mid < 256; mid++) {
		ck_assert_uint_eq(sdp_header_size(mid), sizes[mid]);
		/* Hello and HelloAck, which are of the setup, have names as well. */
		ck_assert_int_eq(!strcmp(sdp_mid_str(mid), "reserved"), mid > 1 && !sizes[mid]);
	}
	ck_assert_str_eq(sdp_mid_str(0xfe), "SrcAvail");
	ck_assert_str_eq(sdp_fault_str(SDP_OK), "none");
	ck_assert_str_eq(sdp_fault_str(SDP_FAULT_STATE), "not in this state");
	ck_assert_str_eq(sdp_fault_str(SDP_FAULTS), "unknown");
	ck_assert_str_eq(sdp_fault_str(-1), "unknown");
}
END_TEST

/* S2-046, S2-T03, S2-A13: each truncation, with the Len that it had, and with what is left. */
START_TEST(truncated)
{
	u8 buf[SDP_HEADER_MAX + PAYLOAD];
	u32 size = whole(_i, buf), headers = sdp_header_size(buf[0]), n;
	struct sdp_message message;

	for (n = 0; n < size; n++) {
		buf[7] = size;
		ck_assert_int_eq(parse(&message, buf, n), SDP_FAULT_LENGTH);
		if (n >= headers)
			continue;
		buf[7] = n;
		ck_assert_int_eq(parse(&message, buf, n), SDP_FAULT_LENGTH);
	}
}
END_TEST

/* S2-046, S2-T03: Len is neither more nor less than what was received, in any of its octets. */
START_TEST(len)
{
	u8 buf[SDP_HEADER_MAX + PAYLOAD];
	u32 size = whole(_i, buf), bit;
	struct sdp_message message;

	for (bit = 0; bit < 32; bit++) {
		buf[4 + bit / 8] ^= 1 << bit % 8;
		ck_assert_int_eq(parse(&message, buf, size), SDP_FAULT_LENGTH);
		buf[4 + bit / 8] ^= 1 << bit % 8;
	}
}
END_TEST

/* S2-033, S2-034, S2-158, S2-T02: reserved, experimental, and those of the setup. */
START_TEST(mids)
{
	u8 buf[SDP_HEADER_MAX] = { BSDH_OCTETS(0, 0, 36), 0, 0, 0, 1 };
	bool known = (_i >= 0x02 && _i <= 0x0e) || _i >= 0xfd;
	struct sdp_message message;

	buf[0] = _i;
	if (known)
		ck_assert_int_ne(parse(&message, buf, sizeof(buf)), SDP_FAULT_MID);
	else
		ck_assert_int_eq(parse(&message, buf, sizeof(buf)), SDP_FAULT_MID);
}
END_TEST

/* S2-039, S2-042, S2-044, S2-T02, S2-T35: but OOB_PRES, no flag makes a message illegal. */
START_TEST(flags)
{
	u8 buf[SDP_HEADER_MAX + PAYLOAD];
	u32 size = whole(_i, buf), more;
	struct sdp_message message;

	for (more = 0; more < 256; more += 2) {
		buf[1] = golden[_i].octets[1] | more;
		ck_assert_int_eq(parse(&message, buf, size), SDP_OK);
		same(&message, &golden[_i].message);
		ck_assert_int_eq(sdp_is_solicited(&message.bsdh) && buf[0] == SDP_MID_DATA,
				 buf[0] == SDP_MID_DATA && buf[1] & 3);
	}
}
END_TEST

/* S2-038, S2-A9: OOB_PRES is in Data, whose last octet it is about. */
START_TEST(oob_pres)
{
	u8 buf[SDP_HEADER_MAX + PAYLOAD];
	u32 size = whole(_i, buf);
	struct sdp_message message;

	buf[1] |= SDP_FLAG_OOB_PRES;
	ck_assert_int_eq(parse(&message, buf, size),
			 buf[0] == SDP_MID_DATA && size > 16 ? SDP_OK : SDP_FAULT_FIELD);
}
END_TEST

/* S2-069, S2-070, S2-071, S2-075: three messages may have payload, the others none. */
START_TEST(payload)
{
	u8 buf[SDP_HEADER_MAX + PAYLOAD];
	struct sdp_message message;
	u32 more;

	whole(_i, buf);
	for (more = 1; more <= PAYLOAD; more++) {
		buf[7] = sdp_header_size(buf[0]) + more;
		ck_assert_int_eq(parse(&message, buf, buf[7]),
				 buf[0] >= SDP_MID_SINK_AVAIL ? SDP_OK : SDP_FAULT_LENGTH);
	}
}
END_TEST

/* S2-176, S2-298, S2-299, S2-T42: by message, whatever its flags; and Data by its flags. */
START_TEST(solicited)
{
	static const u8 always[] = { 0x01, 0x03, 0x04, 0x05, 0x06, 0x08, 0x09, 0x0a, 0x0d, 0x0e };
	static const u8 never[] = { 0x02, 0x07, 0x0b, 0x0c, 0xfd, 0xfe };
	struct sdp_bsdh bsdh = { 0 };
	int flags, i;

	for (flags = 0; flags < 256; flags++) {
		bsdh.flags = flags;
		for (i = 0; i < COUNT(always); i++) {
			bsdh.mid = always[i];
			ck_assert(sdp_is_solicited(&bsdh));
		}
		for (i = 0; i < COUNT(never); i++) {
			bsdh.mid = never[i];
			ck_assert(!sdp_is_solicited(&bsdh));
		}
		bsdh.mid = SDP_MID_DATA;
		ck_assert_int_eq(sdp_is_solicited(&bsdh), (flags & 3) != 0);
	}
}
END_TEST

/* S2-082, S2-084, S2-085, S2-A14, S2-T04: every octet that ModeChange can begin with. */
START_TEST(mode_change)
{
	u8 buf[20] = { BSDH_OCTETS(0x07, 0, 20), _i, 0xff, 0x5a, 0x01 };
	struct sdp_message message;
	u8 mode = _i >> 4 & 7;

	if (mode > 2) {
		ck_assert_int_eq(parse(&message, buf, 20), SDP_FAULT_FIELD);
		return;
	}
	ck_assert_int_eq(parse(&message, buf, 20), SDP_OK);
	ck_assert_uint_eq(message.change.mode, mode);
	ck_assert_int_eq(message.change.send, _i >= 0x80);
}
END_TEST

/* Values that a field may have or not: at @at, the octets @value. */
static const struct {
	u8 mid;
	u8 at;
	u8 value[4];
	enum sdp_fault fault;
} fields[] = {
	{ SDP_MID_SRC_AVAIL, 16, { 0, 0, 0, 0 }, SDP_FAULT_FIELD }, /* S2-072 */
	{ SDP_MID_SRC_AVAIL, 16, { 0x80, 0, 0, 0 }, SDP_OK },
	{ SDP_MID_SRC_AVAIL, 16, { 0x80, 0, 0, 1 }, SDP_FAULT_FIELD },
	{ SDP_MID_SRC_AVAIL, 28, { 0xff, 0xff, 0xff, 0xff }, SDP_OK }, /* S2-073: alignment */
	{ SDP_MID_SINK_AVAIL, 16, { 0, 0, 0, 0 }, SDP_FAULT_FIELD }, /* S2-076 */
	{ SDP_MID_SINK_AVAIL, 16, { 0x80, 0, 0, 0 }, SDP_OK },
	{ SDP_MID_SINK_AVAIL, 16, { 0x80, 0, 0, 1 }, SDP_FAULT_FIELD },
	{ SDP_MID_SINK_AVAIL, 32, { 0xff, 0xff, 0xff, 0xff }, SDP_OK }, /* S2-077 */
	{ SDP_MID_RDMA_WR_COMPL, 16, { 0x80, 0, 0, 1 }, SDP_FAULT_FIELD }, /* S2-080 */
	{ SDP_MID_RDMA_RD_COMPL, 16, { 0x80, 0, 0, 1 }, SDP_FAULT_FIELD }, /* S2-081 */
	{ SDP_MID_CH_RCV_BUF, 16, { 0, 0, 0, 0 }, SDP_OK }, /* S2-089 */
	{ SDP_MID_CH_RCV_BUF, 16, { 0xff, 0xff, 0xff, 0xff }, SDP_OK },
	{ SDP_MID_CH_RCV_BUF_ACK, 16, { 0x80, 0, 0, 0 }, SDP_OK },
	{ SDP_MID_CH_RCV_BUF_ACK, 16, { 0x80, 0, 0, 1 }, SDP_FAULT_FIELD }, /* S2-090 */
	{ SDP_MID_SUSP_COMM, 16, { 0, 0, 0, 1 }, SDP_FAULT_FIELD }, /* S2-091 */
	{ SDP_MID_SUSP_COMM, 20, { 0, 1, 0, 1 }, SDP_OK },
	{ SDP_MID_SUSP_COMM, 20, { 0, 1, 0, 0 }, SDP_FAULT_FIELD },
	{ SDP_MID_SUSP_COMM, 20, { 0, 0, 0xc0, 0xde }, SDP_FAULT_FIELD },
	{ SDP_MID_SUSP_COMM, 20, { 1, 1, 0xc0, 0xde }, SDP_FAULT_FIELD },
};

START_TEST(values)
{
	u8 buf[SDP_HEADER_MAX + PAYLOAD];
	struct sdp_message message;
	u32 size;
	int i;

	for (i = 0; golden[i].octets[0] != fields[_i].mid; i++)
		;
	size = whole(i, buf);
	memcpy(buf + fields[_i].at, fields[_i].value, 4);
	ck_assert_int_eq(parse(&message, buf, size), fields[_i].fault);
}
END_TEST

/* S2-T01: whatever octets are accepted are made again, but for the reserved bits of ModeChange. */
START_TEST(random_octets)
{
	u8 buf[SDP_HEADER_MAX + PAYLOAD], back[SDP_HEADER_MAX];
	struct sdp_message message;
	u32 n, i, size, accepted = 0;

	srandom(1);
	for (n = 0; n < 100000; n++) {
		for (i = 0; i < sizeof(buf); i++)
			buf[i] = random() >> 8;
		buf[0] = golden[random() % COUNT(golden)].octets[0];
		size = random() % 4 ? sdp_header_size(buf[0]) : random() % (sizeof(buf) + 1);
		memcpy(buf + 4, (u8[]){ 0, 0, 0, size }, 4);
		if (parse(&message, buf, size))
			continue;
		accepted++;
		if (buf[0] == SDP_MID_MODE_CHANGE)
			memcpy(buf + 16, (u8[]){ buf[16] & 0xf0, 0, 0, 0 }, 4);
		size = sdp_message_pack(&message, back);
		ck_assert_mem_eq(back, buf, size);
	}
	ck_assert_uint_gt(accepted, 1000);
}
END_TEST

Suite *sdp_wire_suite(void)
{
	Suite *suite = suite_create("sdp_wire");
	TCase *tc = tcase_create("sdp_wire");

	tcase_add_loop_test(tc, octets, 0, COUNT(golden));
	tcase_add_test(tc, header_sizes);
	tcase_add_loop_test(tc, truncated, 0, COUNT(golden));
	tcase_add_loop_test(tc, len, 0, COUNT(golden));
	tcase_add_loop_test(tc, mids, 0, 256);
	tcase_add_loop_test(tc, flags, 0, COUNT(golden));
	tcase_add_loop_test(tc, oob_pres, 0, COUNT(golden));
	tcase_add_loop_test(tc, payload, 0, COUNT(golden));
	tcase_add_test(tc, solicited);
	tcase_add_loop_test(tc, mode_change, 0, 256);
	tcase_add_loop_test(tc, values, 0, COUNT(fields));
	tcase_add_test(tc, random_octets);
	suite_add_tcase(suite, tc);
	return suite;
}
