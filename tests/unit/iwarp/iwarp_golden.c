// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The conversations of tests/golden/iwarp: each frame is parsed, compared with what its file says
 * and tshark agrees with, and made again of what was parsed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <check.h>
#include <linux/kernel.h>
#include "iwarp/wire/fpdu.h"
#include "iwarp/wire/mpa.h"
#include "iwarp/wire/rdmap.h"
#include "iwarp/wire/terminate.h"
#include "tests/unit/suites.h"
#include "tests/unit/wire/golden.h"

#define MAX_OCTETS 2048
#define MAX_FIELDS 32
#define MAX_FRAMES 16
#define MAX_KNOWN 48

static const char *const files[] = { "enhanced", "markers", "messages", "terminate" };

/* A line `# expect NAME == VALUE` or `# also NAME == VALUE`. */
struct golden_field {
	char name[64];
	char value[128];
};

struct golden_frame {
	char title[128];
	bool from_responder; /* I; the initiator's are O */
	u8 octets[MAX_OCTETS];
	u32 len;
	struct golden_field field[MAX_FIELDS];
	int num_fields;
};

/* The FPDUs of one side of a conversation. */
struct direction {
	u64 position;
	bool markers;
};

static struct golden_frame frames[MAX_FRAMES]; /* of one conversation */
static int num_frames;
static struct direction directions[2]; /* of the initiator and of the responder */
static bool crc;

/* The fields that our parsers found in a frame: numbers, or octets. */
static struct known {
	const char *name;
	u64 value;
	const u8 *octets;
	u32 len;
} known[MAX_KNOWN];
static int num_known;

static void number(const char *name, u64 value)
{
	known[num_known++] = (struct known){ .name = name, .value = value };
}

static void octets(const char *name, const u8 *data, u32 len)
{
	known[num_known++] = (struct known){ .name = name, .octets = data, .len = len };
}

static void read_comment(const char *line)
{
	struct golden_frame *frame;
	struct golden_field *field;

	if (sscanf(line, "# frame %127[^\n]", frames[num_frames].title) == 1) {
		num_frames++;
		ck_assert_int_lt(num_frames, MAX_FRAMES);
		return;
	}
	if (!num_frames)
		return;
	frame = &frames[num_frames - 1];
	field = &frame->field[frame->num_fields];
	if (sscanf(line, "# expect %63s == %127s", field->name, field->value) == 2 ||
	    sscanf(line, "# also %63s == %127s", field->name, field->value) == 2)
		frame->num_fields++;
	ck_assert_int_lt(frame->num_fields, MAX_FIELDS);
}

static void read_octets(const char *line)
{
	struct golden_frame *frame;
	unsigned int offset, octet;
	int used;

	ck_assert_int_gt(num_frames, 0);
	frame = &frames[num_frames - 1];
	if (*line == 'O' || *line == 'I') {
		frame->from_responder = *line == 'I';
		return;
	}
	ck_assert_int_eq(sscanf(line, "%x%n", &offset, &used), 1);
	ck_assert_uint_eq(offset, frame->len);
	for (line += used; sscanf(line, "%2x%n", &octet, &used) == 1; line += used) {
		ck_assert_uint_lt(frame->len, MAX_OCTETS);
		frame->octets[frame->len++] = octet;
	}
}

static void read_conversation(const char *name)
{
	char directory[480], path[512], line[512];
	FILE *file;

	golden_directory(directory, sizeof(directory));
	snprintf(path, sizeof(path), "%.400s/iwarp/%.80s.txt", directory, name);
	file = fopen(path, "r");
	ck_assert_msg(file, "%s (HCA_GOLDEN)", path);
	memset(frames, 0, sizeof(frames));
	memset(directions, 0, sizeof(directions));
	num_frames = 0;
	while (fgets(line, sizeof(line), file)) {
		if (*line == '#')
			read_comment(line);
		else
			read_octets(line);
	}
	fclose(file);
	ck_assert_int_gt(num_frames, 2);
}

static u32 text_octets(const char *text, u8 *data)
{
	unsigned int octet;
	u32 len = 0;
	int used;

	for (; sscanf(text, "%2x%n", &octet, &used) == 1; text += used + (text[used] == ':'))
		data[len++] = octet;
	return len;
}

static bool agrees(const struct known *k, const char *text)
{
	u8 data[128];
	u32 len;

	if (!k->octets)
		return k->value == strtoull(text, NULL, 0);
	len = text_octets(text, data);
	return len == k->len && !memcmp(data, k->octets, len);
}

/* A field that there are several of, such as FPDUPTR, is right if one of them has the value. */
static void assert_fields(const struct golden_frame *frame)
{
	int field, i;

	for (field = 0; field < frame->num_fields; field++) {
		const struct golden_field *f = &frame->field[field];

		for (i = 0; i < num_known; i++)
			if (!strcmp(f->name, known[i].name) && agrees(&known[i], f->value))
				break;
		ck_assert_msg(i < num_known, "%s: %s is not %s", frame->title, f->name, f->value);
	}
}

