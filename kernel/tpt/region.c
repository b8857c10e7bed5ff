// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The table of registered memory. */
#include <linux/errno.h>
#include <linux/slab.h>
#include <linux/sched.h>
#include <linux/wait_bit.h>
#include "tpt/region.h"

int hca_tpt_init(struct hca_tpt *tpt, u32 size)
{
	spin_lock_init(&tpt->lock);
	tpt->size = size;
	tpt->next = 1;
	tpt->num_free = 0;
	tpt->generation = 0;
	tpt->slot = kvcalloc(size, sizeof(*tpt->slot), GFP_KERNEL);
	tpt->key_octet = kvcalloc(size, sizeof(*tpt->key_octet), GFP_KERNEL);
	tpt->free = kvcalloc(size, sizeof(*tpt->free), GFP_KERNEL);
	if (!tpt->slot || !tpt->key_octet || !tpt->free) {
		hca_tpt_destroy(tpt);
		return -ENOMEM;
	}
	return 0;
}

void hca_tpt_destroy(struct hca_tpt *tpt)
{
	kvfree(tpt->slot);
	kvfree(tpt->key_octet);
	kvfree(tpt->free);
}

int hca_region_add(struct hca_tpt *tpt, struct hca_region *region)
{
	u32 index;

	spin_lock_bh(&tpt->lock);
	if (tpt->num_free) {
		index = tpt->free[--tpt->num_free];
	} else if (tpt->next < tpt->size) {
		index = tpt->next++;
	} else {
		spin_unlock_bh(&tpt->lock);
		return -ENOMEM;
	}
	refcount_set(&region->users, 1);
	region->key = index << 8 | ++tpt->key_octet[index];
	region->generation = ++tpt->generation;
	rcu_assign_pointer(tpt->slot[index], region);
	spin_unlock_bh(&tpt->lock);
	return 0;
}

void hca_region_remove(struct hca_tpt *tpt, struct hca_region *region)
{
	u32 index = region->key >> 8;

	spin_lock_bh(&tpt->lock);
	RCU_INIT_POINTER(tpt->slot[index], NULL);
	tpt->free[tpt->num_free++] = index;
	spin_unlock_bh(&tpt->lock);

	hca_region_put(region);
	wait_var_event(&region->users, !refcount_read(&region->users));
	kfree_rcu(region, rcu);
}

static struct hca_region *hca_region_lookup(struct hca_tpt *tpt, u32 key)
{
	struct hca_region *region;
	u32 index = key >> 8;

	if (index >= tpt->size)
		return NULL;
	region = rcu_dereference_bh(tpt->slot[index]);
	if (!region || region->key != key || READ_ONCE(region->invalid))
		return NULL;
	return region;
}

static struct hca_region *hca_region_check(struct hca_tpt *tpt, u32 key, const void *pd,
					   u32 access, u64 addr, u64 length)
{
	struct hca_region *region = hca_region_lookup(tpt, key);
	u64 offset;

	if (!region || region->pd != pd || (region->access & access) != access)
		return NULL;
	offset = addr - region->iova;
	if (addr < region->iova || offset > region->length || length > region->length - offset)
		return NULL;
	return region;
}

const struct hca_region *hca_region_find(struct hca_tpt *tpt, u32 key, const void *pd, u32 access,
					 u64 addr, u64 length)
{
	return hca_region_check(tpt, key, pd, access, addr, length);
}

struct hca_region *hca_region_get(struct hca_tpt *tpt, u32 key, const void *pd, u32 access,
				  u64 addr, u64 length)
{
	struct hca_region *region = hca_region_check(tpt, key, pd, access, addr, length);

	return region && refcount_inc_not_zero(&region->users) ? region : NULL;
}

struct hca_region *hca_region_get_generation(struct hca_tpt *tpt, u32 key, u32 generation)
{
	struct hca_region *region = hca_region_lookup(tpt, key);

	if (!region || region->generation != generation)
		return NULL;
	return refcount_inc_not_zero(&region->users) ? region : NULL;
}

bool hca_region_invalidate(struct hca_tpt *tpt, u32 key, const void *pd)
{
	struct hca_region *region = hca_region_lookup(tpt, key);

	if (!region || region->pd != pd || !region->may_invalidate)
		return false;
	WRITE_ONCE(region->invalid, true);
	return true;
}

void hca_region_put(struct hca_region *region)
{
	/* The waiter frees by RCU, and we are in a section of it; the address stays good. */
	if (refcount_dec_and_test(&region->users)) {
		smp_mb__after_atomic(); /* users before the look at who waits */
		wake_up_var(&region->users);
	}
}
