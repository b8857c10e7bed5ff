// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* RDMAP's messages: the octets of each, and every header that is refused, with its error. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "iwarp/wire/rdmap.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define INVALIDATE 0x1a2b3c4d
#define NO_QN 0xff

/* P1-T01: a row for each message, with the octets of its header. P1-027: the order of the bits. */
static const struct {
	u8 opcode;
	bool payload, solicited;
	u8 qn; /* NO_QN: tagged */
	u8 header; /* octets of RDMAP's header */
	u8 octets[HCA_DDP_BYTES_MAX];
} messages[] = {
	/* P1-033, P1-019 */
	{ 0, true, false, NO_QN, 0, { 0xc1, 0x40, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 } },
	/* P1-016, P1-034 */
	{ 1, false, false, 1, 28, { 0x41, 0x41, 0, 0, 0, 0, [9] = 1, [13] = 7 } },
	/* P1-035, P1-019 */
	{ 2, true, false, NO_QN, 0, { 0xc1, 0x42, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 } },
	{ 3, true, false, 0, 0, { 0x41, 0x43, 0, 0, 0, 0, [13] = 7 } }, /* P1-015, P1-036 */
	/* P1-030, P1-037 */
	{ 4, true, false, 0, 0, { 0x41, 0x44, 0x1a, 0x2b, 0x3c, 0x4d, [13] = 7 } },
	{ 5, true, true, 0, 0, { 0x41, 0x45, 0, 0, 0, 0, [13] = 7 } }, /* P1-031, P1-038 */
	/* P1-030, P1-039 */
	{ 6, true, true, 0, 0, { 0x41, 0x46, 0x1a, 0x2b, 0x3c, 0x4d, [13] = 7 } },
	/* P1-017, P1-040 */
	{ 7, false, false, 2, 4, { 0x41, 0x47, 0, 0, 0, 0, [9] = 2, [13] = 7 } },
};

static bool is_tagged(int i)
{
	return messages[i].qn == NO_QN;
}

static u32 ddp_bytes(int i)
{
	return is_tagged(i) ? HCA_DDP_TAGGED_BYTES : HCA_DDP_UNTAGGED_BYTES;
}

/* Parses the headers of a segment of @len octets, which are at the very end of an allocation. */
static enum hca_iwarp_error parse(struct hca_rdmap_segment *segment, const u8 *octets, u32 len)
{
	u32 given = len < HCA_DDP_BYTES_MAX ? len : HCA_DDP_BYTES_MAX;
	u8 *buf = malloc(given + 1);
	enum hca_iwarp_error error;

	memset(segment, 0xee, sizeof(*segment));
	memcpy(buf + 1, octets, given);
	error = hca_rdmap_parse(segment, buf + 1, len);
	free(buf);
	return error;
}

static enum hca_iwarp_error parse_error(const u8 *octets, u32 len)
{
	struct hca_rdmap_segment segment;

	return parse(&segment, octets, len);
}

/* P1-032, P1-042: what each message has is a row of the specification's two tables. */
START_TEST(message)
{
	const struct hca_rdmap_op *op = &hca_rdmap_ops[messages[_i].opcode];
	bool invalidates = messages[_i].octets[2] == 0x1a;

	ck_assert_ptr_nonnull(op->name);
	ck_assert_int_eq(op->tagged, is_tagged(_i));
	if (!is_tagged(_i))
		ck_assert_uint_eq(op->qn, messages[_i].qn);
	ck_assert_int_eq(op->has_payload, messages[_i].payload);
	ck_assert_int_eq(op->invalidates, invalidates);
	ck_assert_int_eq(op->is_solicited, messages[_i].solicited); /* P1-014 */
	ck_assert_uint_eq(op->header_bytes, messages[_i].header);
}
END_TEST

/* P1-028, P1-T01: the octets of each message's header, both ways. */
START_TEST(golden_octets)
{
	struct hca_rdmap_segment segment;
	u8 packed[HCA_DDP_BYTES_MAX];
	struct hca_ddp ddp;
	u32 len;

	hca_rdmap_header(&ddp, messages[_i].opcode, INVALIDATE);
	if (is_tagged(_i)) {
		ddp.stag = 0x01020304;
		ddp.to = 0x05060708090a0b0c;
	} else {
		ck_assert_uint_eq(ddp.msn, 1);
		ddp.msn = 7;
	}
	ck_assert_uint_eq(hca_ddp_pack(&ddp, packed), ddp_bytes(_i));
	ck_assert_mem_eq(packed, messages[_i].octets, ddp_bytes(_i));

	len = ddp_bytes(_i) + messages[_i].header + (messages[_i].payload ? 1000 : 0);
	ck_assert_int_eq(parse(&segment, packed, len), HCA_IWARP_OK);
	ck_assert_uint_eq(segment.opcode, messages[_i].opcode);
	ck_assert_ptr_eq(segment.op, &hca_rdmap_ops[messages[_i].opcode]);
	ck_assert_uint_eq(segment.header_bytes, ddp_bytes(_i));
	ck_assert_uint_eq(segment.length, len - ddp_bytes(_i)); /* P1-020, P1-043 */
	ck_assert_int_eq(segment.ddp.last, true);
}
END_TEST

