// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The conversations of tests/golden/iwarp: each frame is parsed, compared with what its file says
 * and tshark agrees with, and made again of what was parsed.
 */
#include <string.h>
#include <check.h>
#include "iwarp/wire/fpdu.h"
#include "iwarp/wire/mpa.h"
#include "iwarp/wire/rdmap.h"
#include "iwarp/wire/terminate.h"
#include "tests/unit/iwarp/conversation.h"
#include "tests/unit/suites.h"

/* The FPDUs of one side of a conversation. */
struct direction {
	u64 position;
	bool markers;
};

static struct golden_conversation conversation; /* in static memory for its size */
static struct direction directions[2]; /* of the initiator and of the responder */
static bool crc;

static void start_fields(const struct hca_mpa_frame *mpa, const u8 *data)
{
	golden_found_none();
	golden_found_octets(mpa->is_reply ? "iwarp_mpa.key.rep" : "iwarp_mpa.key.req", data, 16);
	golden_found_number("iwarp_mpa.marker_flag", mpa->markers);
	golden_found_number("iwarp_mpa.crc_flag", mpa->crc);
	golden_found_number("iwarp_mpa.rej_flag", mpa->rejected);
	golden_found_number("iwarp_mpa.rev", mpa->revision);
	golden_found_number("iwarp_mpa.pdlength", mpa->private_length +
			    (mpa->enhanced ? HCA_MPA_ENHANCED_BYTES : 0));
	golden_found_number("mpa.enhanced", mpa->enhanced);
	golden_found_number("enhanced.a", mpa->peer_to_peer);
	golden_found_number("enhanced.b", mpa->rtr_send);
	golden_found_number("enhanced.c", mpa->rtr_write);
	golden_found_number("enhanced.d", mpa->rtr_read);
	golden_found_number("enhanced.ird", mpa->ird);
	golden_found_number("enhanced.ord", mpa->ord);
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
	golden_assert(frame);
	ck_assert_uint_eq(hca_mpa_pack(&mpa, packed), frame->len);
	ck_assert_mem_eq(packed, frame->octets, frame->len);
	directions[!frame->from_responder].markers = mpa.markers;
	crc = mpa.crc;
}

static void ddp_fields(const struct hca_rdmap_segment *segment)
{
	const struct hca_ddp *ddp = &segment->ddp;

	golden_found_number("iwarp_ddp.tagged_flag", ddp->tagged);
	golden_found_number("iwarp_ddp.last_flag", ddp->last);
	golden_found_number("iwarp_ddp.dv", ddp->version);
	golden_found_number("iwarp_rdma.version", HCA_RDMAP_VERSION);
	golden_found_number("iwarp_rdma.opcode", segment->opcode);
	if (ddp->tagged) {
		golden_found_number("iwarp_ddp.stag", ddp->stag);
		golden_found_number("iwarp_ddp.tagged_offset", ddp->to);
		return;
	}
	if (segment->op->invalidates)
		golden_found_number("iwarp_rdma.inval_stag", ddp->ulp_tail);
	golden_found_number("iwarp_ddp.qn", ddp->qn);
	golden_found_number("iwarp_ddp.msn", ddp->msn);
	golden_found_number("iwarp_ddp.mo", ddp->mo);
}

static void check_read_request(const u8 *data)
{
	u8 packed[HCA_READ_REQUEST_BYTES];
	struct hca_read_request read;

	hca_read_request_parse(&read, data);
	golden_found_number("iwarp_rdma.sinkstag", read.sink_stag);
	golden_found_number("iwarp_rdma.sinkto", read.sink_to);
	golden_found_number("iwarp_rdma.rdmardsz", read.size);
	golden_found_number("iwarp_rdma.srcstag", read.source_stag);
	golden_found_number("iwarp_rdma.srcto", read.source_to);
	hca_read_request_pack(&read, packed);
	ck_assert_mem_eq(packed, data, sizeof(packed));
}

