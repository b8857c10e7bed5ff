// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The peer at the other end of a link over a network. */
#include "phy/peer.h"
#include <linux/bottom_half.h>
#include <linux/jiffies.h>
#include <linux/random.h>
#include <linux/string.h>
#include "compat.h"

/* Octets of the longest frame that this file sends, with room for its tag. */
#define HCA_PEER_FRAME (HCA_FRAME_HEADER + HCA_HELLO_BYTES + HCA_FRAME_TAG)

static bool peer_has_address(const struct hca_address *a, const struct hca_address *b)
{
	return a->len == b->len && !memcmp(a->octet, b->octet, a->len);
}

static struct hca_frame peer_frame(struct hca_peer *peer, u8 type, u16 length, u64 to)
{
	return (struct hca_frame){
		.version = HCA_FRAME_VERSION,
		.type = type,
		.length = length,
		.from = peer->session,
		.to = to,
		.number = ++peer->number,
	};
}

/* All functions that send a frame are called with peer->lock held. */
static void peer_send_hello(struct hca_peer *peer, const struct hca_address *to, u64 session)
{
	struct hca_frame frame = peer_frame(peer, HCA_FRAME_HELLO, HCA_HELLO_BYTES,
						   session);
	u8 buf[HCA_PEER_FRAME];
	unsigned int len = hca_frame_pack(&frame, buf);

	hca_hello_pack(&peer->own, buf + len);
	peer->ops->transmit(peer, to, buf, len + HCA_HELLO_BYTES);
}

static void peer_refuse(struct hca_peer *peer, const struct hca_address *to,
			       u64 session, u16 why)
{
	struct hca_frame frame = peer_frame(peer, HCA_FRAME_REFUSE, 2, session);
	u8 buf[HCA_PEER_FRAME];
	unsigned int len = hca_frame_pack(&frame, buf);

	put_unaligned_be16(why, buf + len);
	peer->rejected++;
	peer->ops->transmit(peer, to, buf, len + 2);
}

static void peer_send_bye(struct hca_peer *peer)
{
	struct hca_frame frame = peer_frame(peer, HCA_FRAME_BYE, 0,
						   peer->peer_session);
	u8 buf[HCA_PEER_FRAME];

	peer->ops->transmit(peer, &peer->address, buf, hca_frame_pack(&frame, buf));
}

static void peer_renew_session(struct hca_peer *peer)
{
	do
		peer->session = get_random_u64();
	while (!peer->session);
}

/*
 * Reset the state of a peer that is lost. The peer may return with another address, unless the
 * address is configured. This end begins a new session; frames that an attacker has recorded then
 * do not contain the current session of this end.
 */
static void peer_reset(struct hca_peer *peer)
{
	peer->known = false;
	peer->peer_session = 0;
	peer_renew_session(peer);
	if (!peer->fixed)
		peer->address.len = 0;
}

/*
 * Set peer->up to whether the peer is known and both ends are enabled, and count a change. Context:
 * peer->lock held.
 */
static void peer_update(struct hca_peer *peer)
{
	bool up = peer->known && peer->own.enabled && peer->peer.enabled;

	if (up == peer->up)
		return;
	peer->up = up;
	peer->changes++;
}

/*
 * Call ->changed() for each change of peer->up that has not been reported, in order. One caller at
 * a time does so, and also reports changes that other callers make meanwhile. The link goes up and
 * down alternately; therefore changes with odd numbers are up. Context: peer->lock not held.
 */
static void peer_notify(struct hca_peer *peer)
{
	bool up;

	if (READ_ONCE(peer->changes) == READ_ONCE(peer->notified))
		return;
	spin_lock(&peer->lock);
	if (!peer->notifying) {
		peer->notifying = true;
		while (peer->notified != peer->changes && !peer->stopped) {
			up = ++peer->notified & 1;
			spin_unlock(&peer->lock);
			peer->ops->changed(peer, up);
			spin_lock(&peer->lock);
		}
		peer->notifying = false;
	}
	spin_unlock(&peer->lock);
}

