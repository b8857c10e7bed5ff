// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Asynchronous events of EE contexts. The RDMA core does not have such events; a process reads them
 * from a file of this driver (req V3-206).
 *
 * An event source is the part of an EE context that raises events. If it has pending events, it is
 * in a list of the file. It has one bit for each type of event, so that a notification allocates no
 * memory and cannot overflow. The file may outlive its context and its device. Each event source
 * holds a reference to the uobject of the file.
 */
#include <linux/bitops.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/uaccess.h>
#include <linux/wait.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/uverbs_types.h>
#include "verbs/ib/ca_device.h"

#define UVERBS_MODULE_NAME hca
#include <rdma/uverbs_named_ioctl.h>

struct hca_events {
	struct ib_uobject uobject;
	/* leaf lock, BH disabled; protects sources, gone, and types and pending of each source */
	spinlock_t lock;
	struct list_head sources; /* sources with pending events, by hca_event_source.pending */
	bool gone; /* the context or the device was removed */
	wait_queue_head_t wait;
};

/**
 * hca_event_source_init() - initialize the event source of a new EE context
 * @source: event source
 * @events: uobject of the events file, locked by the current command; NULL: no events file
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
 * hca_event_source_notify() - queue an event
 * @source: event source of the EE context
 * @type: type of the event; nothing is queued if an event of this type is pending already
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

/* Removes a source, which is not notified any more, with its events. Context: process. */
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

/*
 * Dequeues one event of the first source. A source with further events moves to the end of the
 * list. The caller holds the lock.
 */
static void events_remove_first(struct hca_events *events, struct hca_eec_event *event)
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

/* Dequeues an event. Return: 0, -EAGAIN (none is pending), -EIO (the context was removed). */
static int events_pop(struct hca_events *events, struct hca_eec_event *event)
{
	int ret = 0;

	spin_lock_bh(&events->lock);
	if (events->gone)
		ret = -EIO;
	else if (list_empty(&events->sources))
		ret = -EAGAIN;
	else
		events_remove_first(events, event);
	spin_unlock_bh(&events->lock);
	return ret;
}

static struct hca_events *events_of_file(const struct file *file)
{
	return container_of(file->private_data, struct hca_events, uobject);
}

static ssize_t events_read(struct file *file, char __user *buf, size_t count, loff_t *pos)
{
	struct hca_events *events = events_of_file(file);
	struct hca_eec_event event;
	int ret, dequeued;

	if (count < sizeof(event))
		return -EINVAL;
	dequeued = events_pop(events, &event);
	if (dequeued == -EAGAIN && !(file->f_flags & O_NONBLOCK)) {
		ret = wait_event_interruptible(events->wait,
					       (dequeued = events_pop(events, &event)) != -EAGAIN);
		if (ret)
			return ret;
	}
	if (dequeued)
		return dequeued;
	return copy_to_user(buf, &event, sizeof(event)) ? -EFAULT : sizeof(event);
}

static __poll_t events_poll(struct file *file, struct poll_table_struct *table)
{
	struct hca_events *events = events_of_file(file);
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

	ret = hca_user_object_add(uobject->context->device,
				  to_hca_ib_context(uobject->context)->user, HCA_OBJ_EVENTS);
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
	/* The list has at most HCA_MAX_EEC entries, because each EE context is in it once. */
	list_for_each_entry_safe(source, next, &events->sources, pending)
		list_del_init(&source->pending);
	spin_unlock_bh(&events->lock);
	wake_up_interruptible(&events->wait);
	hca_user_object_del(uobject->context->device, to_hca_ib_context(uobject->context)->user,
			    HCA_OBJ_EVENTS);
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
