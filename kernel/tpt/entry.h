/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The translation and protection table (TPT). It has an entry for each memory region and each
 * memory window, which translates addresses and says who may access which octets by which key.
 *
 * A key consists of, from the most significant bit: a tag of HCA_KEY_TAG_BITS, the index of a slot
 * of the table (HCA_KEY_INDEX_BITS), and an octet that the consumer of a fast-registered MR or
 * of a window chooses for each use. Slots are allocated in a secret order: at first in that of a
 * random permutation; a slot that has been freed is used again after all that were free before it.
 * Tag and octet are random, and the tag of a slot differs from its previous one. So a key does not
 * reveal another one, and is invalid once its entry is removed, whatever its octet. Look-ups do not
 * become slower by this: they compare the whole key.
 *
 * A generation number is not used twice: no table lives as long as 2^63 of them take. So it stands
 * for all that an entry was when it was checked: domain, rights, addresses and pages. Its lowest
 * bit says whether the pages of the entry are on demand (odp.h).
 *
 * Work requests change entries (key.h) while others look them up without a lock. The generation
 * protects such readers like a sequence count: 0 means that the entry is invalid and may be
 * changing; a reader that finds the same generation, not 0, before and after it has read the entry
 * has read consistent values.
 */
#ifndef HCA_TPT_ENTRY_H
#define HCA_TPT_ENTRY_H

#include <linux/list.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <rdma/hca-abi.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include "compat.h"
#include "tpt/odp.h"

/* Access rights: enum ib_uverbs_access_flags. */
#define HCA_REMOTE_ACCESS                                                                  \
	(IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ |                     \
	 IB_UVERBS_ACCESS_REMOTE_ATOMIC)
#define HCA_FLUSH_ACCESS (IB_UVERBS_ACCESS_FLUSH_GLOBAL | IB_UVERBS_ACCESS_FLUSH_PERSISTENT)

enum hca_tpt_kind {
	HCA_TPT_MR, /* MR, valid as long as it is in the table */
	HCA_TPT_FAST_MR, /* MR, valid from a fast registration to an invalidation */
	HCA_TPT_MW_1, /* window of type 1, usable by the queue pairs of its PD */
	HCA_TPT_MW_2, /* window of type 2B, usable by the queue pair that has bound it */
	HCA_TPT_NULL, /* null MR: zeroes are read, what is written is discarded */
};

/* A memory region or a memory window. */
struct hca_tpt_entry {
	refcount_t users; /* the owner, and each copy in progress */
	u32 key; /* L_Key and R_Key of an MR; R_Key of a window */
	u64 generation; /* 0: invalid */
	u32 access; /* enum ib_uverbs_access_flags; zero-based: iova is 0 */
	u8 kind; /* enum hca_tpt_kind */
	bool on_demand; /* odp is set: in one cache line with users */
	const void *pd; /* protection domain */
	u64 iova; /* address of the first octet, as work requests and packets name it */
	u64 length; /* octets */
	/*
	 * Kernel addresses of the pages; iova is at first_offset of the first one. NULL: they are
	 * on demand, or addresses in the MR are kernel addresses. The pages of a window are those
	 * of its MR.
	 */
	void **page;
	struct hca_odp *odp; /* pages on demand, or NULL */
	u32 first_offset;
	u32 windows; /* number of windows that are bound to this MR */

	/*
	 * Fast-registered MR: the pages that ib_map_mr_sg() has mapped for the next
	 * registration.
	 */
	void **next_page;
	u32 num_next_pages;

	/* Window only. */
	struct hca_tpt_entry *mr; /* the MR to which the window is bound, or NULL */
	u32 qpn; /* type 2: number of the queue pair that has bound it */
	struct hlist_node qp_node; /* type 2: in that queue pair's list of windows */

	struct rcu_head rcu;
};

