// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The translation and protection table (TPT): its keys, its entries, and their look-up. */
#include "tpt/entry.h"
#include <linux/bottom_half.h>
#include <linux/build_bug.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/processor.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/wait_bit.h>

#define KEY_OCTET_BITS 8
#define KEY_TAG_SHIFT (KEY_OCTET_BITS + HCA_KEY_INDEX_BITS)
#define KEY_TAGS (1u << HCA_KEY_TAG_BITS)

/* Add the null MR in slot 0, where it is neither changed nor removed. */
static void tpt_null_init(struct hca_tpt *tpt)
{
	tpt->null = (struct hca_tpt_entry){
		.kind = HCA_TPT_NULL,
		.key = HCA_NULL_KEY,
		.access = IB_UVERBS_ACCESS_LOCAL_WRITE,
		.length = U64_MAX,
	};
	refcount_set(&tpt->null.users, 1);
	hca_tpt_entry_validate(tpt, &tpt->null);
	RCU_INIT_POINTER(tpt->slot[0], &tpt->null);
}

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
	tpt_null_init(tpt);
	return 0;
}

void hca_tpt_destroy(struct hca_tpt *tpt)
{
	kvfree(tpt->slot);
	kvfree(tpt->tag);
	kvfree(tpt->free);
}

/* --- keys */

static u32 tpt_key_index(const struct hca_tpt *tpt, u32 key)
{
	return key >> KEY_OCTET_BITS & tpt->mask;
}

static u32 tpt_free_slot(const struct hca_tpt *tpt, u64 i)
{
	u32 slot = tpt->free[i & tpt->mask];

	return slot ? slot : i + 1;
}

/* Return: the next free slot, in the order of tpt->free; 0 if no slot is free. */
static u32 tpt_alloc_slot(struct hca_tpt *tpt)
{
	u32 other, drawn, slot = tpt_free_slot(tpt, tpt->head);

	if (tpt->head == tpt->tail)
		return 0;
	if (tpt->head < tpt->mask) {
		other = tpt->head + get_random_u32_below(tpt->mask - tpt->head);
		drawn = tpt_free_slot(tpt, other);
		tpt->free[other] = slot;
		slot = drawn;
	}
	tpt->head++;
	return slot;
}

static u32 tpt_new_key(struct hca_tpt *tpt, u32 slot)
{
	u32 random = get_random_u32();
	/* A random step of 1 or more, added to the slot's last tag, gives any other tag. */
	u32 step = 1 + (random >> KEY_OCTET_BITS) % (KEY_TAGS - 1);

	tpt->tag[slot] = (tpt->tag[slot] + step) % KEY_TAGS;
	return (u32)tpt->tag[slot] << KEY_TAG_SHIFT | slot << KEY_OCTET_BITS | (u8)random;
}

/* Return: the entry in the slot of a key, or NULL. The key of the entry may differ from @key. */
static struct hca_tpt_entry *tpt_slot_of(struct hca_tpt *tpt, u32 key)
{
	return rcu_dereference_bh(tpt->slot[tpt_key_index(tpt, key)]);
}

struct hca_tpt_entry *hca_tpt_named(struct hca_tpt *tpt, u32 key)
{
	struct hca_tpt_entry *entry = tpt_slot_of(tpt, key);

	return entry && !((entry->key ^ key) >> KEY_OCTET_BITS) ? entry : NULL;
}

/* --- entries */

void hca_tpt_entry_validate(struct hca_tpt *tpt, struct hca_tpt_entry *entry)
{
	tpt->generation += HCA_GENERATION_ODP + 1;
	smp_store_release(&entry->generation,
			  tpt->generation | (entry->odp ? HCA_GENERATION_ODP : 0));
}

