/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A packet owns its headers and borrows its payload: up to HCA_INLINE_BYTES are
 * copied into it, a gathered payload hangs on it, all else is named by region,
 * generation, address and length and is looked up where it is copied.
 */
#ifndef HCA_LINK_PACKET_H
#define HCA_LINK_PACKET_H

#include <linux/llist.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "wire/headers.h"

#define HCA_INLINE_BYTES 256
#define HCA_MAX_MTU_BYTES 4096

/*
 * So many switches pass a packet on: as many as the longest directed route has, beyond which no
 * manager sees. One that has passed more goes in circles (IBA has no such bound, and no need of it).
 */
#define HCA_MAX_HOPS 64

struct hca_port;
struct hca_tpt;
struct hca_blocked_sender;
struct hca_packet_pool;

/* A piece of registered memory of the sender. */
struct hca_fragment {
	u32 lkey;
	u32 generation; /* of the region when the request was taken; another one means it is gone */
	u64 addr;
	u32 length; /* octets */
};

#define HCA_MAX_FRAGMENTS (HCA_INLINE_BYTES / sizeof(struct hca_fragment))

enum hca_payload_kind {
	HCA_PAYLOAD_INLINE, /* in data[] */
	HCA_PAYLOAD_BORROWED, /* in regions of the pool's owner */
	/* From here on the packet owns memory. */
	HCA_PAYLOAD_GATHERED, /* in a buffer of its own */
	HCA_PAYLOAD_SHARED, /* with other copies of the packet */
};

/* What copies of a packet that a switch sends to several ports have in common. */
struct hca_shared {
	refcount_t users; /* copies */
	refcount_t holders; /* those of them that hold room: the room of one packet, for all */
	u8 payload[];
};

enum hca_packet_flags {
	HCA_PACKET_LOOPBACK = 1 << 0, /* to the port's own LID; the link never sees it */
	HCA_PACKET_FLOW = 1 << 1, /* its data are flow-control packets */
	HCA_PACKET_SERIALIZED = 1 << 2, /* its buffer is the whole packet, still to be checked */
	HCA_PACKET_LAST = 1 << 3, /* behind these flow-control packets there are none */
	HCA_PACKET_EXPIRED = 1 << 4, /* its lifetime was over when it came to this switch */
};

struct hca_packet {
	struct llist_node node; /* in a queue of a port, or in the pool */
	struct hca_packet_pool *pool;
	struct hca_port *reserved_at; /* the relaying port whose buffer it is in; NULL: none */
	u16 reserved_blocks; /* of that buffer, in 64 octets; set with held, as are: */
	u16 reserved_generation; /* that port's link_generation */
	u8 reserved_vl;
	u8 hops; /* switches of this kernel that have passed it on */
	union {
		u16 blocks; /* credits it takes at the next receiver, in 64 octets */
		u16 flow_round; /* of HCA_PACKET_LAST: which round of flow-control packets ends */
	};
	u8 flags; /* enum hca_packet_flags */
	u8 payload_kind; /* enum hca_payload_kind */
	u8 num_fragments;
	u8 packets; /* more than 1: a train (link/train.h) */
	u8 pkey_index; /* found by the receiving port */
	u16 link_generation; /* of the cable it is on */
	u32 payload_length; /* octets, without padding */
	union {
		const struct hca_blocked_sender *sender; /* in a port's queue: whose it is; NULL: nobody's */
		u64 due; /* on a cable: when it arrives, ns */
	};
	u64 expires; /* when a switch drops it, ns; 0: never; each switch may bring it forward */
	struct hca_headers h;
	union {
		u8 data[HCA_INLINE_BYTES];
		struct hca_fragment fragment[HCA_MAX_FRAGMENTS];
		u8 *buffer;
		struct hca_shared *shared;
	};
};

static inline bool hca_packet_has_grh(const struct hca_packet *pkt)
{
	return pkt->h.lrh.lnh == IB_LNH_IBA_GLOBAL;
}

/* Without BTH and ICRC; its payload is whole words, padded by the sender (B4-413, C4-072). */
static inline bool hca_packet_is_raw(const struct hca_packet *pkt)
{
	return pkt->h.lrh.lnh < IB_LNH_IBA_LOCAL;
}

#define HCA_RAW_MIN_BYTES 20 /* LRH, RWH and payload of a raw packet: a PktLen of 5 (C4-072) */

static inline unsigned int hca_packet_icrc_bytes(const struct hca_packet *pkt)
{
	return hca_packet_is_raw(pkt) ? 0 : HCA_ICRC_BYTES;
}

/* Where a channel adapter's packets come from and return to. */
struct hca_packet_pool {
	spinlock_t lock; /* BH; leaf; guards all that change */
	struct llist_node *free;
	unsigned int count; /* allocated */
	unsigned int limit;
	unsigned int in_use;
	bool closing; /* somebody waits for in_use to become 0 */
	struct hca_tpt *tpt; /* whose regions the fragments name */
};

/**
 * hca_packet_pool_init() - an empty pool
 * @pool: the pool
 * @tpt: whose regions fragments of its packets name; may be NULL
 * @limit: at most so many packets exist
 */
void hca_packet_pool_init(struct hca_packet_pool *pool, struct hca_tpt *tpt, unsigned int limit);

/**
 * hca_packet_pool_destroy() - wait until every packet has come home, free them
 * @pool: the pool; nobody takes from it any more, but a switch that would copy a packet of it
 *
 * The pool gives no packet any more, so that a multicast packet that still circulates in the fabric
 * has no more copies. Context: process, may sleep.
 */
void hca_packet_pool_destroy(struct hca_packet_pool *pool);

/**
 * hca_packet_alloc() - an empty packet
 * @pool: the pool
 *
 * Everything but node and pool is uninitialised, flags and payload_length are 0, packets is 1,
 * payload_kind is HCA_PAYLOAD_INLINE, held is NULL, expires and hops are 0.
 *
 * Context: bottom halves disabled. Return: NULL at the pool's limit, while the pool is being
 * destroyed, or without memory.
 */
struct hca_packet *hca_packet_alloc(struct hca_packet_pool *pool);

/**
 * hca_packet_free() - give a packet back to its pool, with its buffer
 * @pkt: the packet; the room it holds at a relaying port is given back, too
 *
 * Context: bottom halves disabled.
 */
void hca_packet_free(struct hca_packet *pkt);

/**
 * hca_packet_release_buffer() - give back the room that a packet holds at a relaying port
 * @pkt: the packet, held
 *
 * Whoever waits at the other end of that port's cable may have the room.
 * Context: BH disabled; a port's tx_lock may be held.
 */
void hca_packet_release_buffer(struct hca_packet *pkt);

/* It has no payload any more, and owns nothing. Context: any. */
void hca_packet_drop_payload(struct hca_packet *pkt);

/* Credits that a packet of so many octets takes. */
static inline u16 hca_packet_blocks(unsigned int bytes)
{
	return (bytes + 63) / 64;
}

/**
 * hca_packet_finish() - fill in what follows from the rest
 * @pkt: headers complete but for bth.padcnt, lrh.pktlen, grh.paylen; payload_length set
 *
 * Also computes the credits (blocks).
 */
void hca_packet_finish(struct hca_packet *pkt);

#endif
