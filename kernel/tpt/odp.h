/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * On-demand paging: MRs whose pages are not pinned. An access to an absent page requests the page
 * and must be repeated. The page is then present until the owner of the memory or the kernel
 * removes it.
 *
 * Pages are found by their address in the owner's memory. Adjacent pages are grouped in chunks.
 * Accesses look pages up with BH disabled. The code that removes pages first marks them as absent,
 * and then waits for the accesses in progress (hca_odp_wait()), after which the pages are not used
 * any more. The wait takes as long as a copy and does not disturb other processors, so that pages
 * of a process may be removed at any rate.
 */
#ifndef HCA_TPT_ODP_H
#define HCA_TPT_ODP_H

#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#define HCA_ODP_CHUNK_PAGES 512
#define HCA_ODP_MAX_CHUNKS 8192 /* maximum of an MR; a further chunk replaces the oldest one */
#define HCA_ODP_MAX_BUCKETS 1024
#define HCA_ODP_WANTS 16

/*
 * Time for which the bits of hca_odp_chunk.bad are valid, in jiffies. An access that has requested
 * a page is repeated within this time, since the longest RNR timer is 655 ms. An access after this
 * time is a new access, and the owner of the memory may have the page by then.
 */
#define HCA_ODP_BAD_TICKS (4 * HZ)

struct hca_odp_chunk {
	struct hlist_node node; /* entry in a list of hca_odp.bucket; readers use RCU */
	struct rcu_head rcu;
	struct list_head age; /* entry in hca_odp.chunks, which begins with the oldest chunk */
	u64 number; /* address of the first octet / (HCA_ODP_CHUNK_PAGES * PAGE_SIZE) */
	DECLARE_BITMAP(present, HCA_ODP_CHUNK_PAGES);
	/* pages that may be written; valid for present pages */
	DECLARE_BITMAP(writable, HCA_ODP_CHUNK_PAGES);
	/*
	 * Pages that an access has requested, but that the owner of the memory does not have. The
	 * next access to such a page is refused, and clears the bit of the page.
	 */
	DECLARE_BITMAP(bad, HCA_ODP_CHUNK_PAGES);
	unsigned long bad_since; /* jiffies when a bit of the field bad was last set */
	void *page[HCA_ODP_CHUNK_PAGES]; /* kernel addresses; valid if present */
};

/* A processor's accesses to pages on demand. Accesses begin and end with BH disabled. */
struct hca_odp_accesses {
	unsigned int running; /* number of accesses in progress, which are nested */
	unsigned int ended; /* number of outermost accesses that have ended */
};

DECLARE_PER_CPU(struct hca_odp_accesses, hca_odp_accesses);

/* A request for pages that an access has found absent. */
struct hca_odp_want {
	u64 addr; /* address of the first page in the owner's memory */
	u64 pages; /* number of pages */
	bool write; /* the access writes */
	u32 refusals; /* value of hca_odp.refusals at the time of the request */
};

struct hca_odp {
	/* Schedules a call of hca_odp_next() in process context. Context: BH disabled. */
	void (*ask)(struct hca_odp *odp);
	/* Called for each page that is removed and may have been written; may be NULL. */
	void (*written)(void *page);
	u64 start; /* address of the MR's first octet in the owner's memory */
	u64 length; /* octets */
	u64 factor; /* random odd factor of the hash that selects a chunk's bucket */
	u32 num_buckets; /* power of two */
	struct hlist_head *bucket; /* lists of chunks, by the hash of their number; RCU */
	/*
	 * List of chunks. The callers of hca_odp_missing() to hca_odp_clear() serialize these
	 * functions by a lock of their own.
	 */
	struct list_head chunks;
	u32 num_chunks;
	spinlock_t lock; /* leaf lock, BH disabled; guards the fields below */
	struct hca_odp_want want[HCA_ODP_WANTS];
	u32 num_wants;
	u64 faults; /* number of accesses that have found a page absent */
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
	smp_mb(); /* use the pages before the end is visible; pairs with hca_odp_wait() */
	if (!this_cpu_dec_return(hca_odp_accesses.running))
		this_cpu_inc(hca_odp_accesses.ended);
}

/**
 * hca_odp_wait() - wait for accesses that may still use pages made absent before the call
 *
 * Context: process, may sleep, for as long as a copy of another processor takes.
 */
void hca_odp_wait(void);

/**
 * hca_odp_check() - check whether the pages of a range are present, and request them if not
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
 * hca_odp_is_present() - check whether pages are present, without requesting them
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
 * Return: the kernel address, which is contiguous up to the end of the page.
 */
void *hca_odp_map(const struct hca_odp *odp, u64 offset);

/**
 * hca_odp_next() - remove and return a request for pages
 * @odp: the MR
 * @want: set to a range of pages
 *
 * Context: any.
 * Return: true; false if there is no request.
 */
bool hca_odp_next(struct hca_odp *odp, struct hca_odp_want *want);

/* The callers of the functions below hold the lock that serializes changes of hca_odp.chunks. */

/**
 * hca_odp_missing() - count the chunks of a range that do not exist yet
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
 * @spare: points to a zeroed chunk or to NULL; if the address does not have a chunk yet, *@spare is
 *         used, and set to NULL
 *
 * If there are more than HCA_ODP_MAX_CHUNKS chunks, the oldest one is freed.
 *
 * Context: process, may sleep.
 * Return: true; false if the address does not have a chunk, and *@spare was NULL.
 */
bool hca_odp_set(struct hca_odp *odp, u64 addr, void *page, bool writable,
		 struct hca_odp_chunk **spare);

/**
 * hca_odp_refuse() - make the next access to a page fail, because the owner lacks the page
 * @odp: the MR
 * @want: the request, as returned by hca_odp_next()
 * @addr: address of the page in the owner's memory
 * @spare: points to a zeroed chunk or to NULL; if the address does not have a chunk yet, *@spare is
 *         used, and set to NULL
 *
 * hca_odp_check() returns -EFAULT to the next access to the page. An access that finds a page
 * absent is repeated, and requests the page each time, but only one of these accesses must fail.
 * Therefore nothing is refused if hca_odp_check() has refused an access after @want was requested.
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
 * If a page was present, the caller must call hca_odp_wait() before the pages are given back.
 *
 * Context: process.
 * Return: the number of pages that were present.
 */
u64 hca_odp_clear(struct hca_odp *odp, u64 first, u64 last);

#endif
