/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * On-demand paging: an MR whose pages are not pinned. A page is present from the time at which an
 * access has asked for it until its owner, or the kernel, takes it away. An access to a page that
 * is absent asks for it and has to be repeated.
 *
 * Pages are found by their address in the owner's memory, in chunks. Accesses look for them with BH
 * disabled. Whoever takes pages away marks them as absent first and then waits for the accesses
 * that are in progress (hca_odp_wait()), after which none uses them. That takes as long as a copy,
 * and other processors notice nothing, so that a process may have its pages taken away at any rate.
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
#define HCA_ODP_MAX_CHUNKS 8192 /* of an MR; then the oldest one goes */
#define HCA_ODP_MAX_BUCKETS 1024
#define HCA_ODP_WANTS 16

/*
 * An access that has asked for a page comes again within this time, in jiffies: the longest RNR
 * timer is 655 ms. If it does not, the page may be there by the time of another access.
 */
#define HCA_ODP_BAD_TICKS (4 * HZ)

struct hca_odp_chunk {
	struct hlist_node node; /* RCU */
	struct rcu_head rcu;
	struct list_head age; /* in hca_odp.chunks, the oldest one first */
	u64 number; /* address of its first octet / HCA_ODP_CHUNK_PAGES / PAGE_SIZE */
	DECLARE_BITMAP(present, HCA_ODP_CHUNK_PAGES);
	DECLARE_BITMAP(writable, HCA_ODP_CHUNK_PAGES); /* of those that are present */
	/* An access has asked for a page that the owner does not have: the next one is refused. */
	DECLARE_BITMAP(bad, HCA_ODP_CHUNK_PAGES);
	unsigned long bad_since; /* jiffies, of the last one of those */
	void *page[HCA_ODP_CHUNK_PAGES]; /* kernel addresses; valid if present */
};

/* Accesses to pages on demand by a processor, which begin and end with BH disabled. */
struct hca_odp_accesses {
	unsigned int running; /* by keys of their own, one inside another */
	unsigned int ended; /* how often the outermost one has ended */
};

DECLARE_PER_CPU(struct hca_odp_accesses, hca_odp_accesses);

/* Pages that an access has found absent. */
struct hca_odp_want {
	u64 addr; /* of the first one in the owner's memory */
	u64 pages;
	bool write;
	u32 refusals; /* hca_odp.refusals when it was asked for */
};

