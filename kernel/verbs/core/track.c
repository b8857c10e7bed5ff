// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Objects that netlink shows individually: one table for each type, in the order of creation. The
 * RDMA core has tables, too, but without memory windows, EE contexts and the order of creation.
 */
#include "verbs/core/track.h"
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include "verbs/core/hca_device.h"
#include "verbs/core/view.h"

void hca_tracks_init(struct hca_device *dev)
{
	struct hca_track *track;

	for (track = dev->tracks; track < dev->tracks + HCA_NUM_RESOURCES; track++) {
		mutex_init(&track->lock);
		track->objects = RB_ROOT;
	}
}

static struct hca_track *track_of(struct ib_device *ib, enum hca_resource type)
{
	return &to_hca_device(ib)->tracks[type];
}

static bool track_less(struct rb_node *a, const struct rb_node *b)
{
	unsigned long id = rb_entry(b, struct hca_tracked, node)->id;

	return rb_entry(a, struct hca_tracked, node)->id < id;
}

void hca_track(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked,
	       const struct rdma_restrack_entry *consumer)
{
	struct hca_track *track = track_of(ib, type);

	tracked->ib = ib;
	tracked->owner = consumer ? NULL : get_pid(task_tgid(current));
	tracked->consumer = consumer ? consumer->kern_name ?: "kernel" : NULL;
	mutex_lock(&track->lock);
	tracked->id = ++track->last_id;
	rb_add(&tracked->node, &track->objects, track_less);
	mutex_unlock(&track->lock);
}

void hca_track_hide(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked)
{
	struct hca_track *track = track_of(ib, type);

	mutex_lock(&track->lock);
	rb_erase(&tracked->node, &track->objects);
	mutex_unlock(&track->lock);
}

void hca_track_show(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked)
{
	struct hca_track *track = track_of(ib, type);

	mutex_lock(&track->lock);
	rb_add(&tracked->node, &track->objects, track_less);
	mutex_unlock(&track->lock);
}

void hca_untrack(struct ib_device *ib, enum hca_resource type, struct hca_tracked *tracked)
{
	hca_track_hide(ib, type, tracked);
	put_pid(tracked->owner);
}

/* Returns the object with the lowest id that is at least @from; or NULL. The lock is held. */
static struct hca_tracked *track_first(const struct hca_track *track, unsigned long from)
{
	struct rb_node *node = track->objects.rb_node;
	struct hca_tracked *found = NULL, *here;

	while (node) {
		here = rb_entry(node, struct hca_tracked, node);
		if (here->id >= from)
			found = here;
		node = here->id >= from ? node->rb_left : node->rb_right;
	}
	return found;
}

bool hca_device_resource(struct hca_device *dev, enum hca_resource type, unsigned long from,
			 bool admin, struct hca_resource_view *view)
{
	struct hca_track *track = &dev->tracks[type];
	struct hca_tracked *tracked;

	*view = (struct hca_resource_view){};
	mutex_lock(&track->lock);
	tracked = track_first(track, from);
	if (tracked) {
		view->id = tracked->id;
		view->pid = pid_vnr(tracked->owner);
		strscpy(view->consumer, tracked->consumer ?: "", sizeof(view->consumer));
		hca_tracked_views[type](tracked, admin, view);
	}
	mutex_unlock(&track->lock);
	return tracked;
}