struct hca_tpt {
	/*
	 * BH; leaf. Guards all below, except that slots are read by RCU, and the contents of the
	 * entries. Copies in progress, which acquire no lock, are waited for with this lock held.
	 */
	spinlock_t lock;
	/*
	 * Number of slots - 1. Slot 0, of key 0, which is HCA_LOCAL_DMA_KEY, is not allocated: it
	 * is that of the null MR.
	 */
	u32 mask;
	struct hca_tpt_entry __rcu **slot;
	u8 *tag; /* by slot: tag of its latest key */
	/*
	 * Queue of free slots: free[i & mask], head <= i < tail. In the first pass a 0 in free[i]
	 * stands for slot i + 1, and each element is swapped with a random later one as it is used.
	 */
	u32 *free;
	u64 head, tail;
	u64 generation; /* the one used last */
	struct hca_tpt_entry null; /* the null MR, of each protection domain */
};

#define HCA_KEY_INDEX_BITS 17
#define HCA_KEY_TAG_BITS 7

/* The bit of a generation that says that pages are on demand: they may be absent at any time. */
#define HCA_GENERATION_ODP 1ull

/* The reserved L_Key, for all kernel memory; kernel queue pairs use it for local access. */
#define HCA_LOCAL_DMA_KEY 0

/*
 * The reserved L_Key of the null MR. Each consumer may use it, for any address, but no peer.
 */
#define HCA_NULL_KEY 1

/*
 * Passed in place of a queue pair's number when the consumer of the queue pair, not its peer,
 * accesses memory. Windows cannot be used so.
 */
#define HCA_CONSUMER 0

/**
 * hca_tpt_init() - initialise an empty table
 * @tpt: the table
 * @size: number of slots, one more than entries; a power of two, at most 2^HCA_KEY_INDEX_BITS
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int hca_tpt_init(struct hca_tpt *tpt, u32 size);

/**
 * hca_tpt_destroy() - free the memory of a table
 * @tpt: the table, without entries
 *
 * Context: process.
 */
void hca_tpt_destroy(struct hca_tpt *tpt);

/**
 * hca_tpt_entry_add() - allocate a key for an entry and add it to the table
 * @tpt: the table
 * @entry: the entry; users, key and generation are set here. An entry of length 0 is invalid until
 *         a work request makes it valid.
 *
 * Context: process.
 * Return: 0; -ENOMEM if the table is full.
 */
int hca_tpt_entry_add(struct hca_tpt *tpt, struct hca_tpt_entry *entry);

/**
 * hca_tpt_entry_change() - change a memory region that is in the table (req V3-250, R0-294)
 * @tpt: the table
 * @entry: the MR, not one for fast registration
 * @to: its new protection domain, rights, address, length and pages
 * @change_key: it gets another key, and the present one becomes invalid
 *
 * An access sees the MR as it was, or as it is now. On return none accesses the former pages.
 *
 * Context: process.
 * Return: 0; -EBUSY, and nothing has changed, if a window is bound to it (req R0-295).
 */
int hca_tpt_entry_change(struct hca_tpt *tpt, struct hca_tpt_entry *entry,
			 const struct hca_tpt_entry *to, bool change_key);

/**
 * hca_tpt_entry_withdraw() - make a memory region invalid, whose memory goes
 * @tpt: the table
 * @entry: the MR, without windows
 *
 * It stays in the table with its key until it is removed. On return no copy accesses its memory.
 * Context: process.
 */
void hca_tpt_entry_withdraw(struct hca_tpt *tpt, struct hca_tpt_entry *entry);

/**
 * hca_tpt_entry_remove() - remove an entry and wait until no copy uses it
 * @tpt: the table
 * @entry: the entry, which is freed (kfree_rcu())
 *
 * On return no copy accesses the memory of the entry. A window is unbound from its MR.
 * Context: process, may sleep.
 * Return: 0; -EBUSY if a window is bound to the entry (req R0-352), which then stays.
 */
int hca_tpt_entry_remove(struct hca_tpt *tpt, struct hca_tpt_entry *entry);

/* An entry at one moment, as hca_tpt_entry_query() returns it. */
struct hca_tpt_info {
	u64 iova, length;
	u64 pages; /* of an MR whose pages are pinned */
	u32 windows; /* number of windows that are bound to an MR */
	u32 key, access;
	u32 mr_key; /* of the MR to which a window is bound */
	u32 qpn; /* window of type 2: of the queue pair that has bound it; else 0 */
	bool valid;
};

