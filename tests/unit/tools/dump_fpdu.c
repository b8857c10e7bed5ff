// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* hcadump: its lines about RNICs, the files that it writes of them, and wrong files. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "compat.h"
#include "iwarp/wire/fpdu.h"
#include "tests/unit/suites.h"
#include "tools/dump/filter.h"
#include "tools/dump/ladder.h"
#include "tools/dump/line.h"
#include "tools/dump/pcapng_pack.h"
#include "tools/dump/pcapng_read.h"
#include "tools/lib/rng.h"

#define START 40 /* octets of the start-up frame */
#define PAYLOAD 1000

static u8 wire[HCA_FPDU_MAX];
static u8 file[65536];
static size_t octets;
static struct pcapng_reader *reader;
static FILE *stream;
static struct packet packet;

static void setup(void)
{
	octets = 0;
	memset(&packet, 0, sizeof(packet));
}

static void place(u8 flags, u64 offset, u32 length)
{
	packet = (struct packet){
		.time_ns = 1700000000000000000ull, .port = "rnic0", .direction = HCA_TAP_OUT,
		.is_stream = true, .length = length, .captured = length, .octets = wire,
		.stream = {
			.offset = offset, .start = START, .qpn = 17, .local_port = 40000,
			.remote_port = 7471, .family = HCA_TAP_IPV4, .flags = flags, .acked = 1234,
			.local = { 10, 9, 8, 1 }, .remote = { 10, 9, 8, 2 },
		},
	};
}

/* Makes an FPDU of a ULPDU. Positions count from the first octet behind the start-up frame. */
static void make(const u8 *ulpdu, u16 length, u64 position, bool markers)
{
	struct hca_fpdu_tx tx;

	hca_fpdu_begin(&tx, wire, length, position, markers);
	hca_fpdu_put(&tx, ulpdu, length);
	place(HCA_TAP_CRC | (markers ? HCA_TAP_MARKERS : 0), START + position,
	      hca_fpdu_end(&tx, true));
	packet_decode(&packet);
}

static void make_message(u8 opcode, u32 payload, u64 position, bool markers)
{
	static u8 ulpdu[HCA_ULPDU_MAX];
	struct hca_ddp ddp = { .last = true };
	u32 head;

	hca_rdmap_header(&ddp, opcode, 0x1234);
	if (ddp.tagged) {
		ddp.stag = 0xabcdef;
		ddp.to = 0x70000;
	} else {
		ddp.msn = 5;
	}
	head = hca_ddp_pack(&ddp, ulpdu);
	make(ulpdu, head + payload, position, markers);
}

static void make_frame(void)
{
	struct hca_mpa_frame frame = {
		.crc = true, .enhanced = true, .revision = 2, .private_length = START - 24,
		.private_data = wire + sizeof(wire) - START, .peer_to_peer = true,
		.rtr_write = true, .ird = 3, .ord = 4,
	};

	ck_assert_uint_eq(hca_mpa_pack(&frame, wire), START);
	place(HCA_TAP_STARTUP, 0, START);
	packet_decode(&packet);
}

/* The line without its time. */
static const char *line(bool verbose)
{
	struct line_style style = { .verbose = verbose, .checked = true };
	static char text[512];
	FILE *to = fmemopen(text, sizeof(text), "w");

	line_print(to, &packet, &style);
	fclose(to);
	return strchr(text, ' ');
}

START_TEST(lines_say_what_it_is)
{
	make_frame();
	ck_assert_str_eq(line(false), " rnic0 out qp 17 10.9.8.1:40000 > 10.9.8.2:7471 MPA request "
			 "revision 2 crc ird 3 ord 4 rtr write private 16 length 40\n");
	make_message(HCA_RDMAP_WRITE, PAYLOAD, 0, false);
	ck_assert_str_eq(line(false), " rnic0 out qp 17 10.9.8.1:40000 > 10.9.8.2:7471 RDMA Write "
			 "stag 0x00abcdef to 0x70000 last payload 1000 length 1020\n");
	make_message(HCA_RDMAP_SEND_INVALIDATE, 0, 0, true);
	packet.direction = HCA_TAP_IN;
	ck_assert_str_eq(line(true), " rnic0 in qp 17 10.9.8.2:7471 > 10.9.8.1:40000 Send with "
			 "Invalidate qn 0 msn 5 mo 0 invalidate 0x00001234 last payload 0 "
			 "length 28 offset 40 markers crc good\n");
}
END_TEST

