// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* On-demand paging: the table of present pages of an MR, and requests for absent pages. */
#include "tpt/odp.h"
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/processor.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>

#define CHUNK_BYTES ((u64)HCA_ODP_CHUNK_PAGES * PAGE_SIZE)

DEFINE_PER_CPU(struct hca_odp_accesses, hca_odp_accesses);

static u64 odp_number_of(u64 addr)
{
	return addr / CHUNK_BYTES;
}

static u32 odp_index_of(u64 addr)
{
	return addr / PAGE_SIZE % HCA_ODP_CHUNK_PAGES;
}

/*
 * The hash has a secret factor, because the owner of the memory chooses the numbers of chunks. Two
 * numbers have the same bucket with a probability of 2 / num_buckets (multiply-shift hashing).
 */
static struct hlist_head *odp_bucket_of(const struct hca_odp *odp, u64 number)
{
	return &odp->bucket[odp->factor * number >> 32 & (odp->num_buckets - 1)];
}

int hca_odp_init(struct hca_odp *odp)
{
	u64 chunks = odp_number_of(odp->start + odp->length - 1) - odp_number_of(odp->start) + 1;

	odp->num_buckets = roundup_pow_of_two(min_t(u64, chunks, HCA_ODP_MAX_BUCKETS));
	odp->bucket = kvcalloc(odp->num_buckets, sizeof(*odp->bucket),
			       GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!odp->bucket)
		return -ENOMEM;
	odp->factor = get_random_u64() | 1;
	INIT_LIST_HEAD(&odp->chunks);
	spin_lock_init(&odp->lock);
	return 0;
}

void hca_odp_destroy(struct hca_odp *odp)
{
	struct hca_odp_chunk *chunk, *next;

	list_for_each_entry_safe(chunk, next, &odp->chunks, age)
		kfree(chunk);
	kvfree(odp->bucket);
}

static struct hca_odp_chunk *odp_chunk_find(const struct hca_odp *odp, u64 number)
{
	struct hca_odp_chunk *chunk;

	hlist_for_each_entry_rcu(chunk, odp_bucket_of(odp, number), node)
		if (chunk->number == number)
			return chunk;
	return NULL;
}

/*
 * Request all pages of an access together. If the queue of requests is full, the request is lost;
 * the repeated access makes a new request.
 */
static void odp_ask_for(struct hca_odp *odp, u64 addr, u64 pages, bool write)
{
	struct hca_odp_want *want;

	spin_lock(&odp->lock);
	odp->faults++;
	if (odp->num_wants < HCA_ODP_WANTS) {
		want = &odp->want[odp->num_wants++];
		want->addr = addr;
		want->pages = pages;
		want->write = write;
		want->refusals = odp->refusals;
	}
	spin_unlock(&odp->lock);
	odp->ask(odp);
}

bool hca_odp_next(struct hca_odp *odp, struct hca_odp_want *want)
{
	bool any;

	spin_lock_bh(&odp->lock);
	any = odp->num_wants;
	if (any)
		*want = odp->want[--odp->num_wants];
	spin_unlock_bh(&odp->lock);
	return any;
}

/* Return whether the bits of chunk->bad are still valid (HCA_ODP_BAD_TICKS). */
static bool odp_is_fresh(const struct hca_odp_chunk *chunk)
{
	return time_before(jiffies, chunk->bad_since + HCA_ODP_BAD_TICKS);
}

/* Return whether an access to page @i is refused. If so, clear the bit of page @i in chunk->bad. */
static bool odp_refused(struct hca_odp *odp, struct hca_odp_chunk *chunk, u32 i)
{
	bool is_refused;

	spin_lock(&odp->lock);
	is_refused = test_and_clear_bit(i, chunk->bad) && odp_is_fresh(chunk);
	odp->refusals += is_refused;
	spin_unlock(&odp->lock);
	return is_refused;
}

static bool odp_is_present(const struct hca_odp_chunk *chunk, u32 i, bool write)
{
	return chunk && test_bit(i, chunk->present) && (!write || test_bit(i, chunk->writable));
}

