// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The model of an iWARP peer, held against the conversations of tests/golden/iwarp, which another
 * dissector has judged, and against itself: an initiator and a responder that send each other
 * messages of all kinds, right and wrong ones.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tests/unit/iwarp/conversation.h"
#include "tests/unit/iwarp/peer.h"
#include "tests/unit/suites.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* In static memory for their size. */
static struct golden_conversation conversation;
static struct peer initiator, responder;

static void both_init(void)
{
	peer_init(&initiator);
	peer_init(&responder);
}

/* Octets that one peer has to send arrive at the other one. */
static void carry(struct peer *from, struct peer *to)
{
	peer_receive(to, from->out, from->out_length);
	from->out_length = 0;
}

static void start_fields(const struct peer_start *start, const u8 *octets)
{
	golden_found_none();
	golden_found_octets(start->is_reply ? "iwarp_mpa.key.rep" : "iwarp_mpa.key.req", octets,
			    16);
	golden_found_number("iwarp_mpa.marker_flag", start->markers);
	golden_found_number("iwarp_mpa.crc_flag", start->crc);
	golden_found_number("iwarp_mpa.rej_flag", start->rejected);
	golden_found_number("iwarp_mpa.rev", start->revision);
	golden_found_number("iwarp_mpa.pdlength", start->pd_length);
	golden_found_number("mpa.enhanced", start->enhanced);
	golden_found_number("enhanced.a", start->peer_to_peer);
	golden_found_number("enhanced.b", start->rtr_send);
	golden_found_number("enhanced.c", start->rtr_write);
	golden_found_number("enhanced.d", start->rtr_read);
	golden_found_number("enhanced.ird", start->ird);
	golden_found_number("enhanced.ord", start->ord);
}

static void header_fields(const struct peer_header *header)
{
	golden_found_number("iwarp_ddp.tagged_flag", header->tagged);
	golden_found_number("iwarp_ddp.last_flag", header->last);
	golden_found_number("iwarp_ddp.dv", header->dv);
	golden_found_number("iwarp_rdma.version", header->rv);
	golden_found_number("iwarp_rdma.opcode", header->opcode);
	golden_found_number("iwarp_ddp.stag", header->stag);
	golden_found_number("iwarp_ddp.tagged_offset", header->to);
	golden_found_number("iwarp_rdma.inval_stag", header->invalidate);
	golden_found_number("iwarp_ddp.qn", header->qn);
	golden_found_number("iwarp_ddp.msn", header->msn);
	golden_found_number("iwarp_ddp.mo", header->mo);
}

static void read_fields(const struct peer_read_request *read)
{
	golden_found_number("iwarp_rdma.sinkstag", read->sink_stag);
	golden_found_number("iwarp_rdma.sinkto", read->sink_to);
	golden_found_number("iwarp_rdma.rdmardsz", read->size);
	golden_found_number("iwarp_rdma.srcstag", read->source_stag);
	golden_found_number("iwarp_rdma.srcto", read->source_to);
}

/* tshark has a field for each layer's types and codes. */
static void terminate_fields(const struct peer_terminate *t)
{
	static u8 length[2]; /* golden_found_octets() refers to it */

	golden_found_number("iwarp_rdma.term_layer", t->layer);
	golden_found_number("iwarp_rdma.term_etype_rdma", t->type);
	golden_found_number("iwarp_rdma.term_etype_ddp", t->type);
	golden_found_number("iwarp_rdma.term_etype_llp", t->type);
	golden_found_number("iwarp_rdma.term_errcode", t->code);
	golden_found_number("iwarp_rdma.term_errcode_rdma", t->code);
	golden_found_number("iwarp_rdma.term_errcode_ddp_tagged", t->code);
	golden_found_number("iwarp_rdma.term_errcode_ddp_untagged", t->code);
	golden_found_number("iwarp_rdma.term_errcode_llp", t->code);
	golden_found_number("iwarp_rdma.term_hdrct_m", t->m);
	golden_found_number("iwarp_rdma.hdrct_d", t->d);
	golden_found_number("iwarp_rdma.hdrct_r", t->r);
	length[0] = t->segment_length >> 8;
	length[1] = t->segment_length;
	golden_found_octets("iwarp_rdma.term_ddp_seg_len", length, sizeof(length));
	golden_found_octets("iwarp_rdma.term_ddp_h", t->ddp, t->ddp_length);
	golden_found_octets("terminate.ddp", t->ddp, t->ddp_length);
	golden_found_octets("terminate.read", t->read, sizeof(t->read));
	ck_assert(!t->is_swapped);
	ck_assert(!t->is_short);
	ck_assert_uint_eq(t->excess, 0);
}

