/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * On-demand paging: MRs whose pages are not pinned. An access to an absent page requests the page
 * and must be repeated. The page is then present until its owner or the kernel removes it.
 *
 * Pages are found by their address in the owner's memory, in chunks. Accesses look them up with BH
 * disabled. The code that removes pages first marks them as absent and then waits for the accesses
 * in progress (hca_odp_wait()), after which the pages are not used any more. The wait takes as long
 * as a copy and does not disturb other processors, so that pages of a process may be removed at any
 * rate.
 */
#ifndef HCA_TPT_ODP_H
#define HCA_TPT_ODP_H

#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/rculist.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#define HCA_ODP_CHUNK_PAGES 512
#define HCA_ODP_MAX_CHUNKS 8192 /* maximum per MR; the oldest chunk is freed first */
#define HCA_ODP_MAX_BUCKETS 1024
#define HCA_ODP_WANTS 16

/*
 * An access that has requested a page is repeated within this time, in jiffies: the longest RNR
 * timer is 655 ms. Later, the page may be available to another access.
 */
#define HCA_ODP_BAD_TICKS (4 * HZ)

struct hca_odp_chunk {
	struct hlist_node node; /* RCU */
	struct rcu_head rcu;
	struct list_head age; /* in hca_odp.chunks, oldest first */
	u64 number; /* address of its first octet / HCA_ODP_CHUNK_PAGES / PAGE_SIZE */
	DECLARE_BITMAP(present, HCA_ODP_CHUNK_PAGES);
	DECLARE_BITMAP(writable, HCA_ODP_CHUNK_PAGES); /* valid for present pages */
	/*
	 * Pages that an access has requested and the owner does not have: the next access is
	 * refused.
	 */
	DECLARE_BITMAP(bad, HCA_ODP_CHUNK_PAGES);
	unsigned long bad_since; /* jiffies at which a bit of bad was set last */
	void *page[HCA_ODP_CHUNK_PAGES]; /* kernel addresses; valid if present */
};

/* Accesses to pages on demand by a processor, which begin and end with BH disabled. */
struct hca_odp_accesses {
	unsigned int running; /* accesses in progress, one nested in another */
	unsigned int ended; /* number of outermost accesses that have ended */
};

DECLARE_PER_CPU(struct hca_odp_accesses, hca_odp_accesses);

/* Pages that an access has found absent. */
struct hca_odp_want {
	u64 addr; /* address of the first page in the owner's memory */
	u64 pages;
	bool write;
	u32 refusals; /* hca_odp.refusals at the time of the request */
};

struct hca_odp {
	/* Arranges a call of hca_odp_next() soon, in a context that may sleep. BH are disabled. */
	void (*ask)(struct hca_odp *odp);
	/* Called for a page that is removed and may have been written; may be NULL. */
	void (*written)(void *page);
	u64 start; /* address in the owner's memory of the MR's first octet */
	u64 length; /* octets */
	u64 factor; /* of the buckets' hash: random, odd */
	u32 num_buckets; /* power of two */
	struct hlist_head *bucket; /* lists of chunks, by number; RCU */
	/* Chunks, guarded by a lock that callers of the functions that change chunks hold. */
	struct list_head chunks;
	u32 num_chunks;
	spinlock_t lock; /* BH; leaf; guards the fields below */
	struct hca_odp_want want[HCA_ODP_WANTS];
	u32 num_wants;
	u64 faults; /* accesses that have found a page absent */
	u32 refusals; /* number of accesses that were refused */
};

/**
 * hca_odp_init() - initialize an MR without pages
 * @odp: zeroed; ask, start and length are set
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int hca_odp_init(struct hca_odp *odp);

/**
 * hca_odp_destroy() - free the chunks
 * @odp: the MR, which is not accessed any more
 *
 * Context: process.
 */
void hca_odp_destroy(struct hca_odp *odp);

/**
 * hca_odp_begin() - begin an access to pages on demand
 *
 * The caller executes a full memory barrier before it looks up pages.
 *
 * Context: BH disabled until hca_odp_end().
 */
static inline void hca_odp_begin(void)
{
	this_cpu_inc(hca_odp_accesses.running);
}

/* End an access that hca_odp_begin() has begun. */
static inline void hca_odp_end(void)
{
	smp_mb(); /* pairs with hca_odp_wait(): the pages are not used any more */
	if (!this_cpu_dec_return(hca_odp_accesses.running))
		this_cpu_inc(hca_odp_accesses.ended);
}

