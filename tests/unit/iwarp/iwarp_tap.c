// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Captures of RNICs: each octet of both directions once, and the start-up frames first. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <linux/hca_tap.h>
#include <linux/slab.h>
#include "capture/capture.h"
#include "iwarp/fault_install.h"
#include "iwarp/tap.h"
#include "tests/unit/iwarp/rnics.h"
#include "tests/unit/suites.h"

#define A (&rnics.end[0])
#define B (&rnics.end[1])
#define RING_OCTETS (1u << 20)
#define BOTH (HCA_TAP_IN | HCA_TAP_OUT)

/* A capture of an RNIC with one tap, and the octets of the streams that its records have. */
struct listener {
	struct hca_capture capture;
	struct hca_rnic_tap tap;
	u8 *ring;
	u8 stream[2][RNICS_OCTETS]; /* by direction: out, in */
	u64 octets[2];
	unsigned int records, frames, kept, fpdus;
	u8 flags; /* of the last FPDU */
	u32 qpn; /* of the last record */
	u32 length; /* of the last record, and those of its octets that it has */
	u32 captured;
};

static struct listener listeners[2];

static void listener_notify(struct hca_capture *capture)
{
}

static void listener_begin_ring(struct listener *l, struct rnic_end *e, u8 directions, u32 qpn,
				u32 ring_octets, u32 snap_length)
{
	memset(l, 0, sizeof(*l));
	l->ring = calloc(1, ring_octets);
	hca_capture_init(&l->capture, l->ring, ring_octets, snap_length, listener_notify);
	l->tap.capture = &l->capture;
	l->tap.directions = directions;
	l->tap.qpn = qpn;
	hca_rnic_tap_attach(&l->tap, &e->rnic);
}

static void listener_begin(struct listener *l, struct rnic_end *e, u8 directions, u32 qpn)
{
	listener_begin_ring(l, e, directions, qpn, RING_OCTETS, U32_MAX);
}

/* Add the octets of a record to those of its stream, whose beginning is known. */
static void listener_add(struct listener *l, const struct hca_tap_record *record)
{
	const u8 *octets = (const u8 *)(record + 1) + sizeof(struct hca_tap_stream);
	bool in = record->direction == HCA_TAP_IN;
	struct hca_tap_stream place;

	memcpy(&place, record + 1, sizeof(place));
	ck_assert_uint_eq(record->flow, HCA_TAP_STREAM);
	ck_assert_uint_eq(place.offset, l->octets[in]);
	l->length = record->length - sizeof(place);
	l->captured = record->captured - sizeof(place);
	l->qpn = place.qpn;
	l->records++;
	if (place.flags & HCA_TAP_STARTUP) {
		ck_assert_uint_eq(place.start, l->length);
		l->frames++;
		l->kept += !!(place.flags & HCA_TAP_KEPT);
	} else {
		ck_assert_uint_ge(place.offset, place.start);
		l->fpdus++;
		l->flags = place.flags;
	}
	memcpy(l->stream[in] + place.offset, octets, l->captured);
	l->octets[in] += l->length;
}

static void listener_read(struct listener *l)
{
	const struct hca_tap_record *record;

	while ((record = hca_capture_first(&l->capture))) {
		listener_add(l, record);
		hca_capture_drop(&l->capture);
	}
	ck_assert_uint_eq(l->capture.lost, 0);
}

static void listener_end(struct listener *l)
{
	if (l->tap.rnic)
		hca_rnic_tap_detach(&l->tap);
	free(l->ring);
	l->ring = NULL;
}

/* A Send, a Write and a Read, of several FPDUs each. */
static void exchange(void)
{
	rnics_recv(B, 1, 0, 5000);
	rnics_send(A, 2, 0, 5000);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_WRITE, 3, 0, 9000, B->mr->key, 10000);
	rnics_rdma(A, IB_UVERBS_WR_RDMA_READ, 4, 0, 7000, B->mr->key, 10000);
	rnics_settle();
	rnics_expect(&A->send_cq, 2, IB_WC_SUCCESS);
	rnics_expect(&A->send_cq, 3, IB_WC_SUCCESS);
	rnics_expect(&A->send_cq, 4, IB_WC_SUCCESS);
}

static u64 fpdus_of(struct rnic_end *e)
{
	return atomic64_read(&e->rnic.count[HCA_RNIC_FPDUS_IN]) +
	       atomic64_read(&e->rnic.count[HCA_RNIC_FPDUS_OUT]);
}

