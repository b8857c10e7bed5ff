/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The partner at the other end of a link through another network: finding it, refusing
 * others, noticing that it has gone and that it has come back. What the network is, the
 * owner knows: it sends frames and hands in those that come.
 *
 * Each end draws a session number. One is believed only of a frame that names our own, as
 * then it has come back from where we sent it; so nobody who cannot hear us can pose as the
 * partner. Whenever a partner is lost, our own session ends as well: what was recorded of an earlier
 * one names a session that is no more, be it authenticated or not.
 */
#ifndef HCA_PHY_PEER_H
#define HCA_PHY_PEER_H

#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/types.h>
#include "phy/frame.h"
#include "phy/replay.h"

#define HCA_PEER_HELLO (HZ / 4) /* between two Hellos */
#define HCA_PEER_SILENCE 5 /* after so many Hellos of ours without a word a partner has gone */

/* An address of the network: whatever it is, all of it is compared. */
struct hca_address {
	u8 len;
	u8 octet[31];
};

struct hca_peer;

struct hca_peer_ops {
	/*
	 * Send a frame; behind it are HCA_FRAME_TAG octets more that may be written.
	 * Bottom halves disabled, partner->lock held: does not call back.
	 */
	void (*transmit)(struct hca_peer *peer, const struct hca_address *to, u8 *frame,
			 unsigned int len);
	/*
	 * There is a partner, and both ends want the link: or not any more. Each change is told, in
	 * order, one at a time. BH; no lock held.
	 */
	void (*changed)(struct hca_peer *peer, bool up);
	/* With each Hello, while the link is up; may be NULL. BH; no lock held. */
	void (*look)(struct hca_peer *peer);
};

struct hca_peer {
	const struct hca_peer_ops *ops;
	spinlock_t lock; /* BH; guards all below; outside of what transmits */
	struct timer_list timer;
	struct hca_hello own;
	u64 session; /* ours; never 0 */
	u64 number; /* of the last frame */
	bool authentic; /* frames are authenticated: replays are refused; set before the start */
	bool fixed; /* the address is given, not learnt */
	bool known; /* there is a session of the partner's */
	bool up; /* and both ends want the link */
	bool stopped;
	bool telling; /* somebody calls ->changed() */
	u32 changes, told; /* of up: how many there were, how many ->changed() has heard of */
	struct hca_address address; /* len 0: nobody's */
	struct hca_address call; /* where to say Hello while there is no partner; len 0: nowhere */
	u64 peer_session;
	u64 peer_number; /* of its last Hello */
	struct hca_replay replay; /* its other frames, if they are authentic */
	struct hca_hello peer;
	unsigned int unheard; /* Hellos of ours since its last word */
	u16 refused; /* enum hca_refusal: by the one at the fixed address */
	u64 rejected; /* refused by us */
	u64 replayed; /* frames that had come before: dropped */
};

/* What there is to see of it. */
struct hca_peer_view {
	bool known, up;
	struct hca_address address; /* len 0: not known, and not given */
	struct hca_hello peer; /* if it is known */
	u16 refused; /* enum hca_refusal */
	u64 rejected, replayed;
};

/**
 * hca_peer_init() - an end of a link, not yet looking for the other
 * @peer: memory, zeroed
 * @ops: the owner's
 * @own: what it says of itself
 * @address: where the other end is; NULL: whoever comes first
 *
 * On a network where one can speak to all, partner->call may be set before the start.
 */
void hca_peer_init(struct hca_peer *peer, const struct hca_peer_ops *ops,
		   const struct hca_hello *own, const struct hca_address *address);

/* Begin to look. Context: process or BH. */
void hca_peer_start(struct hca_peer *peer);

/**
 * hca_peer_stop() - take leave; no callback follows
 * @peer: started or not
 *
 * ->changed() is not called for it; but one that calls hca_peer_receive() or hca_peer_will()
 * meanwhile may still be in it. What comes later is ignored.
 * Context: process, may sleep.
 */
void hca_peer_stop(struct hca_peer *peer);

/* Say whether the port wants a link; the other end is told at once. Context: process or BH. */
void hca_peer_will(struct hca_peer *peer, bool enabled);

/**
 * hca_peer_receive() - take a frame
 * @peer: for whom
 * @from: where it came from
 * @frame: its header, which hca_frame_parse() has found good, and its tag is right if it needs one
 * @payload: frame->length octets, which nobody else can write
 *
 * Context: BH disabled; no lock held. Return: enum hca_frame_type of what is now the caller's:
 * HCA_FRAME_PACKET or HCA_FRAME_FLOW, of the partner, whose link is up; or 0, it is dealt with.
 */
u8 hca_peer_receive(struct hca_peer *peer, const struct hca_address *from,
		    const struct hca_frame *frame, const u8 *payload);

/**
 * hca_peer_head() - the header of frames of the owner's own
 * @peer: for whom
 * @type: HCA_FRAME_PACKET or HCA_FRAME_FLOW
 * @count: for so many frames, whose numbers are consecutive
 * @frame: set to the first one's, but for its lengths
 * @to: set to where it goes
 *
 * Context: BH disabled; no lock held. Return: false: there is no link, send nothing.
 */
bool hca_peer_head(struct hca_peer *peer, u8 type, unsigned int count,
		   struct hca_frame *frame, struct hca_address *to);

/* Context: process. */
void hca_peer_query(struct hca_peer *peer, struct hca_peer_view *view);

#endif