/* P1-029, P1-T02: reserved bits of both control octets are ignored. */
START_TEST(reserved_bits)
{
	u32 len = ddp_bytes(_i) + messages[_i].header;
	struct hca_rdmap_segment segment;
	u8 octets[HCA_DDP_BYTES_MAX];

	memcpy(octets, messages[_i].octets, sizeof(octets));
	octets[0] |= 0x3c;
	octets[1] |= 0x30;
	ck_assert_int_eq(parse(&segment, octets, len), HCA_IWARP_OK);
	ck_assert_uint_eq(segment.opcode, messages[_i].opcode);
}
END_TEST

/* P1-031, P1-T03: the octets of the STag to invalidate may be anything in other messages. */
START_TEST(no_stag_to_invalidate)
{
	u32 len = ddp_bytes(_i) + messages[_i].header;
	u8 octets[HCA_DDP_BYTES_MAX];

	memcpy(octets, messages[_i].octets, sizeof(octets));
	memset(octets + 2, 0xff, 4);
	ck_assert_int_eq(parse_error(octets, len), HCA_IWARP_OK);
}
END_TEST

/* P1-041, P1-018: each opcode in each buffer model, and on each queue. */
START_TEST(opcode_model_queue)
{
	static const u32 queues[] = { 0, 1, 2, 3, 255, 256, 0x01000000, ~0u };
	enum hca_iwarp_error expected;
	u8 octets[HCA_DDP_BYTES_MAX] = { 0x41, 0x40 | _i };
	int message = _i < COUNT(messages) ? _i : -1, q;

	for (q = 0; q < COUNT(queues); q++) {
		u8 qn = message < 0 ? NO_QN : messages[message].qn;

		memcpy(octets + 6, (u8[]){ queues[q] >> 24, queues[q] >> 16, queues[q] >> 8,
					   queues[q] }, 4);
		/* P1-T04, P1-T06: an opcode is an error of RDMAP, an unknown queue one of DDP. */
		expected = qn == NO_QN ? HCA_ERR_RDMAP_OPCODE : qn == queues[q] ? HCA_IWARP_OK :
			   queues[q] < 3 ? HCA_ERR_RDMAP_OPCODE : HCA_ERR_DDP_QN;
		ck_assert_int_eq(parse_error(octets, 46), expected);
	}
	octets[0] = 0xc1;
	expected = message >= 0 && is_tagged(message) ? HCA_IWARP_OK : HCA_ERR_RDMAP_OPCODE;
	ck_assert_int_eq(parse_error(octets, 46), expected);
}
END_TEST

/* P1-077, P1-T05, P1-A1: version 1 of RDMAP, and version 1 of DDP, whose errors have two codes. */
START_TEST(versions)
{
	u32 len = ddp_bytes(_i) + messages[_i].header;
	u8 octets[HCA_DDP_BYTES_MAX], version;

	for (version = 0; version < 4; version++) {
		memcpy(octets, messages[_i].octets, sizeof(octets));
		octets[1] = version << 6 | messages[_i].opcode;
		ck_assert_int_eq(parse_error(octets, len),
				 version == 1 ? HCA_IWARP_OK : HCA_ERR_RDMAP_VERSION);
		octets[0] = (octets[0] & ~3) | version;
		ck_assert_int_eq(parse_error(octets, len),
				 version == 1 ? HCA_IWARP_OK : is_tagged(_i) ?
				 HCA_ERR_DDP_TAGGED_VERSION : HCA_ERR_DDP_UNTAGGED_VERSION);
	}
}
END_TEST

