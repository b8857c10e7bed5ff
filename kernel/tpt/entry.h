/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The translation and protection table (TPT). It has an entry for each memory region and each
 * memory window. An entry translates addresses and determines the accesses that its key allows.
 *
 * A key consists of, from the most significant bit: a tag of HCA_KEY_TAG_BITS, the index of a slot
 * of the table (HCA_KEY_INDEX_BITS), and an octet that the consumer of a fast-registered MR or of a
 * window chooses for each use. Slots are allocated in a secret order: at first in the order of a
 * random permutation; a freed slot is used again after all slots that were free before it. Tag and
 * octet are random, and the tag of a slot differs from the slot's previous tag. A key therefore
 * does not reveal another key, and is invalid, with any octet, after its entry has been removed. A
 * look-up needs no extra time for the tag, because it compares the whole key.
 *
 * Each entry has a generation number, and a table never uses a number twice: 2^63 numbers do not
 * run out. A generation therefore identifies the state of an entry at a check: domain, rights,
 * addresses and pages. The lowest bit of the generation is set if the pages are on demand (odp.h).
 *
 * Work requests change entries (key.h) while readers look them up without a lock. The generation
 * protects these readers like a sequence count: 0 means that the entry is invalid and may be
 * changing. A reader has read consistent values if the generation is not 0 and is equal before and
 * after the reads.
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

/* The rights of remote access, bits of enum ib_uverbs_access_flags. */
#define HCA_REMOTE_ACCESS                                                                  \
	(IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ |                     \
	 IB_UVERBS_ACCESS_REMOTE_ATOMIC)
#define HCA_FLUSH_ACCESS (IB_UVERBS_ACCESS_FLUSH_GLOBAL | IB_UVERBS_ACCESS_FLUSH_PERSISTENT)

enum hca_tpt_kind {
	HCA_TPT_MR, /* MR, valid as long as it is in the table */
	HCA_TPT_FAST_MR, /* MR, valid from a fast registration to an invalidation */
	HCA_TPT_MW_1, /* window of type 1, which the queue pairs of its PD can use */
	HCA_TPT_MW_2, /* window of type 2B, which only the queue pair that has bound it can use */
	HCA_TPT_NULL, /* null MR: reads return zeroes, writes are discarded */
};

/* A memory region or a memory window. */
struct hca_tpt_entry {
	refcount_t users; /* references of the owner and of each copy in progress */
	u32 key; /* L_Key and R_Key of an MR; R_Key of a window */
	u64 generation; /* 0: invalid */
	u32 access; /* enum ib_uverbs_access_flags; if it has ZERO_BASED, iova is 0 */
	u8 kind; /* enum hca_tpt_kind */
	bool on_demand; /* odp is not NULL; in the cache line of users for speed */
	const void *pd; /* protection domain */
	u64 iova; /* address of the first octet in work requests and packets */
	u64 length; /* octets */
	/*
	 * Array of the kernel addresses of the pages; iova is at first_offset in the first page.
	 * NULL: the pages are on demand, or addresses in the MR are kernel addresses. The pages of
	 * a window are those of its MR.
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

	/* The three fields below are used by windows only. */
	struct hca_tpt_entry *mr; /* the MR to which the window is bound; NULL: not bound */
	u32 qpn; /* type 2: number of the queue pair that has bound the window */
	struct hlist_node qp_node; /* type 2: node in the list of windows of that queue pair */

	struct rcu_head rcu;
};

struct hca_tpt {
	/*
	 * Leaf lock, taken with BH disabled. Guards the fields below and the contents of the
	 * entries; slots are also read by RCU. A holder of the lock may wait for copies in
	 * progress, which do not acquire a lock.
	 */
	spinlock_t lock;
	/*
	 * Number of slots - 1. Slot 0, the slot of key 0 (HCA_LOCAL_DMA_KEY), is never allocated,
	 * because it contains the null MR.
	 */
	u32 mask;
	struct hca_tpt_entry __rcu **slot;
	u8 *tag; /* tag of the latest key of each slot */
	/*
	 * Queue of free slots: the elements free[i & mask] for head <= i < tail. In the first pass
	 * over the array, a 0 in free[i] means slot i + 1, and each element is swapped with a
	 * random later one before it is used.
	 */
	u32 *free;
	u64 head, tail;
	u64 generation; /* the last generation given to an entry, without HCA_GENERATION_ODP */
	struct hca_tpt_entry null; /* the null MR of all protection domains */
};