static void peer_tick(struct timer_list *timer)
{
	struct hca_peer *peer = timer_container_of(peer, timer, timer);
	bool polls;

	spin_lock(&peer->lock);
	/*
	 * Count the Hellos sent without an answer, not the time, so that the peer is not lost after
	 * a pause of this machine.
	 */
	if (peer->known && ++peer->silent_hellos > HCA_PEER_SILENCE)
		peer_reset(peer);
	if (peer->address.len)
		peer_send_hello(peer, &peer->address, peer->peer_session);
	else if (peer->call.len)
		peer_send_hello(peer, &peer->call, 0);
	if (!peer->stopped)
		mod_timer(&peer->timer, jiffies + HCA_PEER_HELLO);
	peer_update(peer);
	polls = peer->up && !peer->stopped && peer->ops->poll;
	spin_unlock(&peer->lock);
	peer_notify(peer);
	if (polls)
		peer->ops->poll(peer);
}

void hca_peer_init(struct hca_peer *peer, const struct hca_peer_ops *ops,
		      const struct hca_hello *own, const struct hca_address *address)
{
	peer->ops = ops;
	spin_lock_init(&peer->lock);
	timer_setup(&peer->timer, peer_tick, 0);
	peer->own = *own;
	peer->stopped = true; /* frames are ignored until hca_peer_start() */
	peer_renew_session(peer);
	if (address) {
		peer->address = *address;
		peer->fixed = true;
	}
}

void hca_peer_start(struct hca_peer *peer)
{
	spin_lock_bh(&peer->lock);
	peer->stopped = false;
	if (peer->fixed)
		peer_send_hello(peer, &peer->address, 0);
	else if (peer->call.len)
		peer_send_hello(peer, &peer->call, 0);
	mod_timer(&peer->timer, jiffies + HCA_PEER_HELLO);
	spin_unlock_bh(&peer->lock);
}

void hca_peer_stop(struct hca_peer *peer)
{
	spin_lock_bh(&peer->lock);
	peer->stopped = true;
	if (peer->known)
		peer_send_bye(peer);
	peer_reset(peer);
	spin_unlock_bh(&peer->lock);
	timer_delete_sync(&peer->timer);
}

void hca_peer_will(struct hca_peer *peer, bool enabled)
{
	local_bh_disable();
	spin_lock(&peer->lock);
	if (peer->own.enabled != enabled) {
		peer->own.enabled = enabled;
		if (peer->known)
			peer_send_hello(peer, &peer->address, peer->peer_session);
	}
	peer_update(peer);
	spin_unlock(&peer->lock);
	peer_notify(peer);
	local_bh_enable();
}

/* Return: the reason to reject the sender of a Hello, or HCA_REFUSED_NOT. */
static u16 peer_objection(const struct hca_peer *peer, const struct hca_address *from,
				 const struct hca_hello *hello)
{
	if (hello->port_guid == peer->own.port_guid)
		return HCA_REFUSED_SELF;
	if (!peer->address.len || peer_has_address(from, &peer->address))
		return HCA_REFUSED_NOT;
	return peer->fixed ? HCA_REJECTED_NOT_PEER : HCA_REJECTED_BUSY;
}

static void peer_accept_hello(struct hca_peer *peer, const struct hca_address *from,
			      const struct hca_frame *frame, const struct hca_hello *hello)
{
	bool known = peer->known;

	if (known && frame->number <= peer->peer_number)
		return; /* the network has reordered or duplicated the frame */
	peer->known = true;
	peer->address = *from;
	peer->peer_session = frame->from;
	peer->peer_number = frame->number;
	peer->peer = *hello;
	peer->refused = HCA_REFUSED_NOT;
	peer->silent_hellos = 0;
	if (!known)
		peer_send_hello(peer, from, frame->from);
}

