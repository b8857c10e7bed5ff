// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Captures of an RNIC. A capture that begins later than a connection gets the start-up frames of
 * the connection before the first FPDU of it, since they say how to read FPDUs. Each endpoint notes
 * which captures have them.
 */
#include "iwarp/tap.h"
#include <linux/build_bug.h>
#include <linux/hca_tap.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "capture/capture.h"

/* Read a pointer of an RNIC's list of captures. Context: the control mutex held. */
#define hca_rnic_tap_own(pointer) rcu_dereference_protected(pointer, true)

void hca_rnic_tap_attach(struct hca_rnic_tap *tap, struct hca_rnic *rnic)
{
	tap->rnic = rnic;
	tap->serial = ++rnic->tap_serial;
	RCU_INIT_POINTER(tap->next, hca_rnic_tap_own(rnic->taps));
	rcu_assign_pointer(rnic->taps, tap);
}

void hca_rnic_tap_detach(struct hca_rnic_tap *tap)
{
	struct hca_rnic_tap __rcu **at = &tap->rnic->taps;
	struct hca_rnic_tap *other;

	while ((other = hca_rnic_tap_own(*at)) != tap)
		at = &other->next;
	/* Readers may still follow tap->next, which therefore stays valid. */
	rcu_assign_pointer(*at, hca_rnic_tap_own(tap->next));
	tap->rnic = NULL;
}

struct hca_rnic_tap *hca_rnic_tap_first(const struct hca_rnic *rnic)
{
	return hca_rnic_tap_own(rnic->taps);
}

unsigned int hca_rnic_tap_count(const struct hca_rnic *rnic)
{
	const struct hca_rnic_tap *tap;
	unsigned int count = 0;

	for (tap = hca_rnic_tap_own(rnic->taps); tap; tap = hca_rnic_tap_own(tap->next))
		count++;
	return count;
}

#define TAP_BOTH (HCA_TAP_IN | HCA_TAP_OUT)

static_assert(sizeof(struct hca_tap_stream) == 64);
static_assert(sizeof(struct hca_tap_record) + sizeof(struct hca_tap_stream) + HCA_FPDU_MAX + 7 <=
	      HCA_TAP_STREAM_RECORD_MAX);

/* Octets of a stream that are to be captured. */
struct tap_sight {
	struct hca_tap_stream head;
	const struct hca_octets *range; /* has at least @octets octets */
	u32 octets;
	u32 length; /* octets of the whole FPDU or frame */
	u8 direction;
};

static void tap_copy(u8 *to, const struct tap_sight *sight, u32 octets)
{
	const struct hca_octets *range;
	u32 now;

	for (range = sight->range; octets; range++, octets -= now, to += now) {
		now = min(octets, range->length);
		memcpy(to, range->data, now);
	}
}

/* Write a record. One that is longer than half of the ring is cut, since it might never fit. */
static void tap_write(const struct hca_rnic_tap *tap, const struct tap_sight *sight)
{
	struct hca_capture *capture = tap->capture;
	u32 octets = min3(sight->octets, capture->snap_length, capture->octets / 2);
	struct hca_tap_record *record;

	if (!(tap->directions & sight->direction))
		return;
	record = hca_capture_reserve(capture, sizeof(sight->head) + octets);
	if (!record)
		return;
	record->length = sizeof(sight->head) + sight->length;
	record->captured = sizeof(sight->head) + octets;
	record->port = tap->num;
	record->direction = sight->direction;
	record->flow = HCA_TAP_STREAM;
	memcpy(record + 1, &sight->head, sizeof(sight->head));
	tap_copy((u8 *)(record + 1) + sizeof(sight->head), sight, octets);
	hca_capture_commit(capture, record);
}

/* Return: octets of the start-up frame of a direction, which has passed. */
static u32 tap_start(const struct hca_endpoint *ep, u8 direction)
{
	return direction == HCA_TAP_OUT ? ep->frame_octets :
					  ep->peer_head_octets + ep->peer.private_length;
}

static void tap_describe(const struct hca_endpoint *ep, struct tap_sight *sight, u8 direction)
{
	sight->direction = direction;
	sight->head.qpn = ep->qp ? ep->qp->qp.qpn : 0;
	sight->head.start = tap_start(ep, direction);
	if (ep->ends)
		ep->ends(ep, &sight->head);
}

/*
 * Return: the position of the first octet of Full Operation that a capture gets of a direction,
 * @sight included.
 */
static u64 tap_position(const struct hca_endpoint *ep, const struct tap_sight *sight, u8 direction)
{
	if (sight->range && sight->direction == direction)
		return sight->head.offset - sight->head.start;
	if (direction == HCA_TAP_IN)
		return ep->stream->received;
	return ep->qp ? hca_mpa_tx_position(&ep->qp->tx, ep->stream) : ep->stream->sent;
}

/* Return: the direction of the request. The own frame of a responder is made after it. */
static u8 tap_first(const struct hca_endpoint *ep)
{
	return ep->peer_head_octets && !ep->peer.is_reply ? HCA_TAP_IN : HCA_TAP_OUT;
}

/*
 * Write a start-up frame to one capture. Its offset is 0, or is such that the first octets of the
 * capture behind it follow it.
 */
