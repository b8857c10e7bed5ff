// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The partner at the other end of a link through another network. */
#include <linux/bottom_half.h>
#include <linux/jiffies.h>
#include <linux/random.h>
#include <linux/string.h>
#include "compat.h"
#include "phy/partner.h"

/* The longest frame made here, and room for a tag. */
#define HCA_PARTNER_FRAME (HCA_FRAME_HEADER + HCA_HELLO_BYTES + HCA_FRAME_TAG)

static bool hca_address_same(const struct hca_address *a, const struct hca_address *b)
{
	return a->len == b->len && !memcmp(a->octet, b->octet, a->len);
}

static struct hca_frame hca_partner_frame(struct hca_partner *partner, u8 type, u16 length, u64 to)
{
	return (struct hca_frame){
		.version = HCA_FRAME_VERSION,
		.type = type,
		.length = length,
		.from = partner->session,
		.to = to,
		.number = ++partner->number,
	};
}

/* partner->lock is held by all that send. */
static void hca_partner_greet(struct hca_partner *partner, const struct hca_address *to, u64 session)
{
	struct hca_frame frame = hca_partner_frame(partner, HCA_FRAME_HELLO, HCA_HELLO_BYTES,
						   session);
	u8 buf[HCA_PARTNER_FRAME];
	unsigned int len = hca_frame_pack(&frame, buf);

	hca_hello_pack(&partner->own, buf + len);
	partner->ops->transmit(partner, to, buf, len + HCA_HELLO_BYTES);
}

static void hca_partner_refuse(struct hca_partner *partner, const struct hca_address *to,
			       u64 session, u16 why)
{
	struct hca_frame frame = hca_partner_frame(partner, HCA_FRAME_REFUSE, 2, session);
	u8 buf[HCA_PARTNER_FRAME];
	unsigned int len = hca_frame_pack(&frame, buf);

	put_unaligned_be16(why, buf + len);
	partner->strangers++;
	partner->ops->transmit(partner, to, buf, len + 2);
}

static void hca_partner_bid_farewell(struct hca_partner *partner)
{
	struct hca_frame frame = hca_partner_frame(partner, HCA_FRAME_BYE, 0,
						   partner->peer_session);
	u8 buf[HCA_PARTNER_FRAME];

	partner->ops->transmit(partner, &partner->address, buf, hca_frame_pack(&frame, buf));
}

static void renew_session(struct hca_partner *partner)
{
	do
		partner->session = get_random_u64();
	while (!partner->session);
}

/*
 * A partner that has gone may come back under another address, unless that is fixed. Our session ends
 * with the partner's: no recorded frame names the next one, so none is accepted again.
 */
static void hca_partner_forget(struct hca_partner *partner)
{
	partner->known = false;
	partner->peer_session = 0;
	renew_session(partner);
	if (!partner->fixed)
		partner->address.len = 0;
}

/* Under the lock: what has become of the link. */
static void hca_partner_settle(struct hca_partner *partner)
{
	bool up = partner->known && partner->own.willing && partner->peer.willing;

	if (up == partner->up)
		return;
	partner->up = up;
	partner->changes++;
}

/*
 * Without it: tell the owner all that is news, in order. One at a time: who finds another at it
 * leaves it to him. Up and down alternate, so that their number says which it is.
 */
static void hca_partner_tell(struct hca_partner *partner)
{
	bool up;

	if (READ_ONCE(partner->changes) == READ_ONCE(partner->told))
		return;
	spin_lock(&partner->lock);
	if (!partner->telling) {
		partner->telling = true;
		while (partner->told != partner->changes && !partner->stopped) {
			up = ++partner->told & 1;
			spin_unlock(&partner->lock);
			partner->ops->changed(partner, up);
			spin_lock(&partner->lock);
		}
		partner->telling = false;
	}
	spin_unlock(&partner->lock);
}