START_TEST(terminates_have_a_name)
{
	u8 ulpdu[HCA_DDP_BYTES_MAX + HCA_TERMINATE_MAX];
	struct hca_ddp ddp = { .last = true, .msn = 1 };
	struct hca_terminate terminate;
	u32 length;

	hca_rdmap_header(&ddp, HCA_RDMAP_TERMINATE, 0);
	ddp.msn = 1;
	length = hca_ddp_pack(&ddp, ulpdu);
	hca_terminate_set(&terminate, HCA_ERR_MPA_CRC, NULL, 0, 0);
	length += hca_terminate_pack(&terminate, ulpdu + length);
	make(ulpdu, length, 0, false);
	ck_assert_ptr_nonnull(strstr(line(false), "Terminate qn 2 msn 1 mo 0 last "
				     "error 0x2002 (MPA: CRC error)"));
}
END_TEST

START_TEST(read_requests_have_two_places)
{
	const struct hca_read_request read = { 1, 0x10, 4096, 2, 0x20 };
	u8 ulpdu[HCA_DDP_BYTES_MAX + HCA_READ_REQUEST_BYTES];
	struct hca_ddp ddp = { .last = true };
	u32 length;

	hca_rdmap_header(&ddp, HCA_RDMAP_READ_REQUEST, 0);
	ddp.msn = 9;
	length = hca_ddp_pack(&ddp, ulpdu);
	hca_read_request_pack(&read, ulpdu + length);
	make(ulpdu, length + HCA_READ_REQUEST_BYTES, 508, true);
	ck_assert_ptr_nonnull(strstr(line(false), "RDMA Read Request qn 1 msn 9 mo 0 last of 4096 "
				     "sink 0x00000001 at 0x10 source 0x00000002 at 0x20"));
}
END_TEST

START_TEST(errors_are_found)
{
	bool cut;

	make_message(HCA_RDMAP_WRITE, PAYLOAD, 0, true);
	ck_assert_ptr_null(packet_fault(&packet, &cut));
	wire[packet.length - 1] ^= 1;
	packet_decode(&packet);
	ck_assert_str_eq(packet_fault(&packet, &cut), "CRC wrong");
	make_message(HCA_RDMAP_WRITE, PAYLOAD, 0, true);
	wire[512 + 3] ^= 4;
	packet_decode(&packet);
	ck_assert_ptr_nonnull(packet_fault(&packet, &cut));
	make_message(HCA_RDMAP_WRITE, PAYLOAD, 0, false);
	packet.length += 4;
	packet.captured += 4;
	packet_decode(&packet);
	ck_assert_str_eq(packet_fault(&packet, &cut), "marker or length wrong");
	make_message(HCA_RDMAP_WRITE, PAYLOAD, 0, false);
	packet.captured = 60;
	packet_decode(&packet);
	ck_assert_ptr_null(packet_fault(&packet, &cut));
	ck_assert(cut);
	ck_assert(packet.fpdu.has_header);
	ck_assert_uint_eq(packet.fpdu.payload, PAYLOAD);
}
END_TEST

/* --- filters ------------------------------------------------------------------------------ */

static bool passes(const char *text)
{
	struct filter_error error;
	struct filter *filter = filter_compile(text, &error);
	bool result;

	ck_assert_msg(filter, "%s: %s", text, error.what);
	result = filter_matches(filter, &packet);
	filter_free(filter);
	return result;
}

START_TEST(filters_know_messages)
{
	static const struct {
		u8 opcode;
		const char *passes, *fails;
	} rows[] = {
		{ HCA_RDMAP_WRITE, "opcode rdma-write", "opcode rdma-read-response or opcode rd" },
		{ HCA_RDMAP_WRITE, "tagged stag 0xabcdef qp 17", "untagged or msn 5 or startup" },
		{ HCA_RDMAP_WRITE, "opcode send,rdma tcpport 7471", "opcode send or tcpport 1" },
		{ HCA_RDMAP_SEND, "opcode send msn 1-5", "opcode send-with or qn 1 or stag 0" },
		{ HCA_RDMAP_SEND_SE, "opcode send-with", "opcode send or qp 18" },
		{ HCA_RDMAP_SEND, "out not damaged port rnic0", "opcode rc or lid 0 or rc or smp" },
	};

	make_message(rows[_i].opcode, PAYLOAD, 0, false);
	ck_assert(passes(rows[_i].passes));
	ck_assert(!passes(rows[_i].fails));
	make_frame();
	ck_assert(passes("startup"));
	ck_assert(!passes("opcode rdma-write or tagged or untagged"));
}
END_TEST