/* Check page @i of @chunk. Return: 0 if it is present; -EFAULT if it is refused; or -EAGAIN. */
static int odp_page_check(struct hca_odp *odp, struct hca_odp_chunk *chunk, u32 i, bool write)
{
	if (odp_is_present(chunk, i, write))
		return 0;
	if (!chunk)
		return -EAGAIN;
	return test_bit(i, chunk->bad) && odp_refused(odp, chunk, i) ? -EFAULT : -EAGAIN;
}

int hca_odp_check(struct hca_odp *odp, u64 offset, u64 length, bool write)
{
	u64 first = round_down(odp->start + offset, PAGE_SIZE);
	u64 pages = DIV_ROUND_UP(offset_in_page(odp->start + offset) + length, PAGE_SIZE), i;
	struct hca_odp_chunk *chunk = NULL;
	int ret;

	for (i = 0; i < pages; i++) {
		/* The address may wrap around to a page that does not exist. */
		u64 addr = first + i * PAGE_SIZE;

		if (!chunk || chunk->number != odp_number_of(addr))
			chunk = odp_chunk_find(odp, odp_number_of(addr));
		ret = odp_page_check(odp, chunk, odp_index_of(addr), write);
		if (ret == -EAGAIN)
			odp_ask_for(odp, first, pages, write);
		if (ret)
			return ret;
	}
	smp_rmb(); /* read the bits before the caller reads chunk->page; pairs with hca_odp_set() */
	return 0;
}

bool hca_odp_is_present(const struct hca_odp *odp, u64 offset, u64 length, bool write)
{
	u64 addr = round_down(odp->start + offset, PAGE_SIZE);
	u64 pages = DIV_ROUND_UP(offset_in_page(odp->start + offset) + length, PAGE_SIZE);

	for (; pages; pages--, addr += PAGE_SIZE)
		if (!odp_is_present(odp_chunk_find(odp, odp_number_of(addr)), odp_index_of(addr),
				    write))
			return false;
	return true;
}

void *hca_odp_map(const struct hca_odp *odp, u64 offset)
{
	u64 addr = odp->start + offset;
	const struct hca_odp_chunk *chunk = odp_chunk_find(odp, odp_number_of(addr));

	return (u8 *)chunk->page[odp_index_of(addr)] + offset_in_page(addr);
}

/* Make a page absent. Return: whether it was present. */
static bool odp_page_clear(struct hca_odp *odp, struct hca_odp_chunk *chunk, u32 i)
{
	bool present = test_bit(i, chunk->present);

	clear_bit(i, chunk->bad);
	clear_bit(i, chunk->present);
	if (present && test_bit(i, chunk->writable) && odp->written)
		odp->written(chunk->page[i]);
	clear_bit(i, chunk->writable);
	return present;
}

/*
 * Wait for the access in progress on a processor, if there is one. The access has ended when
 * accesses->ended has changed.
 */
static void odp_wait_for(const struct hca_odp_accesses *accesses)
{
	unsigned int ended = READ_ONCE(accesses->ended);

	while (READ_ONCE(accesses->running) && READ_ONCE(accesses->ended) == ended) {
		cpu_relax();
		cond_resched(); /* a real-time kernel may have preempted the access */
	}
}

void hca_odp_wait(void)
{
	int cpu;

	/*
	 * Pairs with the barrier between hca_odp_begin() and the look-up of pages: if this function
	 * does not see the beginning of an access, that access finds the pages absent.
	 */
	smp_mb();
	for_each_possible_cpu(cpu)
		odp_wait_for(per_cpu_ptr(&hca_odp_accesses, cpu));
	smp_mb(); /* pairs with hca_odp_end() */
}

/*
 * Free a chunk. The chunk is unlinked only after accesses in progress have ended, because an access
 * that has found the chunk's pages present looks up the chunk again for each page. Later accesses
 * find the pages absent.
 */
static void odp_chunk_free(struct hca_odp *odp, struct hca_odp_chunk *chunk)
{
	u32 i;

	list_del(&chunk->age);
	odp->num_chunks--;
	for (i = 0; i < HCA_ODP_CHUNK_PAGES; i++)
		odp_page_clear(odp, chunk, i);
	hca_odp_wait();
	hlist_del_rcu(&chunk->node);
	kfree_rcu(chunk, rcu);
}

