// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Headers and opcodes, compared with the specification's tables, and fields by tables. */
#include <string.h>
#include <check.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/random.h>
#include "shim.h"
#include "tests/unit/suites.h"
#include "wire/field.h"
#include "wire/headers.h"
#include "wire/opcode.h"

/*
 * Every defined opcode: its octet and the headers that follow BTH, from the specification's table.
 */
static const struct {
	u8 opcode, bytes;
} opcodes[] = {
	/* RC: B4-087, B4-088, B4-089, B4-090, B4-091 */
	{ 0x00, 12 }, { 0x01, 12 }, { 0x02, 12 }, { 0x03, 16 }, { 0x04, 12 }, { 0x05, 16 },
	{ 0x06, 28 }, { 0x07, 12 }, { 0x08, 12 }, { 0x09, 16 }, { 0x0a, 28 }, { 0x0b, 32 },
	{ 0x0c, 28 }, { 0x0d, 16 }, { 0x0e, 12 }, { 0x0f, 16 }, { 0x10, 16 },
	{ 0x11, 16 }, { 0x12, 24 }, { 0x13, 40 }, { 0x14, 40 }, { 0x16, 16 }, { 0x17, 16 },
	/* RC: FLUSH, ATOMIC WRITE */
	{ 0x1c, 32 }, { 0x1d, 28 },
	/* RC, reserved: the responder refuses these */
	{ 0x15, 12 }, { 0x18, 12 }, { 0x19, 12 }, { 0x1a, 12 }, { 0x1b, 12 }, { 0x1e, 12 },
	{ 0x1f, 12 },
	/* UC: B4-092 */
	{ 0x20, 12 }, { 0x21, 12 }, { 0x22, 12 }, { 0x23, 16 }, { 0x24, 12 }, { 0x25, 16 },
	{ 0x26, 28 }, { 0x27, 12 }, { 0x28, 12 }, { 0x29, 16 }, { 0x2a, 28 }, { 0x2b, 32 },
	/* RD: B4-100 */
	{ 0x40, 24 }, { 0x41, 24 }, { 0x42, 24 }, { 0x43, 28 }, { 0x44, 24 }, { 0x45, 28 },
	{ 0x46, 40 }, { 0x47, 24 }, { 0x48, 24 }, { 0x49, 28 }, { 0x4a, 40 }, { 0x4b, 44 },
	{ 0x4c, 40 }, { 0x4d, 20 }, { 0x4e, 16 }, { 0x4f, 20 }, { 0x50, 20 },
	{ 0x51, 20 }, { 0x52, 28 }, { 0x53, 52 }, { 0x54, 52 }, { 0x55, 24 },
	/* UD */
	{ 0x64, 20 }, { 0x65, 24 },
	/* XRC: requests as RC's with the XRCETH */
	{ 0xa0, 16 }, { 0xa1, 16 }, { 0xa2, 16 }, { 0xa3, 20 }, { 0xa4, 16 }, { 0xa5, 20 },
	{ 0xa6, 32 }, { 0xa7, 16 }, { 0xa8, 16 }, { 0xa9, 20 }, { 0xaa, 32 }, { 0xab, 36 },
	{ 0xac, 32 }, { 0xad, 16 }, { 0xae, 12 }, { 0xaf, 16 }, { 0xb0, 16 },
	{ 0xb1, 16 }, { 0xb2, 24 }, { 0xb3, 44 }, { 0xb4, 44 }, { 0xb6, 20 }, { 0xb7, 20 },
	{ 0xbc, 36 }, { 0xbd, 32 },
};

static unsigned int expected_bytes(u8 opcode)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(opcodes); i++)
		if (opcodes[i].opcode == opcode)
			return opcodes[i].bytes;
	return 0;
}

START_TEST(b4_087_opcode_headers)
{
	int i;

	for (i = 0; i < 256; i++) {
		unsigned int bytes = expected_bytes(i);

		ck_assert_msg(hca_opcodes[i].header_bytes == bytes, "opcode 0x%02x: %u octets", i,
			      hca_opcodes[i].header_bytes);
		ck_assert_uint_eq(hca_headers_bytes(IB_LNH_IBA_LOCAL, i), bytes ? 8 + bytes : 0);
		ck_assert_uint_eq(hca_headers_bytes(IB_LNH_IBA_GLOBAL, i), bytes ? 48 + bytes : 0);
	}
}
END_TEST

