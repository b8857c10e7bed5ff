// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Operations of work requests on TPT entries: fast registration, binding, invalidation. */
#include "tpt/key.h"
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>

#define REMOTE_WRITES (IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_ATOMIC)

/*
 * Maximum number of windows that are unbound before bottom halves are enabled again. A queue pair
 * may have as many as HCA_MAX_MW windows.
 */
#define UNBIND_AT_ONCE 64u

#define WINDOW_RIGHTS (HCA_REMOTE_ACCESS | HCA_FLUSH_ACCESS)

/* Flags that a bind may have. LOCAL_WRITE is ignored, since a window allows remote access only. */
#define BIND_FLAGS \
	(WINDOW_RIGHTS | IB_UVERBS_ACCESS_ZERO_BASED | IB_UVERBS_ACCESS_LOCAL_WRITE)

/* Remote write and atomic access need local write access (req B4-284). */
static bool key_rights_fit(u32 remote, u32 local)
{
	return !(remote & REMOTE_WRITES) || (local & IB_UVERBS_ACCESS_LOCAL_WRITE);
}

/*
 * Return whether a window with rights @window may be bound to an MR with rights @mr: a window may
 * have FLUSH_PERSISTENT only if its MR has FLUSH_PERSISTENT, that is, if the memory is persistent.
 */
static bool key_persistence_fits(u32 window, u32 mr)
{
	return !(window & ~mr & IB_UVERBS_ACCESS_FLUSH_PERSISTENT);
}

static void tpt_entry_set(struct hca_tpt *tpt, struct hca_tpt_entry *entry,
			  const struct hca_binding *b)
{
	/* The first octet has address 0 if this is requested (req R0-331). */
	entry->iova = b->access & IB_UVERBS_ACCESS_ZERO_BASED ? 0 : b->addr;
	entry->length = b->length;
	entry->access = b->access;
	WRITE_ONCE(entry->key, b->key);
	hca_tpt_entry_validate(tpt, entry);
}

/* --- fast registration */

static bool key_pages_fit(const struct hca_tpt_entry *entry, const struct hca_binding *b)
{
	u64 room = (u64)entry->num_next_pages * PAGE_SIZE;

	return b->length && b->length <= room && offset_in_page(b->addr) <= room - b->length &&
	       b->addr + b->length - 1 >= b->addr;
}

static enum hca_vendor_err key_may_register(const struct hca_tpt_entry *entry,
					    const struct hca_binding *b)
{
	if (!entry || entry->kind != HCA_TPT_FAST_MR)
		return HCA_VENDOR_ERR_REG_KEY;
	if (entry->generation)
		return HCA_VENDOR_ERR_REG_VALID;
	if (entry->pd != b->pd)
		return HCA_VENDOR_ERR_REG_PD;
	/* Refuse FLUSH_PERSISTENT, since it is not known whether the pages are persistent. */
	if (!key_rights_fit(b->access, b->access) || b->access & IB_UVERBS_ACCESS_FLUSH_PERSISTENT)
		return HCA_VENDOR_ERR_REG_RIGHTS;
	return key_pages_fit(entry, b) ? HCA_VENDOR_ERR_NONE : HCA_VENDOR_ERR_REG_BOUNDS;
}

enum hca_vendor_err hca_key_register(struct hca_tpt *tpt, const struct hca_binding *b)
{
	struct hca_tpt_entry *entry;
	enum hca_vendor_err error;

	spin_lock_bh(&tpt->lock);
	entry = hca_tpt_named(tpt, b->key);
	error = key_may_register(entry, b);
	if (!error) {
		entry->first_offset = offset_in_page(b->addr);
		memcpy(entry->page, entry->next_page,
		       DIV_ROUND_UP(entry->first_offset + b->length, PAGE_SIZE) *
			       sizeof(*entry->page));
		tpt_entry_set(tpt, entry, b);
	}
	spin_unlock_bh(&tpt->lock);
	return error;
}

/* --- windows */

/*
 * Check whether a window can be bound to an MR (req B4-290, R0-357, R0-361, R0-362). Windows cannot
 * be bound to a zero-based MR (req R0-332, R0-359).
 */
static enum hca_vendor_err mr_may_have_window(const struct hca_tpt_entry *entry,
					      const struct hca_binding *b)
{
	u64 offset;

	if (!entry || hca_tpt_is_window(entry) || entry->key != b->lkey || !entry->generation)
		return HCA_VENDOR_ERR_BIND_MR;
	if (entry->pd != b->pd)
		return HCA_VENDOR_ERR_BIND_MR_PD;
	if (!entry->page || entry->access & IB_UVERBS_ACCESS_ZERO_BASED)
		return HCA_VENDOR_ERR_BIND_MR_KIND;
	if (!(entry->access & IB_UVERBS_ACCESS_MW_BIND))
		return HCA_VENDOR_ERR_BIND_MR_ACCESS;
	if (!key_rights_fit(b->access, entry->access) ||
	    !key_persistence_fits(b->access, entry->access))
		return HCA_VENDOR_ERR_BIND_RIGHTS;
	offset = b->addr - entry->iova;
	return b->addr >= entry->iova && offset <= entry->length &&
	       b->length <= entry->length - offset ?
		       HCA_VENDOR_ERR_NONE : HCA_VENDOR_ERR_BIND_BOUNDS;
}