/* --- files -------------------------------------------------------------------------------- */

static void add_packet(void)
{
	static struct record record;

	record_pack(&record, RECORD_LINK_TYPE_RAW, &packet);
	octets += pcapng_pack_packet(file + octets, &packet, 0, record.octets, record.captured,
				     record.length);
}

static void begin_file(void)
{
	octets += pcapng_pack_section(file + octets, "test");
	octets += pcapng_pack_interface(file + octets, RECORD_LINK_TYPE_RAW, "rnic0");
}

static void begin_reading(size_t length)
{
	stream = fmemopen(file, length, "rb");
	reader = pcapng_reader_new(stream);
}

static void end_reading(void)
{
	pcapng_reader_free(reader);
	fclose(stream);
}

/* Writes a frame and an FPDU, and returns the FPDU. */
static struct packet write_both(u8 direction, bool is_v6)
{
	begin_file();
	make_frame();
	packet.stream.flags |= HCA_TAP_KEPT;
	packet.direction = direction;
	add_packet();
	make_message(HCA_RDMAP_SEND, PAYLOAD, 0x3fffffe00, true);
	packet.direction = direction;
	if (is_v6)
		packet.stream.family = HCA_TAP_IPV6;
	add_packet();
	return packet;
}

START_TEST(what_is_written_is_read)
{
	u8 direction = _i & 1 ? HCA_TAP_IN : HCA_TAP_OUT;
	struct packet fpdu = write_both(direction, _i & 2);

	begin_reading(octets);
	packet = (struct packet){};
	ck_assert_int_eq(pcapng_read(reader, &packet), PCAPNG_READ);
	ck_assert_uint_eq(packet.stream.flags, HCA_TAP_STARTUP | HCA_TAP_KEPT);
	packet_decode(&packet);
	ck_assert(packet.fpdu.has_frame);
	packet = (struct packet){};
	ck_assert_int_eq(pcapng_read(reader, &packet), PCAPNG_READ);
	ck_assert(packet.is_stream);
	ck_assert_mem_eq(&packet.stream, &fpdu.stream, sizeof(fpdu.stream));
	ck_assert_str_eq(packet.port, "rnic0");
	ck_assert_uint_eq(packet.direction, direction);
	ck_assert_uint_eq(packet.length, fpdu.length);
	ck_assert_uint_eq(packet.captured, fpdu.captured);
	ck_assert_mem_eq(packet.octets, wire, fpdu.length);
	packet_decode(&packet);
	ck_assert_int_eq(packet.fpdu.state, FPDU_GOOD);
	ck_assert_int_eq(pcapng_read(reader, &packet), PCAPNG_END);
	end_reading();
}
END_TEST

/* A file that is cut is read up to the last whole block; then it ends, or that is an error. */
START_TEST(files_may_be_cut_anywhere)
{
	enum pcapng_result result;
	unsigned int ends = 0;
	size_t length;

	write_both(HCA_TAP_OUT, false);
	for (length = 1; length < octets; length++) {
		begin_reading(length);
		do {
			packet = (struct packet){};
			result = pcapng_read(reader, &packet);
			if (result == PCAPNG_READ)
				packet_decode(&packet);
		} while (result == PCAPNG_READ);
		ends += result == PCAPNG_END;
		if (result == PCAPNG_WRONG)
			ck_assert_str_eq(pcapng_reader_error(reader), length < 12 && length >= 8 ?
					 "is damaged: the order of its octets is unknown" :
					 "ends within a block");
		end_reading();
	}
	ck_assert_uint_eq(ends, 3);
}
END_TEST

START_TEST(files_may_have_anything)
{
	struct line_style style = { .verbose = true, .checked = true };
	struct rng rng = rng_seed(_i, "fpdus");
	struct ladder *ladder = ladder_new();
	char *text = NULL;
	size_t length;
	FILE *to = open_memstream(&text, &length);
	unsigned int i;

	for (i = 0; i < 500; i++) {
		octets = 0;
		write_both(rng_below(&rng, 4), rng_one_in(&rng, 2));
		file[100 + rng_below(&rng, octets - 100)] = rng_next(&rng);
		file[rng_below(&rng, octets)] ^= 1 << rng_below(&rng, 8);
		begin_reading(octets);
		for (packet = (struct packet){}; pcapng_read(reader, &packet) == PCAPNG_READ;
		     packet = (struct packet){}) {
			packet_decode(&packet);
			line_print(to, &packet, &style);
			line_print_json(to, &packet, true);
			ladder_add(ladder, &packet);
		}
		end_reading();
	}
	ladder_print_text(to, ladder);
	fclose(to);
	ck_assert_uint_gt(length, 0);
	free(text);
	ladder_free(ladder);
}
END_TEST

