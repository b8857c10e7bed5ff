// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Captures of a port: attaching, detaching and writing them. */
#include "link/tap/tap.h"
#include <linux/minmax.h>
#include <linux/string.h>
#include "capture/capture.h"
#include "packet/batch.h"
#include "packet/serialize.h"
#include "wire/flow.h"

/* Read a pointer of a port's list of captures. Context: the control mutex held. */
#define hca_tap_own(pointer) rcu_dereference_protected(pointer, true)

void hca_tap_attach(struct hca_tap *tap, struct hca_port *port)
{
	tap->port = port;
	RCU_INIT_POINTER(tap->next, hca_tap_own(port->taps));
	rcu_assign_pointer(port->taps, tap);
}

struct hca_port *hca_tap_detach(struct hca_tap *tap)
{
	struct hca_port *port = tap->port;
	struct hca_tap __rcu **at = &port->taps;
	struct hca_tap *other;

	while ((other = hca_tap_own(*at)) != tap)
		at = &other->next;
	/* Readers may still follow tap->next, which therefore stays valid. */
	rcu_assign_pointer(*at, hca_tap_own(tap->next));
	tap->port = NULL;
	return port;
}

unsigned int hca_tap_count(const struct hca_port *port)
{
	const struct hca_tap *tap;
	unsigned int count = 0;

	for (tap = hca_tap_own(port->taps); tap; tap = hca_tap_own(tap->next))
		count++;
	return count;
}

/* The data to capture: the packet @pkt or, if @pkt is NULL, the octets at @wire. */
struct hca_sight {
	const struct hca_packet *pkt;
	const u8 *wire;
	u32 octets;
	u8 direction;
	bool flow; /* the data is a flow-control packet */
};

static bool tap_wants(const struct hca_tap *tap, const struct hca_sight *sight)
{
	return tap->directions & sight->direction &&
	       (!sight->flow || tap->directions & HCA_TAP_FLOW);
}

static u32 tap_write(const struct hca_sight *sight, u8 *to, u32 octets)
{
	if (sight->pkt)
		return hca_packet_serialize_start(sight->pkt, to, octets);
	memcpy(to, sight->wire, octets);
	return octets;
}

/* Write data to each of the at most HCA_MAX_PORT_TAPS captures of a port that includes it. */
static void tap_see(struct hca_port *port, const struct hca_sight *sight)
{
	struct hca_tap *tap;

	for (tap = rcu_dereference_bh(port->taps); tap; tap = rcu_dereference_bh(tap->next)) {
		struct hca_capture *capture = tap->capture;
		u32 octets = min(sight->octets, capture->snap_length);
		struct hca_tap_record *record;

		if (!tap_wants(tap, sight))
			continue;
		record = hca_capture_reserve(capture, octets);
		if (!record)
			continue;
		record->length = sight->octets;
		record->captured = tap_write(sight, (u8 *)(record + 1), octets);
		record->port = tap->num;
		record->direction = sight->direction;
		record->flow = sight->flow;
		hca_capture_commit(capture, record);
	}
}

void hca_tap_packet(struct hca_port *port, const struct hca_packet *pkt, u8 direction)
{
	const struct hca_sight sight = {
		.pkt = pkt,
		.octets = hca_packet_bytes(pkt),
		.direction = direction,
	};

	tap_see(port, &sight);
}

void hca_tap_octets(struct hca_port *port, const u8 *wire, u32 octets, u8 direction)
{
	const struct hca_sight sight = {
		.wire = wire,
		.octets = octets,
		.direction = direction,
	};

	tap_see(port, &sight);
}

void hca_tap_flow(struct hca_port *port, const u8 *octets, u32 len, u8 direction)
{
	struct hca_sight sight = {
		.octets = HCA_FLOW_BYTES,
		.direction = direction,
		.flow = true,
	};

	for (; len >= HCA_FLOW_BYTES; len -= HCA_FLOW_BYTES, octets += HCA_FLOW_BYTES) {
		sight.wire = octets;
		tap_see(port, &sight);
	}
}

static void tap_watch_one(struct hca_port *port, const struct hca_packet *pkt, u8 direction)
{
	if (direction == HCA_TAP_OUT)
		trace_hca_packet_out(port, pkt);
	else
		trace_hca_packet_in(port, pkt);
	if (rcu_access_pointer(port->taps))
		hca_tap_packet(port, pkt, direction);
}

void hca_port_watch(struct hca_port *port, const struct hca_packet *pkt, u8 direction)
{
	struct hca_packet part;
	u8 i;

	if (pkt->packets == 1)
		tap_watch_one(port, pkt, direction);
	else
		for (i = 0; i < pkt->packets; i++) {
			hca_batch_view(pkt, i, 1, &part);
			tap_watch_one(port, &part, direction);
		}
}

void hca_port_watch_drop(struct hca_port *port, const struct hca_packet *pkt,
			 enum hca_drop_reason reason)
{
	struct hca_packet part;
	u8 i;

	if (pkt->packets == 1)
		trace_hca_drop(port, pkt, reason);
	else
		for (i = 0; i < pkt->packets; i++) {
			hca_batch_view(pkt, i, 1, &part);
			trace_hca_drop(port, &part, reason);
		}
}