static void hca_partner_tick(struct timer_list *timer)
{
	struct hca_partner *partner = timer_container_of(partner, timer, timer);
	bool looks;

	spin_lock(&partner->lock);
	/* Turns of our own: while this machine stands still, nothing is heard, and nobody silent. */
	if (partner->known && ++partner->unheard > HCA_PARTNER_SILENCE)
		hca_partner_forget(partner);
	if (partner->address.len)
		hca_partner_greet(partner, &partner->address, partner->peer_session);
	else if (partner->call.len)
		hca_partner_greet(partner, &partner->call, 0);
	if (!partner->stopped)
		mod_timer(&partner->timer, jiffies + HCA_PARTNER_HELLO);
	hca_partner_settle(partner);
	looks = partner->up && !partner->stopped && partner->ops->look;
	spin_unlock(&partner->lock);
	hca_partner_tell(partner);
	if (looks)
		partner->ops->look(partner);
}

void hca_partner_init(struct hca_partner *partner, const struct hca_partner_ops *ops,
		      const struct hca_hello *own, const struct hca_address *address)
{
	partner->ops = ops;
	spin_lock_init(&partner->lock);
	timer_setup(&partner->timer, hca_partner_tick, 0);
	partner->own = *own;
	partner->stopped = true; /* until it is started nobody is heard, for nobody would be told */
	renew_session(partner);
	if (address) {
		partner->address = *address;
		partner->fixed = true;
	}
}

void hca_partner_start(struct hca_partner *partner)
{
	spin_lock_bh(&partner->lock);
	partner->stopped = false;
	if (partner->fixed)
		hca_partner_greet(partner, &partner->address, 0);
	else if (partner->call.len)
		hca_partner_greet(partner, &partner->call, 0);
	mod_timer(&partner->timer, jiffies + HCA_PARTNER_HELLO);
	spin_unlock_bh(&partner->lock);
}

void hca_partner_stop(struct hca_partner *partner)
{
	spin_lock_bh(&partner->lock);
	partner->stopped = true;
	if (partner->known)
		hca_partner_bid_farewell(partner);
	hca_partner_forget(partner);
	spin_unlock_bh(&partner->lock);
	timer_delete_sync(&partner->timer);
}

void hca_partner_will(struct hca_partner *partner, bool willing)
{
	local_bh_disable();
	spin_lock(&partner->lock);
	if (partner->own.willing != willing) {
		partner->own.willing = willing;
		if (partner->known)
			hca_partner_greet(partner, &partner->address, partner->peer_session);
	}
	hca_partner_settle(partner);
	spin_unlock(&partner->lock);
	hca_partner_tell(partner);
	local_bh_enable();
}

/* Who is not to be the partner hears why. */
static u16 hca_partner_objection(const struct hca_partner *partner, const struct hca_address *from,
				 const struct hca_hello *hello)
{
	if (hello->port_guid == partner->own.port_guid)
		return HCA_REFUSED_SELF;
	if (!partner->address.len || hca_address_same(from, &partner->address))
		return HCA_REFUSED_NOT;
	return partner->fixed ? HCA_REFUSED_STRANGER : HCA_REFUSED_TAKEN;
}

static void accept_hello(struct hca_partner *partner, const struct hca_address *from,
			 const struct hca_frame *frame, const struct hca_hello *hello)
{
	bool known = partner->known;

	if (known && frame->number <= partner->peer_number)
		return; /* overtaken by a later one, or repeated */
	partner->known = true;
	partner->address = *from;
	partner->peer_session = frame->from;
	partner->peer_number = frame->number;
	partner->peer = *hello;
	partner->refused = HCA_REFUSED_NOT;
	partner->unheard = 0;
	if (!known)
		hca_partner_greet(partner, from, frame->from);
}