void hca_tpt_entry_revoke(struct hca_tpt_entry *entry)
{
	WRITE_ONCE(entry->generation, 0);
	smp_mb(); /* pairs with the barrier of tpt_entry_use() */
	while (refcount_read(&entry->users) > 1)
		cpu_relax();
	if (!entry->mr)
		return;
	entry->mr->windows--;
	entry->mr = NULL;
	hlist_del_init(&entry->qp_node);
}

static void tpt_entry_drop(struct hca_tpt_entry *entry)
{
	/*
	 * The memory of the entry remains valid here, because hca_tpt_entry_remove() frees it by
	 * RCU, and this is an RCU read section.
	 */
	if (refcount_dec_and_test(&entry->users)) {
		smp_mb__after_atomic(); /* write users before wake_up_var() reads its wait queue */
		wake_up_var(&entry->users);
	}
}

int hca_tpt_entry_add(struct hca_tpt *tpt, struct hca_tpt_entry *entry)
{
	u32 slot;

	spin_lock_bh(&tpt->lock);
	slot = tpt_alloc_slot(tpt);
	if (!slot) {
		spin_unlock_bh(&tpt->lock);
		return -ENOMEM;
	}
	refcount_set(&entry->users, 1);
	entry->key = tpt_new_key(tpt, slot);
	entry->generation = 0;
	entry->on_demand = entry->odp;
	if (entry->length)
		hca_tpt_entry_validate(tpt, entry);
	rcu_assign_pointer(tpt->slot[slot], entry);
	spin_unlock_bh(&tpt->lock);
	return 0;
}

int hca_tpt_entry_change(struct hca_tpt *tpt, struct hca_tpt_entry *entry,
			 const struct hca_tpt_entry *to, bool change_key)
{
	spin_lock_bh(&tpt->lock);
	if (entry->windows) {
		spin_unlock_bh(&tpt->lock);
		return -EBUSY;
	}
	hca_tpt_entry_revoke(entry);
	entry->pd = to->pd;
	entry->access = to->access;
	entry->iova = to->iova;
	entry->length = to->length;
	entry->page = to->page;
	entry->first_offset = to->first_offset;
	if (change_key)
		WRITE_ONCE(entry->key, tpt_new_key(tpt, tpt_key_index(tpt, entry->key)));
	hca_tpt_entry_validate(tpt, entry);
	spin_unlock_bh(&tpt->lock);
	return 0;
}

void hca_tpt_entry_withdraw(struct hca_tpt *tpt, struct hca_tpt_entry *entry)
{
	spin_lock_bh(&tpt->lock);
	hca_tpt_entry_revoke(entry);
	spin_unlock_bh(&tpt->lock);
}

void hca_tpt_entry_query(struct hca_tpt *tpt, const struct hca_tpt_entry *entry,
			 struct hca_tpt_info *info)
{
	spin_lock_bh(&tpt->lock);
	*info = (struct hca_tpt_info){
		.iova = entry->iova,
		.length = entry->length,
		.key = entry->key,
		.access = entry->access,
		.mr_key = entry->mr ? entry->mr->key : 0,
		.qpn = entry->kind == HCA_TPT_MW_2 ? entry->qpn : 0,
		.windows = entry->windows,
		.valid = entry->generation,
	};
	if (entry->page)
		info->pages = DIV_ROUND_UP(entry->first_offset + entry->length, PAGE_SIZE);
	spin_unlock_bh(&tpt->lock);
}

int hca_tpt_entry_remove(struct hca_tpt *tpt, struct hca_tpt_entry *entry)
{
	u32 slot = tpt_key_index(tpt, entry->key);

	spin_lock_bh(&tpt->lock);
	if (entry->windows) {
		spin_unlock_bh(&tpt->lock);
		return -EBUSY;
	}
	if (entry->mr)
		hca_tpt_entry_revoke(entry);
	RCU_INIT_POINTER(tpt->slot[slot], NULL);
	tpt->free[tpt->tail++ & tpt->mask] = slot;
	spin_unlock_bh(&tpt->lock);

	tpt_entry_drop(entry);
	wait_var_event(&entry->users, !refcount_read(&entry->users));
	kfree_rcu(entry, rcu);
	return 0;
}

