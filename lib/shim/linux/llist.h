/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef SHIM_LINUX_LLIST_H
#define SHIM_LINUX_LLIST_H

#include <linux/atomic.h>
#include <linux/container_of.h>
#include <linux/types.h>

struct llist_node {
	struct llist_node *next;
};

struct llist_head {
	struct llist_node *first;
};

#define LLIST_HEAD_INIT(name) { NULL }
#define LLIST_HEAD(name) struct llist_head name = LLIST_HEAD_INIT(name)

static inline void init_llist_head(struct llist_head *list)
{
	list->first = NULL;
}

static inline bool llist_empty(const struct llist_head *head)
{
	return !READ_ONCE(head->first);
}

/* Add the entries from @first to @last. Returns whether the list was empty before. */
static inline bool llist_add_batch(struct llist_node *first, struct llist_node *last,
				   struct llist_head *head)
{
	struct llist_node *old = READ_ONCE(head->first);

	do
		last->next = old;
	while (!try_cmpxchg(&head->first, &old, first));
	return !old;
}

static inline bool llist_add(struct llist_node *node, struct llist_head *head)
{
	return llist_add_batch(node, node, head);
}

static inline struct llist_node *llist_del_all(struct llist_head *head)
{
	return xchg(&head->first, NULL);
}

static inline struct llist_node *llist_del_first(struct llist_head *head)
{
	struct llist_node *first = READ_ONCE(head->first);

	while (first && !try_cmpxchg(&head->first, &first, first->next))
		;
	return first;
}

static inline struct llist_node *llist_reverse_order(struct llist_node *node)
{
	struct llist_node *reversed = NULL, *next;

	for (; node; node = next) {
		next = node->next;
		node->next = reversed;
		reversed = node;
	}
	return reversed;
}

#define llist_entry(ptr, type, member) container_of(ptr, type, member)
#define shim_llist_entry_safe(ptr, type, member) \
	({ \
		struct llist_node *llist_ptr = (ptr); \
		llist_ptr ? llist_entry(llist_ptr, type, member) : NULL; \
	})
#define llist_for_each(pos, node) for ((pos) = (node); (pos); (pos) = (pos)->next)
#define llist_for_each_safe(pos, n, node) \
	for ((pos) = (node); (pos) && ((n) = (pos)->next, true); (pos) = (n))
#define llist_for_each_entry(pos, node, member) \
	for ((pos) = shim_llist_entry_safe(node, typeof(*(pos)), member); (pos); \
	     (pos) = shim_llist_entry_safe((pos)->member.next, typeof(*(pos)), member))
#define llist_for_each_entry_safe(pos, n, node, member) \
	for ((pos) = shim_llist_entry_safe(node, typeof(*(pos)), member); \
	     (pos) && ((n) = shim_llist_entry_safe((pos)->member.next, typeof(*(n)), member), \
		       true); \
	     (pos) = (n))

#endif
