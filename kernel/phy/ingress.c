// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reception of frames from a port of another kernel. */
#include "phy/ingress.h"
#include <linux/err.h>
#include "link/state/phy.h"
#include "link/state/remote_link.h"

int hca_ingress_init(struct hca_ingress *ingress, struct hca_port *port, struct hca_peer *peer)
{
	ingress->port = port;
	ingress->peer = peer;
	spin_lock_init(&ingress->lock);
	return hca_reassembly_init(&ingress->reassembly);
}

void hca_ingress_destroy(struct hca_ingress *ingress)
{
	hca_reassembly_destroy(&ingress->reassembly);
}

/*
 * Return whether a packet is in order, that is, no frame after @number, the packet's last frame,
 * has been handed over to the port. Context: ingress->lock held.
 */
static bool ingress_keeps_order(struct hca_ingress *ingress, u64 session, u64 number)
{
	if (session == ingress->session && number < ingress->last) {
		ingress->overtaken++;
		return false;
	}
	ingress->session = session;
	ingress->last = number;
	return true;
}

static void ingress_receive_packet(struct hca_ingress *ingress, const struct hca_frame *frame,
				   const u8 *octets, unsigned int len)
{
	u64 number = frame->number - frame->segment + frame->segments - 1;

	spin_lock(&ingress->lock);
	if (ingress_keeps_order(ingress, frame->from, number))
		hca_phy_receive(ingress->port, octets, len);
	spin_unlock(&ingress->lock);
}

static void ingress_receive_flow(struct hca_ingress *ingress, const struct hca_frame *frame,
				 const u8 *octets)
{
	spin_lock(&ingress->lock);
	if (ingress_keeps_order(ingress, frame->from, frame->number))
		hca_phy_flow(ingress->port, octets, frame->length);
	spin_unlock(&ingress->lock);
}

static void ingress_receive_segment(struct hca_ingress *ingress, const struct hca_frame *frame,
				    const u8 *payload)
{
	const u8 *packet = hca_reassembly_add(&ingress->reassembly, frame, payload);

	if (IS_ERR(packet)) {
		atomic64_inc(&ingress->malformed);
	} else if (packet) {
		ingress_receive_packet(ingress, frame, packet, frame->total);
		hca_reassembly_release(&ingress->reassembly, packet);
	}
}

void hca_ingress_receive(struct hca_ingress *ingress, const struct hca_address *from,
			 const u8 *octets, unsigned int len)
{
	const u8 *payload = octets + HCA_FRAME_HEADER;
	struct hca_frame frame;
	u8 type;

	if (hca_frame_parse(&frame, octets, len)) {
		atomic64_inc(&ingress->malformed);
		return;
	}
	type = hca_peer_receive(ingress->peer, from, &frame, payload);
	if (type == HCA_FRAME_FLOW)
		ingress_receive_flow(ingress, &frame, payload);
	else if (type == HCA_FRAME_PACKET && frame.segments == 1)
		ingress_receive_packet(ingress, &frame, payload, frame.length);
	else if (type == HCA_FRAME_PACKET)
		ingress_receive_segment(ingress, &frame, payload);
}