bool hca_odp_evict(struct hca_odp *odp)
{
	if (list_empty(&odp->chunks))
		return false;
	odp_chunk_free(odp, list_first_entry(&odp->chunks, struct hca_odp_chunk, age));
	return true;
}

static struct hca_odp_chunk *odp_chunk_make(struct hca_odp *odp, u64 number,
					    struct hca_odp_chunk **spare)
{
	struct hca_odp_chunk *chunk = *spare;

	if (!chunk)
		return NULL;
	if (odp->num_chunks >= HCA_ODP_MAX_CHUNKS)
		hca_odp_evict(odp);
	*spare = NULL;
	chunk->number = number;
	list_add_tail(&chunk->age, &odp->chunks);
	odp->num_chunks++;
	hlist_add_head_rcu(&chunk->node, odp_bucket_of(odp, number));
	return chunk;
}

u32 hca_odp_missing(const struct hca_odp *odp, u64 addr, u32 pages)
{
	u64 number = odp_number_of(addr), last = odp_number_of(addr + (u64)pages * PAGE_SIZE - 1);
	u32 missing = 0;

	rcu_read_lock();
	for (; number <= last; number++)
		missing += !odp_chunk_find(odp, number);
	rcu_read_unlock();
	return missing;
}

/* Return: the chunk of an address, or *@spare as its new chunk; NULL if both do not exist. */
static struct hca_odp_chunk *odp_chunk_get(struct hca_odp *odp, u64 addr,
					   struct hca_odp_chunk **spare)
{
	struct hca_odp_chunk *chunk;

	rcu_read_lock();
	chunk = odp_chunk_find(odp, odp_number_of(addr));
	rcu_read_unlock(); /* the chunk remains, since the caller holds the lock of the chunks */
	return chunk ? chunk : odp_chunk_make(odp, odp_number_of(addr), spare);
}

void hca_odp_refuse(struct hca_odp *odp, const struct hca_odp_want *want, u64 addr,
		    struct hca_odp_chunk **spare)
{
	struct hca_odp_chunk *chunk = odp_chunk_get(odp, addr, spare);

	if (!chunk)
		return;
	spin_lock_bh(&odp->lock);
	if (want->refusals == odp->refusals) {
		if (!odp_is_fresh(chunk))
			bitmap_zero(chunk->bad, HCA_ODP_CHUNK_PAGES);
		chunk->bad_since = jiffies;
		set_bit(odp_index_of(addr), chunk->bad);
	}
	spin_unlock_bh(&odp->lock);
}

bool hca_odp_set(struct hca_odp *odp, u64 addr, void *page, bool writable,
		 struct hca_odp_chunk **spare)
{
	struct hca_odp_chunk *chunk = odp_chunk_get(odp, addr, spare);
	u32 i = odp_index_of(addr);

	if (!chunk)
		return false;
	clear_bit(i, chunk->bad);
	chunk->page[i] = page;
	smp_wmb(); /* pairs with hca_odp_check() */
	if (writable)
		set_bit(i, chunk->writable);
	set_bit(i, chunk->present);
	return true;
}

static u32 odp_chunk_clear(struct hca_odp *odp, struct hca_odp_chunk *chunk, u64 first, u64 last)
{
	u64 base = chunk->number * CHUNK_BYTES;
	u32 i = first > base ? odp_index_of(first) : 0;
	u32 end = last - base < CHUNK_BYTES ? odp_index_of(last) : HCA_ODP_CHUNK_PAGES - 1;
	u32 pages = 0;

	for (; i <= end; i++)
		pages += odp_page_clear(odp, chunk, i);
	return pages;
}

u64 hca_odp_clear(struct hca_odp *odp, u64 first, u64 last)
{
	struct hca_odp_chunk *chunk;
	u64 pages = 0;

	/* the list has at most HCA_ODP_MAX_CHUNKS entries */
	list_for_each_entry(chunk, &odp->chunks, age)
		if (chunk->number >= odp_number_of(first) && chunk->number <= odp_number_of(last))
			pages += odp_chunk_clear(odp, chunk, first, last);
	return pages;
}
