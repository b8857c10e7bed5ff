/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_LIST_H
#define SHIM_LINUX_LIST_H

#include <linux/bug.h>
#include <linux/container_of.h>
#include <linux/poison.h>
#include <linux/types.h>

/* Lists are checked as with CONFIG_DEBUG_LIST. */

#define LIST_HEAD_INIT(name) { &(name), &(name) }
#define LIST_HEAD(name) struct list_head name = LIST_HEAD_INIT(name)

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list;
	list->prev = list;
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

static inline bool list_is_singular(const struct list_head *head)
{
	return !list_empty(head) && head->next == head->prev;
}

static inline bool list_is_last(const struct list_head *entry, const struct list_head *head)
{
	return entry->next == head;
}

static inline bool list_is_first(const struct list_head *entry, const struct list_head *head)
{
	return entry->prev == head;
}

static inline void shim_list_join(struct list_head *prev, struct list_head *next)
{
	prev->next = next;
	next->prev = prev;
}

static inline void shim_list_insert(struct list_head *entry, struct list_head *prev,
				    struct list_head *next)
{
	WARN(prev->next != next || next->prev != prev, "list corrupted");
	WARN(entry == prev || entry == next, "double list_add");
	shim_list_join(entry, next);
	shim_list_join(prev, entry);
}

static inline void list_add(struct list_head *entry, struct list_head *head)
{
	shim_list_insert(entry, head, head->next);
}

static inline void list_add_tail(struct list_head *entry, struct list_head *head)
{
	shim_list_insert(entry, head->prev, head);
}

static inline void shim_list_remove(struct list_head *entry)
{
	WARN(entry->next == LIST_POISON1 || entry->prev == LIST_POISON2, "double list_del");
	WARN(entry->prev->next != entry || entry->next->prev != entry, "list corrupted");
	shim_list_join(entry->prev, entry->next);
}

static inline void list_del(struct list_head *entry)
{
	shim_list_remove(entry);
	entry->next = LIST_POISON1;
	entry->prev = LIST_POISON2;
}

static inline void list_del_init(struct list_head *entry)
{
	shim_list_remove(entry);
	INIT_LIST_HEAD(entry);
}

static inline void list_replace(struct list_head *old, struct list_head *entry)
{
	shim_list_join(entry, old->next);
	shim_list_join(old->prev, entry);
}

static inline void list_replace_init(struct list_head *old, struct list_head *entry)
{
	list_replace(old, entry);
	INIT_LIST_HEAD(old);
}

static inline void list_move(struct list_head *entry, struct list_head *head)
{
	shim_list_remove(entry);
	list_add(entry, head);
}

static inline void list_move_tail(struct list_head *entry, struct list_head *head)
{
	shim_list_remove(entry);
	list_add_tail(entry, head);
}

static inline void list_splice(struct list_head *list, struct list_head *head)
{
	struct list_head *first = list->next, *last = list->prev;

	if (list_empty(list))
		return;
	shim_list_join(last, head->next);
	shim_list_join(head, first);
}

static inline void list_splice_tail(struct list_head *list, struct list_head *head)
{
	list_splice(list, head->prev);
}

static inline void list_splice_init(struct list_head *list, struct list_head *head)
{
	list_splice(list, head);
	INIT_LIST_HEAD(list);
}

static inline void list_splice_tail_init(struct list_head *list, struct list_head *head)
{
	list_splice_tail(list, head);
	INIT_LIST_HEAD(list);
}

static inline void list_rotate_left(struct list_head *head)
{
	if (!list_empty(head))
		list_move_tail(head->next, head);
}

#define list_entry(ptr, type, member) container_of(ptr, type, member)
#define list_first_entry(head, type, member) list_entry((head)->next, type, member)
#define list_last_entry(head, type, member) list_entry((head)->prev, type, member)
#define list_next_entry(pos, member) list_entry((pos)->member.next, typeof(*(pos)), member)
#define list_prev_entry(pos, member) list_entry((pos)->member.prev, typeof(*(pos)), member)
#define list_entry_is_head(pos, head, member) (&(pos)->member == (head))
#define list_first_entry_or_null(head, type, member) \
	(list_empty(head) ? NULL : list_first_entry(head, type, member))