/* A frame of the start-up, and the same octets made again of its fields. */
static void check_start(const struct golden_frame *frame, struct peer *from, struct peer *to)
{
	u8 packed[PEER_START_MAX];

	peer_receive(to, frame->octets, frame->len);
	ck_assert(peer_next_start(to));
	ck_assert_uint_eq(to->in_length, 0);
	ck_assert(to->start.has_key);
	ck_assert_int_eq(to->start.is_reply, frame->from_responder);
	start_fields(&to->start, frame->octets);
	golden_assert(frame);
	ck_assert_uint_eq(peer_start_pack(&to->start, packed), frame->len);
	ck_assert_mem_eq(packed, frame->octets, frame->len);
	from->own = to->start;
}

static void marker_fields(const struct golden_frame *frame, u64 position, bool markers)
{
	u32 at;

	for (at = -position & 511; markers && at < frame->len; at += 512)
		golden_found_number("iwarp_mpa.marker_fpduptr",
				    frame->octets[at + 2] << 8 | frame->octets[at + 3]);
}

static void check_fpdu(const struct golden_frame *frame, struct peer *from, struct peer *to)
{
	const struct peer_fpdu *fpdu = &to->fpdu;
	u64 position = to->position_in;
	u8 ulpdu[GOLDEN_MAX_OCTETS];
	u32 length;

	peer_receive(to, frame->octets, frame->len);
	ck_assert(peer_next_fpdu(to));
	ck_assert_uint_eq(fpdu->octets, frame->len);
	ck_assert(fpdu->has_crc && fpdu->has_markers && fpdu->has_pad && fpdu->is_whole);
	golden_found_none();
	golden_found_number("iwarp_mpa.ulpdulength", fpdu->length);
	marker_fields(frame, position, to->markers_in);
	header_fields(&fpdu->header);
	if (fpdu->header.opcode == 1)
		read_fields(&fpdu->read);
	if (fpdu->header.opcode == 7)
		terminate_fields(&fpdu->terminate);
	golden_assert(frame);

	length = peer_ulpdu_pack(&fpdu->header, fpdu->payload, fpdu->payload_length, ulpdu);
	ck_assert_uint_eq(length, fpdu->length);
	peer_put_fpdu(from, ulpdu, fpdu->length, NULL);
	ck_assert_uint_eq(from->out_length, frame->len);
	ck_assert_mem_eq(from->out, frame->octets, frame->len);
	from->out_length = 0;
}

/* P1-006, P1-051, P1-052, P1-053: the peer reads and makes what tshark reads in the same way. */
START_TEST(golden)
{
	int i;

	golden_read(&conversation, golden_conversations[_i]);
	both_init();
	for (i = 0; i < conversation.num_frames; i++) {
		const struct golden_frame *frame = &conversation.frame[i];
		struct peer *from = frame->from_responder ? &responder : &initiator;
		struct peer *to = frame->from_responder ? &initiator : &responder;

		if (i < 2) {
			check_start(frame, from, to);
		} else {
			if (i == 2) {
				peer_agree(&initiator);
				peer_agree(&responder);
			}
			check_fpdu(frame, from, to);
		}
	}
}
END_TEST

