// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The table of registered memory. */
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/processor.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/sched.h>
#include <linux/wait_bit.h>
#include "tpt/entry.h"

#define KEY_OCTET_BITS 8
#define KEY_TAG_SHIFT (KEY_OCTET_BITS + HCA_KEY_INDEX_BITS)
#define KEY_TAGS (1u << HCA_KEY_TAG_BITS)

int hca_tpt_init(struct hca_tpt *tpt, u32 size)
{
	BUILD_BUG_ON(KEY_TAG_SHIFT + HCA_KEY_TAG_BITS != 32);
	spin_lock_init(&tpt->lock);
	tpt->mask = size - 1;
	tpt->head = 0;
	tpt->tail = size - 1;
	tpt->generation = 0;
	tpt->slot = kvcalloc(size, sizeof(*tpt->slot), GFP_KERNEL);
	tpt->tag = kvcalloc(size, sizeof(*tpt->tag), GFP_KERNEL);
	tpt->free = kvcalloc(size, sizeof(*tpt->free), GFP_KERNEL);
	if (!tpt->slot || !tpt->tag || !tpt->free) {
		hca_tpt_destroy(tpt);
		return -ENOMEM;
	}
	return 0;
}

void hca_tpt_destroy(struct hca_tpt *tpt)
{
	kvfree(tpt->slot);
	kvfree(tpt->tag);
	kvfree(tpt->free);
}

/* --- keys */

static u32 key_index(const struct hca_tpt *tpt, u32 key)
{
	return key >> KEY_OCTET_BITS & tpt->mask;
}

static u32 free_slot(const struct hca_tpt *tpt, u64 i)
{
	u32 slot = tpt->free[i & tpt->mask];

	return slot ? slot : i + 1;
}

/* Return: 0: there is none. */
static u32 alloc_slot(struct hca_tpt *tpt)
{
	u32 other, drawn, slot = free_slot(tpt, tpt->head);

	if (tpt->head == tpt->tail)
		return 0;
	if (tpt->head < tpt->mask) {
		other = tpt->head + get_random_u32_below(tpt->mask - tpt->head);
		drawn = free_slot(tpt, other);
		tpt->free[other] = slot;
		slot = drawn;
	}
	tpt->head++;
	return slot;
}

static u32 new_key(struct hca_tpt *tpt, u32 slot)
{
	u32 random = get_random_u32();
	u32 step = 1 + (random >> KEY_OCTET_BITS) % (KEY_TAGS - 1); /* to any but the last one */

	tpt->tag[slot] = (tpt->tag[slot] + step) % KEY_TAGS;
	return (u32)tpt->tag[slot] << KEY_TAG_SHIFT | slot << KEY_OCTET_BITS | (u8)random;
}

/* Whoever is found has the key's slot, and perhaps another key. */
static struct hca_tpt_entry *slot_of(struct hca_tpt *tpt, u32 key)
{
	return rcu_dereference_bh(tpt->slot[key_index(tpt, key)]);
}

struct hca_tpt_entry *hca_tpt_named(struct hca_tpt *tpt, u32 key)
{
	struct hca_tpt_entry *region = slot_of(tpt, key);

	return region && !((region->key ^ key) >> KEY_OCTET_BITS) ? region : NULL;
}

/* --- regions */

void hca_tpt_entry_validate(struct hca_tpt *tpt, struct hca_tpt_entry *region)
{
	if (!++tpt->generation)
		tpt->generation++;
	smp_store_release(&region->generation, tpt->generation);
}

void hca_tpt_entry_revoke(struct hca_tpt_entry *region)
{
	WRITE_ONCE(region->generation, 0);
	smp_mb(); /* pairs with tpt_entry_use()'s */
	while (refcount_read(&region->users) > 1)
		cpu_relax();
	if (!region->of)
		return;
	region->of->windows--;
	region->of = NULL;
	hlist_del_init(&region->qp_node);
}

