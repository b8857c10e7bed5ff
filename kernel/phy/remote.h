/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A link to a port of another kernel, which connects a local port to a peer (phy/peer.h) over a
 * network. Each kind of network, UDP or Ethernet, is a table of functions (struct hca_network).
 */
#ifndef HCA_PHY_REMOTE_H
#define HCA_PHY_REMOTE_H

#include <linux/atomic.h>
#include <linux/skbuff.h>
#include "engine/run.h"
#include "link/state/phy.h"
#include "phy/ingress.h"
#include "phy/peer.h"

struct crypto_shash;
struct hca_remote;

/* The properties and functions of a kind of network that carries links: UDP or Ethernet. */
struct hca_network {
	unsigned int room; /* headroom in front of a frame for the network's headers, octets */
	unsigned int most; /* maximum octets of coalesced frames; 0: frames are not coalesced */
	unsigned int padded; /* octets to which the network pads shorter frames; 0: no padding */
	/*
	 * Transmit to an address one frame, or several coalesced frames (gso_size, gso_segs), which
	 * the network separates. Consumes @skb. Context: BH disabled, no lock held.
	 */
	void (*transmit)(struct hca_remote *remote, const struct hca_address *to,
			 struct sk_buff *skb);
	/*
	 * Return: length of the longest frame that the path to an address carries, in octets; 0: no
	 * path. Context: BH disabled.
	 */
	unsigned int (*frame_max)(struct hca_remote *remote, const struct hca_address *to);
	/*
	 * Detach from the network. On return, frames are neither received nor transmitted. Context:
	 * process.
	 */
	void (*close)(struct hca_remote *remote);
};

#define HCA_MAX_KEY 64 /* octets */

/* The key that authenticates frames; with length 0, frames are not authenticated. */
struct hca_key {
	u8 length;
	u8 octet[HCA_MAX_KEY];
};

/* Options of a link, and the description of the port's node in its Hello frames. */
struct hca_remote_config {
	struct hca_key key;
	u8 mtu; /* enum ib_mtu: the largest MTU offered; 0: no limit */
	u64 node_guid;
	char node_name[HCA_HELLO_NAME]; /* without a final 0 if all octets are used */
};

struct hca_remote {
	struct hca_phy phy;
	struct hca_peer peer;
	const struct hca_network *network;
	struct hca_port *port;
	struct sk_buff_head queue; /* frames to be sent; their cb is a struct hca_address */
	struct sk_buff_head sending; /* frames moved from @queue; only remote_run() uses them */
	struct hca_runnable run; /* transmits frames with no lock held */
	struct crypto_shash *hmac; /* NULL: frames are not authenticated */
	struct hca_ingress ingress;
	u8 mtu_wanted; /* mtu of struct hca_remote_config */
	u8 mtu; /* enum ib_mtu: the MTU passed to hca_phy_up() when the link came up */
	unsigned int room; /* number of octets of a packet that fit into one frame */
	int mtu_changes; /* number of hca_remote_mtu_changes() calls before @room was computed */
	atomic64_t forged; /* frames dropped because their tag was wrong */
};

/**
 * hca_remote_init() - initialize a link to a port of another kernel
 * @remote: zeroed memory
 * @network: kind of network
 * @port: the port at this end, which has no cable
 * @address: address of the other end; NULL accepts the first peer that sends a Hello
 * @config: options; copied
 *
 * The caller calls hca_remote_destroy() later, also after an error.
 * Context: process.
 * Return: 0; -ENOMEM; or an error of the kernel's crypto API.
 */
int hca_remote_init(struct hca_remote *remote, const struct hca_network *network,
		    struct hca_port *port, const struct hca_address *address,
		    const struct hca_remote_config *config);

/**
 * hca_remote_destroy() - free the resources that hca_remote_init() has allocated
 * @remote: the link, never started, or stopped
 *
 * Context: process.
 */
void hca_remote_destroy(struct hca_remote *remote);

/**
 * hca_remote_start() - attach the link to its port and start to look for the peer
 * @remote: the link, initialized, attached to its network
 *
 * Context: process; the caller holds the control mutex.
 */
void hca_remote_start(struct hca_remote *remote);

/**
 * hca_remote_stop() - stop a link and detach it from its network and its port
 * @remote: the link, started
 *
 * A Bye is sent to the peer; the port goes down.
 * Context: process, may sleep; the caller holds the control mutex.
 */
void hca_remote_stop(struct hca_remote *remote);

/**
 * hca_remote_receive() - receive a frame from the network
 * @remote: the link that receives the frame
 * @from: address of the sender
 * @skb: consumed; its data begins with the frame
 *
 * Context: BH (softirq), no lock held.
 */
void hca_remote_receive(struct hca_remote *remote, const struct hca_address *from,
			struct sk_buff *skb);

/**
 * hca_remote_mtu_changes() - notify links that the MTU of a network interface has changed
 *
 * After the next Hello, each link computes the longest frame anew, and can use a larger MTU.
 * Context: any.
 */
void hca_remote_mtu_changes(void);

#endif
