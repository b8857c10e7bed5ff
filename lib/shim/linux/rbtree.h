/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Trees that are lists in ascending order. */
#ifndef SHIM_LINUX_RBTREE_H
#define SHIM_LINUX_RBTREE_H

#include <linux/bug.h>
#include <linux/container_of.h>
#include <linux/types.h>

struct rb_node {
	struct rb_node *next;
};

struct rb_root {
	struct rb_node *rb_node; /* the first node */
};

#define RB_ROOT ((struct rb_root){ NULL })
#define rb_entry(ptr, type, member) container_of(ptr, type, member)

static inline void rb_add(struct rb_node *node, struct rb_root *tree,
			  bool (*less)(struct rb_node *, const struct rb_node *))
{
	struct rb_node **at = &tree->rb_node;

	while (*at && !less(node, *at))
		at = &(*at)->next;
	node->next = *at;
	*at = node;
}

static inline void rb_erase(struct rb_node *node, struct rb_root *tree)
{
	struct rb_node **at = &tree->rb_node;

	while (*at && *at != node)
		at = &(*at)->next;
	if (!WARN_ON(!*at))
		*at = node->next;
}

static inline struct rb_node *rb_find_first(const void *key, const struct rb_root *tree,
					    int (*cmp)(const void *key, const struct rb_node *))
{
	struct rb_node *node = tree->rb_node;

	while (node && cmp(key, node))
		node = node->next;
	return node;
}

#endif
