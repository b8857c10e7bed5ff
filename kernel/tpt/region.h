/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Registered memory: who may touch which octets by which key.
 *
 * A region's key is its index in a flat table, << 8, | an octet that changes whenever
 * the index is used again. The generation is never used twice in a table's life.
 */
#ifndef HCA_TPT_REGION_H
#define HCA_TPT_REGION_H

#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <rdma/ib_user_ioctl_verbs.h>

/* Access rights: enum ib_uverbs_access_flags. */

struct hca_region {
	refcount_t users; /* the owner, and each copy under way */
	u32 key; /* L_Key and R_Key */
	u32 generation;
	u32 access; /* rights */
	bool may_invalidate; /* by a remote key holder's Send with Invalidate */
	bool invalid; /* and has been */
	const void *pd;
	u64 iova;
	u64 length; /* octets */
	/*
	 * Kernel addresses of the pages, the first of which is entered at first_offset;
	 * NULL: an address in the region is a kernel address itself.
	 */
	void **page;
	u32 first_offset;
	struct rcu_head rcu;
};

struct hca_tpt {
	spinlock_t lock; /* BH; leaf; guards what follows but for reading slots */
	u32 size; /* slots; slot 0 is never given out: key 0 is the kernel's local DMA key */
	struct hca_region __rcu **slot;
	u8 *key_octet;
	u32 *free; /* a stack of slots that were used before */
	u32 num_free;
	u32 next; /* the first slot that never was used */
	u32 generation;
};

/* The key of all kernel memory, for kernel queue pairs (local access only). */
#define HCA_LOCAL_DMA_KEY 0

int hca_tpt_init(struct hca_tpt *tpt, u32 size);
void hca_tpt_destroy(struct hca_tpt *tpt);

/**
 * hca_region_add() - publish a region
 * @tpt: the table
 * @region: all but users, key and generation filled in
 *
 * Context: process. Return: 0 or -ENOMEM (table full).
 */
int hca_region_add(struct hca_tpt *tpt, struct hca_region *region);

/**
 * hca_region_remove() - withdraw a region; wait until no copy touches it
 * @tpt: the table
 * @region: the region; the memory it names may be released when this returns,
 *          *region itself is freed here (kfree_rcu)
 *
 * Context: process, may sleep.
 */
void hca_region_remove(struct hca_tpt *tpt, struct hca_region *region);

/**
 * hca_region_find() - look up a key and check what is to be done with it, now or later
 * The same as hca_region_get(), but no user is counted: the memory may not be touched.
 *
 * Context: BH disabled. Return: the region, valid in this section, or NULL.
 */
const struct hca_region *hca_region_find(struct hca_tpt *tpt, u32 key, const void *pd, u32 access,
					 u64 addr, u64 length);

/**
 * hca_region_get() - look up a key and check what is to be done with it
 * @tpt: the table
 * @key: L_Key or R_Key
 * @pd: protection domain of who asks
 * @access: rights needed, all of them
 * @addr: first octet
 * @length: octets, at least 1
 *
 * Context: BH disabled. Return: the region, with a user counted, or NULL.
 */
struct hca_region *hca_region_get(struct hca_tpt *tpt, u32 key, const void *pd, u32 access,
				  u64 addr, u64 length);

/* The same by key and generation, for what was checked when the generation was noted. */
struct hca_region *hca_region_get_generation(struct hca_tpt *tpt, u32 key, u32 generation);

void hca_region_put(struct hca_region *region);

/**
 * hca_region_invalidate() - make a key one that nothing can be done with
 * @tpt: the table
 * @key: the key
 * @pd: protection domain of who asks
 *
 * Context: BH disabled. Return: false: there is no such region, or it is not one for this.
 */
bool hca_region_invalidate(struct hca_tpt *tpt, u32 key, const void *pd);

/* Where an address of a region in use is; good up to the end of its page. */
static inline void *hca_region_map(const struct hca_region *region, u64 addr)
{
	u64 offset;

	if (!region->page)
		return (void *)(uintptr_t)addr;
	offset = addr - region->iova + region->first_offset;
	return (u8 *)region->page[offset >> PAGE_SHIFT] + offset_in_page(offset);
}

#endif
