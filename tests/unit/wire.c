// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Headers and opcodes, compared with tests/golden/ and with the specification's tables. */
#include <arpa/inet.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <check.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/random.h>
#include "shim.h"
#include "suites.h"
#include "wire/crc.h"
#include "wire/field.h"
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
static void golden_directory(char *path, size_t size)
{
	const char *here = strstr(__FILE__, "unit/wire.c");
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

/* A value that is too large for its field does not change neighbouring fields. */
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

static void add_golden(Suite *suite)
{
	TCase *tc = tcase_create("wire-golden");

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
}

Suite *wire_suite(void)
{
	Suite *suite = suite_create("wire");
	TCase *tc = tcase_create("wire");

	add_golden(suite);
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