static void begin(bool markers)
{
	rnics_setup();
	rnics_begin(NULL);
	A->rnic.options.markers = markers;
	B->rnic.options.markers = markers;
}

/* The two ends have the same octets, each in the other direction. */
static void both_agree(void)
{
	struct listener *a = &listeners[0], *b = &listeners[1];
	int out;

	for (out = 0; out < 2; out++) {
		ck_assert_uint_gt(a->octets[out], 0);
		ck_assert_uint_eq(a->octets[out], b->octets[!out]);
		ck_assert_mem_eq(a->stream[out], b->stream[!out], a->octets[out]);
	}
}

START_TEST(all_octets_of_both_ends)
{
	begin(_i);
	listener_begin(&listeners[0], A, BOTH, 0);
	listener_begin(&listeners[1], B, BOTH, 0);
	rnics_connect();
	exchange();
	listener_read(&listeners[0]);
	listener_read(&listeners[1]);
	both_agree();
	ck_assert_uint_eq(listeners[0].frames, 2);
	ck_assert_uint_eq(listeners[0].kept, 0);
	ck_assert_uint_eq(listeners[1].frames, 2);
	ck_assert_uint_eq(listeners[0].fpdus, fpdus_of(A));
	ck_assert_uint_eq(listeners[1].fpdus, fpdus_of(B));
	ck_assert_uint_eq(listeners[0].qpn, A->qp->qpn);
	ck_assert_uint_eq(listeners[0].flags, HCA_TAP_CRC | (_i ? HCA_TAP_MARKERS : 0));
	ck_assert_uint_eq(listeners[0].octets[0], A->ep.frame_octets + A->stream->sent);
	ck_assert_uint_eq(listeners[0].octets[1], B->ep.frame_octets + A->stream->received);
	listener_end(&listeners[0]);
	listener_end(&listeners[1]);
	rnics_end();
}
END_TEST

/* Read the next record, whatever precedes it. Return: whether there is one. */
static bool listener_next(struct listener *l, struct hca_tap_stream *place)
{
	const struct hca_tap_record *record = hca_capture_first(&l->capture);

	if (!record)
		return false;
	memcpy(place, record + 1, sizeof(*place));
	l->octets[record->direction == HCA_TAP_IN] = place->offset;
	listener_add(l, record);
	hca_capture_drop(&l->capture);
	return true;
}

/* A capture that begins later has the frames, and then the octets from there on. */
START_TEST(frames_are_kept_for_a_late_capture)
{
	struct rnic_end *e = _i ? B : A, *peer = _i ? A : B;
	struct listener *l = &listeners[0];
	struct hca_tap_stream place;
	unsigned int i, in;
	u64 next[2];

	begin(false);
	rnics_connect();
	exchange();
	listener_begin(l, e, BOTH, 0);
	for (i = 0; i < 2; i++) {
		rnics_recv(A, 5, 0, 100);
		rnics_send(B, 6, 0, 100);
		rnics_settle();
	}
	for (i = 0; i < 2; i++) {
		ck_assert(listener_next(l, &place));
		in = i != (unsigned int)_i;
		ck_assert_mem_eq(l->stream[in] + place.offset, (in ? peer : e)->ep.frame,
				 place.start);
		next[in] = place.offset + place.start;
	}
	ck_assert_uint_eq(l->frames, 2);
	ck_assert_uint_eq(l->kept, 2);
	/* The frames come once, and the octets of the FPDUs follow them. */
	for (i = 0; i < 2; i++) {
		ck_assert(listener_next(l, &place));
		ck_assert_uint_eq(place.offset, next[!_i]);
		next[!_i] += l->length;
	}
	ck_assert_uint_eq(l->frames, 2);
	ck_assert_uint_eq(l->fpdus, 2);
	ck_assert_uint_eq(place.offset + l->length, B->ep.frame_octets + B->stream->sent);
	ck_assert(!listener_next(l, &place));
	listener_end(l);
	rnics_end();
}
END_TEST