/* The octets of FPDUs, and what is noted of them, may be wrong. */
START_TEST(fpdus_may_be_anything)
{
	struct line_style style = { .verbose = true, .checked = true };
	struct rng rng = rng_seed(_i, "octets");
	char *text = NULL;
	size_t length;
	FILE *to = open_memstream(&text, &length);
	unsigned int i;
	u8 *exact;

	for (i = 0; i < 1000; i++) {
		make_message(rng_below(&rng, HCA_RDMAP_TERMINATE + 1), rng_below(&rng, 200),
			     rng_below(&rng, 512) & ~3u, rng_one_in(&rng, 2));
		wire[rng_below(&rng, 32)] = rng_next(&rng);
		packet.stream.flags ^= rng_one_in(&rng, 4) ? rng_below(&rng, 16) : 0;
		packet.captured = rng_one_in(&rng, 2) ? packet.length :
				  rng_below(&rng, packet.length);
		exact = malloc(packet.captured + 1);
		memcpy(exact, wire, packet.captured);
		packet.octets = exact;
		packet_decode(&packet);
		line_print(to, &packet, &style);
		line_print_json(to, &packet, true);
		free(exact);
	}
	fclose(to);
	ck_assert_uint_gt(length, 0);
	free(text);
}
END_TEST

/* --- others ------------------------------------------------------------------------------- */

START_TEST(notes_that_do_not_fit_are_errors)
{
	static const char *const notes[] = {
		"", "qp 1", "qp 1 offset 40", "qp 1 offset 40 start 41", "qp 1 offset 41 start 40",
		"qp 1 offset 40 start 40 other", "qp 1 offset 40 start 40 crc markers",
		"seen by somebody", "qp 1 offset 40 start 40 and much more that nobody would ever "
		"write into a note of one packet",
	};

	make_message(HCA_RDMAP_SEND, 0, 0, false);
	ck_assert(ip_parse_note(&packet, (const u8 *)"qp 1 offset 40 start 40 crc", 27));
	ck_assert(!ip_parse_note(&packet, (const u8 *)notes[_i], strlen(notes[_i])));
}
END_TEST

START_TEST(a_ladder_has_the_two_ends)
{
	struct ladder *ladder = ladder_new();
	char *text = NULL;
	size_t length;
	FILE *to = open_memstream(&text, &length);

	make_message(HCA_RDMAP_SEND, 0, 0, false);
	ladder_add(ladder, &packet);
	make_message(HCA_RDMAP_READ_RESPONSE, 0, 0, false);
	packet.direction = HCA_TAP_IN;
	ladder_add(ladder, &packet);
	ladder_print_text(to, ladder);
	fclose(to);
	ck_assert_uint_eq(ladder->num_columns, 2);
	ck_assert_uint_eq(ladder->events[0].from, 0);
	ck_assert_uint_eq(ladder->events[1].from, 1);
	ck_assert_ptr_nonnull(strstr(text, "10.9.8.1:40000"));
	ck_assert_ptr_nonnull(strstr(text, "Send msn 5"));
	ck_assert_ptr_nonnull(strstr(text, "RDMA Read Response stag 0x00abcdef"));
	free(text);
	ladder_free(ladder);
}
END_TEST

Suite *dump_fpdu_suite(void)
{
	Suite *suite = suite_create("dump_fpdu");
	TCase *tc = tcase_create("dump_fpdu");

	tcase_add_checked_fixture(tc, setup, NULL);
	tcase_add_test(tc, lines_say_what_it_is);
	tcase_add_test(tc, terminates_have_a_name);
	tcase_add_test(tc, read_requests_have_two_places);
	tcase_add_test(tc, errors_are_found);
	tcase_add_loop_test(tc, filters_know_messages, 0, 6);
	tcase_add_loop_test(tc, what_is_written_is_read, 0, 4);
	tcase_add_test(tc, files_may_be_cut_anywhere);
	tcase_add_loop_test(tc, files_may_have_anything, 0, 4);
	tcase_add_loop_test(tc, fpdus_may_be_anything, 0, 4);
	tcase_add_loop_test(tc, notes_that_do_not_fit_are_errors, 0, 9);
	tcase_add_test(tc, a_ladder_has_the_two_ends);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);
	return suite;
}
