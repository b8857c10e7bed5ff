/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Registered memory: who may touch which octets by which key.
 *
 * A key is, from its most significant bit: a tag, the index of a slot in a flat table, and an
 * octet that the consumer of a fast region or a window chooses anew with each use. Slots are given
 * out in an order that is secret, a random permutation of them at first, and a free one comes again
 * after all that were free before it. Tag and octet are random, and a slot's tag differs from the one
 * before. So a key tells nothing of another one, and is dead with what it stood for, whatever its
 * octet. None of this costs a look-up anything: it compares the key as a whole.
 *
 * The generation is never used twice in a table's life, but for 2^32 of them.
 *
 * Work requests change what a key stands for (key.h), while others look it up. So the
 * generation guards a region: 0 is an invalid one, which changes, and whoever has found
 * another one there before and after he looked has seen what belongs together.
 */
#ifndef HCA_TPT_ENTRY_H
#define HCA_TPT_ENTRY_H

#include <linux/list.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <rdma/ib_user_ioctl_verbs.h>

/* Access rights: enum ib_uverbs_access_flags. */
#define HCA_REMOTE_ACCESS                                                                  \
	(IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ |                     \
	 IB_UVERBS_ACCESS_REMOTE_ATOMIC)

enum hca_tpt_kind {
	HCA_TPT_MR, /* valid as long as it is in the table */
	HCA_TPT_FAST_MR, /* valid from a fast registration to an invalidation */
	HCA_TPT_MW_1, /* for the protection domain's queue pairs */
	HCA_TPT_MW_2, /* for the queue pair that has bound it (type 2B) */
};

struct hca_tpt_entry {
	refcount_t users; /* the owner, and each copy under way */
	u8 kind; /* enum hca_tpt_kind */
	u32 key; /* L_Key and R_Key; a window's: R_Key */
	u32 generation; /* 0: invalid */
	u32 access; /* rights */
	const void *pd;
	u64 iova;
	u64 length; /* octets */
	/*
	 * Kernel addresses of the pages, the first of which is entered at first_offset;
	 * NULL: an address in the region is a kernel address itself. A window's are the region's.
	 */
	void **page;
	u32 first_offset;
	u32 windows; /* that are bound to it */

	/* A fast region: the pages that are mapped for the next registration. */
	void **next_page;
	u32 num_next_pages;

	/* A window. */
	struct hca_tpt_entry *of; /* the region it is bound to, or NULL */
	u32 qpn; /* type 2: the queue pair that has bound it */
	struct hlist_node qp_node; /* in its list of them */

	struct rcu_head rcu;
};

struct hca_tpt {
	/*
	 * BH; leaf. Guards what follows, but for reading slots, and what is in the regions. Copies
	 * under way are waited for with it held; they take no lock.
	 */
	spinlock_t lock;
	u32 mask; /* of an index: slots - 1; slot 0 is never given out: key 0 is kernel memory's */
	struct hca_tpt_entry __rcu **slot;
	u8 *tag; /* by slot: of its latest key */
	/*
	 * Free slots, first in, first out: free[i & mask], head <= i < tail. In the first round
	 * free[i] 0 stands for i + 1, and an entry is swapped with a random one when it is its turn.
	 */
	u32 *free;
	u64 head, tail;
	u32 generation;
};

#define HCA_KEY_INDEX_BITS 17
#define HCA_KEY_TAG_BITS 7

/* The key of all kernel memory, for kernel queue pairs (local access only). */
#define HCA_LOCAL_DMA_KEY 0

/* In place of a queue pair's number: its consumer asks, not its peer. Windows are not for him. */
#define HCA_CONSUMER 0

/**
 * hca_tpt_init() - an empty table
 * @tpt: the table
 * @size: slots, one more than there are keys; a power of two, at most 2^HCA_KEY_INDEX_BITS
 *
 * Context: process. Return: 0 or -ENOMEM.
 */
int hca_tpt_init(struct hca_tpt *tpt, u32 size);
void hca_tpt_destroy(struct hca_tpt *tpt);

/**
 * hca_tpt_entry_add() - publish a region
 * @tpt: the table
 * @region: all but users, key and generation filled in; without any length it is invalid
 *
 * Context: process. Return: 0 or -ENOMEM (table full).
 */
int hca_tpt_entry_add(struct hca_tpt *tpt, struct hca_tpt_entry *region);

/**
 * hca_tpt_entry_remove() - withdraw a region; wait until no copy touches it
 * @tpt: the table
 * @region: the region; the memory it names may be released when this returns,
 *          *region itself is freed here (kfree_rcu)
 *
 * A window that is bound is so no more.
 * Context: process, may sleep. Return: 0, or -EBUSY: a window is bound to it (R0-352).
 */
int hca_tpt_entry_remove(struct hca_tpt *tpt, struct hca_tpt_entry *region);

/**
 * hca_tpt_entry_find() - look up a key and check what is to be done with it, now or later
 * The same as hca_tpt_entry_get(), but no user is counted: the memory may not be touched.
 *
 * Context: BH disabled. Return: the region's generation; 0: it may not be done.
 */
u32 hca_tpt_entry_find(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn, u32 access, u64 addr,
		       u64 length);

/**
 * hca_tpt_entry_get() - look up a key and check what is to be done with it
 * @tpt: the table
 * @key: L_Key or R_Key
 * @pd: protection domain of the queue pair that asks, or is asked
 * @qpn: its number if its peer wants it, HCA_CONSUMER if its consumer does
 * @access: rights needed, all of them
 * @addr: first octet
 * @length: octets, at least 1
 *
 * Context: BH disabled. Return: the region, with a user counted, or NULL.
 */
struct hca_tpt_entry *hca_tpt_entry_get(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn,
					u32 access, u64 addr, u64 length);

/* The same by key and generation, for what was checked when the generation was noted. */
struct hca_tpt_entry *hca_tpt_entry_get_generation(struct hca_tpt *tpt, u32 key, u32 generation);

void hca_tpt_entry_put(struct hca_tpt_entry *region);

/* Where an address of a region in use is; good up to the end of its page. */
static inline void *hca_tpt_entry_map(const struct hca_tpt_entry *region, u64 addr)
{
	u64 offset;

	if (!region->page)
		return (void *)(uintptr_t)addr;
	offset = addr - region->iova + region->first_offset;
	return (u8 *)region->page[offset >> PAGE_SHIFT] + offset_in_page(offset);
}

/* Among the table's own files; the table's lock is held. */

/* What a key names, whatever its octet; NULL: nothing. */
struct hca_tpt_entry *hca_tpt_named(struct hca_tpt *tpt, u32 key);

/* Let what is in a region now be what its key stands for. */
void hca_tpt_entry_validate(struct hca_tpt *tpt, struct hca_tpt_entry *region);

/* Make it invalid; no copy touches its memory any more, and a window is bound to nothing. */
void hca_tpt_entry_revoke(struct hca_tpt_entry *region);

#endif