static void tap_write_frame(const struct hca_rnic_tap *tap, const struct hca_endpoint *ep,
			    const struct tap_sight *cause, u8 direction, u8 flags)
{
	struct hca_octets own = { .data = ep->frame, .length = ep->frame_octets }, peer[] = {
		{ .data = ep->peer_head, .length = ep->peer_head_octets },
		{ .data = ep->peer_private, .length = ep->peer.private_length },
	};
	struct tap_sight sight = { .range = direction == HCA_TAP_OUT ? &own : peer };
	u8 other = direction ^ TAP_BOTH;

	tap_describe(ep, &sight, direction);
	sight.octets = sight.head.start;
	sight.length = sight.octets;
	sight.head.offset = tap_position(ep, cause, direction);
	sight.head.acked = tap_position(ep, cause, other);
	if (direction != tap_first(ep))
		sight.head.acked += tap_start(ep, other);
	sight.head.flags = HCA_TAP_STARTUP | flags;
	tap_write(tap, &sight);
}

/* Write the start-up frames that a capture does not have, in the order of the connection. */
static void tap_catch_up(const struct hca_rnic_tap *tap, const struct hca_endpoint *ep,
			 const struct tap_sight *sight)
{
	u8 first = tap_first(ep), second = first ^ TAP_BOTH;
	bool is_first = !sight->range && sight->direction == first;
	bool is_second = !sight->range && sight->direction == second;

	tap_write_frame(tap, ep, sight, first, is_first ? 0 : HCA_TAP_KEPT);
	if (ep->is_frame_sent && ep->peer_head_octets)
		tap_write_frame(tap, ep, sight, second, is_second ? 0 : HCA_TAP_KEPT);
}

/* Write octets to one capture, and what must precede them. Without a range they are a frame. */
static void tap_write_all(const struct hca_rnic_tap *tap, const struct hca_endpoint *ep,
			  const struct tap_sight *sight)
{
	if (tap->serial > ep->tap_serial[!!tap->qpn])
		tap_catch_up(tap, ep, sight);
	else if (!sight->range)
		tap_write_frame(tap, ep, sight, sight->direction, 0);
	if (sight->range)
		tap_write(tap, sight);
}

static bool tap_wants(const struct hca_rnic_tap *tap, const struct hca_endpoint *ep)
{
	return !tap->qpn || (ep->qp && ep->qp->qp.qpn == tap->qpn);
}

/*
 * Write octets to each of the at most HCA_MAX_RNIC_TAPS captures that includes a connection. A
 * capture that is attached meanwhile has a greater number than all that are found here.
 */
static void tap_see(struct hca_endpoint *ep, const struct tap_sight *sight)
{
	u64 seen[] = { ep->tap_serial[0], ep->tap_serial[1] };
	const struct hca_rnic_tap *tap;

	for (tap = rcu_dereference_bh(ep->rnic->taps); tap; tap = rcu_dereference_bh(tap->next)) {
		if (!tap_wants(tap, ep))
			continue;
		tap_write_all(tap, ep, sight);
		seen[!!tap->qpn] = max(seen[!!tap->qpn], tap->serial);
	}
	memcpy(ep->tap_serial, seen, sizeof(seen));
}

static u8 tap_flags(bool crc, bool markers)
{
	return (crc ? HCA_TAP_CRC : 0) | (markers ? HCA_TAP_MARKERS : 0);
}

void hca_iwarp_tap_written(struct hca_iwarp_qp *it, u32 octets)
{
	const struct hca_tx_buffer *b = &it->tx.buffer;
	struct hca_octets range = { .data = b->data + b->used - octets, .length = octets };
	struct tap_sight sight = { .range = &range, .octets = octets, .length = octets };

	tap_describe(it->ep, &sight, HCA_TAP_OUT);
	sight.head.flags = tap_flags(it->tx.crc, it->tx.markers);
	sight.head.offset = sight.head.start + hca_mpa_tx_position(&it->tx, it->ep->stream) -
			    octets;
	sight.head.acked = tap_start(it->ep, HCA_TAP_IN) + it->ep->stream->received;
	tap_see(it->ep, &sight);
}

void hca_iwarp_tap_arrived(struct hca_iwarp_qp *it, const struct hca_mpa_fpdu *fpdu)
{
	struct tap_sight sight = { .range = fpdu->rx.range, .length = fpdu->rx.bytes };
	unsigned int i;
	u32 there = 0;

	/* Octets that are not the beginning of an FPDU are refused before all have arrived. */
	for (i = 0; i < fpdu->rx.ranges; i++)
		there += fpdu->rx.range[i].length;
	sight.octets = min(there, sight.length);
	tap_describe(it->ep, &sight, HCA_TAP_IN);
	sight.head.flags = tap_flags(it->rx.crc, it->rx.markers);
	sight.head.offset = sight.head.start + it->ep->stream->received;
	sight.head.acked = tap_start(it->ep, HCA_TAP_OUT) +
			   hca_mpa_tx_position(&it->tx, it->ep->stream);
	tap_see(it->ep, &sight);
}

void hca_iwarp_tap_startup(struct hca_endpoint *ep, u8 direction)
{
	const struct tap_sight sight = { .direction = direction };

	tap_see(ep, &sight);
}
