// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reception of frames from a port of another kernel. */
#include <linux/err.h>
#include "link/phy.h"
#include "link/remote_link.h"
#include "phy/ingress.h"

static void receive_segment(struct hca_ingress *ingress, const struct hca_frame *frame,
			    const u8 *payload)
{
	const u8 *packet = hca_reassembly_add(&ingress->reassembly, frame, payload);

	if (IS_ERR(packet)) {
		atomic64_inc(&ingress->malformed);
	} else if (packet) {
		hca_phy_receive(ingress->port, packet, frame->total);
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
		hca_phy_flow(ingress->port, payload, frame.length);
	else if (type == HCA_FRAME_PACKET && frame.segments == 1)
		hca_phy_receive(ingress->port, payload, frame.length);
	else if (type == HCA_FRAME_PACKET)
		receive_segment(ingress, &frame, payload);
}
