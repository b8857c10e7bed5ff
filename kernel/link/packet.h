/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A packet owns its headers. Its payload is copied into it if it has at most HCA_INLINE_BYTES, or
 * is in a buffer that the packet owns, or is borrowed: then it is described by memory regions
 * (key, generation, address, length), which are looked up where the payload is copied.
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
 * A packet that has passed more switches than the longest directed route has is looping. The IBA
 * has no such bound.
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
	HCA_PAYLOAD_GATHERED, /* in a buffer of its own */
	HCA_PAYLOAD_SHARED, /* in a buffer shared with other copies of the packet */
};

/* The payload that the copies of a multicast packet share, from the first switch that copies on. */
struct hca_shared {
	refcount_t users; /* copies, in any switch */
	u8 payload[];
};

enum hca_packet_flags {
	HCA_PACKET_LOOPBACK = 1 << 0, /* to the port's own LID; it is not on the link */
	HCA_PACKET_FLOW = 1 << 1, /* its data are flow-control packets */
	HCA_PACKET_SERIALIZED = 1 << 2, /* its buffer is the wire format, not checked yet */
	HCA_PACKET_LAST = 1 << 3, /* the last flow-control packets of their round */
	HCA_PACKET_EXPIRED = 1 << 4, /* its lifetime was over when it arrived at this switch */
};

struct hca_packet {
	struct llist_node node; /* in a queue of a port, or in the pool */
	struct hca_packet_pool *pool;
	struct hca_port *reserved_at; /* the relaying port whose buffer it occupies; NULL: none */
	void (*release)(struct hca_packet *pkt); /* releases it; valid with reserved_at */
	/*
	 * The copies, made at reserved_at, that keep the one packet's buffer space reserved there;
	 * NULL: this packet alone. Valid with reserved_at.
	 */
	refcount_t *reserved_copies;
	u16 reserved_blocks; /* of that buffer, of 64 octets; valid with reserved_at */
	u16 reserved_generation; /* link_generation of that port; valid with reserved_at */
	u8 reserved_vl; /* VL of that buffer; valid with reserved_at */
	u8 hops; /* switches of this kernel that have relayed it */
	union {
		u16 blocks; /* credits that it consumes at the next receiver, of 64 octets */
		u16 flow_round; /* of HCA_PACKET_LAST: which round of flow-control packets ends */
	};
	u8 flags; /* enum hca_packet_flags */
	u8 payload_kind; /* enum hca_payload_kind */
	u8 num_fragments;
	u8 packets; /* more than 1: a segment batch (link/batch.h) */
	u8 pkey_index; /* found by the receiving port */
	u8 flight; /* index of link/flight.h */
	u16 link_generation; /* of the cable it is on */
	u32 payload_length; /* octets, without padding; of one packet of a batch */
	union {
		const struct hca_blocked_sender *sender; /* in a VL queue: its sender, or NULL */
		u64 due; /* in a delay line: when it arrives, ns */
	};
	u64 expires; /* when a switch drops it, ns; 0: never; a switch may make it earlier */
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
 * @lnh: enum of LRH.LNH: which headers it has
 * @mtu: the MTU of the link, octets
 *
 * The MTU, but a raw packet's payload has a limit of its own: what PktLen allows besides LRH and
 * RWH (req C4-072).
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
	spinlock_t lock; /* BH; leaf; guards what follows, except tpt */
	struct llist_node *free;
	unsigned int count; /* packets allocated */
	unsigned int limit; /* maximum of in_use */
	unsigned int in_use; /* packets that are not free */
	bool closing; /* hca_packet_pool_destroy() waits for in_use to become 0 */
	struct hca_tpt *tpt; /* table of the MRs that fragments name */
};

/**
 * hca_packet_pool_init() - initialise an empty pool
 * @pool: the pool
 * @tpt: table of the MRs that fragments of its packets name; may be NULL
 * @limit: maximum number of packets
 *
 * Context: any.
 */
void hca_packet_pool_init(struct hca_packet_pool *pool, struct hca_tpt *tpt, unsigned int limit);

/**
 * hca_packet_pool_destroy() - wait until every packet has returned, and free them
 * @pool: the pool; nobody allocates from it any more, except a switch that copies its packets
 *
 * Allocation fails from now on, so that no more copies are made of a multicast packet that is
 * still in the fabric.
 * Context: process, may sleep.
 */
void hca_packet_pool_destroy(struct hca_packet_pool *pool);

/**
 * hca_packet_alloc() - allocate an empty packet
 * @pool: the pool
 *
 * flags, payload_length, expires and hops are 0, packets is 1, payload_kind is
 * HCA_PAYLOAD_INLINE, reserved_at is NULL. All other fields except pool are uninitialised.
 *
 * Context: bottom halves disabled.
 * Return: the packet; NULL at the pool's limit, while the pool is being destroyed, or without
 * memory.
 */
struct hca_packet *hca_packet_alloc(struct hca_packet_pool *pool);

/**
 * hca_packet_alloc_like() - allocate an empty packet that becomes a copy or a part of another
 * @original: the packet, in flight: it is as old, and of the same pool
 *
 * The caller may copy the whole structure into it.
 *
 * Context: bottom halves disabled.
 * Return: the packet, or NULL as of hca_packet_alloc().
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
