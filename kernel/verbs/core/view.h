/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Snapshots of the objects that netlink shows individually. */
#ifndef HCA_VERBS_CORE_VIEW_H
#define HCA_VERBS_CORE_VIEW_H

#include <linux/bitops.h>
#include "verbs/core/device.h"

struct hca_qp_view;
struct hca_tracked;

static inline void hca_resource_set(struct hca_resource_view *view, unsigned int attr, u64 value)
{
	__set_bit(attr, view->present);
	view->value[attr] = value;
}

/* Functions that take a snapshot of an object; the lock of the object's table is held. */
extern void (*const hca_tracked_views[HCA_NUM_RESOURCES])(const struct hca_tracked *tracked,
							  bool admin,
							  struct hca_resource_view *view);

/* Adds the values of a queue pair or EE context to its snapshot. */
void hca_resource_view_qp(struct hca_resource_view *view, const struct hca_qp_view *qp);

/* ib/eec.c: an entry of hca_tracked_views */
void hca_resource_view_eec(const struct hca_tracked *tracked, bool admin,
			   struct hca_resource_view *view);

#endif
