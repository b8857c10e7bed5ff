// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Credits: permission to send messages, and credit updates for the peer. */
#include "sdp/protocol/credits.h"
#include <linux/minmax.h>
#include <linux/string.h>

#define BUFS_MAX 0xffffu /* maximum of the BSDH's Bufs field */
#define RESERVED 2 /* credits for messages without payload only */

void sdp_credits_init(struct sdp_credits *credits, u32 own, u32 peer)
{
	*credits = (struct sdp_credits){
		.peer_bufs = peer,
		.posted = own,
		.full = own,
		.known_bufs = own,
	};
}

/* The number of messages that the peer knows it may send. */
static u32 credits_known_to_peer(const struct sdp_credits *credits)
{
	return credits->known_bufs - (credits->count - credits->known_count);
}

/* The number of credits that a message sent now would return to the peer. */
static u32 credits_gain(const struct sdp_credits *credits)
{
	return min(credits->posted, BUFS_MAX) - credits_known_to_peer(credits);
}

bool sdp_credits_may_send(const struct sdp_credits *credits, bool payload)
{
	u32 available = sdp_credits_available(credits);

	if (available > RESERVED)
		return true;
	return !payload && (available == RESERVED || (available && credits_gain(credits)));
}

bool sdp_credits_update_due(const struct sdp_credits *credits)
{
	u32 more = credits_gain(credits);

	if (more == 1 && credits->empty && credits->count - credits->known_count == 1)
		return false;
	return more && (credits_known_to_peer(credits) <= 1 || more >= max(2u, credits->full / 2));
}

void sdp_credits_delay_ack(struct sdp_credits *credits)
{
	if (credits->delayed)
		return;
	credits->delayed = true;
	credits->delayed_ack = credits->received - 1;
}

/*
 * The peer subtracts unacknowledged messages from Bufs. So Bufs also counts the buffers of messages
 * whose acknowledgement is delayed.
 */
void sdp_credits_sent(struct sdp_credits *credits, struct sdp_bsdh *bsdh)
{
	u32 held = credits->delayed ? credits->received - credits->delayed_ack : 0;

	bsdh->mseq = ++credits->sent;
	bsdh->mseq_ack = credits->began ? credits->received - held : 0;
	credits->known_bufs = min(credits->posted, BUFS_MAX - held);
	credits->known_count = credits->count;
	bsdh->bufs = credits->known_bufs + held;
}

/* The first message is number 1, or 0 from a peer that does not count Hello and HelloAck. */
static bool credits_follows(const struct sdp_credits *credits, u32 mseq)
{
	return credits->began ? mseq == credits->received + 1 : mseq <= 1;
}

/* Return whether a message serves only to return credits. */
static bool credits_is_empty(const struct sdp_bsdh *bsdh)
{
	return bsdh->mid == SDP_MID_DATA && bsdh->len == SDP_BSDH_SIZE &&
	       !(bsdh->flags & SDP_FLAG_OOB_PEND);
}

enum sdp_fault sdp_credits_received(struct sdp_credits *credits, const struct sdp_bsdh *bsdh)
{
	if (!credits_known_to_peer(credits))
		return SDP_FAULT_CREDIT;
	if (!credits_follows(credits, bsdh->mseq))
		return SDP_FAULT_MSEQ;
	if (bsdh->mseq_ack - credits->acked > credits->sent - credits->acked ||
	    bsdh->bufs < credits->sent - bsdh->mseq_ack)
		return SDP_FAULT_MSEQ_ACK;
	credits->began = true;
	credits->received = bsdh->mseq;
	credits->count++;
	credits->empty = credits_is_empty(bsdh);
	credits->posted--;
	credits->acked = bsdh->mseq_ack;
	credits->peer_bufs = bsdh->bufs;
	return SDP_OK;
}