static void peer_hello(struct hca_peer *peer, const struct hca_address *from,
			      const struct hca_frame *frame, const u8 *payload)
{
	struct hca_hello hello;
	u16 why;

	if (hca_hello_parse(&hello, payload, frame->length))
		return;
	why = peer_objection(peer, from, &hello);
	if (why) {
		peer_refuse(peer, from, frame->from, why);
		return;
	}
	if (frame->to != peer->session) { /* only an answer to this end's Hello proves @from */
		peer_send_hello(peer, from, frame->from);
		return;
	}
	if (peer->known && frame->from != peer->peer_session) {
		/*
		 * The peer has restarted. The link restarts as well, with a new session of this
		 * end.
		 */
		peer_reset(peer);
		peer_send_hello(peer, from, frame->from);
		return;
	}
	peer_accept_hello(peer, from, frame, &hello);
}

/* Return: whether the frame has the peer's address and the current sessions of both ends. */
static bool peer_sent(const struct hca_peer *peer, const struct hca_address *from,
			     const struct hca_frame *frame)
{
	return peer->known && frame->from == peer->peer_session &&
	       frame->to == peer->session && peer_has_address(from, &peer->address);
}

static void peer_note_refusal(struct hca_peer *peer, const struct hca_address *from,
				     const struct hca_frame *frame, const u8 *payload)
{
	if (frame->length == 2 && frame->to == peer->session && peer->fixed &&
	    !peer->known && peer_has_address(from, &peer->address))
		peer->refused = get_unaligned_be16(payload);
}

/* Return: whether a frame arrives for the first time. Count a frame that does not. */
static bool peer_is_new(struct hca_peer *peer, const struct hca_frame *frame)
{
	if (hca_replay_is_new(&peer->replay, frame->from, frame->number))
		return true;
	peer->replayed++;
	return false;
}

/*
 * Handle a frame. Return: HCA_FRAME_PACKET or HCA_FRAME_FLOW if the owner handles the frame;
 * otherwise 0. Context: peer->lock held.
 */
static u8 peer_accept(struct hca_peer *peer, const struct hca_address *from,
			   const struct hca_frame *frame, const u8 *payload)
{
	if (frame->version != HCA_FRAME_VERSION) {
		if (frame->type == HCA_FRAME_HELLO)
			peer_refuse(peer, from, frame->from, HCA_REFUSED_VERSION);
		return 0;
	}
	switch (frame->type) {
	case HCA_FRAME_HELLO:
		peer_hello(peer, from, frame, payload);
		return 0;
	case HCA_FRAME_REFUSE:
		peer_note_refusal(peer, from, frame, payload);
		return 0;
	case HCA_FRAME_BYE:
		if (peer_sent(peer, from, frame))
			peer_reset(peer);
		return 0;
	case HCA_FRAME_PACKET:
	case HCA_FRAME_FLOW:
		if (!peer->up || !peer_sent(peer, from, frame) ||
		    !peer_is_new(peer, frame))
			return 0;
		peer->silent_hellos = 0;
		return frame->type;
	default:
		return 0;
	}
}

u8 hca_peer_receive(struct hca_peer *peer, const struct hca_address *from,
		       const struct hca_frame *frame, const u8 *payload)
{
	u8 type;

	spin_lock(&peer->lock);
	type = peer->stopped ? 0 : peer_accept(peer, from, frame, payload);
	peer_update(peer);
	spin_unlock(&peer->lock);
	peer_notify(peer);
	return type;
}

bool hca_peer_head(struct hca_peer *peer, u8 type, unsigned int count,
		      struct hca_frame *frame, struct hca_address *to)
{
	bool up;

	spin_lock(&peer->lock);
	up = peer->up && !peer->stopped;
	if (up) {
		*frame = peer_frame(peer, type, 0, peer->peer_session);
		peer->number += count - 1;
		*to = peer->address;
	}
	spin_unlock(&peer->lock);
	return up;
}

void hca_peer_query(struct hca_peer *peer, struct hca_peer_view *view)
{
	spin_lock_bh(&peer->lock);
	*view = (struct hca_peer_view){
		.known = peer->known,
		.up = peer->up,
		.address = peer->address,
		.peer = peer->peer,
		.refused = peer->refused,
		.rejected = peer->rejected,
		.replayed = peer->replayed,
	};
	spin_unlock_bh(&peer->lock);
}
