/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Packets and the pools that they are allocated from. A packet owns its headers. A payload of at
 * most HCA_INLINE_BYTES may be inside the packet; otherwise it is in a buffer that the packet owns,
 * or is borrowed. A borrowed payload is described by fragments of memory regions (key, generation,
 * address, length); the MRs are looked up when the payload is copied.
 */
#ifndef HCA_PACKET_PACKET_H
#define HCA_PACKET_PACKET_H

#include <linux/llist.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "tpt/fragment.h"
#include "wire/headers.h"

#define HCA_INLINE_BYTES 256
#define HCA_MAX_MTU_BYTES 4096

/*
 * Maximum number of switches that a packet passes. A directed route cannot be longer either. A
 * packet that has passed more switches is taken to be in a loop. The IBA does not define a bound.
 */
#define HCA_MAX_HOPS 64

struct hca_port;
struct hca_tpt;
struct hca_blocked_sender;
struct hca_packet_pool;

#define HCA_MAX_FRAGMENTS (HCA_INLINE_BYTES / sizeof(struct hca_fragment))

enum hca_payload_kind {
	HCA_PAYLOAD_INLINE, /* the payload is in data[] */
	HCA_PAYLOAD_BORROWED, /* fragment[] names the payload in MRs of the pool's owner */
	/* A packet of the following kinds owns memory besides struct hca_packet. */
	HCA_PAYLOAD_GATHERED, /* the payload is in a buffer that the packet owns */
	HCA_PAYLOAD_SHARED, /* the payload is in a buffer that copies of the packet share */
};

/* The payload that the copies of a multicast packet, made by switches, share. */
struct hca_shared {
	refcount_t users; /* number of copies that share the payload, in all switches */
	u8 payload[];
};

enum hca_packet_flags {
	/* the packet is for the port's own LID, and is not sent on the link */
	HCA_PACKET_LOOPBACK = 1 << 0,
	HCA_PACKET_FLOW = 1 << 1, /* the payload consists of flow-control packets */
	HCA_PACKET_SERIALIZED = 1 << 2, /* @buffer is the packet's wire format, not checked yet */
	HCA_PACKET_LAST = 1 << 3, /* the last flow-control packets of one end of a cable */
	HCA_PACKET_EXPIRED = 1 << 4, /* the packet arrived at this switch after @expires */
};

