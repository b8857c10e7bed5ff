/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A link to a port of another kernel: a partner, a network to reach it by, and the port at this
 * end. What is special about a network is in its table of functions: UDP, Ethernet.
 */
#ifndef HCA_PHY_REMOTE_H
#define HCA_PHY_REMOTE_H

#include <linux/atomic.h>
#include <linux/skbuff.h>
#include "engine/run.h"
#include "link/medium.h"
#include "phy/partner.h"
#include "phy/replay.h"

struct crypto_shash;
struct hca_remote;

struct hca_network {
	unsigned int room; /* octets in front of a frame for the network's own headers */
	unsigned int most; /* octets of frames that it takes joined; 0: it takes single ones */
	/*
	 * Send a frame to an address, or several joined (gso_size, gso_segs), which the network
	 * cuts apart; takes the buffer over. Context: BH disabled, no lock held.
	 */
	void (*transmit)(struct hca_remote *remote, const struct hca_address *to,
			 struct sk_buff *skb);
	/* The longest frame that goes to an address in one piece; 0: none does. Context: BH. */
	unsigned int (*frame_max)(struct hca_remote *remote, const struct hca_address *to);
	/* Return when no frame comes or goes any more. Context: process. */
	void (*close)(struct hca_remote *remote);
};

#define HCA_MAX_KEY 64

/* To authenticate frames by; length 0: they are not. */
struct hca_key {
	u8 length;
	u8 octet[HCA_MAX_KEY];
};

struct hca_remote {
	struct hca_medium medium;
	struct hca_partner partner;
	const struct hca_network *network;
	struct hca_port *port;
	struct sk_buff_head queue; /* to be sent; struct hca_address in cb */
	struct sk_buff_head sending; /* taken from it, in order; the run's own */
	struct hca_runnable run; /* sends them, outside of all locks */
	struct crypto_shash *hmac; /* NULL: frames are not authenticated */
	struct hca_replay replay;
	u8 mtu; /* enum hca_mtu: what fitted when the link came up */
	int mtu_changes; /* as many as there were then */
	atomic64_t forged, replayed; /* frames with a wrong tag, or taken before: dropped */
};

/**
 * hca_remote_init() - prepare a link to elsewhere
 * @remote: zeroed
 * @network: by what network
 * @port: the port at this end, without a cable
 * @address: the other end; NULL: whoever comes first
 * @key: shared with the other end
 *
 * Context: process. Return: 0, -ENOMEM, or what the kernel's crypto says; hca_remote_destroy() is due
 * in any case.
 */
int hca_remote_init(struct hca_remote *remote, const struct hca_network *network,
		    struct hca_port *port, const struct hca_address *address,
		    const struct hca_key *key);

/* Free what hca_remote_init() has made; not started, or stopped. */
void hca_remote_destroy(struct hca_remote *remote);

/* Begin to look for the partner; the port is this link's now. Context: process. */
void hca_remote_start(struct hca_remote *remote);

/**
 * hca_remote_stop() - end of the link, and of its network
 * @remote: started
 *
 * The partner is told, the port goes down. Context: process, may sleep.
 */
void hca_remote_stop(struct hca_remote *remote);

/**
 * hca_remote_receive() - a frame has come
 * @remote: for whom
 * @from: where from
 * @skb: taken over; its data begins with the frame
 *
 * Context: BH (softirq); no lock held.
 */
void hca_remote_receive(struct hca_remote *remote, const struct hca_address *from,
			struct sk_buff *skb);

/* An interface has another MTU: links by it may have a larger one. Context: any. */
void hca_remote_mtu_changes(void);

#endif