/* P1-T09, P1-T10: every length around that of the headers, and the longest. */
START_TEST(length)
{
	u32 headers = ddp_bytes(_i) + messages[_i].header, len;
	bool anything = messages[_i].payload || messages[_i].opcode == HCA_RDMAP_TERMINATE;
	enum hca_iwarp_error more = anything ? HCA_IWARP_OK : HCA_ERR_DDP_TOO_LONG;
	u8 octets[64];

	for (len = 0; len < headers; len++)
		ck_assert_int_eq(parse_error(messages[_i].octets, len), HCA_ERR_MPA_MARKER);
	ck_assert_int_eq(parse_error(messages[_i].octets, headers), HCA_IWARP_OK);
	ck_assert_int_eq(parse_error(messages[_i].octets, headers + 1), more); /* P1-049 */
	ck_assert_int_eq(parse_error(messages[_i].octets, 0xffff), more);
	/* The length comes before the versions, which are those of a message that is there. */
	memcpy(octets, messages[_i].octets, HCA_DDP_BYTES_MAX);
	octets[0] &= ~0x03;
	octets[1] &= ~0xc0;
	ck_assert_int_eq(parse_error(octets, headers - 1), HCA_ERR_MPA_MARKER);
}
END_TEST

static const struct hca_read_request read_request = {
	.sink_stag = 0x11121314, .sink_to = 0x2122232425262728, .size = 0x51525354,
	.source_stag = 0x31323334, .source_to = 0x4142434445464748,
};

static void assert_read(const struct hca_read_request *a, const struct hca_read_request *b)
{
	ck_assert_uint_eq(a->sink_stag, b->sink_stag);
	ck_assert_uint_eq(a->sink_to, b->sink_to);
	ck_assert_uint_eq(a->size, b->size);
	ck_assert_uint_eq(a->source_stag, b->source_stag);
	ck_assert_uint_eq(a->source_to, b->source_to);
}

START_TEST(read_request_octets)
{
	static const u8 octets[HCA_READ_REQUEST_BYTES] = {
		0x11, 0x12, 0x13, 0x14, /* P1-044 */
		0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, /* P1-045 */
		0x51, 0x52, 0x53, 0x54, /* P1-046 */
		0x31, 0x32, 0x33, 0x34, /* P1-047 */
		0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, /* P1-048 */
	};
	u8 *packed = malloc(sizeof(octets));
	struct hca_read_request read;

	hca_read_request_pack(&read_request, packed);
	ck_assert_mem_eq(packed, octets, sizeof(octets));
	hca_read_request_parse(&read, packed);
	free(packed);
	assert_read(&read, &read_request);
}
END_TEST

/* P1-067: of what is left of a Read, only the STags are as they were. Offsets may wrap. */
START_TEST(read_request_advances)
{
	struct hca_read_request read = read_request, expected = read_request;

	read.sink_to = ~0ull;
	hca_read_request_advance(&read, 2048);
	expected.sink_to = 2047;
	expected.source_to += 2048;
	expected.size -= 2048;
	assert_read(&read, &expected);
}
END_TEST

/* Whatever octets come, a segment is accepted only if it belongs to a row of the table. */
START_TEST(random_octets)
{
	struct hca_rdmap_segment segment;
	u8 octets[HCA_DDP_BYTES_MAX];
	u32 n, i, len, accepted = 0;

	srandom(1);
	for (n = 0; n < 100000; n++) {
		for (i = 0; i < sizeof(octets); i++)
			octets[i] = random() >> 8;
		octets[0] = (octets[0] & 0xfc) | (random() % 8 != 0);
		octets[1] = (octets[1] & 0x3f) | (random() % 8 ? 0x40 : 0);
		memset(octets + 6, 0, random() % 4);
		octets[9] &= 3;
		len = random() % 80;
		if (parse(&segment, octets, len) != HCA_IWARP_OK)
			continue;
		accepted++;
		ck_assert_uint_lt(segment.opcode, COUNT(messages));
		ck_assert_int_eq(segment.ddp.tagged, is_tagged(segment.opcode));
		ck_assert_uint_eq(segment.header_bytes + segment.length, len);
		ck_assert_uint_ge(segment.length, messages[segment.opcode].header);
	}
	ck_assert_uint_gt(accepted, 1000);
}
END_TEST

Suite *iwarp_rdmap_suite(void)
{
	Suite *suite = suite_create("iwarp_rdmap");
	TCase *tc = tcase_create("iwarp_rdmap");

	tcase_add_loop_test(tc, message, 0, COUNT(messages));
	tcase_add_loop_test(tc, golden_octets, 0, COUNT(messages));
	tcase_add_loop_test(tc, reserved_bits, 0, COUNT(messages));
	tcase_add_loop_test(tc, no_stag_to_invalidate, 0, COUNT(messages));
	tcase_add_loop_test(tc, opcode_model_queue, 0, HCA_RDMAP_OPCODES);
	tcase_add_loop_test(tc, versions, 0, COUNT(messages));
	tcase_add_loop_test(tc, length, 0, COUNT(messages));
	tcase_add_test(tc, read_request_octets);
	tcase_add_test(tc, read_request_advances);
	tcase_add_test(tc, random_octets);
	suite_add_tcase(suite, tc);
	return suite;
}