/*
 * B4-092: reserved opcodes have no headers, and are neither parsed nor packed, except those of
 * RC.
 */
START_TEST(b4_091_reserved_opcodes)
{
	static const u8 bth_at[] = { [IB_LNH_IBA_LOCAL] = 8, [IB_LNH_IBA_GLOBAL] = 48 };
	u8 buf[HCA_MAX_HEADER_BYTES];
	struct hca_headers h = {};
	int i, lnh;

	for (i = 0; i < 256; i++) {
		const struct hca_opcode_info *op = &hca_opcodes[i];

		ck_assert_int_eq(!op->name, !expected_bytes(i));
		ck_assert_int_eq(!op->name, !op->flags);
		for (lnh = IB_LNH_IBA_LOCAL; lnh <= IB_LNH_IBA_GLOBAL; lnh++) {
			memset(buf, 0, sizeof(buf));
			buf[1] = lnh;
			buf[bth_at[lnh]] = i;
			ck_assert_int_eq(hca_headers_parse(&h, buf, sizeof(buf)) == -EINVAL,
					 !op->name);
			h.lrh.lnh = lnh;
			h.bth.opcode = i;
			ck_assert_int_eq(hca_headers_pack(&h, buf) == 0, !op->name);
		}
	}
}
END_TEST

static unsigned int header_bytes_of(u32 flags)
{
	return HCA_BTH_BYTES + (flags & HCA_HAS_RDETH ? 4 : 0) + (flags & HCA_HAS_DETH ? 8 : 0) +
	       (flags & HCA_HAS_XRCETH ? 4 : 0) + (flags & HCA_HAS_FETH ? 4 : 0) +
	       (flags & HCA_HAS_RETH ? 16 : 0) + (flags & HCA_HAS_ATOMICETH ? 28 : 0) +
	       (flags & HCA_HAS_AETH ? 4 : 0) + (flags & HCA_HAS_ATOMICACKETH ? 8 : 0) +
	       (flags & HCA_HAS_IMMDT ? 4 : 0) + (flags & HCA_HAS_IETH ? 4 : 0);
}