#define HCA_KEY_INDEX_BITS 17
#define HCA_KEY_TAG_BITS 7

/* Bit of a generation: the pages are on demand and may be absent at any time. */
#define HCA_GENERATION_ODP 1ull

/* The reserved L_Key, for all kernel memory; kernel queue pairs use it for local access. */
#define HCA_LOCAL_DMA_KEY 0

/* The reserved L_Key of the null MR. Every consumer may use it for any address; peers may not. */
#define HCA_NULL_KEY 1

/*
 * Value of an argument @qpn: the consumer of the queue pair accesses memory, not the peer. Windows
 * do not allow such an access.
 */
#define HCA_CONSUMER 0

/**
 * hca_tpt_init() - initialize an empty table
 * @tpt: the table
 * @size: number of slots, one more than the maximum number of entries; a power of two, at most
 *        2^HCA_KEY_INDEX_BITS
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
 * @entry: the MR, which is not a fast-registered MR
 * @to: the MR's new protection domain, rights, address, length and pages
 * @change_key: whether the MR gets another key; the present key then becomes invalid
 *
 * An access uses either the old MR or the new one. On return, accesses do not use the old pages any
 * more.
 *
 * Context: process.
 * Return: 0; -EBUSY if a window is bound to the MR (req R0-295), in which case nothing has changed.
 */
int hca_tpt_entry_change(struct hca_tpt *tpt, struct hca_tpt_entry *entry,
			 const struct hca_tpt_entry *to, bool change_key);

/**
 * hca_tpt_entry_withdraw() - invalidate a memory region whose memory is about to be freed
 * @tpt: the table
 * @entry: the MR, without windows
 *
 * The MR stays in the table with its key until hca_tpt_entry_remove(). On return, copies do not
 * access the memory of the MR any more.
 * Context: process.
 */
void hca_tpt_entry_withdraw(struct hca_tpt *tpt, struct hca_tpt_entry *entry);

/**
 * hca_tpt_entry_remove() - remove an entry and wait until no copy uses it
 * @tpt: the table
 * @entry: the entry, which is freed (kfree_rcu())
 *
 * On return, copies do not access the memory of the entry any more. If the entry is a window, it is
 * unbound from its MR.
 * Context: process, may sleep.
 * Return: 0; -EBUSY if a window is bound to the entry (req R0-352), in which case the entry stays.
 */
int hca_tpt_entry_remove(struct hca_tpt *tpt, struct hca_tpt_entry *entry);

/* The contents of an entry, as hca_tpt_entry_query() returns them. */
struct hca_tpt_info {
	u64 iova, length;
	u64 pages; /* number of pages of an MR whose pages are pinned */
	u32 windows; /* number of windows that are bound to an MR */
	u32 key, access;
	u32 mr_key; /* key of the MR to which a window is bound */
	u32 qpn; /* number of the queue pair that has bound a window of type 2; otherwise 0 */
	bool valid;
};

/**
 * hca_tpt_entry_query() - return the contents of an entry
 * @tpt: the table
 * @entry: an entry of the table
 * @info: filled in; if the entry is invalid, all fields but key and valid are former contents, or
 *        contents that will become valid
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
 * The caller must not access the memory with the result alone; hca_tpt_entry_get_generation() gets
 * a reference later.
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
 * The addresses of the entry are not checked.
 * Context: BH disabled until the caller calls hca_tpt_entry_put().
 * Return: the entry with a reference; NULL if the key does not have these rights.
 */
