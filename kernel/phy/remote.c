// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A link to a port of another kernel: packets to frames, and frames to packets. */
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/string.h>
#include "compat.h"
#include "fabric/node.h"
#include "link/gather.h"
#include "link/image.h"
#include "link/port.h"
#include "phy/remote.h"
#include "phy/seal.h"

#define HCA_REMOTE_BUDGET 64
/* More than credits allow on all VLs at once; management packets and Hellos have none. */
#define HCA_REMOTE_QUEUE 8192

static struct hca_address *hca_remote_destination(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct hca_address) > sizeof(skb->cb));
	return (struct hca_address *)skb->cb;
}

static unsigned int hca_remote_tag(const struct hca_remote *remote)
{
	return remote->hmac ? HCA_FRAME_TAG : 0;
}

/* Room for a frame: header, @len octets, tag. */
static struct sk_buff *hca_remote_frame(struct hca_remote *remote, unsigned int len)
{
	unsigned int room = remote->network->room;
	struct sk_buff *skb = alloc_skb(room + HCA_FRAME_HEADER + len + HCA_FRAME_TAG,
					GFP_ATOMIC | __GFP_NOWARN);

	if (!skb)
		return NULL;
	skb_reserve(skb, room);
	skb_put(skb, HCA_FRAME_HEADER + len);
	return skb;
}

/* The network is not called from here, where locks may be held, but from the run. */
static void hca_remote_queue(struct hca_remote *remote, struct sk_buff *skb,
			     const struct hca_address *to)
{
	if (skb_queue_len_lockless(&remote->queue) >= HCA_REMOTE_QUEUE ||
	    (remote->hmac && hca_seal_put(remote->hmac, skb->data, skb->len))) {
		kfree_skb(skb);
		return;
	}
	skb_put(skb, hca_remote_tag(remote));
	*hca_remote_destination(skb) = *to;
	skb_queue_tail(&remote->queue, skb);
	hca_run_schedule(&remote->run);
}

static bool hca_remote_run(struct hca_runnable *run)
{
	struct hca_remote *remote = container_of(run, struct hca_remote, run);
	int budget = HCA_REMOTE_BUDGET;
	struct hca_address to;
	struct sk_buff *skb;

	while (budget-- && (skb = skb_dequeue(&remote->queue))) {
		to = *hca_remote_destination(skb);
		memset(skb->cb, 0, sizeof(skb->cb));
		remote->network->transmit(remote, &to, skb);
	}
	return !skb_queue_empty_lockless(&remote->queue);
}

static struct hca_remote *hca_remote_of_partner(struct hca_partner *partner)
{
	return container_of(partner, struct hca_remote, partner);
}

static struct hca_remote *hca_remote_of_medium(struct hca_medium *medium)
{
	return container_of(medium, struct hca_remote, medium);
}

static void hca_remote_transmit(struct hca_partner *partner, const struct hca_address *to,
				u8 *frame, unsigned int len)
{
	struct hca_remote *remote = hca_remote_of_partner(partner);
	struct sk_buff *skb = hca_remote_frame(remote, len - HCA_FRAME_HEADER);

	if (!skb)
		return;
	memcpy(skb->data, frame, len);
	hca_remote_queue(remote, skb, to);
	hca_engine_raise();
}

/* The largest MTU whose packets fit into one frame to the partner; the smallest there is, if none. */
static u8 hca_remote_mtu(struct hca_remote *remote)
{
	unsigned int room = remote->network->frame_max(remote, &remote->partner.address);
	unsigned int around = HCA_FRAME_HEADER + HCA_FRAME_TAG + HCA_MAX_IMAGE_BYTES -
			      HCA_MAX_MTU_BYTES;
	u8 mtu = HCA_MTU_4096;

	while (mtu > HCA_MTU_256 && hca_mtu_bytes(mtu) + around > room)
		mtu--;
	return mtu;
}

static void hca_remote_changed(struct hca_partner *partner, bool up)
{
	struct hca_remote *remote = hca_remote_of_partner(partner);

	if (up)
		hca_medium_up(remote->port, hca_remote_mtu(remote));
	else
		hca_medium_down(remote->port);
	hca_engine_raise();
}

static const struct hca_partner_ops hca_remote_partner_ops = {
	.transmit = hca_remote_transmit,
	.changed = hca_remote_changed,
};

/* A frame whose payload the caller writes; NULL: there is no link, or no memory. */
static struct sk_buff *hca_remote_begin(struct hca_remote *remote, u8 type, unsigned int len,
					struct hca_address *to)
{
	struct sk_buff *skb = hca_remote_frame(remote, len);

	if (skb && !hca_partner_head(&remote->partner, type, len, skb->data, to)) {
		kfree_skb(skb);
		return NULL;
	}
	return skb;
}

/* What cannot be gathered is lost, as on any link. */
static void hca_remote_carry(struct hca_medium *medium, struct hca_port *peer,
			     struct hca_packet *pkt)
{
	struct hca_remote *remote = hca_remote_of_medium(medium);
	struct sk_buff *skb = NULL;
	struct hca_address to;