static void start_fields(const struct hca_mpa_frame *mpa, const u8 *data)
{
	num_known = 0;
	octets(mpa->is_reply ? "iwarp_mpa.key.rep" : "iwarp_mpa.key.req", data, 16);
	number("iwarp_mpa.marker_flag", mpa->markers);
	number("iwarp_mpa.crc_flag", mpa->crc);
	number("iwarp_mpa.rej_flag", mpa->rejected);
	number("iwarp_mpa.rev", mpa->revision);
	number("iwarp_mpa.pdlength", mpa->private_length +
				     (mpa->enhanced ? HCA_MPA_ENHANCED_BYTES : 0));
	number("mpa.enhanced", mpa->enhanced);
	number("enhanced.a", mpa->peer_to_peer);
	number("enhanced.b", mpa->rtr_send);
	number("enhanced.c", mpa->rtr_write);
	number("enhanced.d", mpa->rtr_read);
	number("enhanced.ird", mpa->ird);
	number("enhanced.ord", mpa->ord);
}

/* A frame of the start: it says what the other side's FPDUs are to have. */
static void check_start(const struct golden_frame *frame)
{
	u8 packed[HCA_MPA_FRAME_MAX];
	struct hca_mpa_frame mpa;

	ck_assert_int_eq(hca_mpa_parse(&mpa, frame->octets, frame->len, frame->from_responder),
			 HCA_MPA_OK);
	ck_assert_uint_eq(mpa.bytes, frame->len);
	start_fields(&mpa, frame->octets);
	assert_fields(frame);
	ck_assert_uint_eq(hca_mpa_pack(&mpa, packed), frame->len);
	ck_assert_mem_eq(packed, frame->octets, frame->len);
	directions[!frame->from_responder].markers = mpa.markers;
	crc = mpa.crc;
}

static void ddp_fields(const struct hca_rdmap_segment *segment)
{
	const struct hca_ddp *ddp = &segment->ddp;

	number("iwarp_ddp.tagged_flag", ddp->tagged);
	number("iwarp_ddp.last_flag", ddp->last);
	number("iwarp_ddp.dv", ddp->version);
	number("iwarp_rdma.version", HCA_RDMAP_VERSION);
	number("iwarp_rdma.opcode", segment->opcode);
	if (ddp->tagged) {
		number("iwarp_ddp.stag", ddp->stag);
		number("iwarp_ddp.tagged_offset", ddp->to);
		return;
	}
	if (segment->op->invalidates)
		number("iwarp_rdma.inval_stag", ddp->ulp_tail);
	number("iwarp_ddp.qn", ddp->qn);
	number("iwarp_ddp.msn", ddp->msn);
	number("iwarp_ddp.mo", ddp->mo);
}

static void check_read_request(const u8 *data)
{
	u8 packed[HCA_READ_REQUEST_BYTES];
	struct hca_read_request read;

	hca_read_request_parse(&read, data);
	number("iwarp_rdma.sinkstag", read.sink_stag);
	number("iwarp_rdma.sinkto", read.sink_to);
	number("iwarp_rdma.rdmardsz", read.size);
	number("iwarp_rdma.srcstag", read.source_stag);
	number("iwarp_rdma.srcto", read.source_to);
	hca_read_request_pack(&read, packed);
	ck_assert_mem_eq(packed, data, sizeof(packed));
}

/* tshark has a field for each layer's types and codes. */
static void check_terminate(struct hca_terminate *terminate, const u8 *data, u32 len)
{
	static u8 length[2]; /* its address is put into known[] */
	u8 packed[HCA_TERMINATE_MAX];

	ck_assert(hca_terminate_parse(terminate, data, len));
	number("iwarp_rdma.term_layer", terminate->error >> 12);
	number("iwarp_rdma.term_etype_rdma", terminate->error >> 8 & 0xf);
	number("iwarp_rdma.term_etype_ddp", terminate->error >> 8 & 0xf);
	number("iwarp_rdma.term_etype_llp", terminate->error >> 8 & 0xf);
	number("iwarp_rdma.term_errcode", (u8)terminate->error);
	number("iwarp_rdma.term_errcode_rdma", (u8)terminate->error);
	number("iwarp_rdma.term_errcode_ddp_tagged", (u8)terminate->error);
	number("iwarp_rdma.term_errcode_ddp_untagged", (u8)terminate->error);
	number("iwarp_rdma.term_errcode_llp", (u8)terminate->error);
	number("iwarp_rdma.term_hdrct_m", !!(terminate->parts & HCA_TERMINATE_M));
	number("iwarp_rdma.hdrct_d", !!(terminate->parts & HCA_TERMINATE_D));
	number("iwarp_rdma.hdrct_r", !!(terminate->parts & HCA_TERMINATE_R));
	length[0] = terminate->segment_length >> 8;
	length[1] = terminate->segment_length;
	octets("iwarp_rdma.term_ddp_seg_len", length, sizeof(length));
	octets("iwarp_rdma.term_ddp_h", terminate->ddp, terminate->ddp_bytes);
	octets("terminate.ddp", terminate->ddp, terminate->ddp_bytes);
	octets("terminate.read", terminate->read, sizeof(terminate->read));
	ck_assert_uint_eq(hca_terminate_pack(terminate, packed), len);
	ck_assert_mem_eq(packed, data, len);
}

