// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcadump: pcapng files, those that it writes, those of others, and hostile ones. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pcap/dlt.h>
#include "compat.h"
#include "linux/hca_tap.h"
#include "tests/unit/suites.h"
#include "tests/unit/tools/captured.h"
#include "tools/dump/pcapng.h"
#include "tools/dump/pcapng_pack.h"
#include "tools/dump/pcapng_read.h"
#include "tools/dump/record.h"
#include "tools/lib/rng.h"
#include "wire/opcode.h"

static u8 file[65536];
static size_t octets;
static struct pcapng_reader *reader;
static FILE *stream;

static void add_section(void)
{
	octets += pcapng_pack_section(file + octets, "test");
}

static void add_interface(u16 link_type, const char *name)
{
	octets += pcapng_pack_interface(file + octets, link_type, name);
}

static void add_packet(u32 interface, int link_type, const struct packet *packet)
{
	static struct record record;

	record_pack(&record, link_type, packet);
	octets += pcapng_pack_packet(file + octets, packet, interface, record.octets,
				     record.captured, record.length);
}

static void begin_reading(void)
{
	stream = fmemopen(file, octets, "rb");
	reader = pcapng_reader_new(stream);
}

static void end_reading(void)
{
	pcapng_reader_free(reader);
	fclose(stream);
}

static void setup(void)
{
	memset(file, 0, sizeof(file));
	octets = 0;
}

static void make(struct captured *captured, enum captured_port port)
{
	captured_rc(captured, IB_OPCODE_SEND_ONLY, 5, 0);
	captured_at(captured, port, port == HCA0 ? HCA_TAP_OUT : HCA_TAP_IN, 123456789);
}

START_TEST(what_is_written_is_read)
{
	int link_type = _i ? DLT_INFINIBAND : DLT_ERF;
	struct captured captured;
	struct packet packet;
	unsigned int i;

	add_section();
	add_interface(link_type, "hca0/1");
	make(&captured, HCA0);
	captured.packet.lost = 100000;
	add_packet(0, link_type, &captured.packet);
	add_interface(link_type, "hca1/1");
	make(&captured, HCA1);
	add_packet(1, link_type, &captured.packet);
	begin_reading();
	for (i = 0; i < 2; i++) {
		packet = (struct packet){};
		ck_assert_int_eq(pcapng_read(reader, &packet), PCAPNG_READ);
		ck_assert_str_eq(packet.port, i ? "hca1/1" : "hca0/1");
		ck_assert_uint_eq(packet.interface, i);
		ck_assert_uint_eq(packet.direction, i ? HCA_TAP_IN : HCA_TAP_OUT);
		ck_assert_uint_eq(packet.lost, i ? 0 : 100000);
		ck_assert_uint_eq(packet.time_ns, 1700000000123456789ull);
		ck_assert_uint_eq(packet.length, captured.packet.length);
		ck_assert_uint_eq(packet.captured, captured.packet.length);
		ck_assert_mem_eq(packet.octets, captured.wire, packet.captured);
	}
	ck_assert_int_eq(pcapng_read(reader, &packet), PCAPNG_END);
	ck_assert_uint_eq(pcapng_reader_end_ns(reader), 0);
	end_reading();
}
END_TEST

START_TEST(statistics_say_when_the_capture_ended)
{
	struct packet packet = {};

	add_section();
	add_interface(DLT_ERF, "hca0/1");
	add_interface(DLT_ERF, "hca1/1");
	octets += pcapng_pack_statistics(file + octets, 1, 1700000000123456789ull);
	octets += pcapng_pack_statistics(file + octets, 0, 1700000000000000000ull);
	begin_reading();
	ck_assert_int_eq(pcapng_read(reader, &packet), PCAPNG_END);
	ck_assert_uint_eq(pcapng_reader_end_ns(reader), 1700000000123456789ull);
	end_reading();
}
END_TEST

START_TEST(statistics_of_no_interface_are_damage)
{
	struct packet packet = {};

	add_section();
	add_interface(DLT_ERF, "hca0/1");
	octets += pcapng_pack_statistics(file + octets, 1, 1);
	begin_reading();
	ck_assert_int_eq(pcapng_read(reader, &packet), PCAPNG_WRONG);
	end_reading();
}
END_TEST

