// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A link to a port of another kernel, which sends packets as frames, and receives frames. */
#include "phy/remote.h"
#include <linux/bottom_half.h>
#include <linux/err.h>
#include <linux/gfp.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "compat.h"
#include "link/port/port.h"
#include "link/state/remote_link.h"
#include "link/state/state.h"
#include "packet/serialize.h"
#include "phy/icv.h"

/*
 * Maximum number of queued frames. Credits allow fewer frames with data packets; but credits do not
 * limit the number of SMPs, Hellos and flow-control packets.
 */
#define HCA_REMOTE_QUEUE 8192

/* Number of calls of hca_remote_mtu_changes(). */
static atomic_t hca_mtu_changes = ATOMIC_INIT(0);

static struct hca_address *remote_destination(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct hca_address) > sizeof(skb->cb));
	return (struct hca_address *)skb->cb;
}

static unsigned int remote_tag(const struct hca_remote *remote)
{
	return remote->hmac ? HCA_FRAME_TAG : 0;
}

/*
 * Allocate memory that skb_free_frag() frees. netdev_alloc_frag() is not used for more than a page,
 * because from Linux 6.13 on, such an allocation fails at the end of each chunk of its cache.
 */
static void *remote_memory(unsigned int size)
{
	if (size <= PAGE_SIZE)
		return netdev_alloc_frag(size);
	return (void *)__get_free_pages(GFP_ATOMIC | __GFP_COMP | __GFP_NOWARN, get_order(size));
}

/* Allocate a buffer in pages, which skb_try_coalesce() can append to another buffer. */
static struct sk_buff *remote_buffer(unsigned int len)
{
	unsigned int size = SKB_DATA_ALIGN(len) + SKB_DATA_ALIGN(sizeof(struct skb_shared_info));
	void *head = remote_memory(size);
	struct sk_buff *skb = head ? build_skb(head, size) : NULL;

	if (head && !skb)
		skb_free_frag(head);
	return skb;
}

/* Allocate a buffer for a frame: header, @len octets of payload, room for the tag. */
static struct sk_buff *remote_frame(struct hca_remote *remote, unsigned int len)
{
	unsigned int room = remote->network->room;
	struct sk_buff *skb = remote_buffer(room + HCA_FRAME_HEADER + len + HCA_FRAME_TAG);

	if (!skb)
		return NULL;
	skb_reserve(skb, room);
	skb_put(skb, HCA_FRAME_HEADER + len);
	return skb;
}

/* Queue a frame, which remote_run() transmits later without the locks of the caller. */
static void remote_queue(struct hca_remote *remote, struct sk_buff *skb,
			 const struct hca_address *to)
{
	if (skb_queue_len_lockless(&remote->queue) >= HCA_REMOTE_QUEUE ||
	    (remote->hmac && hca_icv_append(remote->hmac, skb->data, skb->len))) {
		kfree_skb(skb);
		return;
	}
	skb_put(skb, remote_tag(remote));
	*remote_destination(skb) = *to;
	skb_queue_tail(&remote->queue, skb);
	hca_run_schedule(&remote->run);
}

/* Return: the next frame to be sent, which remains queued, or NULL. Context: remote_run(). */
static struct sk_buff *remote_next(struct hca_remote *remote)
{
	if (skb_queue_empty(&remote->sending)) {
		spin_lock(&remote->queue.lock);
		skb_queue_splice_init(&remote->queue, &remote->sending);
		spin_unlock(&remote->queue.lock);
	}
	return skb_peek(&remote->sending);
}

static bool remote_joins(const struct hca_remote *remote, const struct sk_buff *skb,
			 const struct sk_buff *next)
{
	return next->len <= skb_shinfo(skb)->gso_size &&
	       skb->len + next->len <= remote->network->most &&
	       !memcmp(next->cb, skb->cb, sizeof(struct hca_address));
}

/*
 * Coalesce a frame with the following frames of equal length, and with at most one shorter frame at
 * the end, as GSO expects. Return: the number of frames in @skb.
 */
