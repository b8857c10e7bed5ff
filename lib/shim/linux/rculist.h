/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_RCULIST_H
#define SHIM_LINUX_RCULIST_H

#include <linux/list.h>
#include <linux/rcupdate.h>

/* The next pointer stays valid, for readers that are on the entry. */
static inline void list_del_rcu(struct list_head *entry)
{
	shim_list_remove(entry);
	entry->prev = LIST_POISON2;
}

static inline void hlist_del_rcu(struct hlist_node *node)
{
	shim_hlist_remove(node);
	node->pprev = LIST_POISON2;
}

static inline void hlist_del_init_rcu(struct hlist_node *node)
{
	if (hlist_unhashed(node))
		return;
	shim_hlist_remove(node);
	node->pprev = NULL;
}

#define list_add_rcu(entry, head) list_add(entry, head)
#define list_add_tail_rcu(entry, head) list_add_tail(entry, head)
#define list_replace_rcu(old, entry) list_replace(old, entry)
#define hlist_add_head_rcu(node, head) hlist_add_head(node, head)

#define list_for_each_entry_rcu(pos, head, member, held...) \
	for (shim_rcu_assert(rcu_read_lock_any_held() || (held + 0)), \
	     (pos) = list_first_entry(head, typeof(*(pos)), member); \
	     !list_entry_is_head(pos, head, member); (pos) = list_next_entry(pos, member))
#define hlist_for_each_entry_rcu(pos, head, member, held...) \
	for (shim_rcu_assert(rcu_read_lock_any_held() || (held + 0)), \
	     (pos) = hlist_entry_safe((head)->first, typeof(*(pos)), member); (pos); \
	     (pos) = hlist_entry_safe((pos)->member.next, typeof(*(pos)), member))

#endif
