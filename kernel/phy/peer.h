/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The peer at the other end of a link over a network. This code finds the peer, rejects others, and
 * detects that the peer disappears, restarts or returns. This code does not depend on the kind of
 * network: the owner (phy/remote.c) transmits frames, and passes received frames to this code.
 *
 * Each end chooses a random session number. An end accepts the session of the other end only from a
 * frame that contains the accepting end's own session, because such a frame answers a frame that
 * was sent to the other end's address. An attacker that cannot read frames therefore cannot pose as
 * the peer. An end that loses its peer also ends its own session. Frames that an attacker recorded
 * earlier then contain an old session, and are ignored even if their tag is right.
 */
#ifndef HCA_PHY_PEER_H
#define HCA_PHY_PEER_H

#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/types.h>
#include "phy/frame.h"
#include "phy/replay.h"

#define HCA_PEER_HELLO (HZ / 4) /* jiffies from one Hello to the next */
#define HCA_PEER_SILENCE 16 /* Hellos that may remain without an answer before the peer is lost */

/*
 * An address in the network, in a format that only the network knows. Two addresses are equal if
 * their len and their first len octets are equal.
 */
struct hca_address {
	u8 len;
	u8 octet[31];
};

struct hca_peer;

struct hca_peer_ops {
	/*
	 * Transmit a frame; the buffer has room for HCA_FRAME_TAG octets after the frame. Called
	 * with peer->lock held and BH disabled; must not call functions of this file.
	 */
	void (*transmit)(struct hca_peer *peer, const struct hca_address *to, u8 *frame,
			 unsigned int len);
	/*
	 * Called when the link has come up (the peer is known and both ends are enabled) or gone
	 * down. Each change is reported, in order, by one caller at a time. Context: BH disabled,
	 * no lock held.
	 */
	void (*changed)(struct hca_peer *peer, bool up);
	/* Called after each Hello while the link is up; may be NULL. BH disabled, no lock held. */
	void (*poll)(struct hca_peer *peer);
};

struct hca_peer {
	const struct hca_peer_ops *ops;
	/*
	 * Taken with BH disabled; guards the fields below; held while transmit() acquires its own
	 * locks.
	 */
	spinlock_t lock;
	struct timer_list timer;
	struct hca_hello own; /* description of this end, sent in Hellos */
	u64 session; /* session of this end; never 0 */
	u64 number; /* number of the last frame sent */
	bool fixed; /* the peer's address is configured, and not learned from a Hello */
	bool known; /* the peer's session has been accepted */
	bool up; /* known, and both ends are enabled */
	bool stopped;
	bool notifying; /* a call of ->changed() is in progress */
	u32 changes, notified; /* number of changes of up, and of changes reported by ->changed() */
	struct hca_address address; /* address of the peer; len 0: not known */
	struct hca_address call; /* destination of Hellos while no address is known; len 0: none */
	u64 peer_session;
	u64 peer_number; /* number of the peer's last Hello */
	struct hca_replay replay; /* numbers received of the peer's PACKET and FLOW frames */
	struct hca_hello peer;
	unsigned int silent_hellos; /* Hellos sent since a frame of the peer was received */
	u16 refused; /* enum hca_refusal: why the peer at the configured address rejects this end */
	u64 rejected; /* number of Hellos that this end has rejected */
	u64 replayed; /* number of frames dropped because they were duplicates or too old */
};

/* The state of a peer as hca_peer_query() returns it. */
struct hca_peer_view {
	bool known, up;
	struct hca_address address; /* len 0: neither learned nor configured */
	struct hca_hello peer; /* valid if known */
	u16 refused; /* enum hca_refusal: why the peer at the configured address rejects this end */
	u64 rejected, replayed; /* number of Hellos rejected; number of replayed frames dropped */
};

/**
 * hca_peer_init() - initialize one end of a link
 * @peer: zeroed memory
 * @ops: functions of the owner
 * @own: description of this end, sent in Hellos; copied
 * @address: address of the other end; NULL accepts the first peer that sends a Hello
 *
 * On a network with group addresses the owner may set peer->call before hca_peer_start(), so that
 * Hellos reach a peer whose address is not known.
 * Context: process.
 */
void hca_peer_init(struct hca_peer *peer, const struct hca_peer_ops *ops,
		   const struct hca_hello *own, const struct hca_address *address);

/**
 * hca_peer_start() - start to send Hellos and to accept frames
 * @peer: the end of a link, which hca_peer_init() has initialized
 *
 * Context: process or BH.
 */
void hca_peer_start(struct hca_peer *peer);

/**
 * hca_peer_stop() - send a Bye to the peer and stop
 * @peer: the end of a link; hca_peer_start() need not have been called
 *
 * The link goes down, but ->changed() is not called for this change. A concurrent caller of
 * hca_peer_receive() or hca_peer_will() may still be inside ->changed() when the function returns.
 * Frames received later are ignored.
 * Context: process, may sleep.
 */
void hca_peer_stop(struct hca_peer *peer);

/**
 * hca_peer_will() - enable or disable the link at this end
 * @peer: the end of the link, which hca_peer_init() has initialized
 * @enabled: whether the port's link is enabled
 *
 * A known peer is notified at once by a Hello.
 * Context: process or BH; no lock held.
 */
void hca_peer_will(struct hca_peer *peer, bool enabled);

/**
 * hca_peer_receive() - receive a frame
 * @peer: the end that receives the frame
 * @from: address of the sender
 * @frame: header of the frame, checked by hca_frame_parse(); the caller has verified the tag if
 * frames are authenticated
 * @payload: frame->length octets, in memory that only the caller can change
 *
 * Context: BH disabled, no lock held.
 * Return: HCA_FRAME_PACKET or HCA_FRAME_FLOW if the frame is of that type, comes from the peer and
 * the link is up; the caller then handles the payload. 0 if this function has handled or dropped
 * the frame.
 */
u8 hca_peer_receive(struct hca_peer *peer, const struct hca_address *from,
		    const struct hca_frame *frame, const u8 *payload);

/**
 * hca_peer_head() - allocate numbers of frames and fill in the header of the first one
 * @peer: the end that sends the frames
 * @type: HCA_FRAME_PACKET or HCA_FRAME_FLOW
 * @count: number of frames; their numbers are consecutive
 * @frame: set to the header of the first frame, with length, segments and total 0
 * @to: set to the address of the peer
 *
 * Context: BH disabled; peer->lock not held.
 * Return: true if the link is up; false if the link is down, in which case @frame and @to are not
 * set, and the caller must not send frames.
 */
bool hca_peer_head(struct hca_peer *peer, u8 type, unsigned int count,
		   struct hca_frame *frame, struct hca_address *to);

/**
 * hca_peer_query() - query the state of the peer
 * @peer: the end of a link, which hca_peer_init() has initialized
 * @view: set to the state
 *
 * Context: process.
 */
void hca_peer_query(struct hca_peer *peer, struct hca_peer_view *view);

#endif
