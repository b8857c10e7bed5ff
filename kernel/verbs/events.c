// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Events of EE contexts, which the RDMA core has no words for: a file that is read (V3-206).
 *
 * Who has something to tell stands in the file's line, with a bit for each kind of event, so that
 * telling takes no memory and nothing overflows. The file outlives its context and its device if
 * the process keeps it open; its memory outlives all who tell, for each of them has a reference.
 */
#include <linux/bitops.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/uverbs_types.h>
#include "verbs/verbs.h"

#define UVERBS_MODULE_NAME hca
#include <rdma/uverbs_named_ioctl.h>

struct hca_events {
	struct ib_uobject uobject;
	spinlock_t lock; /* BH; leaf; guards all below, and each teller's bits and place */
	struct list_head sources; /* struct hca_event_source.pending */
	bool gone; /* the context or the device has */
	wait_queue_head_t wait;
};

/**
 * hca_event_source_init() - an EE context that is about to be made has a file for its events
 * @source: the context's
 * @events: the file's object, locked for the command at hand; NULL: there is none
 *
 * Context: process.
 */
void hca_event_source_init(struct hca_event_source *source, struct ib_uobject *events)
{
	INIT_LIST_HEAD(&source->pending);
	source->types = 0;
	source->to = NULL;
	if (!events)
		return;
	uverbs_uobject_get(events);
	source->to = container_of(events, struct hca_events, uobject);
}

/**
 * hca_event_source_notify() - something has happened
 * @source: the EE context's
 * @type: what
 *
 * Context: BH disabled.
 */
void hca_event_source_notify(struct hca_event_source *source, enum ib_event_type type)
{
	struct hca_events *events = source->to;

	if (!events)
		return;
	spin_lock(&events->lock);
	if (!events->gone) {
		if (!source->types)
			list_add_tail(&source->pending, &events->sources);
		source->types |= BIT(type);
	}
	spin_unlock(&events->lock);
	wake_up_interruptible(&events->wait);
}

/* It tells nothing any more, and what it has told is not read any more. Context: process. */
void hca_event_source_destroy(struct hca_event_source *source)
{
	struct hca_events *events = source->to;

	if (!events)
		return;
	spin_lock_bh(&events->lock);
	list_del(&source->pending);
	spin_unlock_bh(&events->lock);
	uverbs_uobject_put(&events->uobject);
}

/* Of whom there is more has its turn after the others. The lock is held. */
static void remove_first(struct hca_events *events, struct hca_eec_event *event)
{
	struct hca_event_source *source =
		list_first_entry(&events->sources, struct hca_event_source, pending);

	event->eecn = source->eecn;
	event->type = __ffs(source->types);
	source->types &= ~BIT(event->type);
	if (source->types)
		list_move_tail(&source->pending, &events->sources);
	else
		list_del_init(&source->pending);
}

/* Return: 0; -EAGAIN: there is none; -EIO: nor will there be. */
static int take(struct hca_events *events, struct hca_eec_event *event)
{
	int ret = 0;

	spin_lock_bh(&events->lock);
	if (events->gone)
		ret = -EIO;
	else if (list_empty(&events->sources))
		ret = -EAGAIN;
	else
		remove_first(events, event);
	spin_unlock_bh(&events->lock);
	return ret;
}

static struct hca_events *events_of(const struct file *file)
{
	return container_of(file->private_data, struct hca_events, uobject);
}

static ssize_t events_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	struct hca_events *events = events_of(file);
	struct hca_eec_event event;
	int ret, taken;

	if (count < sizeof(event))
		return -EINVAL;
	taken = take(events, &event);
	if (taken == -EAGAIN && !(file->f_flags & O_NONBLOCK)) {
		ret = wait_event_interruptible(events->wait,
					       (taken = take(events, &event)) != -EAGAIN);
		if (ret)
			return ret;
	}
	if (taken)
		return taken;
	return copy_to_user(buf, &event, sizeof(event)) ? -EFAULT : sizeof(event);
}

static __poll_t events_poll(struct file *file, struct poll_table_struct *table)
{
	struct hca_events *events = events_of(file);
	__poll_t mask = 0;

	poll_wait(file, &events->wait, table);
	spin_lock_bh(&events->lock);
	if (events->gone)
		mask = EPOLLIN | EPOLLRDNORM | EPOLLHUP;
	else if (!list_empty(&events->sources))
		mask = EPOLLIN | EPOLLRDNORM;
	spin_unlock_bh(&events->lock);
	return mask;
}

static const struct file_operations events_fops = {
	.owner = THIS_MODULE,
	.read = events_read,
	.poll = events_poll,
	.release = uverbs_uobject_fd_release,
};

static int UVERBS_HANDLER(HCA_METHOD_EVENTS_ALLOC)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobject = uverbs_attr_get_uobject(attrs, HCA_ATTR_EVENTS_ALLOC_FD);
	struct hca_events *events = container_of(uobject, struct hca_events, uobject);
	int ret;

	ret = hca_object_add(uobject->context->device, HCA_OBJ_EVENTS);
	if (ret)
		return ret;
	spin_lock_init(&events->lock);
	INIT_LIST_HEAD(&events->sources);
	init_waitqueue_head(&events->wait);
	return 0;
}

static void events_destroy(struct ib_uobject *uobject, enum rdma_remove_reason why)
{
	struct hca_events *events = container_of(uobject, struct hca_events, uobject);
	struct hca_event_source *source, *next;

	spin_lock_bh(&events->lock);
	events->gone = true;
	list_for_each_entry_safe(source, next, &events->sources, pending)
		list_del_init(&source->pending);
	spin_unlock_bh(&events->lock);
	wake_up_interruptible(&events->wait);
	hca_object_del(uobject->context->device, HCA_OBJ_EVENTS);
}

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_EVENTS_ALLOC,
			    UVERBS_ATTR_FD(HCA_ATTR_EVENTS_ALLOC_FD, HCA_OBJECT_EVENTS,
					   UVERBS_ACCESS_NEW, UA_MANDATORY));

DECLARE_UVERBS_NAMED_OBJECT(HCA_OBJECT_EVENTS,
			    UVERBS_TYPE_ALLOC_FD(sizeof(struct hca_events), events_destroy,
						 &events_fops, "[hca_events]", O_RDONLY),
			    &UVERBS_METHOD(HCA_METHOD_EVENTS_ALLOC));

const struct uapi_definition hca_events_definitions[] = {
	UAPI_DEF_CHAIN_OBJ_TREE_NAMED(HCA_OBJECT_EVENTS),
	{},
};