/* B4-085 to B4-095: consistency of the flags. */
START_TEST(b4_086_opcode_flags)
{
	int i;

	for (i = 0; i < 256; i++) {
		const struct hca_opcode_info *op = &hca_opcodes[i];
		u8 transport = hca_opcode_transport(i), operation = hca_opcode_operation(i);
		u32 f = op->flags;
		bool first = f & HCA_IS_FIRST, last = f & HCA_IS_LAST;
		bool request = f & HCA_IS_REQUEST, response = f & HCA_IS_RESPONSE;
		bool imm = f & HCA_HAS_IMMDT;

		if (!op->name)
			continue;
		ck_assert_uint_eq(op->header_bytes, header_bytes_of(f));
		ck_assert_int_ne(request, response);
		ck_assert_int_eq(!!strstr(op->name, "First"), first && !last);
		ck_assert_int_eq(!!strstr(op->name, "Middle"), !first && !last);
		ck_assert_int_eq(!!strstr(op->name, "Last"), !first && last);
		ck_assert_int_eq(!!strstr(op->name, "SEND"), !!(f & HCA_IS_SEND));
		ck_assert_int_eq(!!strstr(op->name, "RDMA WRITE"), !!(f & HCA_IS_WRITE));
		ck_assert_int_eq(!!strstr(op->name, "ATOMIC WRITE"),
				 !!(f & HCA_IS_ATOMIC_WRITE));
		ck_assert_int_eq(!!strstr(op->name, "FLUSH"), !!(f & HCA_IS_FLUSH));
		ck_assert_int_eq(!!(f & HCA_HAS_FETH), !!(f & HCA_IS_FLUSH));
		ck_assert_int_eq(!!strstr(op->name, "READ"), !!(f & HCA_IS_READ));
		ck_assert_int_eq(!!strstr(op->name, "Immediate"), imm);
		ck_assert_int_eq(!!strstr(op->name, "Invalidate"), !!(f & HCA_HAS_IETH));
		ck_assert_int_eq(!!(f & HCA_HAS_PAYLOAD),
				 (f & (HCA_IS_SEND | HCA_IS_WRITE | HCA_IS_ATOMIC_WRITE)) ||
				 (f & HCA_IS_READ && response) ||
				 !!strstr(op->name, "reserved"));
		if (imm || f & HCA_HAS_IETH)
			ck_assert(last && request);
		ck_assert_int_eq(!!(f & HCA_HAS_RETH),
				 (f & HCA_IS_WRITE && first) || (f & HCA_IS_READ && request) ||
				 f & (HCA_IS_FLUSH | HCA_IS_ATOMIC_WRITE));
		ck_assert_int_eq(!!(f & HCA_HAS_ATOMICETH), f & HCA_IS_ATOMIC && request);
		ck_assert_int_eq(!!(f & HCA_HAS_ATOMICACKETH), f & HCA_IS_ATOMIC && response);
		ck_assert_int_eq(!!(f & HCA_HAS_AETH), response &&
				 operation != IB_OPCODE_RDMA_READ_RESPONSE_MIDDLE);
		ck_assert_int_eq(!!(f & HCA_CONSUMES_RECV),
				 (f & HCA_IS_SEND && first) || (f & HCA_IS_WRITE && imm));
		ck_assert_int_eq(!!(f & HCA_HAS_RDETH), transport == HCA_TRANSPORT_RD);
		ck_assert_int_eq(!!(f & HCA_HAS_DETH), transport == HCA_TRANSPORT_UD ||
				 (transport == HCA_TRANSPORT_RD && request));
		ck_assert_int_eq(!!(f & HCA_HAS_XRCETH), transport == HCA_TRANSPORT_XRC && request);
		ck_assert_int_eq(!strncmp(op->name, "XRC ", 4), transport == HCA_TRANSPORT_XRC);
		ck_assert_int_eq(!strncmp(op->name, "RC ", 3), transport == HCA_TRANSPORT_RC);
		ck_assert_int_eq(!strncmp(op->name, "UC ", 3), transport == HCA_TRANSPORT_UC);
		ck_assert_int_eq(!strncmp(op->name, "RD ", 3), transport == HCA_TRANSPORT_RD);
		ck_assert_int_eq(!strncmp(op->name, "UD ", 3), transport == HCA_TRANSPORT_UD);
	}
}
END_TEST

/* B4-413, B4-415: raw packets have no header but the LRH, and those of EtherTypes the RWH. */
START_TEST(b4_413_raw_packets)
{
	static const u8 ethertype[] = { 0x00, 0x00, 0x00, 0x05, 0x00, 0x08,
					0x00, 0x07, 0x00, 0x00, 0x88, 0xb5 };
	u8 buf[HCA_MAX_HEADER_BYTES];
	struct hca_headers h;
	int lnh, opcode;

	for (lnh = IB_LNH_RAW; lnh <= IB_LNH_IP; lnh++) {
		unsigned int bytes = lnh == IB_LNH_RAW ? 12 : 8;

		for (opcode = 0; opcode < 256; opcode++)
			ck_assert_uint_eq(hca_headers_bytes(lnh, opcode), bytes);
		memcpy(buf, ethertype, sizeof(ethertype));
		buf[1] = lnh;
		ck_assert_int_eq(hca_headers_parse(&h, buf, bytes - 1), -EINVAL);
		ck_assert_int_eq(hca_headers_parse(&h, buf, bytes), bytes);
		ck_assert_uint_eq(h.lrh.lnh, lnh);
		ck_assert_uint_eq(h.lrh.dlid, 5);
		ck_assert_uint_eq(h.lrh.slid, 7);
		ck_assert(lnh != IB_LNH_RAW || h.rwh_ethertype == 0x88b5);
		ck_assert_uint_eq(hca_headers_pack(&h, buf + bytes), bytes);
		ck_assert_mem_eq(buf, buf + bytes, bytes);
	}
}
END_TEST