int hca_tpt_entry_add(struct hca_tpt *tpt, struct hca_tpt_entry *region)
{
	u32 slot;

	spin_lock_bh(&tpt->lock);
	slot = alloc_slot(tpt);
	if (!slot) {
		spin_unlock_bh(&tpt->lock);
		return -ENOMEM;
	}
	refcount_set(&region->users, 1);
	region->key = new_key(tpt, slot);
	region->generation = 0;
	if (region->length)
		hca_tpt_entry_validate(tpt, region);
	rcu_assign_pointer(tpt->slot[slot], region);
	spin_unlock_bh(&tpt->lock);
	return 0;
}

int hca_tpt_entry_remove(struct hca_tpt *tpt, struct hca_tpt_entry *region)
{
	u32 slot = key_index(tpt, region->key);

	spin_lock_bh(&tpt->lock);
	if (region->windows) {
		spin_unlock_bh(&tpt->lock);
		return -EBUSY;
	}
	if (region->of)
		hca_tpt_entry_revoke(region);
	RCU_INIT_POINTER(tpt->slot[slot], NULL);
	tpt->free[tpt->tail++ & tpt->mask] = slot;
	spin_unlock_bh(&tpt->lock);

	hca_tpt_entry_put(region);
	wait_var_event(&region->users, !refcount_read(&region->users));
	kfree_rcu(region, rcu);
	return 0;
}

/* Whose key is it? A window's is nobody's but the peer's. */
static bool tpt_entry_admits(const struct hca_tpt_entry *region, const void *pd, u32 qpn)
{
	switch (region->kind) {
	case HCA_TPT_MW_1:
		return qpn != HCA_CONSUMER && region->pd == pd;
	case HCA_TPT_MW_2:
		return qpn != HCA_CONSUMER && region->qpn == qpn; /* R0-355 */
	default:
		return region->pd == pd;
	}
}

/* May it be done? Good if the generation is still the same afterwards. */
static bool tpt_entry_allows(const struct hca_tpt_entry *region, u32 key, const void *pd, u32 qpn,
			     u32 access, u64 addr, u64 length)
{
	u64 offset = addr - region->iova;

	return READ_ONCE(region->key) == key && tpt_entry_admits(region, pd, qpn) &&
	       (region->access & access) == access && addr >= region->iova &&
	       offset <= region->length && length <= region->length - offset;
}

/* Count a user, if it is still what was looked at. */
static bool tpt_entry_use(struct hca_tpt_entry *region, u32 generation)
{
	if (!refcount_inc_not_zero(&region->users))
		return false;
	smp_mb__after_atomic(); /* either who makes it invalid sees the user, or we that he does */
	if (READ_ONCE(region->generation) == generation)
		return true;
	hca_tpt_entry_put(region);
	return false;
}

u32 hca_tpt_entry_find(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn, u32 access, u64 addr,
		       u64 length)
{
	const struct hca_tpt_entry *region = slot_of(tpt, key);
	u32 generation = region ? smp_load_acquire(&region->generation) : 0;

	if (!generation || !tpt_entry_allows(region, key, pd, qpn, access, addr, length))
		return 0;
	smp_rmb(); /* what was looked at before the generation */
	return READ_ONCE(region->generation) == generation ? generation : 0;
}

struct hca_tpt_entry *hca_tpt_entry_get(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn,
					u32 access, u64 addr, u64 length)
{
	struct hca_tpt_entry *region = slot_of(tpt, key);
	u32 generation = region ? smp_load_acquire(&region->generation) : 0;

	if (!generation || !tpt_entry_allows(region, key, pd, qpn, access, addr, length))
		return NULL;
	return tpt_entry_use(region, generation) ? region : NULL;
}

struct hca_tpt_entry *hca_tpt_entry_get_generation(struct hca_tpt *tpt, u32 key, u32 generation)
{
	struct hca_tpt_entry *region = slot_of(tpt, key);

	if (!region || !generation || READ_ONCE(region->generation) != generation)
		return NULL;
	return tpt_entry_use(region, generation) ? region : NULL;
}

void hca_tpt_entry_put(struct hca_tpt_entry *region)
{
	/* The waiter frees by RCU, and we are in a section of it; the address stays good. */
	if (refcount_dec_and_test(&region->users)) {
		smp_mb__after_atomic(); /* users before the look at who waits */
		wake_up_var(&region->users);
	}
}