/**
 * hca_tpt_entry_query() - return what an entry stands for
 * @tpt: the table
 * @entry: an entry of the table
 * @info: filled in; of an invalid entry, all but the key is what it was, or will be
 *
 * Context: process.
 */
void hca_tpt_entry_query(struct hca_tpt *tpt, const struct hca_tpt_entry *entry,
			 struct hca_tpt_info *info);

/**
 * hca_tpt_entry_find() - check an access by a key without acquiring a reference
 * @tpt: the table
 * @key: L_Key or R_Key
 * @pd: protection domain of the queue pair
 * @qpn: number of the queue pair if its peer accesses memory, HCA_CONSUMER if its consumer does
 * @access: access rights that are all needed, enum ib_uverbs_access_flags
 * @addr: address of the first octet
 * @length: octets, at least 1
 *
 * The caller may not access the memory, but keeps the generation for a later call of
 * hca_tpt_entry_get_generation().
 * Context: BH disabled.
 * Return: the generation of the entry; 0 if the access is not allowed.
 */
u64 hca_tpt_entry_find(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn, u32 access, u64 addr,
		       u64 length);

/**
 * hca_tpt_entry_get_named() - check a key and access rights, and acquire a reference to the entry
 * @tpt: the table
 * @key: R_Key
 * @pd: protection domain of the queue pair
 * @qpn: number of the queue pair whose peer accesses memory
 * @access: access rights that are all needed, enum ib_uverbs_access_flags
 *
 * Context: BH disabled; a reference is dropped as that of hca_tpt_entry_get().
 * Return: the entry with a reference, whatever its addresses are; NULL if it has not these rights.
 */
struct hca_tpt_entry *hca_tpt_entry_get_named(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn,
					      u32 access);

/**
 * hca_tpt_entry_refusal() - return why an access by a key is not allowed
 * @tpt: the table
 * @key: L_Key or R_Key
 * @pd: protection domain of the queue pair
 * @qpn: number of the queue pair if its peer accesses memory, HCA_CONSUMER if its consumer does
 * @access: access rights that are all needed, enum ib_uverbs_access_flags
 * @addr: address of the first octet
 * @length: octets; 0: the address does not matter
 *
 * Called after hca_tpt_entry_find() or hca_tpt_entry_get() has failed.
 *
 * Context: BH disabled; the caller holds no reference to an entry.
 * Return: the check that fails; if all hold now, HCA_VENDOR_ERR_PAGE for pages on demand, which
 * include one that cannot be had, else HCA_VENDOR_ERR_LKEY_CHANGED. Of a peer,
 * HCA_VENDOR_ERR_LKEY_WINDOW is a window that another queue pair has bound.
 */
enum hca_vendor_err hca_tpt_entry_refusal(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn,
					  u32 access, u64 addr, u64 length);

/**
 * hca_tpt_entry_get() - check an access by a key and acquire a reference to the entry
 * @tpt: the table
 * @key: L_Key or R_Key
 * @pd: protection domain of the queue pair
 * @qpn: number of the queue pair if its peer accesses memory, HCA_CONSUMER if its consumer does
 * @access: access rights that are all needed, enum ib_uverbs_access_flags
 * @addr: address of the first octet
 * @length: octets, at least 1
 *
 * Context: BH disabled. The caller calls hca_tpt_entry_put() before BH are enabled, and spends as
 * little time as a copy takes in between: others spin until the reference is dropped.
 * Return: the entry with a reference; NULL if the access is not allowed; ERR_PTR(-EAGAIN) if a page
 * is absent, which has been asked for: the access is to be repeated later.
 */
struct hca_tpt_entry *hca_tpt_entry_get(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn,
					u32 access, u64 addr, u64 length);

