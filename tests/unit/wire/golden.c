// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Parser, packer and CRCs, compared with the packets of tests/golden/. */
#include <arpa/inet.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <check.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include "tests/unit/suites.h"
#include "tests/unit/wire/golden.h"
#include "wire/crc.h"
#include "wire/headers.h"
#include "wire/opcode.h"

#define MAX_PACKET 512
#define MAX_FIELDS 64
#define MAX_FILES 64

/* A line `# expect NAME == VALUE`. */
struct golden_field {
	char name[64];
	char value[64];
};

struct golden {
	char name[128];
	u8 bytes[MAX_PACKET];
	unsigned int len;
	unsigned int payload; /* offset of the payload */
	struct golden_field field[MAX_FIELDS];
	unsigned int num_fields;
};

static char golden_files[MAX_FILES][512];
static int num_golden_files;

/*
 * The directory tests/golden, relative to this file, whose name the compiler got relative to the
 * top build directory.
 */
void golden_directory(char *path, size_t size)
{
	const char *here = strstr(__FILE__, "unit/wire/golden.c");
	const char *given = getenv("HCA_GOLDEN");
	char exe[400] = "";
	int up;

	if (given) {
		snprintf(path, size, "%s", given);
		return;
	}
	if (*__FILE__ != '/') {
		if (readlink("/proc/self/exe", exe, sizeof(exe) - 2) < 0)
			exe[0] = 0;
		for (up = 0; up < 3 && strrchr(exe, '/'); up++) /* tests/unit/hca-unit */
			*strrchr(exe, '/') = 0;
		strcat(exe, "/");
	}
	snprintf(path, size, "%s%.*sgolden", exe, (int)(here - __FILE__), __FILE__);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void find_golden_files(void)
{
	char directory[480];
	struct dirent *entry;
	DIR *dir;

	golden_directory(directory, sizeof(directory));
	dir = opendir(directory);
	if (!dir)
		return;
	while ((entry = readdir(dir)) && num_golden_files < MAX_FILES)
		if (strstr(entry->d_name, ".txt"))
			snprintf(golden_files[num_golden_files++], sizeof(golden_files[0]),
				 "%.300s/%.200s", directory, entry->d_name);
	closedir(dir);
	qsort(golden_files, num_golden_files, sizeof(golden_files[0]), by_name);
}

static void golden_comment(struct golden *g, const char *line)
{
	struct golden_field *field = &g->field[g->num_fields];

	if (sscanf(line, "# expect %63s == %63s", field->name, field->value) == 2 ||
	    sscanf(line, "# also %63s == %63s", field->name, field->value) == 2) {
		g->num_fields++;
		ck_assert_uint_lt(g->num_fields, MAX_FIELDS);
	}
	if (!g->payload && (!strncmp(line, "# payload", 9) || !strncmp(line, "# MAD", 5) ||
			    !strncmp(line, "# ICRC", 6)))
		g->payload = g->len;
}

static void golden_octets(struct golden *g, const char *line)
{
	unsigned int offset, octet;
	int used;

	ck_assert_int_eq(sscanf(line, "%x%n", &offset, &used), 1);
	ck_assert_uint_eq(offset, g->len);
	for (line += used; sscanf(line, "%2x%n", &octet, &used) == 1; line += used) {
		ck_assert_uint_lt(g->len, MAX_PACKET);
		g->bytes[g->len++] = octet;
	}
}

static void golden_read(struct golden *g, int index)
{
	FILE *file = fopen(golden_files[index], "r");
	char line[512];

	memset(g, 0, sizeof(*g));
	snprintf(g->name, sizeof(g->name), "%.100s", strrchr(golden_files[index], '/') + 1);
	ck_assert_ptr_nonnull(file);
	while (fgets(line, sizeof(line), file)) {
		if (line[0] == '#')
			golden_comment(g, line);
		else
			golden_octets(g, line);
	}
	fclose(file);
	ck_assert_uint_gt(g->len, HCA_LRH_BYTES + HCA_ICRC_BYTES + HCA_VCRC_BYTES);
	ck_assert_uint_gt(g->num_fields, 0);
}

/* The part of the packet that the ICRC is computed over. */
static unsigned int golden_icrc_at(const struct golden *g)
{
	return g->len - HCA_ICRC_BYTES - HCA_VCRC_BYTES;
}

#define NUMBER(name, member) \
	{ name, offsetof(struct hca_headers, member), \
	  sizeof(((struct hca_headers *)NULL)->member), 0 }
#define FLAG(name, flag) { name, offsetof(struct hca_headers, bth.flags), 1, flag }

/* tshark's names of the fields, or without "infiniband" those that it does not know. */
static const struct {
	const char *name;
	size_t offset, size;
	u8 flag;
} fields[] = {
	NUMBER("infiniband.lrh.vl", lrh.vl),
	NUMBER("infiniband.lrh.lver", lrh.lver),
	NUMBER("infiniband.lrh.sl", lrh.sl),
	NUMBER("infiniband.lrh.lnh", lrh.lnh),
	NUMBER("infiniband.lrh.dlid", lrh.dlid),
	NUMBER("infiniband.lrh.slid", lrh.slid),
	NUMBER("infiniband.lrh.pktlen", lrh.pktlen),
	NUMBER("infiniband.grh.ipver", grh.ipver),
	NUMBER("infiniband.grh.tclass", grh.tclass),
	NUMBER("infiniband.grh.flowlabel", grh.flow_label),
	NUMBER("infiniband.grh.paylen", grh.paylen),
	NUMBER("infiniband.grh.nxthdr", grh.nxthdr),
	NUMBER("infiniband.grh.hoplmt", grh.hoplmt),
	NUMBER("infiniband.grh.sgid", grh.sgid),
	NUMBER("infiniband.grh.dgid", grh.dgid),
	NUMBER("infiniband.bth.opcode", bth.opcode),
	FLAG("infiniband.bth.se", HCA_BTH_SOLICITED),
	FLAG("infiniband.bth.m", HCA_BTH_MIGREQ),
	FLAG("infiniband.bth.a", HCA_BTH_ACKREQ),
	FLAG("bth.fecn", HCA_BTH_FECN),
	FLAG("bth.becn", HCA_BTH_BECN),
	NUMBER("infiniband.bth.padcnt", bth.padcnt),
	NUMBER("infiniband.bth.tver", bth.tver),
	NUMBER("infiniband.bth.p_key", bth.pkey),
	NUMBER("infiniband.bth.destqp", bth.destqp),
	NUMBER("infiniband.bth.psn", bth.psn),
	NUMBER("infiniband.rdeth.eecnxt", rdeth_eecn),
	NUMBER("xrceth.srqn", xrceth_srqn),
	NUMBER("feth.plt", feth.placement),
	NUMBER("feth.sel", feth.selectivity),
	NUMBER("infiniband.deth.q_key", deth.qkey),
	NUMBER("infiniband.deth.srcqp", deth.srcqp),
	NUMBER("infiniband.reth.va", reth.va), /* and AtomicETH's, as in tshark */
	NUMBER("infiniband.reth.r_key", reth.rkey),
	NUMBER("infiniband.reth.dmalen", reth.length),
	NUMBER("infiniband.atomiceth.swapdt", atomiceth.swap_add),
	NUMBER("infiniband.atomiceth.cmpdt", atomiceth.compare),
	NUMBER("infiniband.atomicacketh.origremdt", atomicack_original),
	NUMBER("infiniband.aeth.syndrome", aeth.syndrome),
	NUMBER("infiniband.aeth.msn", aeth.msn),
	NUMBER("infiniband.immdt", immdt),
	NUMBER("infiniband.ieth", ieth_rkey),
};

static_assert(offsetof(struct hca_headers, reth.va) == offsetof(struct hca_headers, atomiceth.va));
static_assert(offsetof(struct hca_headers, reth.rkey) ==
	      offsetof(struct hca_headers, atomiceth.rkey));

static u64 field_value(const struct hca_headers *h, size_t offset, size_t size)
{
	const void *p = (const u8 *)h + offset;

	switch (size) {
	case 1:
		return *(const u8 *)p;
	case 2:
		return *(const u16 *)p;
	case 4:
		return *(const u32 *)p;
	default:
		return *(const u64 *)p;
	}
}

/* formats: 0x1f, 31, or 00:00:00:1f */
static u64 text_value(const char *text)
{
	u64 value = 0;
	unsigned int octet;
	int used;

	if (!strchr(text, ':'))
		return strtoull(text, NULL, 0);
	for (; sscanf(text, "%2x%n", &octet, &used) == 1; text += used + (text[used] == ':'))
		value = value << 8 | octet;
	return value;
}

static bool beyond_headers(const char *name)
{
	return strstr(name, ".mad.") || strstr(name, ".smpdirected.") ||
	       strstr(name, ".portcounters.") || strstr(name, ".aeth.syndrome.");
}

static void check_field(const struct golden *g, const struct hca_headers *h,
			const struct golden_field *expected)
{
	size_t offset, size;
	u64 value;
	u8 gid[16];
	int i;

	for (i = 0; i < ARRAY_SIZE(fields); i++)
		if (!strcmp(expected->name, fields[i].name))
			break;
	if (i == ARRAY_SIZE(fields)) {
		ck_assert_msg(beyond_headers(expected->name), "%s: unknown field %s", g->name,
			      expected->name);
		return;
	}
	offset = fields[i].offset;
	size = fields[i].size;
	if (size == sizeof(gid)) {
		ck_assert_int_eq(inet_pton(AF_INET6, expected->value, gid), 1);
		ck_assert_msg(!memcmp((const u8 *)h + offset, gid, sizeof(gid)), "%s: %s",
			      g->name, expected->name);
		return;
	}
	value = field_value(h, offset, size);
	if (fields[i].flag)
		value = !!(value & fields[i].flag);
	if (offset == offsetof(struct hca_headers, immdt))
		value = be32_to_cpu((__be32)value);
	ck_assert_msg(value == text_value(expected->value), "%s: %s is 0x%llx, not %s", g->name,
		      expected->name, value, expected->value);
}

/* B4-086 to B4-102, V3-002, V3-025: parsing octets. */
START_TEST(b4_101_golden_parse)
{
	struct hca_headers h = {};
	struct golden g;
	int i;

	golden_read(&g, _i);
	ck_assert_msg(hca_headers_parse(&h, g.bytes, g.len) == (int)g.payload,
		      "%s: headers end at %u", g.name, g.payload);
	for (i = 0; i < g.num_fields; i++)
		check_field(&g, &h, &g.field[i]);
}
END_TEST

/* B4-086 to B4-102: packing headers. */
START_TEST(b4_101_golden_pack)
{
	u8 buf[HCA_MAX_HEADER_BYTES];
	struct hca_headers h = {};
	struct golden g;

	golden_read(&g, _i);
	memset(buf, 0x5a, sizeof(buf));
	ck_assert_int_gt(hca_headers_parse(&h, g.bytes, g.len), 0);
	ck_assert_uint_eq(hca_headers_pack(&h, buf), g.payload);
	ck_assert_msg(!memcmp(buf, g.bytes, g.payload), "%s: packed differently", g.name);
	for (; g.payload < sizeof(buf); g.payload++)
		ck_assert_uint_eq(buf[g.payload], 0x5a);
}
END_TEST

/* B4-101, B4-102: PktLen and PayLen end with the ICRC. */
START_TEST(b4_101_golden_lengths)
{
	struct hca_headers h = {};
	struct golden g;

	golden_read(&g, _i);
	ck_assert_int_gt(hca_headers_parse(&h, g.bytes, g.len), 0);
	ck_assert_uint_eq(h.lrh.pktlen * 4, g.len - HCA_VCRC_BYTES);
	if (h.lrh.lnh == IB_LNH_IBA_GLOBAL)
		ck_assert_uint_eq(h.grh.paylen,
				  h.lrh.pktlen * 4 - HCA_LRH_BYTES - HCA_GRH_BYTES);
	ck_assert_uint_eq(hca_headers_bytes(h.lrh.lnh, h.bth.opcode), g.payload);
	if (!(hca_opcodes[h.bth.opcode].flags & HCA_HAS_PAYLOAD))
		ck_assert_uint_eq(golden_icrc_at(&g), g.payload);
}
END_TEST

/*
 * A packet of any length is read to its end and no further, and its lengths are checked before they
 * are used.
 */
START_TEST(b4_101_golden_truncated)
{
	struct hca_headers h, untouched;
	unsigned int len;
	struct golden g;

	golden_read(&g, _i);
	memset(&untouched, 0x5a, sizeof(untouched));
	for (len = 0; len <= g.payload; len++) {
		u8 *exact = malloc(len);

		memcpy(exact, g.bytes, len);
		h = untouched;
		ck_assert_int_eq(hca_headers_parse(&h, exact, len),
				 len < g.payload ? -EINVAL : (int)g.payload);
		if (len < g.payload)
			ck_assert_mem_eq(&h, &untouched, sizeof(h));
		free(exact);
	}
}
END_TEST

static u32 little_endian(const u8 *p, int octets)
{
	u32 value = 0;

	while (octets--)
		value = value << 8 | p[octets];
	return value;
}

/*
 * B4-070, B4-368, B4-449, B4-450, C4-007: the CRCs at the files' ends; rc-write-only is the
 * specification's example.
 */
START_TEST(b4_449_crcs)
{
	struct golden g;
	unsigned int end;

	golden_read(&g, _i);
	end = golden_icrc_at(&g);
	ck_assert_uint_eq(hca_icrc(g.bytes, end), little_endian(g.bytes + end, 4));
	ck_assert_uint_eq(hca_vcrc(g.bytes, end + 4), little_endian(g.bytes + end + 4, 2));
}
END_TEST

/* Bits that the ICRC masks in local packets, and in global ones (C4-152). */
static bool is_variant(bool global, unsigned int octet, unsigned int bit)
{
	unsigned int bth = global ? 48 : 8;

	if (octet == bth + 4)
		return true;
	if (!global)
		return octet == 0 && bit >= 4;
	return octet < 8 || (octet == 8 && bit < 4) || (octet >= 9 && octet <= 11) || octet == 15;
}

/* C4-152, C4-153, V3-022: each bit affects the VCRC, and the ICRC unless a switch may change it. */
START_TEST(c4_152_each_bit)
{
	unsigned int bit, end;
	struct golden g;
	u32 icrc;
	u16 vcrc;

	golden_read(&g, _i);
	end = golden_icrc_at(&g);
	icrc = hca_icrc(g.bytes, end);
	vcrc = hca_vcrc(g.bytes, end + 4);
	for (bit = 0; bit < (end + 4) * 8; bit++) {
		bool global = (g.bytes[1] & 3) == IB_LNH_IBA_GLOBAL;
		bool lnh = bit / 8 == 1 && bit % 8 < 2; /* LNH determines where the headers are */

		g.bytes[bit / 8] ^= 1 << bit % 8;
		if (bit < end * 8 && !lnh)
			ck_assert_int_eq(hca_icrc(g.bytes, end) == icrc,
					 is_variant(global, bit / 8, bit % 8));
		ck_assert_uint_ne(hca_vcrc(g.bytes, end + 4), vcrc);
		g.bytes[bit / 8] ^= 1 << bit % 8;
	}
}
END_TEST

/*
 * CRC of octets, their least significant bit first; @poly is reflected, too. Seed and result are
 * inverted.
 */
static u32 crc_of(const u8 *p, unsigned int len, u32 ones, u32 poly)
{
	u32 crc = ones;
	int bit;

	for (; len--; p++)
		for (crc ^= *p, bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ poly : crc >> 1;
	return crc ^ ones;
}

/*
 * B4-449, B4-450: the CRCs by their definition, bit by bit, so that whole packets in the files are
 * verified.
 */
START_TEST(b4_449_golden_crcs)
{
	u8 masked[MAX_PACKET];
	unsigned int bth = HCA_LRH_BYTES, end;
	struct golden g;
	u32 icrc, vcrc;

	golden_read(&g, _i);
	end = golden_icrc_at(&g);
	memcpy(masked, g.bytes, end);
	if ((g.bytes[1] & 3) == IB_LNH_IBA_GLOBAL) {
		bth += HCA_GRH_BYTES;
		memset(masked, 0xff, HCA_LRH_BYTES);
		masked[8] |= 0x0f; /* TClass, FlowLabel */
		memset(masked + 9, 0xff, 3);
		masked[15] = 0xff; /* HopLmt */
	} else {
		masked[0] |= 0xf0; /* VL */
	}
	masked[bth + 4] = 0xff; /* FECN, BECN, reserved */

	icrc = crc_of(masked, end, 0xffffffff, 0xedb88320);
	vcrc = crc_of(g.bytes, end + HCA_ICRC_BYTES, 0xffff, 0xd008);
	ck_assert_msg(icrc == little_endian(g.bytes + end, 4), "%s: ICRC 0x%x", g.name, icrc);
	ck_assert_msg(vcrc == little_endian(g.bytes + end + 4, 2), "%s: VCRC 0x%x", g.name, vcrc);
}
END_TEST

/* B4-450: packets of any length, at any alignment. */
START_TEST(b4_450_vcrc_of_any_length)
{
	u8 octets[300];
	unsigned int i, len;

	for (i = 0; i < sizeof(octets); i++)
		octets[i] = i * 167 + 13 + i / 16;
	for (i = 0; i < 8; i++)
		for (len = 0; len + i <= sizeof(octets); len++)
			ck_assert_uint_eq(hca_vcrc(octets + i, len),
					  crc_of(octets + i, len, 0xffff, 0xd008));
}
END_TEST

START_TEST(golden_packets_are_there)
{
	char directory[480];

	golden_directory(directory, sizeof(directory));
	ck_assert_msg(num_golden_files >= 20, "%d golden packets in %s (HCA_GOLDEN)",
		      num_golden_files, directory);
}
END_TEST

Suite *golden_suite(void)
{
	Suite *suite = suite_create("golden");
	TCase *tc = tcase_create("golden");

	find_golden_files();
	tcase_add_test(tc, golden_packets_are_there);
	tcase_add_loop_test(tc, b4_101_golden_parse, 0, num_golden_files);
	tcase_add_loop_test(tc, b4_101_golden_pack, 0, num_golden_files);
	tcase_add_loop_test(tc, b4_101_golden_lengths, 0, num_golden_files);
	tcase_add_loop_test(tc, b4_101_golden_truncated, 0, num_golden_files);
	tcase_add_loop_test(tc, b4_449_golden_crcs, 0, num_golden_files);
	tcase_add_test(tc, b4_450_vcrc_of_any_length);
	tcase_add_loop_test(tc, b4_449_crcs, 0, num_golden_files);
	tcase_add_loop_test(tc, c4_152_each_bit, 0, num_golden_files);
	suite_add_tcase(suite, tc);
	return suite;
}