	if (!hca_packet_gather(pkt))
		skb = hca_remote_begin(remote, HCA_FRAME_PACKET, hca_packet_bytes(pkt), &to);
	if (skb) {
		hca_packet_write(pkt, skb->data + HCA_FRAME_HEADER);
		hca_remote_queue(remote, skb, &to);
	}
	hca_packet_free(pkt);
}

static void hca_remote_flow(struct hca_medium *medium, struct hca_port *peer, const u8 *octets,
			    unsigned int len)
{
	struct hca_remote *remote = hca_remote_of_medium(medium);
	struct hca_address to;
	struct sk_buff *skb = hca_remote_begin(remote, HCA_FRAME_FLOW, len, &to);

	if (!skb)
		return;
	memcpy(skb->data + HCA_FRAME_HEADER, octets, len);
	hca_remote_queue(remote, skb, &to);
}

static void hca_remote_will(struct hca_medium *medium, bool willing)
{
	hca_partner_will(&hca_remote_of_medium(medium)->partner, willing);
}

static void hca_remote_describe(const struct hca_port *port, struct hca_hello *hello)
{
	struct hca_node *node = port->node;

	hello->mtu_cap = port->info.mtu_cap;
	hello->port = port->num;
	hello->node_guid = be64_to_cpu(node->node_guid);
	hello->port_guid = be64_to_cpu(port->guid[0]);
	spin_lock_bh(&node->desc_lock);
	memcpy(hello->name, node->description, sizeof(hello->name));
	spin_unlock_bh(&node->desc_lock);
}

int hca_remote_init(struct hca_remote *remote, const struct hca_network *network,
		    struct hca_port *port, const struct hca_address *address,
		    const struct hca_key *key)
{
	struct hca_hello own = { .willing = true };
	struct crypto_shash *hmac;

	/* Whatever fails, hca_remote_destroy() follows. */
	skb_queue_head_init(&remote->queue);
	if (key->length) {
		hmac = hca_seal_new(key->octet, key->length);
		if (IS_ERR(hmac))
			return PTR_ERR(hmac);
		remote->hmac = hmac;
	}
	remote->network = network;
	remote->port = port;
	remote->medium.carry = hca_remote_carry;
	remote->medium.flow = hca_remote_flow;
	remote->medium.will = hca_remote_will;
	hca_replay_init(&remote->replay);
	hca_run_init(&remote->run, hca_remote_run);
	hca_remote_describe(port, &own);
	hca_partner_init(&remote->partner, &hca_remote_partner_ops, &own, address);
	return 0;
}

void hca_remote_destroy(struct hca_remote *remote)
{
	skb_queue_purge(&remote->queue);
	if (remote->hmac)
		hca_seal_free(remote->hmac);
}

void hca_remote_start(struct hca_remote *remote)
{
	hca_medium_attach(remote->port, &remote->medium);
	hca_partner_start(&remote->partner);
}

void hca_remote_stop(struct hca_remote *remote)
{
	hca_partner_stop(&remote->partner);
	local_bh_disable();
	hca_run_schedule(&remote->run);
	hca_engine_drain(); /* the farewell leaves */
	local_bh_enable();
	hca_run_stop(&remote->run);
	/* Whoever has come with a frame, and tells us of a change, is gone after this; then the port. */
	remote->network->close(remote);
	hca_medium_detach(remote->port);
}

/* Cut off what the network has padded; check the tag. Return: octets of the frame, 0: none. */
static unsigned int hca_remote_open(struct hca_remote *remote, struct sk_buff *skb)
{
	unsigned int len, tag = hca_remote_tag(remote);

	if (skb_linearize(skb) || skb->len < HCA_FRAME_HEADER + tag)
		return 0;
	len = HCA_FRAME_HEADER + get_unaligned_be16(skb->data + 6);
	if (len + tag > skb->len)
		return 0;
	if (!remote->hmac || hca_seal_holds(remote->hmac, skb->data, len))
		return len;
	atomic64_inc(&remote->forged);
	return 0;
}

/* Of a partner's frame with a tag: whether it comes for the first time. */
static bool hca_remote_is_new(struct hca_remote *remote, const u8 *octets)
{
	struct hca_frame frame;

	if (!remote->hmac)
		return true;
	hca_frame_unpack(&frame, octets);
	if (hca_replay_is_new(&remote->replay, frame.from, frame.number))
		return true;
	atomic64_inc(&remote->replayed);
	return false;
}

void hca_remote_receive(struct hca_remote *remote, const struct hca_address *from,
			struct sk_buff *skb)
{
	unsigned int len = hca_remote_open(remote, skb);
	u8 type = len ? hca_partner_receive(&remote->partner, from, skb->data, len) : 0;
	const u8 *payload = skb->data + HCA_FRAME_HEADER;

	if (type && hca_remote_is_new(remote, skb->data)) {
		len -= HCA_FRAME_HEADER;
		if (type == HCA_FRAME_PACKET)
			hca_medium_receive(remote->port, payload, len);
		else
			hca_medium_flow(remote->port, payload, len);
	}
	consume_skb(skb);
	hca_engine_drain();
}
