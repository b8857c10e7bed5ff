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
#include "link/phy.h"
#include "phy/ingress.h"
#include "phy/peer.h"

struct crypto_shash;
struct hca_remote;

struct hca_network {
	unsigned int room; /* octets in front of a frame for the network's own headers */
	unsigned int most; /* octets of frames that it takes joined; 0: it takes single ones */
	unsigned int padded; /* shorter frames may come padded to so many octets; 0: none does */
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

/* What is asked for of a link. */
struct hca_remote_config {
	struct hca_key key;
	u8 mtu; /* enum hca_mtu: no larger one is offered; 0: any is */
};

struct hca_remote {
	struct hca_phy phy;
	struct hca_peer peer;
	const struct hca_network *network;
	struct hca_port *port;
	struct sk_buff_head queue; /* to be sent; struct hca_address in cb */
	struct sk_buff_head sending; /* taken from it, in order; the run's own */
	struct hca_runnable run; /* sends them, outside of all locks */
	struct crypto_shash *hmac; /* NULL: frames are not authenticated */
	struct hca_ingress ingress;
	u8 mtu_wanted; /* as of the config; 0: none */
	u8 mtu; /* enum hca_mtu: what the link has been made with */
	unsigned int room; /* octets of a packet that fit into one frame */
	int mtu_changes; /* as many as there were when that was found */
	atomic64_t forged; /* frames with a wrong tag: dropped */
};

/**
 * hca_remote_init() - prepare a link to elsewhere
 * @remote: zeroed
 * @network: by what network
 * @port: the port at this end, without a cable
 * @address: the other end; NULL: whoever comes first
 * @config: what is asked for
 *
 * Context: process. Return: 0, -ENOMEM, or what the kernel's crypto says; hca_remote_destroy() is
 * due in any case.
 */
int hca_remote_init(struct hca_remote *remote, const struct hca_network *network,
		    struct hca_port *port, const struct hca_address *address,
		    const struct hca_remote_config *config);

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