START_TEST(a_direction_and_a_queue_pair)
{
	begin(false);
	listener_begin(&listeners[0], A, HCA_TAP_OUT, 0);
	listener_begin(&listeners[1], A, BOTH, A->qp->qpn + _i);
	rnics_connect();
	exchange();
	listener_read(&listeners[0]);
	listener_read(&listeners[1]);
	ck_assert_uint_gt(listeners[0].octets[0], 0);
	ck_assert_uint_eq(listeners[0].octets[1], 0);
	ck_assert_uint_eq(listeners[1].fpdus, _i ? 0 : fpdus_of(A));
	ck_assert_uint_eq(listeners[1].frames, _i ? 0 : 2);
	listener_end(&listeners[0]);
	listener_end(&listeners[1]);
	rnics_end();
}
END_TEST

/* The request of a responder comes before it has a queue pair. */
START_TEST(a_queue_pair_gets_the_request_that_came_before_it)
{
	begin(false);
	listener_begin(&listeners[0], B, BOTH, B->qp->qpn);
	rnics_connect();
	exchange();
	listener_read(&listeners[0]);
	ck_assert_uint_eq(listeners[0].frames, 2);
	ck_assert_uint_eq(listeners[0].kept, 1);
	ck_assert_uint_eq(listeners[0].fpdus, fpdus_of(B));
	listener_end(&listeners[0]);
	rnics_end();
}
END_TEST

START_TEST(octets_are_cut)
{
	struct listener *l = &listeners[0];

	begin(false);
	listener_begin_ring(l, A, BOTH, 0, RING_OCTETS, 40);
	rnics_connect();
	rnics_recv(B, 1, 0, 1000);
	rnics_send(A, 2, 0, 1000);
	rnics_settle();
	listener_read(l);
	ck_assert_uint_gt(l->length, 1000);
	ck_assert_uint_eq(l->captured, 40);
	listener_end(l);
	rnics_end();
}
END_TEST

/* An FPDU with a wrong CRC is captured at both ends, and as it is. */
START_TEST(wrong_octets_are_captured)
{
	const struct hca_iwarp_fault_spec spec = { .kind = HCA_IWARP_FAULT_BAD_CRC, .once = true };
	struct hca_iwarp_fault *fault;

	begin(false);
	listener_begin(&listeners[0], A, BOTH, 0);
	listener_begin(&listeners[1], B, BOTH, 0);
	rnics_connect();
	fault = kmalloc(sizeof(*fault), GFP_KERNEL);
	hca_iwarp_fault_init(fault, &spec);
	hca_iwarp_set_fault(A->qp, fault);
	rnics_recv(B, 1, 0, 1000);
	rnics_send(A, 2, 0, 1000);
	rnics_settle();
	ck_assert_uint_eq(B->it->terminate.error, HCA_ERR_MPA_CRC);
	listener_read(&listeners[0]);
	listener_read(&listeners[1]);
	both_agree();
	listener_end(&listeners[0]);
	listener_end(&listeners[1]);
	rnics_end();
}
END_TEST

START_TEST(a_capture_ends)
{
	begin(false);
	listener_begin(&listeners[0], A, BOTH, 0);
	listener_begin(&listeners[1], A, BOTH, 0);
	ck_assert_uint_eq(hca_rnic_tap_count(&A->rnic), 2);
	hca_rnic_tap_detach(&listeners[0].tap);
	ck_assert_uint_eq(hca_rnic_tap_count(&A->rnic), 1);
	ck_assert_ptr_eq(hca_rnic_tap_first(&A->rnic), &listeners[1].tap);
	rnics_connect();
	listener_read(&listeners[0]);
	listener_read(&listeners[1]);
	ck_assert_uint_eq(listeners[0].records, 0);
	ck_assert_uint_gt(listeners[1].records, 2);
	listener_end(&listeners[0]);
	listener_end(&listeners[1]);
	ck_assert_ptr_null(hca_rnic_tap_first(&A->rnic));
	rnics_end();
}
END_TEST

Suite *iwarp_tap_suite(void)
{
	Suite *suite = suite_create("iwarp_tap");
	TCase *tc = tcase_create("iwarp_tap");

	tcase_add_loop_test(tc, all_octets_of_both_ends, 0, 2);
	tcase_add_loop_test(tc, frames_are_kept_for_a_late_capture, 0, 2);
	tcase_add_loop_test(tc, a_direction_and_a_queue_pair, 0, 2);
	tcase_add_test(tc, a_queue_pair_gets_the_request_that_came_before_it);
	tcase_add_test(tc, octets_are_cut);
	tcase_add_test(tc, wrong_octets_are_captured);
	tcase_add_test(tc, a_capture_ends);
	suite_add_tcase(suite, tc);
	return suite;
}