static void hca_partner_hello(struct hca_partner *partner, const struct hca_address *from,
			      const struct hca_frame *frame, const u8 *payload)
{
	struct hca_hello hello;
	u16 why;

	if (hca_hello_parse(&hello, payload, frame->length))
		return;
	why = hca_partner_objection(partner, from, &hello);
	if (why) {
		hca_partner_refuse(partner, from, frame->from, why);
		return;
	}
	if (frame->to != partner->session) { /* let it show that it hears us */
		hca_partner_greet(partner, from, frame->from);
		return;
	}
	if (partner->known && frame->from != partner->peer_session) {
		/* It has begun anew: so does the link, and with a session that nothing old names. */
		hca_partner_forget(partner);
		hca_partner_greet(partner, from, frame->from);
		return;
	}
	accept_hello(partner, from, frame, &hello);
}

/* From the partner, in this session? */
static bool hca_partner_said(const struct hca_partner *partner, const struct hca_address *from,
			     const struct hca_frame *frame)
{
	return partner->known && frame->from == partner->peer_session &&
	       frame->to == partner->session && hca_address_same(from, &partner->address);
}

static void hca_partner_note_refusal(struct hca_partner *partner, const struct hca_address *from,
				     const struct hca_frame *frame, const u8 *payload)
{
	if (frame->length == 2 && frame->to == partner->session && partner->fixed &&
	    !partner->known && hca_address_same(from, &partner->address))
		partner->refused = get_unaligned_be16(payload);
}

/* Whether a frame of the partner's comes for the first time, if that can be known. */
static bool is_new(struct hca_partner *partner, const struct hca_frame *frame)
{
	if (!partner->authentic ||
	    hca_replay_is_new(&partner->replay, frame->from, frame->number))
		return true;
	partner->replayed++;
	return false;
}

/* Under the lock. Return: the frame's type, if it is for the owner. */
static u8 hca_partner_take(struct hca_partner *partner, const struct hca_address *from,
			   const struct hca_frame *frame, const u8 *payload)
{
	if (frame->version != HCA_FRAME_VERSION) {
		if (frame->type == HCA_FRAME_HELLO)
			hca_partner_refuse(partner, from, frame->from, HCA_REFUSED_VERSION);
		return 0;
	}
	switch (frame->type) {
	case HCA_FRAME_HELLO:
		hca_partner_hello(partner, from, frame, payload);
		return 0;
	case HCA_FRAME_REFUSE:
		hca_partner_note_refusal(partner, from, frame, payload);
		return 0;
	case HCA_FRAME_BYE:
		if (hca_partner_said(partner, from, frame))
			hca_partner_forget(partner);
		return 0;
	case HCA_FRAME_PACKET:
	case HCA_FRAME_FLOW:
		if (!partner->up || !hca_partner_said(partner, from, frame) ||
		    !is_new(partner, frame))
			return 0;
		partner->unheard = 0;
		return frame->type;
	default:
		return 0;
	}
}

u8 hca_partner_receive(struct hca_partner *partner, const struct hca_address *from,
		       const struct hca_frame *frame, const u8 *payload)
{
	u8 type;

	spin_lock(&partner->lock);
	type = partner->stopped ? 0 : hca_partner_take(partner, from, frame, payload);
	hca_partner_settle(partner);
	spin_unlock(&partner->lock);
	hca_partner_tell(partner);
	return type;
}

bool hca_partner_head(struct hca_partner *partner, u8 type, unsigned int count,
		      struct hca_frame *frame, struct hca_address *to)
{
	bool up;

	spin_lock(&partner->lock);
	up = partner->up && !partner->stopped;
	if (up) {
		*frame = hca_partner_frame(partner, type, 0, partner->peer_session);
		partner->number += count - 1;
		*to = partner->address;
	}
	spin_unlock(&partner->lock);
	return up;
}

void hca_partner_look(struct hca_partner *partner, struct hca_partner_view *view)
{
	spin_lock_bh(&partner->lock);
	*view = (struct hca_partner_view){
		.known = partner->known,
		.up = partner->up,
		.address = partner->address,
		.peer = partner->peer,
		.refused = partner->refused,
		.strangers = partner->strangers,
		.replayed = partner->replayed,
	};
	spin_unlock_bh(&partner->lock);
}