/* Scripts of all that one side of a golden conversation sends. */
static const struct {
	const char *conversation;
	bool from_responder;
	const char *start, *rest;
} scripts[] = {
	{ "enhanced", false,
	  "request crc enhanced rev=2 p2p rtr-write rtr-read ird=4660 ord=8 pd=68656c6c6f",
	  "write" },
	{ "enhanced", true, "reply crc enhanced rev=2 p2p rtr-write ird=8 ord=0x3fff",
	  "send payload=12" },
	{ "messages", false, "request crc pd=deadbeef",
	  "send payload=5; send-inv inval=0x1a2b3c4d payload=16; send-se\n"
	  "send-se-inv inval=0xa1b2c3d4 payload=3\n"
	  "write stag=0x01020304 to=0x8000000000000010 payload=9\n"
	  "read sink=0x11121314 sinkto=0x2122232425262728 size=16 src=0x31323334"
	  " srcto=0x4142434445464748\n"
	  "send more payload=64; send mo=64 payload=10\n"
	  "write stag=0x01020304 to=0xfffffffffffffff0 more payload=8\n"
	  "write stag=0x01020304 to=0xfffffffffffffff8 payload=7\n"
	  "read sink=0x11121314 src=0" },
	{ "messages", true, "reply crc",
	  "response stag=0x11121314 to=0x2122232425262728 payload=16; response stag=0x11121314" },
	{ "markers", false, "request markers crc pd=deadbeef",
	  "send payload=488; write stag=0x01020304 to=0x1000 payload=487; send-se payload=1100" },
	{ "markers", true, "reply markers crc",
	  "send hex=000000000000000000000000000000000000000000000000\n"
	  "write stag=0x01020304 to=0x2000 payload=420\n"
	  "send hex=000000000000000000000000000000000000000000000000" },
	{ "terminate", false, "request crc pd=deadbeef", "terminate error=0x2007" },
};

static const struct golden_frame *next_frame(int *at, bool from_responder)
{
	while (*at < conversation.num_frames &&
	       conversation.frame[*at].from_responder != from_responder)
		(*at)++;
	return *at < conversation.num_frames ? &conversation.frame[(*at)++] : NULL;
}

static void assert_sent(struct peer *peer, const struct golden_frame *frame)
{
	ck_assert_msg(peer->out_length >= frame->len, "%s", frame->title);
	ck_assert_mem_eq(peer->out, frame->octets, frame->len);
	peer->out_length -= frame->len;
	memmove(peer->out, peer->out + frame->len, peer->out_length);
}

START_TEST(script_makes_golden_octets)
{
	bool from_responder = scripts[_i].from_responder;
	const struct golden_frame *frame;
	int at = 0, other = 0;

	golden_read(&conversation, scripts[_i].conversation);
	peer_init(&initiator);
	peer_run(&initiator, scripts[_i].start);
	assert_sent(&initiator, next_frame(&at, from_responder));
	frame = next_frame(&other, !from_responder);
	peer_receive(&initiator, frame->octets, frame->len);
	ck_assert(peer_next_start(&initiator));
	peer_run(&initiator, "agree");
	peer_run(&initiator, scripts[_i].rest);
	while ((frame = next_frame(&at, from_responder)))
		assert_sent(&initiator, frame);
	ck_assert_uint_eq(initiator.out_length, 0);
}
END_TEST

/* Both sides of a connection with or without markers, either way, and CRCs. */
static void connect_both(bool request_markers, bool reply_markers, bool crc)
{
	both_init();
	peer_run(&initiator, request_markers ? "request markers" : "request");
	carry(&initiator, &responder);
	ck_assert(peer_next_start(&responder));
	peer_run(&responder, reply_markers ? "reply markers" : "reply");
	responder.out[16] |= crc ? 0x40 : 0;
	responder.own.crc = crc;
	peer_run(&responder, "agree");
	carry(&responder, &initiator);
	ck_assert(peer_next_start(&initiator));
	peer_run(&initiator, "agree");
	ck_assert_int_eq(initiator.markers_in, request_markers);
	ck_assert_int_eq(initiator.markers_out, reply_markers);
	ck_assert_int_eq(responder.markers_out, request_markers);
	ck_assert_int_eq(responder.markers_in, reply_markers);
	ck_assert_int_eq(initiator.crc, crc);
	ck_assert_int_eq(responder.crc, crc);
}

static void assert_right(const struct peer_fpdu *fpdu)
{
	ck_assert(fpdu->has_crc && fpdu->has_markers && fpdu->has_pad && fpdu->is_whole);
}

