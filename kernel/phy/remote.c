// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A link to a port of another kernel: packets to frames, and frames to packets. */
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/string.h>
#include "compat.h"
#include "fabric/node.h"
#include "link/image.h"
#include "link/port.h"
#include "phy/remote.h"
#include "phy/seal.h"

/* More than credits allow on all VLs at once; management packets and Hellos have none. */
#define HCA_REMOTE_QUEUE 8192

/* Of interfaces' MTUs. */
static atomic_t hca_mtu_changes = ATOMIC_INIT(0);

static struct hca_address *hca_remote_destination(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct hca_address) > sizeof(skb->cb));
	return (struct hca_address *)skb->cb;
}

static unsigned int hca_remote_tag(const struct hca_remote *remote)
{
	return remote->hmac ? HCA_FRAME_TAG : 0;
}

/* Of pages that can be shared, so that frames can be joined. */
static struct sk_buff *hca_remote_buffer(unsigned int len)
{
	unsigned int size = SKB_DATA_ALIGN(len) + SKB_DATA_ALIGN(sizeof(struct skb_shared_info));
	void *head = netdev_alloc_frag(size);
	struct sk_buff *skb = head ? build_skb(head, size) : NULL;

	if (head && !skb)
		skb_free_frag(head);
	return skb;
}