/* B4-097: PSNs have 24 bits, and half of them are ahead. */
START_TEST(b4_097_psn_wraps)
{
	int i;

	ck_assert_int_eq(hca_psn_diff(0, 0xffffff), 1);
	ck_assert_int_eq(hca_psn_diff(0xffffff, 0), -1);
	ck_assert_int_eq(hca_psn_diff(5, 5), 0);
	ck_assert_int_eq(hca_psn_diff(0x7fffff, 0), 0x7fffff);
	ck_assert_int_eq(hca_psn_diff(0x800000, 0), -0x800000);
	ck_assert_int_eq(hca_psn_diff(0, 0x800000), -0x800000);
	ck_assert_int_eq(hca_psn_diff(0x000010, 0xfffff0), 0x20);
	ck_assert_uint_eq(hca_psn_add(0xffffff, 1), 0);
	ck_assert_uint_eq(hca_psn_add(0xfffffe, 0x1000003), 1);
	ck_assert_uint_eq(hca_psn_add(0, -1), 0xffffff);

	shim_reset(97);
	for (i = 0; i < 100000; i++) {
		u32 psn = get_random_u32() & HCA_PSN_MASK;
		s32 n = (s32)(get_random_u32() & HCA_PSN_MASK) - 0x800000;

		if (hca_psn_add(psn, n) > HCA_PSN_MASK ||
		    hca_psn_diff(hca_psn_add(psn, n), psn) != n)
			ck_abort_msg("0x%x and %d", psn, n);
	}
}
END_TEST

/* Fill every field of a random opcode's headers with random octets. Returns the headers' length. */
static unsigned int random_packet(u8 *buf, u8 *opcode)
{
	bool grh = get_random_u32() & 1;

	*opcode = opcodes[get_random_u32_below(ARRAY_SIZE(opcodes))].opcode;
	get_random_bytes(buf, HCA_MAX_HEADER_BYTES);
	buf[1] = (buf[1] & ~3) | (grh ? IB_LNH_IBA_GLOBAL : IB_LNH_IBA_LOCAL);
	buf[grh ? 48 : 8] = *opcode;
	return (grh ? 48 : 8) + expected_bytes(*opcode);
}

static void clear_reserved(u8 *buf, u8 opcode)
{
	u8 *bth = buf + ((buf[1] & 3) == IB_LNH_IBA_GLOBAL ? 48 : 8);
	u8 *next = bth + 12;

	buf[1] &= ~0x0c;
	buf[4] &= 0x07;
	bth[4] &= 0xc0;
	bth[8] &= 0x80;
	if (opcode >> 5 == HCA_TRANSPORT_RD) {
		next[0] = 0;
		next += 4;
	}
	if (hca_opcodes[opcode].flags & HCA_HAS_DETH)
		next[4] = 0;
	if (hca_opcodes[opcode].flags & HCA_HAS_XRCETH) {
		next[0] = 0;
		next += 4;
	}
	if (hca_opcodes[opcode].flags & HCA_HAS_FETH) {
		memset(next, 0, 3);
		next[3] &= 0x3f;
	}
}

/* Parsing loses nothing but reserved bits, and packing sets none of them (B4-086 to B4-102). */
START_TEST(b4_101_random_round_trip)
{
	u8 buf[HCA_MAX_HEADER_BYTES], packed[HCA_MAX_HEADER_BYTES];
	struct hca_headers h, again;
	unsigned int bytes;
	u8 opcode;
	int i;

	shim_reset(101);
	for (i = 0; i < 200000; i++) {
		bytes = random_packet(buf, &opcode);
		memset(&h, 0, sizeof(h));
		memset(&again, 0, sizeof(again));
		if (hca_headers_parse(&h, buf, bytes) != bytes ||
		    hca_headers_pack(&h, packed) != bytes ||
		    hca_headers_parse(&again, packed, bytes) != bytes)
			ck_abort_msg("packet %d, opcode 0x%02x: length", i, opcode);
		clear_reserved(buf, opcode);
		if (memcmp(buf, packed, bytes) || memcmp(&h, &again, sizeof(h)))
			ck_abort_msg("packet %d, opcode 0x%02x: content", i, opcode);
	}
}
END_TEST