/* Lengths of payload around those at which a marker more, or an octet of pad less, is due. */
static const u32 lengths[] = {
	0, 1, 2, 3, 4, 470, 471, 472, 473, 474, 475, 476, 477, 480, 484, 485, 486, 487, 488, 489,
	490, 491, 492, 493, 494, 495, 496, 1000, 65517,
};

/* A message of each length, at each of the places that those before it leave to it. */
START_TEST(lengths_with_markers)
{
	bool markers = _i & 1;
	int i, j;
	char script[64];

	connect_both(false, markers, _i & 2);
	for (i = 0; i < COUNT(lengths); i++) {
		for (j = 0; j < (lengths[i] > 1000 ? 1 : 8); j++) {
			snprintf(script, sizeof(script), "send payload=%u", lengths[i]);
			peer_run(&initiator, script);
			carry(&initiator, &responder);
			ck_assert(peer_next_fpdu(&responder));
			assert_right(&responder.fpdu);
			ck_assert_uint_eq(responder.fpdu.payload_length, lengths[i]);
			ck_assert_uint_eq(responder.in_length, 0);
			ck_assert_uint_eq(responder.position_in, initiator.position_out);
			ck_assert_uint_eq(responder.position_in % 4, 0);
		}
	}
}
END_TEST

/* An FPDU is not there before its last octet is. */
START_TEST(octet_by_octet)
{
	static const char script[] = "send payload=600; write payload=1; read size=4";
	u32 sent, at, count = 0;

	connect_both(true, true, true);
	peer_run(&initiator, script);
	sent = initiator.out_length;
	for (at = 0; at < sent; at++) {
		peer_receive(&responder, initiator.out + at, 1);
		if (!peer_next_fpdu(&responder))
			continue;
		assert_right(&responder.fpdu);
		ck_assert_uint_eq(responder.in_length, 0);
		count++;
	}
	ck_assert_uint_eq(count, 3);
	ck_assert_uint_eq(responder.position_in, sent);
}
END_TEST

/* Each fault of a script is seen, and is the only one. */
START_TEST(faults)
{
	const struct peer_fpdu *fpdu = &responder.fpdu;

	connect_both(false, true, true);
	peer_run(&initiator, "send payload=1 bad-crc; send payload=495 bad-marker");
	peer_run(&initiator, "send payload=1 bad-pad; send payload=1");
	carry(&initiator, &responder);
	ck_assert(peer_next_fpdu(&responder));
	ck_assert(!fpdu->has_crc && fpdu->has_markers && fpdu->has_pad);
	ck_assert(peer_next_fpdu(&responder));
	ck_assert(fpdu->has_crc && !fpdu->has_markers && fpdu->has_pad);
	ck_assert(peer_next_fpdu(&responder));
	ck_assert(fpdu->has_crc && fpdu->has_markers && !fpdu->has_pad);
	ck_assert(peer_next_fpdu(&responder));
	assert_right(fpdu);
	ck_assert_uint_eq(fpdu->header.msn, 4);
}
END_TEST

/* Any field can have any value. */
START_TEST(any_header)
{
	const struct peer_fpdu *fpdu = &responder.fpdu;

	connect_both(false, false, false);
	peer_run(&initiator, "send opcode=15 dv=2 rv=3 qn=0xfffffffe msn=7 mo=9 ddpreserved=15"
		 " rdmapreserved=3 hex=0102; write tagged=0 qn=3; send tagged=1 stag=5;"
		 " read cut=17");
	carry(&initiator, &responder);
	ck_assert(peer_next_fpdu(&responder));
	ck_assert_uint_eq(fpdu->header.opcode, 15);
	ck_assert_uint_eq(fpdu->header.dv, 2);
	ck_assert_uint_eq(fpdu->header.rv, 3);
	ck_assert_uint_eq(fpdu->header.qn, 0xfffffffe);
	ck_assert_uint_eq(fpdu->header.msn, 7);
	ck_assert_uint_eq(fpdu->header.mo, 9);
	ck_assert_uint_eq(fpdu->header.ddp_reserved, 15);
	ck_assert_uint_eq(fpdu->header.rdmap_reserved, 3);
	ck_assert_uint_eq(fpdu->payload_length, 2);
	ck_assert(peer_next_fpdu(&responder));
	ck_assert(!fpdu->header.tagged && fpdu->header.qn == 3 && fpdu->header.msn == 1);
	ck_assert(peer_next_fpdu(&responder));
	ck_assert(fpdu->header.tagged && fpdu->header.opcode == 3 && fpdu->header.stag == 5);
	ck_assert(peer_next_fpdu(&responder));
	ck_assert(!fpdu->is_whole);
	ck_assert_uint_eq(fpdu->length, 17);
}
END_TEST