#define list_for_each(pos, head) \
	for ((pos) = (head)->next; (pos) != (head); (pos) = (pos)->next)
#define list_for_each_safe(pos, n, head) \
	for ((pos) = (head)->next, (n) = (pos)->next; (pos) != (head); \
	     (pos) = (n), (n) = (pos)->next)
#define list_for_each_entry(pos, head, member) \
	for ((pos) = list_first_entry(head, typeof(*(pos)), member); \
	     !list_entry_is_head(pos, head, member); (pos) = list_next_entry(pos, member))
#define list_for_each_entry_reverse(pos, head, member) \
	for ((pos) = list_last_entry(head, typeof(*(pos)), member); \
	     !list_entry_is_head(pos, head, member); (pos) = list_prev_entry(pos, member))
#define list_for_each_entry_safe(pos, n, head, member) \
	for ((pos) = list_first_entry(head, typeof(*(pos)), member), \
	    (n) = list_next_entry(pos, member); \
	     !list_entry_is_head(pos, head, member); \
	     (pos) = (n), (n) = list_next_entry(n, member))
#define list_for_each_entry_continue(pos, head, member) \
	for ((pos) = list_next_entry(pos, member); !list_entry_is_head(pos, head, member); \
	     (pos) = list_next_entry(pos, member))
#define list_for_each_entry_from(pos, head, member) \
	for (; !list_entry_is_head(pos, head, member); (pos) = list_next_entry(pos, member))

#define HLIST_HEAD_INIT { .first = NULL }
#define HLIST_HEAD(name) struct hlist_head name = HLIST_HEAD_INIT
#define INIT_HLIST_HEAD(head) ((head)->first = NULL)

static inline void INIT_HLIST_NODE(struct hlist_node *node)
{
	node->next = NULL;
	node->pprev = NULL;
}

static inline bool hlist_empty(const struct hlist_head *head)
{
	return !head->first;
}

static inline bool hlist_unhashed(const struct hlist_node *node)
{
	return !node->pprev;
}

static inline void hlist_add_head(struct hlist_node *node, struct hlist_head *head)
{
	node->next = head->first;
	node->pprev = &head->first;
	if (head->first)
		head->first->pprev = &node->next;
	head->first = node;
}

static inline void shim_hlist_remove(struct hlist_node *node)
{
	WARN(node->pprev == LIST_POISON2, "double hlist_del");
	*node->pprev = node->next;
	if (node->next)
		node->next->pprev = node->pprev;
}

static inline void hlist_del(struct hlist_node *node)
{
	shim_hlist_remove(node);
	node->next = LIST_POISON1;
	node->pprev = LIST_POISON2;
}

static inline void hlist_del_init(struct hlist_node *node)
{
	if (hlist_unhashed(node))
		return;
	shim_hlist_remove(node);
	INIT_HLIST_NODE(node);
}

#define hlist_entry(ptr, type, member) container_of(ptr, type, member)
#define hlist_entry_safe(ptr, type, member) \
	({ \
		struct hlist_node *hlist_ptr = (ptr); \
		hlist_ptr ? hlist_entry(hlist_ptr, type, member) : NULL; \
	})
#define hlist_for_each_entry(pos, head, member) \
	for ((pos) = hlist_entry_safe((head)->first, typeof(*(pos)), member); (pos); \
	     (pos) = hlist_entry_safe((pos)->member.next, typeof(*(pos)), member))
#define hlist_for_each_entry_safe(pos, n, head, member) \
	for ((pos) = hlist_entry_safe((head)->first, typeof(*(pos)), member); \
	     (pos) && ({ (n) = (pos)->member.next; true; }); \
	     (pos) = hlist_entry_safe(n, typeof(*(pos)), member))

#endif
