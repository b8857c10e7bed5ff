// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The numbers and options that MPA's frames negotiate. */
#include "iwarp/negotiate.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include "iwarp/rnic.h"
#include "iwarp/wire/error.h"

u8 hca_negotiate_rtr(const struct hca_mpa_frame *frame)
{
	if (!frame->enhanced || !frame->peer_to_peer)
		return 0;
	return (frame->rtr_send ? HCA_RTR_SEND : 0) | (frame->rtr_write ? HCA_RTR_WRITE : 0) |
	       (frame->rtr_read ? HCA_RTR_READ : 0);
}

static void negotiate_set_rtr(struct hca_mpa_frame *frame, u8 rtr)
{
	frame->rtr_send = rtr & HCA_RTR_SEND;
	frame->rtr_write = rtr & HCA_RTR_WRITE;
	frame->rtr_read = rtr & HCA_RTR_READ;
}

void hca_negotiate_request(struct hca_endpoint *ep)
{
	const struct hca_rnic_options *options = &ep->rnic->options;
	bool enhanced = options->revision >= HCA_MPA_REVISION_2;

	ep->own = (struct hca_mpa_frame){
		.markers = options->markers,
		.crc = options->crc,
		.enhanced = enhanced,
		.revision = enhanced ? HCA_MPA_REVISION_2 : HCA_MPA_REVISION_1,
		.peer_to_peer = enhanced && options->rtr,
		.ird = ep->ird,
		.ord = ep->ord,
	};
	negotiate_set_rtr(&ep->own, options->rtr);
}

/* The reply has the revision of the request, and is enhanced if that is (RFC 6581, 6). */
static void negotiate_reply_frame(struct hca_endpoint *ep, bool is_rejected)
{
	const struct hca_rnic_options *options = &ep->rnic->options;

	ep->own = (struct hca_mpa_frame){
		.is_reply = true,
		.markers = options->markers,
		.crc = options->crc || ep->peer.crc,
		.rejected = is_rejected,
		.enhanced = ep->peer.enhanced,
		.revision = ep->peer.revision,
		.peer_to_peer = ep->peer.peer_to_peer,
		.ird = is_rejected ? HCA_IWARP_MAX_READS : ep->ird,
		.ord = ep->ord,
	};
}

/*
 * Choose one's own limits by those of the peer: it may issue at most @ird, and must be served as
 * many as it issues, even if that is more than the ULP has asked for (RFC 6581, 9): the alternative
 * is a rejection. Return: false if that is impossible.
 */
static bool negotiate_limits(struct hca_endpoint *ep)
{
	const struct hca_mpa_frame *peer = &ep->peer;

	if (!peer->enhanced)
		return true;
	if (peer->ird != HCA_MPA_NOT_NEGOTIATED)
		ep->ord = min(ep->ord, peer->ird);
	if (peer->ord == HCA_MPA_NOT_NEGOTIATED)
		return true;
	ep->ird = max(ep->ird, peer->ord);
	return ep->ird <= HCA_IWARP_MAX_READS;
}

/* A value that the peer does not negotiate is not negotiated in the other direction either. */
static void negotiate_echo(struct hca_endpoint *ep)
{
	if (ep->peer.ord == HCA_MPA_NOT_NEGOTIATED)
		ep->own.ird = HCA_MPA_NOT_NEGOTIATED;
	if (ep->peer.ird == HCA_MPA_NOT_NEGOTIATED)
		ep->own.ord = HCA_MPA_NOT_NEGOTIATED;
}

int hca_negotiate_accept(struct hca_endpoint *ep)
{
	u8 rtr;

	if (!negotiate_limits(ep)) {
		negotiate_reply_frame(ep, true);
		return -ENOMEM;
	}
	negotiate_reply_frame(ep, false);
	negotiate_echo(ep);
	/* If the peer offers nothing that is enabled here, all that can be received is named. */
	rtr = hca_negotiate_rtr(&ep->peer) & ep->rnic->options.rtr;
	negotiate_set_rtr(&ep->own, rtr ? rtr : HCA_RTR_WRITE | HCA_RTR_READ);
	return 0;
}

void hca_negotiate_reject(struct hca_endpoint *ep)
{
	negotiate_reply_frame(ep, true);
}

int hca_negotiate_frame(struct hca_endpoint *ep, const void *data, u16 length)
{
	ep->own.private_length = length;
	ep->own.private_data = data;
	ep->frame_octets = hca_mpa_pack(&ep->own, ep->frame);
	ep->own.private_data = NULL;
	ep->is_frame_due = ep->frame_octets;
	return ep->frame_octets ? 0 : -EINVAL;
}

/* The RTR message that costs least comes first. */
static u8 negotiate_choose_rtr(u8 common)
{
	if (common & HCA_RTR_WRITE)
		return HCA_RTR_WRITE;
	return common & HCA_RTR_READ ? HCA_RTR_READ : common;
}

enum hca_iwarp_error hca_negotiate_reply(struct hca_endpoint *ep, u8 *rtr)
{
	u8 common = hca_negotiate_rtr(&ep->own) & hca_negotiate_rtr(&ep->peer);

	*rtr = 0;
	if (!negotiate_limits(ep))
		return HCA_ERR_MPA_IRD;
	if (!ep->own.enhanced || !ep->own.peer_to_peer || !ep->peer.peer_to_peer)
		return HCA_IWARP_OK;
	*rtr = negotiate_choose_rtr(common);
	return common ? HCA_IWARP_OK : HCA_ERR_MPA_RTR;
}