/**
 * hca_tpt_entry_get_odp() - as hca_tpt_entry_get(), whether pages are absent or not
 * @tpt: the table
 * @key: L_Key of an MR whose pages are on demand
 * @pd: protection domain
 * @access: access rights that are all needed, enum ib_uverbs_access_flags
 * @addr: address of the first octet
 * @length: octets, at least 1
 *
 * Context: BH disabled; a reference is dropped as that of hca_tpt_entry_get().
 * Return: the entry with a reference; NULL if the access is not allowed, or the entry has no pages
 * on demand.
 */
struct hca_tpt_entry *hca_tpt_entry_get_odp(struct hca_tpt *tpt, u32 key, const void *pd,
					    u32 access, u64 addr, u64 length);

/**
 * hca_tpt_entry_get_generation() - acquire a reference to an entry that was checked earlier
 * @tpt: the table
 * @key: L_Key or R_Key
 * @generation: of hca_tpt_entry_find(), which has checked the access
 *
 * Whether pages on demand are present is left to hca_tpt_entry_ready().
 *
 * Context: BH disabled; a reference is dropped as that of hca_tpt_entry_get().
 * Return: the entry with a reference; NULL if its generation is another one now.
 */
struct hca_tpt_entry *hca_tpt_entry_get_generation(struct hca_tpt *tpt, u32 key, u64 generation);

/**
 * hca_tpt_entry_put() - drop a reference
 * @entry: of hca_tpt_entry_get() or hca_tpt_entry_get_generation()
 *
 * Context: BH disabled since the reference was acquired.
 */
void hca_tpt_entry_put(struct hca_tpt_entry *entry);

/**
 * hca_tpt_entry_ready() - return whether pages on demand are present, if the entry has such
 * @entry: an entry to which the caller holds a reference
 * @addr: an address within the entry
 * @length: octets
 * @write: they are to be written
 *
 * Context: BH disabled, until the pages are accessed.
 * Return: 0; -EAGAIN or -EFAULT as of hca_odp_check().
 */
static inline int hca_tpt_entry_ready(const struct hca_tpt_entry *entry, u64 addr, u64 length,
				      bool write)
{
	return entry->odp ? hca_odp_check(entry->odp, addr - entry->iova, length, write) : 0;
}

/**
 * hca_tpt_entry_map() - translate an address to a kernel address
 * @entry: an entry to which the caller holds a reference, not the null MR's
 * @addr: an address within the entry
 *
 * Context: any.
 * Return: the kernel address, which is contiguous up to the end of its page, or up to the end of
 * the entry if entry->page and entry->odp are NULL.
 */
static inline void *hca_tpt_entry_map(const struct hca_tpt_entry *entry, u64 addr)
{
	u64 offset;

	if (!entry->page)
		return entry->odp ? hca_odp_map(entry->odp, addr - entry->iova) :
				    (void *)(uintptr_t)addr;
	offset = addr - entry->iova + entry->first_offset;
	return (u8 *)entry->page[offset >> PAGE_SHIFT] + offset_in_page(offset);
}

/* Return whether an entry is a window, of either type. */
static inline bool hca_tpt_is_window(const struct hca_tpt_entry *entry)
{
	return entry->kind == HCA_TPT_MW_1 || entry->kind == HCA_TPT_MW_2;
}

/* The functions below are for tpt/entry.c and tpt/key.c; tpt->lock is held. */

/**
 * hca_tpt_named() - find the entry of a key without comparing the key's octet
 * @tpt: the table
 * @key: L_Key or R_Key
 *
 * Context: tpt->lock held.
 * Return: the entry or NULL.
 */
struct hca_tpt_entry *hca_tpt_named(struct hca_tpt *tpt, u32 key);

/**
 * hca_tpt_entry_validate() - give an entry a new generation, which makes it valid
 * @tpt: the table
 * @entry: the entry, whose contents are set
 *
 * Context: tpt->lock held.
 */
void hca_tpt_entry_validate(struct hca_tpt *tpt, struct hca_tpt_entry *entry);

/**
 * hca_tpt_entry_revoke() - make an entry invalid and wait until no copy uses it
 * @entry: the entry; a window is unbound from its MR
 *
 * Context: tpt->lock held; spins for as long as copies in progress take.
 */
void hca_tpt_entry_revoke(struct hca_tpt_entry *entry);

#endif
