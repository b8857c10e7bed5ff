/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The objects that netlink shows individually. */
#ifndef HCA_VERBS_CORE_TRACK_H
#define HCA_VERBS_CORE_TRACK_H

#include <linux/mutex.h>
#include <linux/rbtree.h>
#include "verbs/core/device.h"

struct ib_device;
struct pid;
struct rdma_restrack_entry;

/* An object that netlink shows, from the end of its creation until its destruction begins. */
struct hca_tracked {
	struct rb_node node; /* entry of hca_track.objects */
	unsigned long id; /* identifier from 1, in the order of creation; never reused */
	struct ib_device *ib;
	struct pid *owner; /* the process that has created it; NULL: a kernel consumer */
	const char *consumer; /* name of the kernel consumer; NULL: a process */
};

/* All objects of a type. */
struct hca_track {
	/* guards the other fields, and keeps the objects of the table alive while it is held */
	struct mutex lock;
	struct rb_root objects; /* struct hca_tracked by id */
	unsigned long last_id;
};

void hca_tracks_init(struct hca_device *dev);

/**
 * hca_track() - add a new object to those that netlink shows
 * @ib: device of the object
 * @type: type of the object
 * @tracked: the object's member of type struct hca_tracked
 * @consumer: the RDMA core's entry of the kernel consumer that owns the object; NULL: the current
 *            process has created it
 *
 * Context: process.
 */
void hca_track(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked,
	       const struct rdma_restrack_entry *consumer);

/* Hides an object, which is being destroyed, from netlink. Context: process. */
void hca_untrack(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked);

/*
 * Hides an object from netlink before its destruction is tried. If the destruction fails,
 * hca_track_show() shows the object again. Context: process.
 */
void hca_track_hide(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked);
void hca_track_show(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked);

#endif