/**
 * hca_odp_wait() - wait until no access uses pages that were made absent before
 *
 * Context: process, may sleep, for as long as a copy of another processor takes.
 */
void hca_odp_wait(void);

/**
 * hca_odp_check() - return whether the pages of a range are present
 * @odp: the MR
 * @offset: octets from the MR's beginning; the range has been checked to be in the MR
 * @length: octets
 * @write: whether the pages are to be written
 *
 * The pages can be accessed until BH are enabled again.
 *
 * Context: BH disabled.
 * Return: 0; -EAGAIN: pages are absent, and have been requested; -EFAULT: the owner does not have a
 * page, or may not write it.
 */
int hca_odp_check(struct hca_odp *odp, u64 offset, u64 length, bool write);

/**
 * hca_odp_is_present() - return whether pages are present, without requesting them
 * @odp: the MR
 * @offset: octets from the MR's beginning; the range has been checked to be in the MR
 * @length: octets
 * @write: whether the pages are to be written
 *
 * Unlike hca_odp_check(), this function neither requests pages nor refuses the access.
 *
 * Context: BH disabled.
 * Return: whether all pages are present.
 */
bool hca_odp_is_present(const struct hca_odp *odp, u64 offset, u64 length, bool write);

/**
 * hca_odp_map() - translate to a kernel address
 * @odp: the MR
 * @offset: octets from the MR's beginning, in a page that hca_odp_check() has found present
 *
 * Context: BH disabled since hca_odp_check().
 * Return: the address, contiguous to the end of the page.
 */
void *hca_odp_map(const struct hca_odp *odp, u64 offset);

/**
 * hca_odp_next() - remove and return a request for pages
 * @odp: the MR
 * @want: set to a range of pages
 *
 * Context: any.
 * Return: false without a request.
 */
bool hca_odp_next(struct hca_odp *odp, struct hca_odp_want *want);

/* The callers of the functions below hold the lock that guards the chunks. */

/**
 * hca_odp_missing() - return the number of chunks that a range lacks
 * @odp: the MR
 * @addr: address of the range's first page in the owner's memory
 * @pages: number of pages, at most HCA_ODP_CHUNK_PAGES
 *
 * Context: process.
 * Return: 0 to 2.
 */
u32 hca_odp_missing(const struct hca_odp *odp, u64 addr, u32 pages);

/**
 * hca_odp_evict() - free the oldest chunk, whose pages become absent
 * @odp: the MR
 *
 * Context: process, may sleep.
 * Return: false if the MR does not have a chunk.
 */
bool hca_odp_evict(struct hca_odp *odp);

/**
 * hca_odp_set() - make a page present
 * @odp: the MR
 * @addr: address of the page in the owner's memory
 * @page: kernel address
 * @writable: whether the page may be written
 * @spare: a zeroed chunk, or NULL; used and set to NULL if the address does not have a chunk yet
 *
 * A new chunk beyond HCA_ODP_MAX_CHUNKS replaces the oldest one, after accesses in progress.
 *
 * Context: process, may sleep.
 * Return: false if the address does not have a chunk, and *@spare was NULL.
 */
bool hca_odp_set(struct hca_odp *odp, u64 addr, void *page, bool writable,
		 struct hca_odp_chunk **spare);

/**
 * hca_odp_refuse() - refuse the next access to a page that the owner does not have
 * @odp: the MR
 * @want: the request, as returned by hca_odp_next()
 * @addr: address of the page in the owner's memory
 * @spare: see hca_odp_set()
 *
 * An access requests its pages each time that it is repeated, but is refused once. Earlier requests
 * have no effect after the refusal, since the owner may have the page at the next access.
 *
 * Context: process, may sleep.
 */
void hca_odp_refuse(struct hca_odp *odp, const struct hca_odp_want *want, u64 addr,
		    struct hca_odp_chunk **spare);

/**
 * hca_odp_clear() - make the pages of a range absent
 * @odp: the MR
 * @first: address of the first octet in the owner's memory
 * @last: address of the last octet
 *
 * If a page was present, the caller calls hca_odp_wait() before the pages are given back.
 *
 * Context: process.
 * Return: the number of pages that were present.
 */
u64 hca_odp_clear(struct hca_odp *odp, u64 first, u64 last);

#endif