/* P1-T01: the DDP header, made of what differs between messages of one kind. */
static void check_ddp_header(const struct hca_rdmap_segment *segment, const u8 *data)
{
	u8 packed[HCA_DDP_BYTES_MAX];
	struct hca_ddp ddp;

	hca_rdmap_header(&ddp, segment->opcode, segment->ddp.ulp_tail);
	ddp.last = segment->ddp.last;
	if (ddp.tagged) {
		ddp.stag = segment->ddp.stag;
		ddp.to = segment->ddp.to;
	} else {
		ddp.msn = segment->ddp.msn;
		ddp.mo = segment->ddp.mo;
	}
	ck_assert_uint_eq(hca_ddp_pack(&ddp, packed), segment->header_bytes);
	ck_assert_mem_eq(packed, data, segment->header_bytes);
}

/* The markers that are in an FPDU: where they are follows from the position. */
static void marker_fields(const struct golden_frame *frame, const struct direction *direction)
{
	u32 at = -direction->position & 511;

	for (; direction->markers && at < frame->len; at += 512)
		number("iwarp_mpa.marker_fpduptr", frame->octets[at + 2] << 8 | frame->octets[at + 3]);
}

/* The FPDU, written again from its ULPDU. */
static void check_framing(const struct golden_frame *frame, const struct direction *direction,
			  const u8 *ulpdu, u32 length)
{
	u8 written[MAX_OCTETS];
	struct hca_fpdu_tx tx;

	ck_assert_uint_eq(hca_fpdu_bytes(length, direction->position, direction->markers),
			  frame->len);
	hca_fpdu_begin(&tx, written, length, direction->position, direction->markers);
	hca_fpdu_put(&tx, ulpdu, length);
	ck_assert_uint_eq(hca_fpdu_end(&tx, crc), frame->len);
	ck_assert_mem_eq(written, frame->octets, frame->len);
}

static void check_fpdu(const struct golden_frame *frame)
{
	struct direction *direction = &directions[frame->from_responder];
	struct hca_octets range = { frame->octets, frame->len };
	struct hca_rdmap_segment segment;
	struct hca_terminate terminate;
	u8 ulpdu[MAX_OCTETS];
	struct hca_ulpdu place;
	struct hca_fpdu_rx rx;

	ck_assert_uint_eq(hca_fpdu_parse(&rx, &range, 1, direction->position, direction->markers),
			  frame->len);
	ck_assert_int_eq(hca_fpdu_check(&rx, crc), HCA_IWARP_OK);
	hca_ulpdu_begin(&place, &rx);
	ck_assert_uint_eq(hca_ulpdu_copy(&place, ulpdu, sizeof(ulpdu)), rx.length);
	ck_assert_int_eq(hca_rdmap_parse(&segment, ulpdu, rx.length), HCA_IWARP_OK);

	num_known = 0;
	number("iwarp_mpa.ulpdulength", rx.length);
	marker_fields(frame, direction);
	ddp_fields(&segment);
	if (segment.opcode == HCA_RDMAP_READ_REQUEST)
		check_read_request(ulpdu + segment.header_bytes);
	if (segment.opcode == HCA_RDMAP_TERMINATE)
		check_terminate(&terminate, ulpdu + segment.header_bytes, segment.length);
	assert_fields(frame);
	check_ddp_header(&segment, ulpdu);
	check_framing(frame, direction, ulpdu, rx.length);
	direction->position += frame->len;
}

/* P1-006, P1-051, P1-052, P1-053, P1-T01: octets that another dissector reads as we do. */
START_TEST(conversation)
{
	int i;

	read_conversation(files[_i]);
	for (i = 0; i < num_frames; i++) {
		ck_assert_uint_gt(frames[i].len, 0);
		ck_assert_int_gt(frames[i].num_fields, 0);
		if (i < 2)
			check_start(&frames[i]);
		else
			check_fpdu(&frames[i]);
	}
}
END_TEST

Suite *iwarp_golden_suite(void)
{
	Suite *suite = suite_create("iwarp_golden");
	TCase *tc = tcase_create("iwarp_golden");

	tcase_add_loop_test(tc, conversation, 0, ARRAY_SIZE(files));
	suite_add_tcase(suite, tc);
	return suite;
}