/* Control octets of Terminates, right ones and those that were measured of siw. */
static const struct {
	u8 control[4];
	bool is_swapped;
} controls[] = {
	{ { 0x12, 0x05, 0xc0, 0 }, false }, { { 0x02, 0x05, 0xc0, 0 }, false },
	{ { 0x20, 0x02, 0x00, 0 }, false }, { { 0x01, 0x00, 0xe0, 0 }, false },
	{ { 0x21, 0x02, 0x03, 0 }, true },  { { 0x10, 0x00, 0x07, 0 }, false },
	{ { 0x21, 0x05, 0x03, 0 }, true },  { { 0x33, 0x05, 0x03, 0 }, false },
};

START_TEST(terminate_bits)
{
	const struct peer_terminate *t = &responder.fpdu.terminate;
	char script[96];

	connect_both(false, false, true);
	snprintf(script, sizeof(script), "send opcode=7 qn=2 hex=%02x%02x%02x%02x",
		 controls[_i].control[0], controls[_i].control[1], controls[_i].control[2],
		 controls[_i].control[3]);
	peer_run(&initiator, script);
	carry(&initiator, &responder);
	ck_assert(peer_next_fpdu(&responder));
	ck_assert_mem_eq(t->control, controls[_i].control, 4);
	ck_assert_int_eq(t->is_swapped, controls[_i].is_swapped);
	ck_assert_int_eq(t->is_short, t->m || t->d || t->r);
}
END_TEST

/* Start-up octets that are no frame are reported as such. */
START_TEST(wrong_starts)
{
	both_init();
	peer_run(&initiator, "request octets=19");
	carry(&initiator, &responder);
	ck_assert(!peer_next_start(&responder));
	peer_run(&initiator, "raw 00");
	carry(&initiator, &responder);
	ck_assert(peer_next_start(&responder));
	ck_assert(responder.start.has_key && !responder.start.is_reply);

	peer_run(&initiator, "raw 4d50412049442052657120467261ffff40010000");
	carry(&initiator, &responder);
	ck_assert(peer_next_start(&responder));
	ck_assert(!responder.start.has_key);

	peer_run(&initiator, "request length=513");
	carry(&initiator, &responder);
	ck_assert(peer_next_start(&responder));
	ck_assert_uint_eq(responder.start.pd_length, 513);

	/* An enhanced frame of revision 1 is not one. */
	peer_run(&initiator, "request enhanced ird=5 rev=1");
	carry(&initiator, &responder);
	ck_assert(peer_next_start(&responder));
	ck_assert_uint_eq(responder.start.ird, 0);
	ck_assert_uint_eq(responder.start.private_length, 4);

	/* Octets behind a frame stay. */
	peer_run(&initiator, "request pd=0102; send");
	carry(&initiator, &responder);
	ck_assert(peer_next_start(&responder));
	ck_assert_uint_eq(responder.start.private_length, 2);
	ck_assert_uint_eq(responder.in_length, 24);
}
END_TEST

Suite *iwarp_peer_suite(void)
{
	Suite *suite = suite_create("iwarp_peer");
	TCase *tc = tcase_create("iwarp_peer");

	tcase_add_loop_test(tc, golden, 0, golden_num_conversations);
	tcase_add_loop_test(tc, script_makes_golden_octets, 0, COUNT(scripts));
	tcase_add_loop_test(tc, lengths_with_markers, 0, 4);
	tcase_add_test(tc, octet_by_octet);
	tcase_add_test(tc, faults);
	tcase_add_test(tc, any_header);
	tcase_add_loop_test(tc, terminate_bits, 0, COUNT(controls));
	tcase_add_test(tc, wrong_starts);
	suite_add_tcase(suite, tc);
	return suite;
}