static enum hca_vendor_err key_may_bind(const struct hca_tpt_entry *window,
					const struct hca_binding *b)
{
	if (!window || !hca_tpt_is_window(window))
		return HCA_VENDOR_ERR_BIND_WINDOW;
	if (window->pd != b->pd)
		return HCA_VENDOR_ERR_BIND_WINDOW_PD;
	if (b->access & ~BIND_FLAGS)
		return HCA_VENDOR_ERR_BIND_FLAGS;
	if (window->kind == HCA_TPT_MW_2 && !b->length)
		return HCA_VENDOR_ERR_BIND_LENGTH;
	if (window->kind == HCA_TPT_MW_2 && window->generation)
		return HCA_VENDOR_ERR_BIND_BOUND;
	return window->key == b->key ? HCA_VENDOR_ERR_BIND_KEY : HCA_VENDOR_ERR_NONE;
}

static void window_set(struct hca_tpt *tpt, struct hca_tpt_entry *window,
		       struct hca_tpt_entry *entry, const struct hca_binding *b)
{
	u64 offset = b->addr - entry->iova + entry->first_offset;
	struct hca_binding own = *b;

	window->page = entry->page + (offset >> PAGE_SHIFT);
	window->first_offset = offset_in_page(offset);
	window->mr = entry;
	entry->windows++;
	if (window->kind == HCA_TPT_MW_2) {
		window->qpn = b->qpn;
		hlist_add_head(&window->qp_node, b->windows);
	}
	own.access &= WINDOW_RIGHTS | IB_UVERBS_ACCESS_ZERO_BASED;
	tpt_entry_set(tpt, window, &own);
}

static enum hca_vendor_err window_bind(struct hca_tpt *tpt, const struct hca_binding *b)
{
	struct hca_tpt_entry *window = hca_tpt_named(tpt, b->key);
	struct hca_tpt_entry *entry = hca_tpt_named(tpt, b->lkey);
	enum hca_vendor_err error = key_may_bind(window, b);

	if (!error && b->length)
		error = mr_may_have_window(entry, b);
	if (error)
		return error;
	hca_tpt_entry_revoke(window);
	if (b->length)
		window_set(tpt, window, entry, b);
	else
		WRITE_ONCE(window->key, b->key);
	return HCA_VENDOR_ERR_NONE;
}

enum hca_vendor_err hca_key_bind(struct hca_tpt *tpt, const struct hca_binding *b)
{
	enum hca_vendor_err error;

	spin_lock_bh(&tpt->lock);
	error = window_bind(tpt, b);
	spin_unlock_bh(&tpt->lock);
	return error;
}

/* --- invalidation */

static enum hca_vendor_err key_may_invalidate(const struct hca_tpt_entry *entry, u32 key,
					      const void *pd, u32 qpn, bool remote)
{
	if (!entry || entry->key != key)
		return HCA_VENDOR_ERR_INVALIDATE_KEY;
	if (remote && !(entry->access & HCA_REMOTE_ACCESS)) /* req R0-322 */
		return HCA_VENDOR_ERR_REMOTE_INVALIDATE;
	if (entry->kind == HCA_TPT_MW_2 && entry->generation)
		return entry->qpn == qpn ? HCA_VENDOR_ERR_NONE : HCA_VENDOR_ERR_INVALIDATE_QP;
	if (entry->kind != HCA_TPT_MW_2 && entry->kind != HCA_TPT_FAST_MR)
		return HCA_VENDOR_ERR_INVALIDATE_KIND;
	if (entry->pd != pd)
		return HCA_VENDOR_ERR_INVALIDATE_PD;
	return entry->windows ? HCA_VENDOR_ERR_INVALIDATE_BOUND : HCA_VENDOR_ERR_NONE;
}

enum hca_vendor_err hca_key_invalidate(struct hca_tpt *tpt, u32 key, const void *pd, u32 qpn,
				       bool remote)
{
	struct hca_tpt_entry *entry;
	enum hca_vendor_err error;

	spin_lock_bh(&tpt->lock);
	entry = hca_tpt_named(tpt, key);
	error = key_may_invalidate(entry, key, pd, qpn, remote);
	if (!error)
		hca_tpt_entry_revoke(entry);
	spin_unlock_bh(&tpt->lock);
	return error;
}

/* Unbind at most UNBIND_AT_ONCE windows. Return: whether windows are left. */
static bool window_unbind_some(struct hca_tpt *tpt, struct hlist_head *windows)
{
	unsigned int left = UNBIND_AT_ONCE;
	struct hca_tpt_entry *window;
	struct hlist_node *next;

	spin_lock_bh(&tpt->lock);
	hlist_for_each_entry_safe(window, next, windows, qp_node) {
		if (!left--)
			break;
		hca_tpt_entry_revoke(window);
	}
	spin_unlock_bh(&tpt->lock);
	return window;
}

void hca_keys_unbind(struct hca_tpt *tpt, struct hlist_head *windows)
{
	while (window_unbind_some(tpt, windows))
		cond_resched();
}