/*
 * Check PD and queue pair of an access. Only the peer of a queue pair may use a window. Only the
 * consumer of a queue pair may use the null MR, with any PD.
 */
static bool tpt_entry_admits(const struct hca_tpt_entry *entry, const void *pd, u32 qpn)
{
	switch (entry->kind) {
	case HCA_TPT_MW_1:
		return qpn != HCA_CONSUMER && entry->pd == pd;
	case HCA_TPT_MW_2:
		return qpn != HCA_CONSUMER && entry->qpn == qpn; /* req R0-355 */
	case HCA_TPT_NULL:
		return qpn == HCA_CONSUMER;
	default:
		return entry->pd == pd;
	}
}

static bool tpt_entry_grants(const struct hca_tpt_entry *entry, u32 key, const void *pd, u32 qpn,
			     u32 access)
{
	return READ_ONCE(entry->key) == key && tpt_entry_admits(entry, pd, qpn) &&
	       (entry->access & access) == access;
}

/* Check an access. The result is valid if entry->generation is unchanged after the check. */
static bool tpt_entry_allows(const struct hca_tpt_entry *entry, u32 key, const void *pd, u32 qpn,
			     u32 access, u64 addr, u64 length)
{
	u64 offset = addr - entry->iova;

	return tpt_entry_grants(entry, key, pd, qpn, access) && addr >= entry->iova &&
	       offset <= entry->length && length <= entry->length - offset;
}

/* Acquire a reference, unless the entry's generation differs from @generation. */
static bool tpt_entry_use(struct hca_tpt_entry *entry, u64 generation)
{
	bool on_demand = generation & HCA_GENERATION_ODP;

	if (unlikely(on_demand))
		hca_odp_begin();
	if (!refcount_inc_not_zero(&entry->users))
		goto gone;
	/*
	 * Pairs with the barrier of hca_tpt_entry_revoke(): either that function sees the
	 * reference, or this one sees the changed generation. Also pairs with the barrier of
	 * hca_odp_wait().
	 */
	smp_mb__after_atomic();
	if (READ_ONCE(entry->generation) == generation)
		return true;
	tpt_entry_drop(entry);
gone:
	if (unlikely(on_demand))
		hca_odp_end();
	return false;
}

u64 hca_tpt_entry_find(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn, u32 access, u64 addr,
		       u64 length)
{
	const struct hca_tpt_entry *entry = tpt_slot_of(tpt, key);
	u64 generation = entry ? smp_load_acquire(&entry->generation) : 0;

	if (!generation || !tpt_entry_allows(entry, key, pd, qpn, access, addr, length))
		return 0;
	smp_rmb(); /* read the entry's other fields before reading the generation again */
	return READ_ONCE(entry->generation) == generation ? generation : 0;
}

struct hca_tpt_entry *hca_tpt_entry_get_named(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn,
					      u32 access)
{
	struct hca_tpt_entry *entry = tpt_slot_of(tpt, key);
	u64 generation = entry ? smp_load_acquire(&entry->generation) : 0;

	if (!generation || !tpt_entry_grants(entry, key, pd, qpn, access))
		return NULL;
	return tpt_entry_use(entry, generation) ? entry : NULL;
}

/*
 * Find the check that an access fails. Context: tpt->lock held, so that the entry does not change.
 */