struct hca_packet {
	struct llist_node node; /* entry in a queue of a port, or in pool->free */
	struct hca_packet_pool *pool;
	/*
	 * The switch port at which the packet keeps receive buffer reserved; NULL: none. If this
	 * field is NULL, the fields from here to reserved_vl are invalid.
	 */
	struct hca_port *reserved_at;
	void (*release)(struct hca_packet *pkt); /* releases the reserved buffer space */
	/*
	 * Number of copies, made at reserved_at, that share the reserved buffer space; NULL: only
	 * this packet uses the space.
	 */
	refcount_t *reserved_copies;
	u16 reserved_blocks; /* reserved blocks of 64 octets */
	u16 reserved_generation; /* link_generation of reserved_at when the packet arrived there */
	u8 reserved_vl; /* VL of the reserved blocks */
	u8 hops; /* number of switches of this kernel that have relayed the packet */
	union {
		u16 blocks; /* credits consumed at the next receiver, in blocks of 64 octets */
		u16 flow_round; /* with HCA_PACKET_LAST: the sender's hca_flow_control.round */
	};
	u8 flags; /* enum hca_packet_flags */
	u8 payload_kind; /* enum hca_payload_kind */
	u8 num_fragments;
	u8 packets; /* more than 1: a segment batch (packet/batch.h) */
	u8 pkey_index; /* index of the P_Key, set by the receiving port */
	u8 flight; /* index under which the packet is counted as in flight (packet/flight.h) */
	u16 link_generation; /* link_generation of the receiving port when the packet was sent */
	u32 payload_length; /* octets of payload without padding; in a batch, of each packet */
	union {
		const struct hca_blocked_sender *sender; /* in a VL queue: the sender, or NULL */
		u64 due; /* in a delay line: time of arrival, ns */
	};
	/* Time at which a switch drops the packet, ns; 0: never. Later switches may lower it. */
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

/**
 * hca_mtu_bytes() - size of an MTU
 * @mtu: enum ib_mtu
 *
 * Context: any.
 * Return: octets.
 */
static inline unsigned int hca_mtu_bytes(u8 mtu)
{
	return 128u << mtu;
}

/* PktLen is at most (MTU + HCA_PKTLEN_BEYOND_MTU) / 4 words (IBA 7.7.8). */
#define HCA_PKTLEN_BEYOND_MTU 124

/**
 * hca_payload_limit() - maximum length of a packet's payload, in octets
 * @lnh: LRH.LNH (IB_LNH_*), which determines the headers
 * @mtu: the MTU of the link, octets
 *
 * The limit is the MTU. For a raw packet, it is the maximum of PktLen minus LRH and RWH instead
 * (req C4-072).
 * Context: any.
 */
static inline unsigned int hca_payload_limit(u8 lnh, unsigned int mtu)
{
	if (likely(lnh >= IB_LNH_IBA_LOCAL))
		return mtu;
	return mtu + HCA_PKTLEN_BEYOND_MTU - hca_headers_bytes(lnh, 0);
}

/**
 * hca_packet_fits() - whether the length of a payload is within its limit
 * @pkt: the packet or batch
 * @mtu: the MTU of the link, enum ib_mtu
 *
 * Context: any.
 */
static inline bool hca_packet_fits(const struct hca_packet *pkt, u8 mtu)
{
	return pkt->payload_length <= hca_payload_limit(pkt->h.lrh.lnh, hca_mtu_bytes(mtu));
}

/* Octets of the ICRC, which a raw packet does not have. Context: any. */
static inline unsigned int hca_packet_icrc_bytes(const struct hca_packet *pkt)
{
	return hca_packet_is_raw(pkt) ? 0 : HCA_ICRC_BYTES;
}

/* The pool that a node's packets are allocated from and return to. */
struct hca_packet_pool {
	spinlock_t lock; /* leaf lock, BH disabled; guards the fields below, except tpt */
	struct llist_node *free;
	unsigned int count; /* number of packets that exist, free or in use */
	unsigned int limit; /* maximum of in_use */
	unsigned int in_use; /* number of packets that are not free */
	bool closing; /* hca_packet_pool_destroy() waits for in_use to become 0 */
	struct hca_tpt *tpt; /* table of the MRs to which fragments of the packets refer */
};

/**
 * hca_packet_pool_init() - initialize an empty pool
 * @pool: the pool
 * @tpt: table of the MRs to which fragments of its packets refer; may be NULL
 * @limit: maximum number of packets
 *
 * Context: any.
 */
void hca_packet_pool_init(struct hca_packet_pool *pool, struct hca_tpt *tpt, unsigned int limit);

/**
 * hca_packet_pool_destroy() - wait until every packet has returned, and free all packets
 * @pool: the pool; only switches that copy its packets still allocate from it
 *
 * Allocation fails as soon as this function is called, so that switches do not make more copies of
 * a multicast packet that is still in the fabric.
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
 * Return: the packet; NULL at the pool's limit, while the pool is being destroyed, or if memory is
 * short.
 */
struct hca_packet *hca_packet_alloc(struct hca_packet_pool *pool);

/**
 * hca_packet_alloc_like() - allocate an empty packet for a copy or a part of another packet
 * @original: the other packet, in flight; the new packet has the same pool and flight index
 *
 * The caller may copy the whole structure into the new packet.
 *
 * Context: bottom halves disabled.
 * Return: the packet; NULL at the pool's limit, while the pool is being destroyed, or if memory is
 * short.
 */
struct hca_packet *hca_packet_alloc_like(const struct hca_packet *original);

/**
 * hca_packet_free() - free a packet and its payload
 * @pkt: the packet; buffer space that it has reserved at a switch port is released
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

/**
 * hca_packet_blocks() - credits that a packet consumes
 * @bytes: length of the packet in octets
 *
 * Context: any.
 * Return: blocks of 64 octets.
 */
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