/* tshark has a field for each layer's types and codes. */
static void check_terminate(struct hca_terminate *terminate, const u8 *data, u32 len)
{
	static u8 length[2]; /* golden_found_octets() refers to it */
	u8 packed[HCA_TERMINATE_MAX];

	ck_assert(hca_terminate_parse(terminate, data, len));
	golden_found_number("iwarp_rdma.term_layer", terminate->error >> 12);
	golden_found_number("iwarp_rdma.term_etype_rdma", terminate->error >> 8 & 0xf);
	golden_found_number("iwarp_rdma.term_etype_ddp", terminate->error >> 8 & 0xf);
	golden_found_number("iwarp_rdma.term_etype_llp", terminate->error >> 8 & 0xf);
	golden_found_number("iwarp_rdma.term_errcode", (u8)terminate->error);
	golden_found_number("iwarp_rdma.term_errcode_rdma", (u8)terminate->error);
	golden_found_number("iwarp_rdma.term_errcode_ddp_tagged", (u8)terminate->error);
	golden_found_number("iwarp_rdma.term_errcode_ddp_untagged", (u8)terminate->error);
	golden_found_number("iwarp_rdma.term_errcode_llp", (u8)terminate->error);
	golden_found_number("iwarp_rdma.term_hdrct_m", !!(terminate->parts & HCA_TERMINATE_M));
	golden_found_number("iwarp_rdma.hdrct_d", !!(terminate->parts & HCA_TERMINATE_D));
	golden_found_number("iwarp_rdma.hdrct_r", !!(terminate->parts & HCA_TERMINATE_R));
	length[0] = terminate->segment_length >> 8;
	length[1] = terminate->segment_length;
	golden_found_octets("iwarp_rdma.term_ddp_seg_len", length, sizeof(length));
	golden_found_octets("iwarp_rdma.term_ddp_h", terminate->ddp, terminate->ddp_bytes);
	golden_found_octets("terminate.ddp", terminate->ddp, terminate->ddp_bytes);
	golden_found_octets("terminate.read", terminate->read, sizeof(terminate->read));
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
		golden_found_number("iwarp_mpa.marker_fpduptr",
				    frame->octets[at + 2] << 8 | frame->octets[at + 3]);
}

/* The FPDU, written again from its ULPDU. */
static void check_framing(const struct golden_frame *frame, const struct direction *direction,
			  const u8 *ulpdu, u32 length)
{
	u8 written[GOLDEN_MAX_OCTETS];
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
	u8 ulpdu[GOLDEN_MAX_OCTETS];
	struct hca_ulpdu place;
	struct hca_fpdu_rx rx;

	ck_assert_uint_eq(hca_fpdu_parse(&rx, &range, 1, direction->position, direction->markers),
			  frame->len);
	ck_assert_int_eq(hca_fpdu_check(&rx, crc), HCA_IWARP_OK);
	hca_ulpdu_begin(&place, &rx);
	ck_assert_uint_eq(hca_ulpdu_copy(&place, ulpdu, sizeof(ulpdu)), rx.length);
	ck_assert_int_eq(hca_rdmap_parse(&segment, ulpdu, rx.length), HCA_IWARP_OK);

	golden_found_none();
	golden_found_number("iwarp_mpa.ulpdulength", rx.length);
	marker_fields(frame, direction);
	ddp_fields(&segment);
	if (segment.opcode == HCA_RDMAP_READ_REQUEST)
		check_read_request(ulpdu + segment.header_bytes);
	if (segment.opcode == HCA_RDMAP_TERMINATE)
		check_terminate(&terminate, ulpdu + segment.header_bytes, segment.length);
	golden_assert(frame);
	check_ddp_header(&segment, ulpdu);
	check_framing(frame, direction, ulpdu, rx.length);
	direction->position += frame->len;
}

/*
 * P1-006, P1-051, P1-052, P1-053, P1-T01: octets that another dissector reads as we do.
 * P1-001: behind the header of DDP follows that of RDMAP.
 */
START_TEST(frames)
{
	int i;

	golden_read(&conversation, golden_conversations[_i]);
	memset(directions, 0, sizeof(directions));
	for (i = 0; i < conversation.num_frames; i++) {
		ck_assert_uint_gt(conversation.frame[i].len, 0);
		if (i < 2)
			check_start(&conversation.frame[i]);
		else
			check_fpdu(&conversation.frame[i]);
	}
}
END_TEST

Suite *iwarp_golden_suite(void)
{
	Suite *suite = suite_create("iwarp_golden");
	TCase *tc = tcase_create("iwarp_golden");

	tcase_add_loop_test(tc, frames, 0, golden_num_conversations);
	suite_add_tcase(suite, tc);
	return suite;
}