/* Files that are put together have sections, in which an interface has another number. */
START_TEST(a_name_is_a_port_in_all_sections)
{
	struct captured captured;
	struct packet packet = {};

	make(&captured, HCA0);
	add_section();
	add_interface(DLT_ERF, "hca0/1");
	add_interface(DLT_ERF, "hca1/1");
	add_section();
	add_interface(DLT_ERF, "hca1/1");
	add_packet(0, DLT_ERF, &captured.packet);
	begin_reading();
	ck_assert_int_eq(pcapng_read(reader, &packet), PCAPNG_READ);
	ck_assert_str_eq(packet.port, "hca1/1");
	ck_assert_uint_eq(packet.interface, 1);
	end_reading();
}
END_TEST

static const char *const no_names[] = {
	"Port B (ERF Interface 1)", "\033[2Jhca0/1", "\xff", "",
	"a-name-that-is-longer-than-any-port-can-have-since-a-device-has-63-octets-at-most",
};

/* Then the ERF header has which of two ports it is. */
START_TEST(what_is_no_name_is_left_out)
{
	struct captured captured;
	struct packet packet = {};

	make(&captured, HCA1);
	add_section();
	add_interface(DLT_ERF, no_names[_i]);
	add_packet(0, DLT_ERF, &captured.packet);
	begin_reading();
	ck_assert_int_eq(pcapng_read(reader, &packet), PCAPNG_READ);
	ck_assert_ptr_null(packet.port);
	ck_assert_uint_eq(packet.interface, 1);
	end_reading();
}
END_TEST

/* --- files of others ---------------------------------------------------------------------- */

static void add_16(u16 value)
{
	put_unaligned_be16(value, file + octets);
	octets += 2;
}

static void add_32(u32 value)
{
	put_unaligned_be32(value, file + octets);
	octets += 4;
}

/* A file of a big-endian machine; @resolution: its times' unit; 0: none is given. */
static void add_big_endian(u8 resolution, u64 time, u64 offset_s, const struct captured *captured)
{
	u32 length = captured->packet.length, padded = (length + 3) & ~3u;
	u32 interface = 20 + 12 + (resolution ? 8 : 0);

	add_32(PCAPNG_SECTION), add_32(28), add_32(PCAPNG_BYTE_ORDER), add_16(1), add_16(0);
	add_32(U32_MAX), add_32(U32_MAX), add_32(28);
	add_32(PCAPNG_INTERFACE), add_32(interface), add_16(DLT_INFINIBAND), add_16(0), add_32(0);
	if (resolution)
		add_16(PCAPNG_RESOLUTION), add_16(1), add_32((u32)resolution << 24);
	add_16(PCAPNG_TIME_OFFSET), add_16(8), add_32(offset_s >> 32), add_32(offset_s);
	add_32(interface);
	/* a block of a kind that is not known */
	add_32(0x80000001), add_32(16), add_32(0), add_32(16);
	add_32(PCAPNG_PACKET), add_32(32 + padded), add_32(0), add_32(time >> 32), add_32(time);
	add_32(length), add_32(length);
	memcpy(file + octets, captured->wire, length);
	octets += padded;
	add_32(32 + padded);
}

static const struct {
	u8 resolution;
	u64 time, offset_s, ns;
} times[] = {
	{ 0, 1700000000123456, 0, 1700000000123456000 },
	{ 6, 1700000000123456, 5, 1700000005123456000 },
	{ 9, 1700000000123456789, 0, 1700000000123456789 },
	{ 12, 1700000123456789, 0, 1700000123456 },
	{ 3, 1700000000123, -1ull, 1699999999123000000 },
	{ 0x80 | 1, 3, 0, 1500000000 },
	{ 0x80 | 32, 3ull << 31, 0, 1500000000 },
	{ 0x80 | 40, 3ull << 39, 0, 1500000000 },
	{ 0x80 | 63, 3ull << 62, 0, 1500000000 },
};

START_TEST(units_of_time)
{
	struct captured captured;
	struct packet packet = {};

	make(&captured, HCA0);
	add_big_endian(times[_i].resolution, times[_i].time, times[_i].offset_s, &captured);
	begin_reading();
	ck_assert_int_eq(pcapng_read(reader, &packet), PCAPNG_READ);
	ck_assert_uint_eq(packet.time_ns, times[_i].ns);
	ck_assert_uint_eq(packet.length, captured.packet.length);
	ck_assert_mem_eq(packet.octets, captured.wire, packet.captured);
	ck_assert_uint_eq(packet.direction, 0);
	ck_assert_int_eq(pcapng_read(reader, &packet), PCAPNG_END);
	end_reading();
}
END_TEST