static enum hca_vendor_err tpt_entry_refusal(const struct hca_tpt_entry *entry, u32 key,
					     const void *pd, u32 qpn, u32 access, u64 addr,
					     u64 length)
{
	u64 offset = entry ? addr - entry->iova : 0;

	if (!entry || entry->key != key)
		return HCA_VENDOR_ERR_LKEY;
	if (hca_tpt_is_window(entry) && qpn == HCA_CONSUMER)
		return HCA_VENDOR_ERR_LKEY_WINDOW;
	if (!entry->generation)
		return HCA_VENDOR_ERR_LKEY_INVALID;
	if (!tpt_entry_admits(entry, pd, qpn))
		return entry->kind == HCA_TPT_MW_2 ? HCA_VENDOR_ERR_LKEY_WINDOW :
						     HCA_VENDOR_ERR_LKEY_PD;
	if ((entry->access & access) != access)
		return HCA_VENDOR_ERR_LKEY_ACCESS;
	if (!length)
		return HCA_VENDOR_ERR_LKEY_CHANGED;
	if (addr < entry->iova || offset > entry->length || length > entry->length - offset)
		return HCA_VENDOR_ERR_LKEY_BOUNDS;
	return entry->odp ? HCA_VENDOR_ERR_PAGE : HCA_VENDOR_ERR_LKEY_CHANGED;
}

enum hca_vendor_err hca_tpt_entry_refusal(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn,
					  u32 access, u64 addr, u64 length)
{
	enum hca_vendor_err error;

	spin_lock_bh(&tpt->lock);
	error = tpt_entry_refusal(tpt_slot_of(tpt, key), key, pd, qpn, access, addr, length);
	spin_unlock_bh(&tpt->lock);
	return error;
}

#define WRITES \
	(IB_UVERBS_ACCESS_LOCAL_WRITE | IB_UVERBS_ACCESS_REMOTE_WRITE | \
	 IB_UVERBS_ACCESS_REMOTE_ATOMIC)

/*
 * Return: the entry with its reference if the pages of the access are present. Otherwise the
 * reference is dropped, and the result is ERR_PTR(-EAGAIN) if pages were requested, or NULL.
 */
static noinline struct hca_tpt_entry *tpt_entry_ready(struct hca_tpt_entry *entry, u32 access,
						      u64 addr, u64 length)
{
	int ret = hca_tpt_entry_ready(entry, addr, length, access & WRITES);

	if (!ret)
		return entry;
	hca_tpt_entry_put(entry);
	return ret == -EAGAIN ? ERR_PTR(ret) : NULL;
}

struct hca_tpt_entry *hca_tpt_entry_get(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn,
					u32 access, u64 addr, u64 length)
{
	struct hca_tpt_entry *entry = tpt_slot_of(tpt, key);
	u64 generation = entry ? smp_load_acquire(&entry->generation) : 0;

	if (!generation || !tpt_entry_allows(entry, key, pd, qpn, access, addr, length) ||
	    !tpt_entry_use(entry, generation))
		return NULL;
	return likely(!(generation & HCA_GENERATION_ODP)) ?
		       entry : tpt_entry_ready(entry, access, addr, length);
}

struct hca_tpt_entry *hca_tpt_entry_get_odp(struct hca_tpt *tpt, u32 key, const void *pd,
					    u32 access, u64 addr, u64 length)
{
	struct hca_tpt_entry *entry = tpt_slot_of(tpt, key);
	u64 generation = entry ? smp_load_acquire(&entry->generation) : 0;

	if (!(generation & HCA_GENERATION_ODP) ||
	    !tpt_entry_allows(entry, key, pd, HCA_CONSUMER, access, addr, length) ||
	    !tpt_entry_use(entry, generation))
		return NULL;
	return entry;
}

struct hca_tpt_entry *hca_tpt_entry_get_generation(struct hca_tpt *tpt, u32 key, u64 generation)
{
	struct hca_tpt_entry *entry = tpt_slot_of(tpt, key);

	if (!entry || !generation || READ_ONCE(entry->generation) != generation)
		return NULL;
	return tpt_entry_use(entry, generation) ? entry : NULL;
}

void hca_tpt_entry_put(struct hca_tpt_entry *entry)
{
	if (unlikely(entry->on_demand))
		hca_odp_end();
	tpt_entry_drop(entry);
}
