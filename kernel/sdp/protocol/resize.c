// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Changes of the size of private buffers by ChRcvBuf and ChRcvBufAck. */
#include "sdp/protocol/resize.h"
#include <linux/minmax.h>
#include "sdp/protocol/urgent.h"

void sdp_resize_sends(struct sdp_resize *resize, u32 size)
{
	resize->most = min(size, SDP_BSDH_SIZE + SDP_URGENT_AHEAD);
}

void sdp_resize_init(struct sdp_resize *resize, u32 size, u32 peer_size)
{
	*resize = (struct sdp_resize){ .peer_began = peer_size };
	sdp_resize_sends(resize, size);
}

/*
 * Return the size to grant, as close to @asked as the limits allow. A request for a larger size
 * never yields a smaller one, and vice versa (S2-237).
 */
static u32 resize_choose(u32 size, u32 asked)
{
	if (asked > size)
		return max(size, min(asked, SDP_RESIZE_MOST));
	return min(size, max(asked, SDP_RESIZE_LEAST));
}

/* Return whether the peer sent its request before it had received ours. */
static bool resize_has_crossed(const struct sdp_resize *resize, u32 mseq_ack)
{
	return resize->asked && (s32)(mseq_ack - resize->mseq) < 0;
}

/* Withdraw our outstanding request. A request for a larger size is repeated later (S2-242). */
static void resize_withdraw(struct sdp_resize *resize, u32 *peer_size)
{
	*peer_size = resize->before;
	if (resize->requests < SDP_RESIZE_REQUESTS && resize->asked > resize->before)
		resize->wanted = resize->asked;
	resize->asked = 0;
}

enum sdp_fault sdp_resize_requested(struct sdp_resize *resize, const struct sdp_message *message,
				    u32 size, u32 *peer_size, u64 octets, u32 *adopt)
{
	*adopt = 0;
	if (resize->size)
		return SDP_FAULT_STATE;
	if (resize_has_crossed(resize, message->bsdh.mseq_ack)) {
		if (!resize->connects)
			return SDP_OK;
		resize_withdraw(resize, peer_size);
	}
	resize->size = size;
	if (resize->changes >= SDP_RESIZE_CHANGES + octets / SDP_RESIZE_OCTETS ||
	    resize_choose(size, message->size) == size)
		return SDP_OK;
	resize->changes++;
	*adopt = resize_choose(size, message->size);
	return SDP_OK;
}

void sdp_resize_adopted(struct sdp_resize *resize, u32 size, u32 before, u32 posted)
{
	resize->size = size;
	resize->earlier = size > before ? posted : 0;
}

u32 sdp_resize_ack(struct sdp_resize *resize)
{
	u32 size = resize->size;

	resize->size = 0;
	return size;
}

bool sdp_resize_ask(struct sdp_resize *resize, u32 peer_size, u32 size)
{
	bool refused = size > peer_size ? resize->no_larger : resize->no_smaller;

	if (size == peer_size || refused || resize->asked || resize->wanted ||
	    resize->requests == SDP_RESIZE_REQUESTS)
		return false;
	resize->wanted = size;
	return true;
}

bool sdp_resize_may_ask_back(const struct sdp_resize *resize, u32 peer_size)
{
	if (resize->asked)
		return !resize->pushed;
	return peer_size > resize->peer_began && !resize->no_smaller;
}

bool sdp_resize_ask_back(struct sdp_resize *resize, u32 peer_size, u32 peer_bufs)
{
	if (!sdp_resize_may_ask_back(resize, peer_size))
		return false;
	if (resize->asked) {
		resize->flush = 2 * peer_bufs;
		resize->pushed = true;
		return true;
	}
	resize->requests = 0;
	return sdp_resize_ask(resize, peer_size, resize->peer_began);
}

void sdp_resize_sent(struct sdp_resize *resize, u32 peer_size, u32 octets)
{
	if (octets < peer_size) {
		resize->filled = 0;
		return;
	}
	if (++resize->filled < SDP_RESIZE_FILLED)
		return;
	resize->filled = 0;
	if (peer_size <= resize->most / 2)
		sdp_resize_ask(resize, peer_size, resize->most);
}

void sdp_resize_begin(struct sdp_resize *resize, u32 *peer_size, u32 mseq)
{
	resize->asked = resize->wanted;
	resize->wanted = 0;
	resize->mseq = mseq;
	resize->before = *peer_size;
	*peer_size = min(*peer_size, resize->asked);
	resize->requests++;
	resize->pushed = false;
}

enum sdp_fault sdp_resize_answered(struct sdp_resize *resize, u32 size, u32 *peer_size,
				   u32 peer_bufs)
{
	bool larger = resize->asked > resize->before;

	if (!resize->asked)
		return SDP_FAULT_STATE;
	if (larger ? size < resize->before : size < resize->asked || size > resize->before)
		return SDP_FAULT_FIELD;
	resize->flush = size < resize->before ? peer_bufs : 0;
	if (size == resize->before && larger)
		resize->no_larger = true;
	else if (larger)
		resize->no_smaller = false;
	if (size == resize->before && !larger)
		resize->no_smaller = true;
	resize->asked = 0;
	*peer_size = size;
	return SDP_OK;
}
