/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Packets and the pools that they are allocated from. A packet owns its headers. A payload of at
 * most HCA_INLINE_BYTES may be inside the packet; otherwise it is in a buffer that the packet owns,
 * or is borrowed. A borrowed payload is described by fragments of memory regions (key, generation,
 * address, length); the MRs are looked up when the payload is copied.
 */
#ifndef HCA_LINK_PACKET_H
#define HCA_LINK_PACKET_H

#include <linux/llist.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "tpt/fragment.h"
#include "wire/headers.h"

#define HCA_INLINE_BYTES 256
#define HCA_MAX_MTU_BYTES 4096

/*
 * Maximum number of switches that a packet passes, as many as the longest directed route has. A
 * packet beyond it is looping. The IBA does not define such a bound.
 */
#define HCA_MAX_HOPS 64

struct hca_port;
struct hca_tpt;
struct hca_blocked_sender;
struct hca_packet_pool;

#define HCA_MAX_FRAGMENTS (HCA_INLINE_BYTES / sizeof(struct hca_fragment))

enum hca_payload_kind {
	HCA_PAYLOAD_INLINE, /* in data[] */
	HCA_PAYLOAD_BORROWED, /* in MRs of the pool's owner: fragment[] */
	/* The kinds from here on own memory. */
	HCA_PAYLOAD_GATHERED, /* in a buffer of the packet's own */
	HCA_PAYLOAD_SHARED, /* in a buffer shared with other copies of the packet */
};

/* The payload that copies of a multicast packet share, once a switch has copied the packet. */
struct hca_shared {
	refcount_t users; /* copies, in any switch */
	u8 payload[];
};

enum hca_packet_flags {
	HCA_PACKET_LOOPBACK = 1 << 0, /* for the port's own LID; not sent on the link */
	HCA_PACKET_FLOW = 1 << 1, /* the payload consists of flow-control packets */
	HCA_PACKET_SERIALIZED = 1 << 2, /* the buffer is the wire format, not checked yet */
	HCA_PACKET_LAST = 1 << 3, /* the last flow-control packets of their round */
	HCA_PACKET_EXPIRED = 1 << 4, /* the lifetime was over on arrival at this switch */
};

struct hca_packet {
	struct llist_node node; /* in a queue of a port, or in the pool */
	struct hca_packet_pool *pool;
	struct hca_port *reserved_at; /* relaying port with buffer space reserved; NULL: none */
	void (*release)(struct hca_packet *pkt); /* releases the space; valid with reserved_at */
	/*
	 * Number of copies, made at reserved_at, that share the reserved buffer space; NULL: only
	 * this packet uses it. Valid with reserved_at.
	 */
	refcount_t *reserved_copies;
	u16 reserved_blocks; /* reserved blocks of 64 octets; valid with reserved_at */
	u16 reserved_generation; /* link_generation of reserved_at; valid with reserved_at */
	u8 reserved_vl; /* VL of the reserved blocks; valid with reserved_at */
	u8 hops; /* number of switches of this kernel that have relayed the packet */
	union {
		u16 blocks; /* credits consumed at the next receiver, in blocks of 64 octets */
		u16 flow_round; /* HCA_PACKET_LAST: round of flow-control packets that ends */
	};
	u8 flags; /* enum hca_packet_flags */
	u8 payload_kind; /* enum hca_payload_kind */
	u8 num_fragments;
	u8 packets; /* more than 1: a segment batch (link/batch.h) */
	u8 pkey_index; /* index of the P_Key, set by the receiving port */
	u8 flight; /* index of link/flight.h */
	u16 link_generation; /* generation of the cable that the packet is on */
	u32 payload_length; /* octets without padding; in a batch: of each packet */
	union {
		const struct hca_blocked_sender *sender; /* in a VL queue: the sender, or NULL */
		u64 due; /* in a delay line: time of arrival, ns */
	};
	/* Time when a switch drops the packet, ns; 0: never; a switch may advance it. */
	u64 expires;
	struct hca_headers h;
	union {
		u8 data[HCA_INLINE_BYTES];
		struct hca_fragment fragment[HCA_MAX_FRAGMENTS];
		u8 *buffer;
		struct hca_shared *shared;
	};
};

/**
 * hca_packet_has_grh() - whether a packet has a GRH
 * @pkt: the packet
 *
 * Context: any.
 */
static inline bool hca_packet_has_grh(const struct hca_packet *pkt)
{
	return pkt->h.lrh.lnh == IB_LNH_IBA_GLOBAL;
}

/**
 * hca_packet_is_raw() - whether a packet is raw
 * @pkt: the packet
 *
 * A raw packet has neither BTH nor ICRC. Its payload is a multiple of 4 octets, padded by the
 * sender (req B4-413, C4-072).
 * Context: any.
 */