struct hca_tpt_entry *hca_tpt_entry_get_named(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn,
					      u32 access);

/**
 * hca_tpt_entry_refusal() - find out why an access by a key is not allowed
 * @tpt: the table
 * @key: L_Key or R_Key
 * @pd: protection domain of the queue pair
 * @qpn: number of the queue pair if its peer accesses memory, HCA_CONSUMER if its consumer does
 * @access: access rights that are all needed, enum ib_uverbs_access_flags
 * @addr: address of the first octet
 * @length: octets; 0: the address is not checked
 *
 * Called after hca_tpt_entry_find() or hca_tpt_entry_get() has failed.
 *
 * Context: BH disabled; the caller holds no reference to an entry.
 * Return: the error of the first check that fails. For a peer, HCA_VENDOR_ERR_LKEY_WINDOW means a
 * window that another queue pair has bound. If all checks pass now: HCA_VENDOR_ERR_PAGE for an
 * entry with pages on demand, one of which is not available; otherwise HCA_VENDOR_ERR_LKEY_CHANGED.
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
 * Context: BH disabled until the caller calls hca_tpt_entry_put(). The caller must not keep the
 * reference longer than a copy takes, since other processors spin until it is dropped.
 * Return: the entry with a reference; NULL if the access is not allowed; ERR_PTR(-EAGAIN) if a page
 * is absent, in which case it has been requested, and the access must be repeated later.
 */
struct hca_tpt_entry *hca_tpt_entry_get(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn,
					u32 access, u64 addr, u64 length);

/**
 * hca_tpt_entry_get_odp() - check an access and acquire a reference, even if pages are absent
 * @tpt: the table
 * @key: L_Key of an MR whose pages are on demand
 * @pd: protection domain
 * @access: access rights that are all needed, enum ib_uverbs_access_flags
 * @addr: address of the first octet
 * @length: octets, at least 1
 *
 * Context: BH disabled until the caller calls hca_tpt_entry_put().
 * Return: the entry with a reference; NULL if the access is not allowed, or the entry has no pages
 * on demand.
 */
struct hca_tpt_entry *hca_tpt_entry_get_odp(struct hca_tpt *tpt, u32 key, const void *pd,
					    u32 access, u64 addr, u64 length);

/**
 * hca_tpt_entry_get_generation() - acquire a reference to an entry that was checked earlier
 * @tpt: the table
 * @key: L_Key or R_Key
 * @generation: result of hca_tpt_entry_find(), which has checked the access
 *
 * This function does not check whether pages on demand are present; hca_tpt_entry_ready() does.
 *
 * Context: BH disabled until the caller calls hca_tpt_entry_put().
 * Return: the entry with a reference; NULL if its generation has changed.
 */
struct hca_tpt_entry *hca_tpt_entry_get_generation(struct hca_tpt *tpt, u32 key, u64 generation);

/**
 * hca_tpt_entry_put() - drop a reference
 * @entry: result of hca_tpt_entry_get() or hca_tpt_entry_get_generation()
 *
 * Context: BH disabled since the reference was acquired.
 */
void hca_tpt_entry_put(struct hca_tpt_entry *entry);

/**
 * hca_tpt_entry_ready() - check whether pages on demand are present, if the entry has such pages
 * @entry: an entry to which the caller holds a reference
 * @addr: an address within the entry
 * @length: octets
 * @write: whether the octets are to be written
 *
 * Context: BH disabled until the pages have been accessed.
 * Return: 0 if the pages are present, or are not on demand; -EAGAIN if pages are absent, and have
 * been requested; -EFAULT if the owner of the memory does not have a page, or may not write it.
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

/* Only tpt/entry.c and tpt/key.c use the functions below. */

/**
 * hca_tpt_named() - find the entry of a key, ignoring the octet of the key
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
 * @entry: the entry; if it is a window, it is unbound from its MR
 *
 * Context: tpt->lock held; spins until copies in progress have ended.
 */
void hca_tpt_entry_revoke(struct hca_tpt_entry *entry);

#endif