struct hca_odp {
	/* Have hca_odp_next() called soon, where it may sleep. BH are disabled. */
	void (*ask)(struct hca_odp *odp);
	/* A page goes that may have been written; or NULL. */
	void (*written)(void *page);
	u64 start; /* address in the owner's memory of the MR's first octet */
	u64 length; /* octets */
	u64 factor; /* of the buckets' hash: random, odd */
	u32 num_buckets; /* power of two */
	struct hlist_head *bucket; /* of chunks, by number; RCU */
	/* Chunks; the caller of the functions that change them holds a lock of its own. */
	struct list_head chunks;
	u32 num_chunks;
	spinlock_t lock; /* BH; leaf; guards the rest */
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
 * @odp: the MR, which nobody accesses any more
 *
 * Context: process.
 */
void hca_odp_destroy(struct hca_odp *odp);

/**
 * hca_odp_begin() - begin an access to pages on demand
 *
 * A full memory barrier follows, before pages are looked for.
 *
 * Context: BH disabled until hca_odp_end().
 */
static inline void hca_odp_begin(void)
{
	this_cpu_inc(hca_odp_accesses.running);
}

/* The access of hca_odp_begin() ends. */
static inline void hca_odp_end(void)
{
	smp_mb(); /* pairs with hca_odp_wait(): the pages are not used any more */
	if (!this_cpu_dec_return(hca_odp_accesses.running))
		this_cpu_inc(hca_odp_accesses.ended);
}

/**
 * hca_odp_wait() - wait until no access uses pages that were made absent before
 *
 * Context: process, may sleep. It takes as long as a copy of another processor.
 */
void hca_odp_wait(void);

/**
 * hca_odp_check() - return whether the pages of a range are present
 * @odp: the MR
 * @offset: octets from its beginning; the range has been checked to be in it
 * @length: octets
 * @write: they are to be written
 *
 * The pages can be accessed until BH are enabled again.
 *
 * Context: BH disabled.
 * Return: 0; -EAGAIN: pages are absent, and have been asked for; -EFAULT: the owner has no such
 * page, or may not write it.
 */
int hca_odp_check(struct hca_odp *odp, u64 offset, u64 length, bool write);

/**
 * hca_odp_is_present() - hca_odp_check() for who only wants to know
 * @odp: the MR
 * @offset: octets from its beginning; the range has been checked to be in it
 * @length: octets
 * @write: they are to be written
 *
 * Nothing is asked for, and no refusal is answered.
 *
 * Context: BH disabled.
 * Return: whether all pages are present.
 */
bool hca_odp_is_present(const struct hca_odp *odp, u64 offset, u64 length, bool write);

/**
 * hca_odp_map() - translate to a kernel address
 * @odp: the MR
 * @offset: octets from its beginning, in a page that hca_odp_check() has found present
 *
 * Context: BH disabled since that check.
 * Return: the address, contiguous to the end of the page.
 */
void *hca_odp_map(const struct hca_odp *odp, u64 offset);

/**
 * hca_odp_next() - take over what has been asked for
 * @odp: the MR
 * @want: set to a range of pages
 *
 * Context: any.
 * Return: false if nothing is left.
 */
bool hca_odp_next(struct hca_odp *odp, struct hca_odp_want *want);

/*
 * The functions below are called by the owner of the lock that guards the chunks.
 */

/**
 * hca_odp_missing() - return how many chunks a range lacks
 * @odp: the MR
 * @addr: of its first page in the owner's memory
 * @pages: their number, at most HCA_ODP_CHUNK_PAGES
 *
 * Context: process.
 * Return: 0 to 2.
 */
u32 hca_odp_missing(const struct hca_odp *odp, u64 addr, u32 pages);

/**
 * hca_odp_evict() - give up the oldest chunk, whose pages become absent
 * @odp: the MR
 *
 * Context: process, may sleep.
 * Return: false if there is none.
 */
bool hca_odp_evict(struct hca_odp *odp);

/**
 * hca_odp_set() - make a page present
 * @odp: the MR
 * @addr: of the page in the owner's memory
 * @page: kernel address
 * @writable: it may be written
 * @spare: a zeroed chunk, or NULL; used and set to NULL if there is none for the address yet
 *
 * The oldest chunk goes when there are HCA_ODP_MAX_CHUNKS, after accesses in progress.
 *
 * Context: process, may sleep.
 * Return: false if there is no chunk for the address, and @spare was NULL.
 */
bool hca_odp_set(struct hca_odp *odp, u64 addr, void *page, bool writable,
		 struct hca_odp_chunk **spare);

/**
 * hca_odp_refuse() - have the next access to a page that the owner does not have refused
 * @odp: the MR
 * @want: what was asked for, as of hca_odp_next()
 * @addr: of the page in the owner's memory
 * @spare: as of hca_odp_set()
 *
 * An access asks each time that it comes, but it is refused once. What it asked for before that is
 * without effect, since the owner may have the page when the next access comes.
 *
 * Context: process, may sleep.
 */
void hca_odp_refuse(struct hca_odp *odp, const struct hca_odp_want *want, u64 addr,
		    struct hca_odp_chunk **spare);

/**
 * hca_odp_clear() - make the pages of a range absent
 * @odp: the MR
 * @first: address in the owner's memory
 * @last: address of the last octet
 *
 * The caller calls hca_odp_wait(), if any page was present, before the pages go.
 *
 * Context: process.
 * Return: the number of pages that were present.
 */
u64 hca_odp_clear(struct hca_odp *odp, u64 first, u64 last);

#endif