static int remote_join(struct hca_remote *remote, struct sk_buff *skb)
{
	struct sk_buff *next;
	bool stolen, last;
	int more, n = 1;

	skb_shinfo(skb)->gso_size = skb->len;
	for (last = false; !last && (next = remote_next(remote)) &&
			   remote_joins(remote, skb, next); n++) {
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

static bool remote_run(struct hca_runnable *run, int *budget)
{
	struct hca_remote *remote = container_of(run, struct hca_remote, run);
	struct hca_address to;
	struct sk_buff *skb;

	while (*budget > 0 && (skb = remote_next(remote))) {
		__skb_unlink(skb, &remote->sending);
		*budget -= remote_join(remote, skb);
		to = *remote_destination(skb);
		memset(skb->cb, 0, sizeof(skb->cb));
		remote->network->transmit(remote, &to, skb);
	}
	return remote_next(remote);
}

static struct hca_remote *remote_of_peer(struct hca_peer *peer)
{
	return container_of(peer, struct hca_remote, peer);
}

static struct hca_remote *remote_of_phy(struct hca_phy *phy)
{
	return container_of(phy, struct hca_remote, phy);
}

static void remote_transmit(struct hca_peer *peer, const struct hca_address *to,
			    u8 *frame, unsigned int len)
{
	struct hca_remote *remote = remote_of_peer(peer);
	struct sk_buff *skb = remote_frame(remote, len - HCA_FRAME_HEADER);

	if (!skb)
		return;
	memcpy(skb->data, frame, len);
	remote_queue(remote, skb, to);
	hca_engine_raise();
}

/* Return: octets of a packet that fit into one frame to the peer; 0 without a path to the peer. */
static unsigned int remote_segment_room(struct hca_remote *remote)
{
	unsigned int room = remote->network->frame_max(remote, &remote->peer.address);

	return room > HCA_FRAME_HEADER + HCA_FRAME_TAG ?
		       room - HCA_FRAME_HEADER - HCA_FRAME_TAG : 0;
}

/*
 * Return: the largest MTU that the options allow and whose packets fit into HCA_FRAME_SEGMENTS
 * frames, but at least IB_MTU_256.
 */
static u8 remote_mtu(const struct hca_remote *remote, unsigned int room)
{
	u8 mtu = remote->mtu_wanted ?: IB_MTU_4096;

	while (mtu > IB_MTU_256 && hca_mtu_bytes(mtu) + HCA_MAX_WIRE_BYTES - HCA_MAX_MTU_BYTES >
					    room * HCA_FRAME_SEGMENTS)
		mtu--;
	return mtu;
}

static void remote_changed(struct hca_peer *peer, bool up)
{
	struct hca_remote *remote = remote_of_peer(peer);

	if (up) {
		WRITE_ONCE(remote->mtu_changes, atomic_read(&hca_mtu_changes));
		WRITE_ONCE(remote->room, remote_segment_room(remote));
		WRITE_ONCE(remote->mtu, remote_mtu(remote, remote->room));
		hca_phy_up(remote->port, remote->mtu);
	} else {
		hca_phy_down(remote->port);
	}
	hca_engine_raise();
}

void hca_remote_mtu_changes(void)
{
	atomic_inc(&hca_mtu_changes);
}

/*
 * Adapt to a path's MTU that has become smaller, or to an interface's MTU that has become larger.
 * If the MTU of the link changes, the link is trained anew. If the path's MTU has become larger but
 * no interface has changed, the change is ignored, because the kernel forgets a learned path MTU
 * after some minutes, although the path can still not carry more.
 */
static void remote_poll_mtu(struct hca_peer *peer)
{
	struct hca_remote *remote = remote_of_peer(peer);
	int changes = atomic_read(&hca_mtu_changes);
	unsigned int room = remote_segment_room(remote), now = READ_ONCE(remote->room);

	if (!room || (room > now && now && READ_ONCE(remote->mtu_changes) == changes))
		return;
	WRITE_ONCE(remote->mtu_changes, changes);
	WRITE_ONCE(remote->room, room);
	if (remote_mtu(remote, room) != READ_ONCE(remote->mtu)) {
		hca_port_set_state(remote->port, IB_PORT_DOWN);
		hca_engine_run();
	}
}

static const struct hca_peer_ops hca_remote_peer_ops = {
	.transmit = remote_transmit,
	.changed = remote_changed,
	.poll = remote_poll_mtu,
};

static bool remote_write(const struct hca_packet *pkt, u8 *wire, unsigned int len)
{
	if (likely(!(pkt->flags & HCA_PACKET_SERIALIZED)))
		return hca_packet_serialize_start(pkt, wire, len) == len;
	memcpy(wire, pkt->buffer, len); /* fault injection has corrupted the packet */
	return true;
}

/* Return: number of segments of a packet; 0 if the packet needs more than HCA_FRAME_SEGMENTS. */
static unsigned int remote_segments(const struct hca_remote *remote, unsigned int len)
{
	unsigned int room = READ_ONCE(remote->room), segments;

	if (likely(len <= room))
		return 1;
	segments = room ? DIV_ROUND_UP(len, room) : 0;
	return segments <= HCA_FRAME_SEGMENTS ? segments : 0;
}

static u8 *remote_payload_of(struct sk_buff *skb)
{
	return skb->data + HCA_FRAME_HEADER;
}

/*
 * Split a packet into segments. On entry, the whole packet is in @first, which becomes the buffer
 * of the first segment. Return: true; false if memory is short, in which case the caller purges
 * @frames.
 */
static bool remote_split(struct hca_remote *remote, struct sk_buff *first,
			 const struct hca_frame *frame, struct sk_buff_head *frames)
{
	unsigned int i, length = frame->length;
	struct sk_buff *skb;

	__skb_queue_tail(frames, first);
	memset(remote_payload_of(first) + frame->total, 0, frame->segments * length - frame->total);
	for (i = 1; i < frame->segments; i++) {
		skb = remote_frame(remote, length);
		if (!skb)
			return false;
		memcpy(remote_payload_of(skb), remote_payload_of(first) + i * length, length);
		__skb_queue_tail(frames, skb);
	}
	skb_trim(first, HCA_FRAME_HEADER + length);
	return true;
}

static void remote_send_segments(struct hca_remote *remote, struct sk_buff *first,
				 struct hca_frame *frame, const struct hca_address *to)
{
	struct sk_buff_head frames;
	struct sk_buff *skb;

	__skb_queue_head_init(&frames);
	if (!remote_split(remote, first, frame, &frames)) {
		__skb_queue_purge(&frames);
		return;
	}
	while ((skb = __skb_dequeue(&frames))) {
		hca_frame_pack(frame, skb->data);
		remote_queue(remote, skb, to);
		frame->segment++;
		frame->number++;
	}
}

static void remote_send_packet(struct hca_remote *remote, const struct hca_packet *pkt)
{
	unsigned int len = hca_packet_bytes(pkt), segments = remote_segments(remote, len), length;
	struct hca_frame frame;
	struct hca_address to;
	struct sk_buff *skb;

	if (!segments || !hca_peer_head(&remote->peer, HCA_FRAME_PACKET, segments, &frame, &to))
		return;
	length = segments == 1 ? len : DIV_ROUND_UP(len, segments);
	frame.length = length;
	frame.segments = segments;
	frame.total = len;
	skb = remote_frame(remote, segments * length);
	if (!skb)
		return;
	if (!remote_write(pkt, remote_payload_of(skb), len)) {
		kfree_skb(skb);
	} else if (likely(segments == 1)) {
		hca_frame_pack(&frame, skb->data);
		remote_queue(remote, skb, &to);
	} else {
		remote_send_segments(remote, skb, &frame, &to);
	}
}

/* A packet that cannot be serialized or queued is dropped; a physical link loses packets, too. */
static void remote_carry(struct hca_phy *phy, struct hca_port *peer,
			 struct hca_packet *pkt)
{
	remote_send_packet(remote_of_phy(phy), pkt);
	hca_packet_free(pkt);
}

static void remote_flow(struct hca_phy *phy, struct hca_port *peer, const u8 *octets,
			unsigned int len)
{
	struct hca_remote *remote = remote_of_phy(phy);
	struct sk_buff *skb = remote_frame(remote, len);
	struct hca_frame frame;
	struct hca_address to;

	if (!skb || !hca_peer_head(&remote->peer, HCA_FRAME_FLOW, 1, &frame, &to)) {
		kfree_skb(skb);
		return;
	}
	frame.length = len;
	hca_frame_pack(&frame, skb->data);
	memcpy(remote_payload_of(skb), octets, len);
	remote_queue(remote, skb, &to);
}

static void remote_will(struct hca_phy *phy, bool enabled)
{
	hca_peer_will(&remote_of_phy(phy)->peer, enabled);
}

int hca_remote_init(struct hca_remote *remote, const struct hca_network *network,
		    struct hca_port *port, const struct hca_address *address,
		    const struct hca_remote_config *config)
{
	const struct hca_key *key = &config->key;
	struct hca_hello own = { .enabled = true, .node_guid = config->node_guid };
	struct crypto_shash *hmac;

	/* The caller calls hca_remote_destroy() after an error, so initialize the queues first. */
	skb_queue_head_init(&remote->queue);
	__skb_queue_head_init(&remote->sending);
	if (key->length) {
		hmac = hca_icv_new(key->octet, key->length);
		if (IS_ERR(hmac))
			return PTR_ERR(hmac);
		remote->hmac = hmac;
	}
	if (hca_ingress_init(&remote->ingress, port, &remote->peer))
		return -ENOMEM;
	remote->mtu_wanted = config->mtu;
	remote->network = network;
	remote->port = port;
	remote->phy.carry = remote_carry;
	remote->phy.flow = remote_flow;
	remote->phy.will = remote_will;
	hca_run_init(&remote->run, remote_run);
	own.mtu_cap = port->info.mtu_cap;
	own.port = port->num;
	own.port_guid = be64_to_cpu(port->tables.guid[0]);
	memcpy(own.name, config->node_name, sizeof(own.name));
	hca_peer_init(&remote->peer, &hca_remote_peer_ops, &own, address);
	return 0;
}

void hca_remote_destroy(struct hca_remote *remote)
{
	skb_queue_purge(&remote->queue);
	__skb_queue_purge(&remote->sending);
	hca_ingress_destroy(&remote->ingress);
	if (remote->hmac)
		hca_icv_free(remote->hmac);
}

void hca_remote_start(struct hca_remote *remote)
{
	hca_phy_attach(remote->port, &remote->phy);
	hca_peer_start(&remote->peer);
}

void hca_remote_stop(struct hca_remote *remote)
{
	hca_peer_stop(&remote->peer);
	local_bh_disable();
	hca_run_schedule(&remote->run);
	hca_engine_run(); /* remote_run() transmits the Bye */
	local_bh_enable();
	hca_run_stop(&remote->run);
	/*
	 * After close(), remote_changed() is not called any more. The port can then be detached.
	 */
	remote->network->close(remote);
	hca_phy_detach(remote->port);
}

/*
 * Copy a frame to private memory, since a sender on this machine may still write to the pages of
 * the frame. Return: the copy; NULL if the length is wrong for a frame, or if memory is short.
 */
static u8 *remote_copy_frame(struct hca_remote *remote, const struct sk_buff *skb)
{
	u8 *octets;

	if (skb->len < HCA_FRAME_HEADER + remote_tag(remote) || skb->len > HCA_MAX_FRAME_BYTES) {
		atomic64_inc(&remote->ingress.malformed);
		return NULL;
	}
	octets = kmalloc(skb->len, GFP_ATOMIC | __GFP_NOWARN);
	if (octets && skb_copy_bits(skb, 0, octets, skb->len)) {
		kfree(octets);
		return NULL;
	}
	return octets;
}

/* Check length and tag. Return: length of the frame without its tag; 0 if the frame is invalid. */
static unsigned int remote_open(struct hca_remote *remote, const u8 *octets, unsigned int room)
{
	unsigned int len = hca_frame_octets(octets, room, remote_tag(remote),
					    remote->network->padded);

	if (!len) {
		atomic64_inc(&remote->ingress.malformed);
	} else if (remote->hmac && !hca_icv_verify(remote->hmac, octets, len)) {
		atomic64_inc(&remote->forged);
		len = 0;
	}
	return len;
}

void hca_remote_receive(struct hca_remote *remote, const struct hca_address *from,
			struct sk_buff *skb)
{
	u8 *octets = remote_copy_frame(remote, skb);
	unsigned int len = octets ? remote_open(remote, octets, skb->len) : 0;

	consume_skb(skb);
	if (len)
		hca_ingress_receive(&remote->ingress, from, octets, len);
	kfree(octets);
	hca_engine_run();
}