/* A value that is too large for its field does not change neighboring fields. */
START_TEST(b4_101_pack_masks)
{
	u8 buf[HCA_MAX_HEADER_BYTES];
	struct hca_headers h, again;
	int i;

	shim_reset(102);
	for (i = 0; i < ARRAY_SIZE(opcodes); i++) {
		memset(&h, 0xff, sizeof(h));
		h.lrh.lnh = IB_LNH_IBA_GLOBAL;
		h.bth.opcode = opcodes[i].opcode;
		h.grh.ipver = 6;
		ck_assert_uint_eq(hca_headers_pack(&h, buf), 48 + opcodes[i].bytes);
		ck_assert_int_eq(hca_headers_parse(&again, buf, sizeof(buf)),
				 48 + opcodes[i].bytes);
		ck_assert_uint_eq(buf[0], 0xff);
		ck_assert_uint_eq(buf[1], 0xf3);
		ck_assert_uint_eq(buf[4], 0x07);
		ck_assert_uint_eq(again.lrh.pktlen, 0x7ff);
		ck_assert_uint_eq(again.grh.ipver, 6);
		ck_assert_uint_eq(again.grh.tclass, 0xff);
		ck_assert_uint_eq(again.grh.flow_label, 0xfffff);
		ck_assert_uint_eq(again.bth.opcode, opcodes[i].opcode);
		ck_assert_uint_eq(again.bth.padcnt, 3);
		ck_assert_uint_eq(again.bth.destqp, 0xffffff);
		ck_assert_uint_eq(again.bth.psn, 0xffffff);
		ck_assert_uint_eq(buf[48 + 4], 0xc0);
		ck_assert_uint_eq(buf[48 + 8], 0x80);
	}
}
END_TEST

static bool bit_of(const u8 *data, unsigned int bit)
{
	return data[bit / 8] >> (7 - bit % 8) & 1;
}

/* Each width at each place in an octet: the bits of the field alone are written, and read back. */
START_TEST(field_of_each_width_and_place)
{
	u8 before[10], data[10];
	unsigned int i, bit, width = _i + 1;
	u64 value;

	for (bit = 0; bit < 8; bit++) {
		get_random_bytes(before, sizeof(before));
		get_random_bytes(&value, sizeof(value));
		memcpy(data, before, sizeof(data));
		hca_field_put(data, bit, width, value);
		for (i = 0; i < 8 * sizeof(data); i++)
			ck_assert_uint_eq(bit_of(data, i), i < bit || i >= bit + width ?
					  bit_of(before, i) : value >> (bit + width - 1 - i) & 1);
		ck_assert_uint_eq(hca_field_get(data, bit, width), value & U64_MAX >> (64 - width));
	}
}
END_TEST

/* A table of fields, with a member of each size. */
START_TEST(fields_by_a_table)
{
	struct members {
		u8 of_1;
		u16 of_2;
		u32 of_4;
		__be64 of_8;
	} from = { 0x15, 0x3abc, 0x00fedcba, cpu_to_be64(0x0123456789abcdefull) }, to = {};
	static const struct hca_field fields[] = {
		HCA_FIELD(struct members, of_1, 0, 3, 5),
		HCA_FIELD(struct members, of_2, 1, 2, 14),
		HCA_FIELD(struct members, of_4, 4, 0, 24),
		HCA_FIELD(struct members, of_8, 7, 0, 64),
	};
	static const u8 want[16] = {
		0xf5, 0xfa, 0xbc, 0xff, 0xfe, 0xdc, 0xba, 0x01,
		0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xff,
	};
	u8 data[16];

	memset(data, 0xff, sizeof(data));
	hca_fields_pack(fields, ARRAY_SIZE(fields), &from, data);
	ck_assert_mem_eq(data, want, sizeof(data));
	hca_fields_unpack(fields, ARRAY_SIZE(fields), data, &to);
	ck_assert_uint_eq(to.of_1, from.of_1);
	ck_assert_uint_eq(to.of_2, from.of_2);
	ck_assert_uint_eq(to.of_4, from.of_4);
	ck_assert_uint_eq(to.of_8, from.of_8);
}
END_TEST

Suite *wire_suite(void)
{
	Suite *suite = suite_create("wire");
	TCase *tc = tcase_create("wire");

	tcase_add_test(tc, b4_087_opcode_headers);
	tcase_add_test(tc, b4_086_opcode_flags);
	tcase_add_test(tc, b4_091_reserved_opcodes);
	tcase_add_test(tc, b4_413_raw_packets);
	tcase_add_test(tc, b4_097_psn_wraps);
	tcase_add_test(tc, b4_101_random_round_trip);
	tcase_add_test(tc, b4_101_pack_masks);
	tcase_add_loop_test(tc, field_of_each_width_and_place, 0, 64);
	tcase_add_test(tc, fields_by_a_table);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);
	return suite;
}