/* Room for a frame: header, @len octets, tag. */
static struct sk_buff *hca_remote_frame(struct hca_remote *remote, unsigned int len)
{
	unsigned int room = remote->network->room;
	struct sk_buff *skb = hca_remote_buffer(room + HCA_FRAME_HEADER + len + HCA_FRAME_TAG);

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

/* The frame that is to be sent next; the run's own. */
static struct sk_buff *hca_remote_next(struct hca_remote *remote)
{
	if (skb_queue_empty(&remote->sending)) {
		spin_lock(&remote->queue.lock);
		skb_queue_splice_init(&remote->queue, &remote->sending);
		spin_unlock(&remote->queue.lock);
	}
	return skb_peek(&remote->sending);
}

static bool hca_remote_joins(const struct hca_remote *remote, const struct sk_buff *skb,
			     const struct sk_buff *next)
{
	return next->len <= skb_shinfo(skb)->gso_size &&
	       skb->len + next->len <= remote->network->most &&
	       !memcmp(next->cb, skb->cb, sizeof(struct hca_address));
}

/*
 * Append to a frame those behind it that are as long, and one shorter one, for the network to cut
 * them apart again. Return: how many frames it is then.
 */
static int hca_remote_join(struct hca_remote *remote, struct sk_buff *skb)
{
	struct sk_buff *next;
	bool stolen, last;
	int more, n = 1;

	skb_shinfo(skb)->gso_size = skb->len;
	for (last = false; !last && (next = hca_remote_next(remote)) &&
			   hca_remote_joins(remote, skb, next); n++) {
		last = next->len < skb_shinfo(skb)->gso_size;
		if (!skb_try_coalesce(skb, next, &stolen, &more))
			break;
		skb->truesize += more;
		__skb_unlink(next, &remote->sending);
		kfree_skb_partial(next, stolen);
	}
	if (n == 1)
		skb_shinfo(skb)->gso_size = 0;
	else
		skb_shinfo(skb)->gso_segs = n;
	return n;
}

static bool hca_remote_run(struct hca_runnable *run, int *budget)
{
	struct hca_remote *remote = container_of(run, struct hca_remote, run);
	struct hca_address to;
	struct sk_buff *skb;

	while (*budget > 0 && (skb = hca_remote_next(remote))) {
		__skb_unlink(skb, &remote->sending);
		*budget -= hca_remote_join(remote, skb);
		to = *hca_remote_destination(skb);
		memset(skb->cb, 0, sizeof(skb->cb));
		remote->network->transmit(remote, &to, skb);
	}
	return hca_remote_next(remote);
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

/*
 * The largest MTU whose packets fit into one frame to the partner, or the smallest there is; 0: no
 * way leads there.
 */
static u8 hca_remote_mtu(struct hca_remote *remote)
{
	unsigned int room = remote->network->frame_max(remote, &remote->partner.address);
	unsigned int around = HCA_FRAME_HEADER + HCA_FRAME_TAG + HCA_MAX_IMAGE_BYTES -
			      HCA_MAX_MTU_BYTES;
	u8 mtu = HCA_MTU_4096;

	if (!room)
		return 0;
	while (mtu > HCA_MTU_256 && hca_mtu_bytes(mtu) + around > room)
		mtu--;
	return mtu;
}

static void hca_remote_changed(struct hca_partner *partner, bool up)
{
	struct hca_remote *remote = hca_remote_of_partner(partner);

	if (up) {
		WRITE_ONCE(remote->mtu_changes, atomic_read(&hca_mtu_changes));
		WRITE_ONCE(remote->mtu, hca_remote_mtu(remote) ?: HCA_MTU_256);
		hca_medium_up(remote->port, remote->mtu);
	} else {
		hca_medium_down(remote->port);
	}
	hca_engine_raise();
}

void hca_remote_mtu_changes(void)
{
	atomic_inc(&hca_mtu_changes);
}

/*
 * A path that has become narrower, or an interface that has become wider, is for a new link. A path
 * alone is not: it is forgotten after minutes how narrow it was.
 */
static void hca_remote_look(struct hca_partner *partner)
{
	struct hca_remote *remote = hca_remote_of_partner(partner);
	u8 mtu = hca_remote_mtu(remote), now = READ_ONCE(remote->mtu);
	bool may_rise = READ_ONCE(remote->mtu_changes) != atomic_read(&hca_mtu_changes);

	if (mtu && (mtu < now || (mtu > now && may_rise))) {
		hca_port_set_state(remote->port, HCA_PORT_DOWN);
		hca_engine_drain();
	}
}

static const struct hca_partner_ops hca_remote_partner_ops = {
	.transmit = hca_remote_transmit,
	.changed = hca_remote_changed,
	.look = hca_remote_look,
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

static bool hca_remote_write(const struct hca_packet *pkt, u8 *image, unsigned int len)
{
	if (likely(!(pkt->flags & HCA_PACKET_IMAGE)))
		return hca_packet_write_start(pkt, image, len) == len;
	memcpy(image, pkt->buffer, len); /* it is damaged, as it is to be */
	return true;
}

/* What cannot be written is lost, as on any link. */
static void hca_remote_carry(struct hca_medium *medium, struct hca_port *peer,
			     struct hca_packet *pkt)
{
	struct hca_remote *remote = hca_remote_of_medium(medium);
	unsigned int len = hca_packet_bytes(pkt);
	struct hca_address to;
	struct sk_buff *skb = hca_remote_begin(remote, HCA_FRAME_PACKET, len, &to);

	if (skb && hca_remote_write(pkt, skb->data + HCA_FRAME_HEADER, len))
		hca_remote_queue(remote, skb, &to);
	else
		kfree_skb(skb);
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
	__skb_queue_head_init(&remote->sending);
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
	__skb_queue_purge(&remote->sending);
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

/* A frame's octets, which the network may have left in one of its pages; NULL: no memory. */
static const u8 *hca_remote_octets(struct sk_buff *skb)
{
	const skb_frag_t *page = &skb_shinfo(skb)->frags[0];

	if (!skb_headlen(skb) && !skb_has_frag_list(skb) && skb_shinfo(skb)->nr_frags == 1 &&
	    !PageHighMem(skb_frag_page(page)))
		return skb_frag_address(page);
	return skb_linearize(skb) ? NULL : skb->data;
}

/* Cut off what the network has padded; check the tag. Return: octets of the frame, 0: none. */
static unsigned int hca_remote_open(struct hca_remote *remote, const u8 *octets, unsigned int room)
{
	unsigned int len, tag = hca_remote_tag(remote);

	if (!octets || room < HCA_FRAME_HEADER + tag)
		return 0;
	len = HCA_FRAME_HEADER + get_unaligned_be16(octets + 6);
	if (len + tag > room)
		return 0;
	if (!remote->hmac || hca_seal_holds(remote->hmac, octets, len))
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
	const u8 *octets = hca_remote_octets(skb);
	unsigned int len = hca_remote_open(remote, octets, skb->len);
	u8 type = len ? hca_partner_receive(&remote->partner, from, octets, len) : 0;

	if (type && hca_remote_is_new(remote, octets)) {
		octets += HCA_FRAME_HEADER;
		len -= HCA_FRAME_HEADER;
		if (type == HCA_FRAME_PACKET)
			hca_medium_receive(remote->port, octets, len);
		else
			hca_medium_flow(remote->port, octets, len);
	}
	consume_skb(skb);
	hca_engine_drain();
}
