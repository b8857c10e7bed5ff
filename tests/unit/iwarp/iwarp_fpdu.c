// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * FPDUs, markers and CRCs, compared with the examples of RFC 5044 and with a writer that puts one
 * octet behind the other; streams that are cut at each octet; octets that are no FPDU.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "iwarp/wire/fpdu.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define RANGES 4

/* A stream that a simple writer makes; @base is the position of its first octet. */
struct stream {
	u8 octets[HCA_FPDU_MAX + HCA_MARKER_INTERVAL];
	u32 len;
	u32 base;
	bool markers;
};

/* CRC32c by its definition, bit by bit. */
static u32 crc_of(const u8 *p, u32 len)
{
	u32 crc = 0xffffffff;
	int bit;

	for (; len--; p++)
		for (crc ^= *p, bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	return ~crc;
}

/* Appends an octet of an FPDU that begins at @start; before it a marker, if one is due. */
static void append(struct stream *s, u32 start, u32 *length_at, u8 octet)
{
	u32 distance = s->len == start ? 0 : s->len - *length_at;

	if (s->markers && (s->base + s->len) % 512 == 0) {
		s->octets[s->len++] = 0;
		s->octets[s->len++] = 0;
		s->octets[s->len++] = distance >> 8;
		s->octets[s->len++] = distance;
		if (!distance)
			*length_at = s->len;
	}
	s->octets[s->len++] = octet;
}

/* Appends an FPDU whose ULPDU has @length octets. Returns the octets of the FPDU. */
static u32 append_fpdu(struct stream *s, const u8 *ulpdu, u32 length)
{
	u32 start = s->len, length_at = start, i, crc;

	append(s, start, &length_at, length >> 8);
	append(s, start, &length_at, length);
	for (i = 0; i < length; i++)
		append(s, start, &length_at, ulpdu[i]);
	for (i += 2; i % 4; i++)
		append(s, start, &length_at, 0);
	/* A marker may be due before the CRC, but none is due within it. */
	append(s, start, &length_at, 0);
	s->len--;
	crc = crc_of(s->octets + start, s->len - start);
	for (i = 0; i < 4; i++)
		s->octets[s->len++] = crc >> 8 * i;
	return s->len - start;
}

static struct stream model; /* in static memory for its size */
static u8 ulpdu[HCA_ULPDU_MAX];

static void fill_ulpdu(u32 length)
{
	u32 i;

	for (i = 0; i < length; i++)
		ulpdu[i] = i * 167 + 13 + i / 251;
}

static void model_begin(u32 base, bool markers)
{
	model.len = 0;
	model.base = base;
	model.markers = markers;
}

/* Writes an FPDU into memory of its size, and compares it with the model's first @octets. */
static void assert_written(u32 length, u32 octets)
{
	u8 *buf = malloc(octets);
	struct hca_fpdu_tx tx;

	memset(buf, 0xee, octets);
	ck_assert_uint_eq(hca_fpdu_bytes(length, model.base, model.markers), octets);
	hca_fpdu_begin(&tx, buf, length, model.base, model.markers);
	hca_fpdu_put(&tx, ulpdu, length / 3);
	hca_fpdu_put(&tx, ulpdu + length / 3, length - length / 3);
	ck_assert_uint_eq(hca_fpdu_end(&tx, true), octets);
	ck_assert_mem_eq(buf, model.octets, octets);
	free(buf);
}

static void assert_ulpdu(const struct hca_fpdu_rx *rx)
{
	static u8 copy[HCA_ULPDU_MAX];
	struct hca_ulpdu place;
	u32 at, step;

	hca_ulpdu_begin(&place, rx);
	ck_assert_uint_eq(hca_ulpdu_copy(&place, copy, sizeof(copy)), rx->length);
	ck_assert_mem_eq(copy, ulpdu, rx->length);
	ck_assert_uint_eq(hca_ulpdu_next(&place, 1).length, 0);

	/* A header's octets at a time: as many as are wanted, wherever memory and markers are. */
	hca_ulpdu_begin(&place, rx);
	for (at = 0; at < rx->length; at += step) {
		step = rx->length - at < 18 ? rx->length - at : 18;
		ck_assert_uint_eq(hca_ulpdu_copy(&place, copy, step), step);
		ck_assert_mem_eq(copy, ulpdu + at, step);
	}
}

/* Reads an FPDU that is whole, and compares it with what was written. */
static void assert_read(const struct hca_octets *range, u32 ranges, u32 base, bool markers,
			u32 octets)
{
	struct hca_fpdu_rx rx;

	ck_assert_uint_eq(hca_fpdu_parse(&rx, range, ranges, base, markers), octets);
	ck_assert_uint_eq(rx.bytes, octets);
	ck_assert_int_eq(hca_fpdu_check(&rx, true), HCA_IWARP_OK);
	assert_ulpdu(&rx);
}

/* RFC 5044, figures 5 and 6: P1-006. */
static const struct {
	u32 position;
	u8 octets[56];
	u32 len;
	u8 crc[4];
} figures[] = {
	{ 0, { 0, 0, 0, 0, 0, 0x2a, 0x41, 0x43, [19] = 1 }, 48, { 0x52, 0x23, 0x99, 0x83 } },
	{ 492, { 0, 0x2a, 0x41, 0x43, [15] = 2, [23] = 0x14 }, 48, { 0x84, 0x92, 0x58, 0x98 } },
};

START_TEST(figures_of_rfc_5044)
{
	u8 octets[56], ddp[42] = { 0x41, 0x43, [13] = _i + 1 };
	struct hca_octets range = { octets, figures[_i].len + 4 };
	struct hca_fpdu_tx tx;
	struct hca_fpdu_rx rx;

	memset(octets, 0xee, sizeof(octets));
	hca_fpdu_begin(&tx, octets, sizeof(ddp), figures[_i].position, true);
	hca_fpdu_put(&tx, ddp, sizeof(ddp));
	ck_assert_uint_eq(hca_fpdu_end(&tx, true), range.length);
	ck_assert_mem_eq(octets, figures[_i].octets, figures[_i].len);
	ck_assert_mem_eq(octets + figures[_i].len, figures[_i].crc, 4);
	ck_assert_uint_eq(hca_fpdu_parse(&rx, &range, 1, figures[_i].position, true), range.length);
	ck_assert_int_eq(hca_fpdu_check(&rx, true), HCA_IWARP_OK);
}
END_TEST

/* The octets of the zero-length RDMA Write that an initiator sends first: P1-006. */
START_TEST(without_markers)
{
	static const u8 expected[] = { 0, 14, 0xc1, 0x40, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0 };
	u8 octets[20];
	struct hca_fpdu_tx tx;

	hca_fpdu_begin(&tx, octets, 14, 0, false);
	hca_fpdu_put(&tx, expected + 2, 14);
	ck_assert_uint_eq(hca_fpdu_end(&tx, true), sizeof(octets));
	ck_assert_mem_eq(octets, expected, sizeof(expected));
	ck_assert_mem_eq(octets + 16, ((u8[]){ 0xeb, 0xd3, 0x4c, 0x5f }), 4);
}
END_TEST

/* Lengths around those at which one more marker, or one less octet of pad, is due. */
static const u16 lengths[] = {
	0, 1, 2, 3, 4, 5, 6, 14, 17, 18, 21, 46, 100, 255, 477, 493, 494, 495, 497, 498, 499, 500,
	501, 502, 503, 504, 505, 506, 507, 508, 509, 510, 511, 512, 513, 514, 1000, 1005, 1006,
	1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 1015, 1016, 1017, 1018, 1019, 1428, 1500,
};

/* Every position within an interval of markers, with each of these lengths. */
START_TEST(markers_at_each_position)
{
	u32 base, octets;

	fill_ulpdu(lengths[_i]);
	for (base = 0; base < HCA_MARKER_INTERVAL; base += 4) {
		model_begin(base, true);
		octets = append_fpdu(&model, ulpdu, lengths[_i]);
		assert_written(lengths[_i], octets);
		assert_read(&(struct hca_octets){ model.octets, octets }, 1, base, true, octets);
	}
	model_begin(0, false);
	octets = append_fpdu(&model, ulpdu, lengths[_i]);
	assert_written(lengths[_i], octets);
	assert_read(&(struct hca_octets){ model.octets, octets }, 1, 0, false, octets);
}
END_TEST

/* A marker that falls between two FPDUs is the second one's; one behind the pad is the first's. */
START_TEST(marker_between_fpdus)
{
	struct hca_fpdu_rx rx;
	struct hca_octets range = { model.octets, 1024 };

	fill_ulpdu(506);
	model_begin(0, true);
	ck_assert_uint_eq(append_fpdu(&model, ulpdu, 502), 512);
	ck_assert_uint_eq(append_fpdu(&model, ulpdu, 506), 520);
	ck_assert_mem_eq(model.octets + 512, ((u8[]){ 0, 0, 0, 0, 0x01, 0xfa }), 6);
	ck_assert_mem_eq(model.octets + 1024, ((u8[]){ 0, 0, 0x01, 0xfc }), 4);
	ck_assert_uint_eq(hca_fpdu_parse(&rx, &range, 1, 0, true), 512);
	ck_assert_int_eq(hca_fpdu_check(&rx, true), HCA_IWARP_OK);
	range = (struct hca_octets){ model.octets + 512, 520 };
	assert_read(&range, 1, 512, true, 520);
}
END_TEST

/* The longest ULPDU; with markers its end is so far away that FPDUPTR wraps. */
START_TEST(longest)
{
	bool markers = _i;
	u32 octets;

	fill_ulpdu(HCA_ULPDU_MAX);
	model_begin(0, markers);
	octets = append_fpdu(&model, ulpdu, HCA_ULPDU_MAX);
	ck_assert_uint_eq(octets, markers ? HCA_FPDU_MAX : 65544);
	assert_written(HCA_ULPDU_MAX, octets);
	assert_read(&(struct hca_octets){ model.octets, octets }, 1, 0, markers, octets);
}
END_TEST

/* Copies the model's octets into exact allocations, which end at the offsets @cuts. */
static u32 cut(struct hca_octets *range, const u32 *cuts, u32 count)
{
	u32 i, from = 0;

	for (i = 0; i < count; i++, from = cuts[i - 1]) {
		u8 *copy = malloc(cuts[i] - from + 1);

		memcpy(copy + 1, model.octets + from, cuts[i] - from);
		range[i] = (struct hca_octets){ copy + 1, cuts[i] - from };
	}
	return count;
}

static void uncut(struct hca_octets *range, u32 count)
{
	for (; count; range++, count--)
		free((u8 *)range->data - 1);
}

/* Bases at which the FPDUs of these tests have markers at different places. */
static const struct {
	u32 base;
	bool markers;
	u16 length;
} shapes[] = {
	{ 0, false, 14 }, { 0, false, 23 }, { 0, true, 14 }, { 508, true, 21 },
	{ 504, true, 10 }, { 500, true, 46 }, { 4, true, 502 }, { 12, true, 530 },
	{ 0, true, 1020 },
};

/* An FPDU that arrives is waited for: first for its length, then for all of it. */
START_TEST(arrives_octet_by_octet)
{
	u32 base = shapes[_i].base, total, octets, head;
	struct hca_octets range[1];
	struct hca_fpdu_rx rx;

	fill_ulpdu(shapes[_i].length);
	model_begin(base, shapes[_i].markers);
	total = append_fpdu(&model, ulpdu, shapes[_i].length);
	head = shapes[_i].markers && base % 512 == 0 ? 6 : 2;
	for (octets = 0; octets < total; octets++) {
		cut(range, &octets, 1);
		ck_assert_uint_eq(hca_fpdu_parse(&rx, range, 1, base, shapes[_i].markers),
				  octets < head ? head : total);
		uncut(range, 1);
	}
	cut(range, &total, 1);
	assert_read(range, 1, base, shapes[_i].markers, total);
	uncut(range, 1);
	ck_assert_uint_eq(hca_fpdu_parse(&rx, NULL, 0, base, shapes[_i].markers), head);
}
END_TEST

/* The memory that an FPDU is in may change at any octet, and twice; what follows is not read. */
START_TEST(cut_at_each_octet)
{
	u32 base = shapes[_i].base, total, at, cuts[RANGES];
	struct hca_octets range[RANGES];

	fill_ulpdu(shapes[_i].length);
	model_begin(base, shapes[_i].markers);
	total = append_fpdu(&model, ulpdu, shapes[_i].length);
	append_fpdu(&model, ulpdu, 20);
	for (at = 0; at <= total; at++) {
		cuts[0] = at;
		cuts[1] = at + (total - at) / 2;
		cuts[2] = total;
		cuts[3] = total + at % 20;
		cut(range, cuts, RANGES);
		assert_read(range, RANGES, base, shapes[_i].markers, total);
		uncut(range, RANGES);
	}
}
END_TEST

START_TEST(one_octet_each)
{
	static struct hca_octets range[2048];
	static u32 cuts[2048];
	u32 base = shapes[_i].base, total, i;

	fill_ulpdu(shapes[_i].length);
	model_begin(base, shapes[_i].markers);
	total = append_fpdu(&model, ulpdu, shapes[_i].length);
	for (i = 0; i < total; i++)
		cuts[i] = i + 1;
	cut(range, cuts, total);
	assert_read(range, total, base, shapes[_i].markers, total);
	uncut(range, total);
}
END_TEST

/* Whether an octet is one of a marker that is not compared: reserved, or FPDUPTR's lowest bits. */
static bool is_ignored(u32 position, u8 bit)
{
	u32 octet = position % 512;

	return octet < 2 || (octet == 3 && bit < 2);
}

/* Any bit that changes is seen by the CRC; without CRCs, those of FPDUPTR are still compared. */
START_TEST(each_bit)
{
	u32 base = shapes[_i].base, total, bit, length_at;
	bool markers = shapes[_i].markers;
	struct hca_octets range;
	struct hca_fpdu_rx rx;

	fill_ulpdu(shapes[_i].length);
	model_begin(base, markers);
	total = append_fpdu(&model, ulpdu, shapes[_i].length);
	range = (struct hca_octets){ model.octets, total };
	length_at = markers && base % 512 == 0 ? 4 : 0;
	for (bit = 0; bit < total * 8; bit++) {
		u32 at = bit / 8;
		bool in_marker = markers && (base + at) % 512 < 4;

		if (at == length_at || at == length_at + 1)
			continue;
		model.octets[at] ^= 1 << bit % 8;
		ck_assert_uint_eq(hca_fpdu_parse(&rx, &range, 1, base, markers), total);
		ck_assert_int_eq(hca_fpdu_check(&rx, true), HCA_ERR_MPA_CRC);
		ck_assert_int_eq(hca_fpdu_check(&rx, false),
				 in_marker && !is_ignored(base + at, bit % 8) ?
					 HCA_ERR_MPA_MARKER : HCA_IWARP_OK);
		model.octets[at] ^= 1 << bit % 8;
	}
}
END_TEST

/* A wrong marker under a right CRC: MPA has an error of its own for it. */
START_TEST(wrong_marker)
{
	struct hca_octets range = { model.octets, 0 };
	struct hca_fpdu_rx rx;
	u32 crc, i;

	fill_ulpdu(600);
	model_begin(8, true);
	range.length = append_fpdu(&model, ulpdu, 600);
	model.octets[504 + 3] += 4;
	crc = crc_of(model.octets, range.length - 4);
	for (i = 0; i < 4; i++)
		model.octets[range.length - 4 + i] = crc >> 8 * i;
	ck_assert_uint_eq(hca_fpdu_parse(&rx, &range, 1, 8, true), range.length);
	ck_assert_int_eq(hca_fpdu_check(&rx, true), HCA_ERR_MPA_MARKER);
}
END_TEST

/* The field is zero if CRCs are off, and is not compared then. */
START_TEST(crc_off)
{
	u8 octets[24];
	struct hca_fpdu_tx tx;
	struct hca_fpdu_rx rx;
	struct hca_octets range = { octets, sizeof(octets) };

	memset(octets, 0xee, sizeof(octets));
	hca_fpdu_begin(&tx, octets, 18, 0, false);
	hca_fpdu_put(&tx, ulpdu, 18);
	ck_assert_uint_eq(hca_fpdu_end(&tx, false), 24);
	ck_assert_mem_eq(octets + 20, ((u8[4]){ 0 }), 4);
	ck_assert_uint_eq(hca_fpdu_parse(&rx, &range, 1, 0, false), 24);
	ck_assert_int_eq(hca_fpdu_check(&rx, false), HCA_IWARP_OK);
	ck_assert_int_eq(hca_fpdu_check(&rx, true), HCA_ERR_MPA_CRC);
}
END_TEST

/* Memory that is reserved for a ULPDU ends at the next marker, and contains none. */
START_TEST(reserved_memory)
{
	u8 octets[2100];
	u32 base, left, got;
	struct hca_fpdu_tx tx;

	for (base = 0; base < 512; base += 4) {
		hca_fpdu_begin(&tx, octets, 1500, base, true);
		for (left = 1500; left; left -= got) {
			u8 *memory;

			got = left;
			memory = hca_fpdu_reserve(&tx, &got);
			ck_assert_uint_gt(got, 0);
			ck_assert_uint_ge((base + (memory - octets)) % 512, 4);
			ck_assert_uint_le((base + (memory - octets)) % 512 + got, 512);
			memset(memory, 0x5a, got);
		}
		ck_assert_uint_eq(hca_fpdu_end(&tx, true), hca_fpdu_bytes(1500, base, true));
	}
}
END_TEST

/* RFC 5044, 4.5 */
static const struct {
	u32 emss;
	u32 without, with;
} mulpdus[] = {
	{ 1460, 1454, 1442 }, { 1448, 1442, 1430 }, { 1449, 1442, 1430 }, { 1451, 1442, 1430 },
	{ 536, 530, 522 }, { 512, 506, 502 }, { 513, 506, 498 }, { 8948, 8942, 8870 },
	{ 134, 128, 128 }, { 138, 130, 128 }, { 100, 128, 128 }, { 0, 128, 128 },
	{ 65535, 65526, 65014 }, { ~0u, 65526, 65014 },
};

START_TEST(mulpdu)
{
	u32 emss = mulpdus[_i].emss;

	ck_assert_uint_eq(hca_mulpdu(emss, false), mulpdus[_i].without);
	ck_assert_uint_eq(hca_mulpdu(emss, true), mulpdus[_i].with);
}
END_TEST

/* An FPDU of the size that is allowed fits into a segment, wherever in the stream that begins. */
START_TEST(mulpdu_fits)
{
	u32 emss, base;

	for (emss = 152; emss <= 65535; emss += emss < 3000 ? 1 : 997) {
		ck_assert_uint_le(hca_fpdu_bytes(hca_mulpdu(emss, false), 0, false), emss);
		for (base = 0; base < 512; base += 4)
			ck_assert_uint_le(hca_fpdu_bytes(hca_mulpdu(emss, true), base, true), emss);
	}
}
END_TEST

/* Random octets, in memory of their size: whatever they are, no octet beyond them is read. */
START_TEST(random_octets)
{
	u32 n, i, cuts[RANGES], base, whole = 0;
	struct hca_octets range[RANGES], next;
	struct hca_ulpdu place;
	struct hca_fpdu_rx rx;

	srandom(1);
	model_begin(0, false);
	for (n = 0; n < 20000; n++) {
		bool markers = random() & 1;

		base = random() % 1024 * 4;
		cuts[3] = random() % 1200;
		cuts[2] = random() % (cuts[3] + 1);
		cuts[1] = random() % (cuts[2] + 1);
		cuts[0] = random() % (cuts[1] + 1);
		for (i = 0; i < cuts[3]; i++)
			model.octets[i] = random() >> 8;
		model.octets[markers && base % 512 == 0 ? 4 : 0] &= random() % 4 ? 3 : 0xff;
		cut(range, cuts, RANGES);
		if (hca_fpdu_parse(&rx, range, RANGES, base, markers) <= cuts[3]) {
			whole++;
			hca_fpdu_check(&rx, false);
			ck_assert_int_eq(hca_fpdu_check(&rx, true), HCA_ERR_MPA_CRC);
			hca_ulpdu_begin(&place, &rx);
			for (i = 0; (next = hca_ulpdu_next(&place, 100)).length; i += next.length)
				ck_assert_uint_le(next.length, 100);
			ck_assert_uint_eq(i, rx.length);
		}
		uncut(range, RANGES);
	}
	ck_assert_uint_gt(whole, 1000);
}
END_TEST

Suite *iwarp_fpdu_suite(void)
{
	Suite *suite = suite_create("iwarp_fpdu");
	TCase *tc = tcase_create("iwarp_fpdu");

	tcase_add_loop_test(tc, figures_of_rfc_5044, 0, COUNT(figures));
	tcase_add_test(tc, without_markers);
	tcase_add_loop_test(tc, markers_at_each_position, 0, COUNT(lengths));
	tcase_add_test(tc, marker_between_fpdus);
	tcase_add_loop_test(tc, longest, 0, 2);
	tcase_add_loop_test(tc, arrives_octet_by_octet, 0, COUNT(shapes));
	tcase_add_loop_test(tc, cut_at_each_octet, 0, COUNT(shapes));
	tcase_add_loop_test(tc, one_octet_each, 0, COUNT(shapes));
	tcase_add_loop_test(tc, each_bit, 0, COUNT(shapes));
	tcase_add_test(tc, wrong_marker);
	tcase_add_test(tc, crc_off);
	tcase_add_test(tc, reserved_memory);
	tcase_add_loop_test(tc, mulpdu, 0, COUNT(mulpdus));
	tcase_add_test(tc, mulpdu_fits);
	tcase_add_test(tc, random_octets);
	suite_add_tcase(suite, tc);
	return suite;
}