static inline bool hca_packet_is_raw(const struct hca_packet *pkt)
{
	return pkt->h.lrh.lnh < IB_LNH_IBA_LOCAL;
}

#define HCA_RAW_MIN_BYTES 20 /* LRH, RWH and payload of a raw packet: PktLen 5 (req C4-072) */

/* Octets beyond the MTU that PktLen counts at most: (MTU + 124) / 4 words (IBA 7.7.8). */
#define HCA_PKTLEN_BEYOND_MTU 124

/**
 * hca_payload_limit() - octets of payload that a packet may have
 * @lnh: enum of LRH.LNH, which determines the headers
 * @mtu: the MTU of the link, octets
 *
 * The limit is the MTU, except for a raw packet: its limit is the part of PktLen that LRH and RWH
 * leave (req C4-072).
 * Context: any.
 */
static inline unsigned int hca_payload_limit(u8 lnh, unsigned int mtu)
{
	if (likely(lnh >= IB_LNH_IBA_LOCAL))
		return mtu;
	return mtu + HCA_PKTLEN_BEYOND_MTU - hca_headers_bytes(lnh, 0);
}

/* Octets of the ICRC, which a raw packet does not have. Context: any. */
static inline unsigned int hca_packet_icrc_bytes(const struct hca_packet *pkt)
{
	return hca_packet_is_raw(pkt) ? 0 : HCA_ICRC_BYTES;
}

/* The pool that a node's packets are allocated from and return to. */
struct hca_packet_pool {
	spinlock_t lock; /* BH; leaf; guards the fields below, except tpt */
	struct llist_node *free;
	unsigned int count; /* packets allocated */
	unsigned int limit; /* maximum of in_use */
	unsigned int in_use; /* packets that are not free */
	bool closing; /* hca_packet_pool_destroy() waits for in_use to become 0 */
	struct hca_tpt *tpt; /* table of the MRs that fragments name */
};

/**
 * hca_packet_pool_init() - initialize an empty pool
 * @pool: the pool
 * @tpt: table of the MRs that fragments of its packets name; may be NULL
 * @limit: maximum number of packets
 *
 * Context: any.
 */
void hca_packet_pool_init(struct hca_packet_pool *pool, struct hca_tpt *tpt, unsigned int limit);

/**
 * hca_packet_pool_destroy() - wait until every packet has returned, and free all packets
 * @pool: the pool; only switches that copy its packets still allocate from it
 *
 * Allocation fails from now on, so that switches do not make more copies of a multicast packet that
 * is still in the fabric.
 * Context: process, may sleep.
 */
void hca_packet_pool_destroy(struct hca_packet_pool *pool);

/**
 * hca_packet_alloc() - allocate an empty packet
 * @pool: the pool
 *
 * flags, payload_length, expires and hops are 0, packets is 1, payload_kind is
 * HCA_PAYLOAD_INLINE, reserved_at is NULL. All other fields except pool are uninitialized.
 *
 * Context: bottom halves disabled.
 * Return: the packet; NULL at the pool's limit, while the pool is being destroyed, or without
 * memory.
 */
struct hca_packet *hca_packet_alloc(struct hca_packet_pool *pool);

/**
 * hca_packet_alloc_like() - allocate an empty packet that becomes a copy or a part of another
 * @original: the other packet, in flight; the new one has its pool and flight index
 *
 * The caller may copy the whole structure into the new packet.
 *
 * Context: bottom halves disabled.
 * Return: the packet, or NULL: see hca_packet_alloc().
 */
struct hca_packet *hca_packet_alloc_like(const struct hca_packet *original);

/**
 * hca_packet_free() - free a packet and its payload
 * @pkt: the packet; the buffer space that it keeps reserved at a relaying port is released
 *
 * Context: bottom halves disabled; a port's tx.lock may be held.
 */
void hca_packet_free(struct hca_packet *pkt);

/**
 * hca_packet_drop_payload() - free the payload of a packet
 * @pkt: the packet; its payload_kind becomes HCA_PAYLOAD_INLINE
 *
 * Context: any.
 */
void hca_packet_drop_payload(struct hca_packet *pkt);

/* Credits, in blocks of 64 octets, that a packet of @bytes octets consumes. Context: any. */
static inline u16 hca_packet_blocks(unsigned int bytes)
{
	return (bytes + 63) / 64;
}

/**
 * hca_packet_finish() - compute the length fields and the credits of a packet
 * @pkt: headers complete except bth.padcnt, lrh.pktlen and grh.paylen; payload_length set
 *
 * Context: any.
 */
void hca_packet_finish(struct hca_packet *pkt);

#endif