/* --- hostile files ------------------------------------------------------------------------ */

/* An octet of a good file that another one replaces. */
static const struct {
	size_t at;
	u8 octet;
	const char *error;
} defects[] = {
	{ 0, 0x0b, "is not a capture" },
	{ 4, 2, "is damaged: a block has a length that is not possible" },
	{ 4, 8, "is damaged: a block has a length that is not possible" },
	{ 8, 0, "is damaged: the order of its octets is unknown" },
	{ 47, 0x7f, "is damaged: a block is too long" },
	{ 80, 16, "is damaged: a block has two lengths" },
	{ 48, 99, "has something else than packets of InfiniBand" },
	{ 60, 19, "has times in a unit that is not possible" },
	{ 92, 1, "is damaged: a packet is of no interface" },
	{ 106, 1, "is damaged: a packet is longer than its block" },
	{ 84, 3, "has packets in blocks of a kind that is not read" },
};

static enum pcapng_result read_all(void)
{
	enum pcapng_result result;
	struct packet packet;

	do {
		packet = (struct packet){};
		result = pcapng_read(reader, &packet);
		if (result == PCAPNG_READ)
			packet_decode(&packet);
	} while (result == PCAPNG_READ);
	return result;
}

static void add_good(void)
{
	struct captured captured;

	make(&captured, HCA0);
	captured.packet.lost = 1;
	add_section();
	add_interface(DLT_ERF, "hca0/1");
	add_packet(0, DLT_ERF, &captured.packet);
}

START_TEST(a_defect_has_a_name)
{
	add_good();
	file[defects[_i].at] = defects[_i].octet;
	begin_reading();
	ck_assert_int_eq(read_all(), PCAPNG_WRONG);
	ck_assert_str_eq(pcapng_reader_error(reader), defects[_i].error);
	end_reading();
}
END_TEST

START_TEST(a_file_may_end_anywhere)
{
	size_t whole;

	add_good();
	whole = octets;
	for (octets = 1; octets < whole; octets++) {
		begin_reading();
		read_all();
		end_reading();
	}
}
END_TEST

START_TEST(there_may_be_too_many_interfaces)
{
	unsigned int i;

	add_section();
	for (i = 0; i < 1025; i++)
		add_interface(DLT_ERF, NULL);
	begin_reading();
	ck_assert_int_eq(read_all(), PCAPNG_WRONG);
	ck_assert_str_eq(pcapng_reader_error(reader), "has too many interfaces");
	end_reading();
}
END_TEST

START_TEST(octets_may_be_any)
{
	struct rng rng = rng_seed(_i, "pcapng");
	u8 good[1024];
	size_t length;
	unsigned int i, n;

	add_good();
	add_good();
	length = octets;
	memcpy(good, file, length);
	for (i = 0; i < 200; i++) {
		memcpy(file, good, length);
		for (n = rng_below(&rng, 6) + 1; n; n--)
			file[rng_below(&rng, length)] = rng_next(&rng);
		begin_reading();
		read_all();
		end_reading();
	}
}
END_TEST

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

Suite *dump_pcapng_suite(void)
{
	Suite *suite = suite_create("dump_pcapng");
	TCase *tc = tcase_create("dump_pcapng");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_loop_test(tc, what_is_written_is_read, 0, 2);
	tcase_add_test(tc, statistics_say_when_the_capture_ended);
	tcase_add_test(tc, statistics_of_no_interface_are_damage);
	tcase_add_test(tc, a_name_is_a_port_in_all_sections);
	tcase_add_loop_test(tc, what_is_no_name_is_left_out, 0, COUNT(no_names));
	tcase_add_loop_test(tc, units_of_time, 0, COUNT(times));
	tcase_add_loop_test(tc, a_defect_has_a_name, 0, COUNT(defects));
	tcase_add_test(tc, a_file_may_end_anywhere);
	tcase_add_test(tc, there_may_be_too_many_interfaces);
	tcase_add_loop_test(tc, octets_may_be_any, 0, 20);
	suite_add_tcase(suite, tc);
	return suite;
}
