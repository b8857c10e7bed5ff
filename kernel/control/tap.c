// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The device file /dev/hca_tap. Each open file is a capture. The file owns its taps, one for each
 * captured port, RNIC or queue pair of an RNIC. A tap is on an RCU list of its port, or of its
 * RNIC, until the file is closed or the device is deleted.
 */
#include "control/tap.h"
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/hca_tap.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>
#include "capture/capture.h"
#include "control/kinds.h"
#include "control/registry.h"
#include "control/rnic_taps.h"
#include "control/tap_file.h"
#include "fabric/node.h"
#include "link/tap/tap.h"
#include "packet/serialize.h"
#include "payer.h"

#define DEFAULT_OCTETS (1u << 22)
#define MAX_CAPTURES 1024
#define KEPT_CAPTURES 64 /* how many of the MAX_CAPTURES captures are reserved for root */
#define BOTH (HCA_TAP_IN | HCA_TAP_OUT)

static unsigned int user_captures = 16;
module_param(user_captures, uint, 0644);
MODULE_PARM_DESC(user_captures, "captures that a user has open, at most (default 16)");

static LIST_HEAD(tap_files); /* all open files; under the control mutex */

static void tap_notify(struct hca_capture *capture)
{
	struct tap_file *file = hca_tap_file_of(capture);

	if (wq_has_sleeper(&file->wait))
		wake_up_interruptible_poll(&file->wait, EPOLLIN | EPOLLRDNORM);
}

/* Return whether a user may open one more capture. Root may open all MAX_CAPTURES. */
static bool tap_user_may_open(kuid_t user)
{
	unsigned int all = 0, own = 0;
	const struct tap_file *file;

	list_for_each_entry(file, &tap_files, entry) {
		all++;
		own += uid_eq(file->user, user);
	}
	if (uid_eq(user, GLOBAL_ROOT_UID))
		return all < MAX_CAPTURES;
	return all < MAX_CAPTURES - KEPT_CAPTURES && own < READ_ONCE(user_captures);
}

static int tap_file_add(struct tap_file *file)
{
	bool may;

	mutex_lock(&hca_control_mutex);
	may = tap_user_may_open(file->user);
	if (may)
		list_add_tail(&file->entry, &tap_files);
	mutex_unlock(&hca_control_mutex);
	return may ? 0 : -EMFILE;
}

static int tap_open(struct inode *inode, struct file *filp)
{
	struct tap_file *file;
	int ret;

	if (!capable(CAP_NET_RAW))
		return -EPERM;
	file = kzalloc(sizeof(*file), GFP_KERNEL_ACCOUNT);
	if (!file)
		return -ENOMEM;
	init_waitqueue_head(&file->wait);
	mutex_init(&file->lock);
	INIT_LIST_HEAD(&file->taps);
	INIT_LIST_HEAD(&file->rnic_taps);
	file->user = hca_payer();
	ret = tap_file_add(file);
	if (ret) {
		kfree(file);
		return ret;
	}
	filp->private_data = file;
	return nonseekable_open(inode, filp);
}

static int tap_release(struct inode *inode, struct file *filp)
{
	struct tap_file *file = filp->private_data;
	struct hca_tap *tap, *next;

	mutex_lock(&hca_control_mutex);
	list_del(&file->entry);
	list_for_each_entry(tap, &file->taps, node)
		if (tap->port)
			hca_flow_update(hca_tap_detach(tap));
	hca_rnic_taps_detach(file);
	mutex_unlock(&hca_control_mutex);
	/* No port and no RNIC uses a tap or the ring after the grace period. */
	synchronize_rcu();
	list_for_each_entry_safe(tap, next, &file->taps, node)
		kfree(tap);
	hca_rnic_taps_free(file);
	vfree(file->capture.ring);
	kfree(file);
	return 0;
}

/*
 * Detach the taps of a port and move them to @detached. The caller notifies their captures after a
 * grace period, when the last records have been written. A port has at most HCA_MAX_PORT_TAPS taps.
 */
static void tap_detach_all(struct hca_port *port, struct list_head *detached)
{
	struct hca_tap *tap;

	while ((tap = rcu_dereference_protected(port->taps, true))) {
		hca_flow_update(hca_tap_detach(tap));
		list_move_tail(&tap->node, detached);
	}
}

static void tap_notify_end(struct hca_tap *tap)
{
	struct tap_file *file = hca_tap_file_of(tap->capture);

	list_move_tail(&tap->node, &file->taps);
	hca_tap_file_ended(file);
}

void hca_taps_end(const struct hca_entry *entry)
{
	struct hca_tap *tap, *next;
	LIST_HEAD(detached);
	u32 num;

	lockdep_assert_held(&hca_control_mutex);
	hca_rnic_taps_end(entry);
	for (num = 1; num <= hca_registry_num_ports(entry); num++)
		tap_detach_all(hca_registry_port(entry, num), &detached);
	if (list_empty(&detached))
		return;
	synchronize_rcu();
	list_for_each_entry_safe(tap, next, &detached, node)
		tap_notify_end(tap);
}

/*
 * Copy as many whole records as fit. Return: the number of octets; 0 if there is no record; -EINVAL
 * if not even the first record fits; -EFAULT.
 */
static ssize_t tap_read_records(struct tap_file *file, char __user *buf, size_t count)
{
	const struct hca_tap_record *record;
	size_t done = 0;
	u32 octets;

	while ((record = hca_capture_first(&file->capture))) {
		octets = hca_record_octets(record->captured);
		if (octets > count - done)
			return done ?: -EINVAL;
		if (copy_to_user(buf + done, record, octets))
			return done ?: -EFAULT;
		hca_capture_drop(&file->capture);
		done += octets;
	}
	return done;
}

/*
 * Copy records. If no tap is attached any more, *ended is set to true: no record follows. Otherwise
 * it is set to false. Return: the number of octets; 0 if there is no record; -EINVAL if the first
 * record does not fit; -EFAULT; -ERESTARTSYS.
 */
static ssize_t tap_try_read(struct tap_file *file, char __user *buf, size_t count, bool *ended)
{
	ssize_t done;

	if (mutex_lock_interruptible(&file->lock))
		return -ERESTARTSYS;
	*ended = !smp_load_acquire(&file->live);
	done = file->capture.ring ? tap_read_records(file, buf, count) : 0;
	mutex_unlock(&file->lock);
	return done;
}

static ssize_t tap_read(struct file *filp, char __user *buf, size_t count, loff_t *pos)
{
	struct tap_file *file = filp->private_data;
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	ssize_t done;
	bool ended;

	add_wait_queue(&file->wait, &wait);
	for (;;) {
		done = tap_try_read(file, buf, count, &ended);
		if (done || ended)
			break;
		if (filp->f_flags & O_NONBLOCK)
			done = -EAGAIN;
		else if (signal_pending(current))
			done = -ERESTARTSYS;
		if (done)
			break;
		wait_woken(&wait, TASK_INTERRUPTIBLE, MAX_SCHEDULE_TIMEOUT);
	}
	remove_wait_queue(&file->wait, &wait);
	return done;
}

static __poll_t tap_poll(struct file *filp, poll_table *wait)
{
	struct tap_file *file = filp->private_data;
	__poll_t mask = 0;

	poll_wait(filp, &file->wait, wait);
	if (!smp_load_acquire(&file->live))
		mask |= EPOLLHUP;
	if (smp_load_acquire(&file->ready) && hca_capture_is_readable(&file->capture))
		mask |= EPOLLIN | EPOLLRDNORM;
	return mask;
}

static int tap_set_up(struct tap_file *file, const struct hca_tap_setup *setup)
{
	u32 octets = setup->ring_octets;
	void *ring;

	if (file->capture.ring)
		return -EBUSY;
	if (!is_power_of_2(octets) || octets < HCA_CAPTURE_MIN_OCTETS ||
	    octets > HCA_CAPTURE_MAX_OCTETS)
		return -EINVAL;
	/* The ring is zeroed, since the padding of records is copied to user space. */
	ring = __vmalloc(octets, GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_NOWARN);
	if (!ring)
		return -ENOMEM;
	hca_capture_init(&file->capture, ring, octets, setup->snap_length ?: U32_MAX, tap_notify);
	smp_store_release(&file->ready, true);
	return 0;
}

static int tap_find_port(const struct hca_tap_port *name, struct hca_port **port)
{
	struct hca_entry *entry = hca_registry_find(name->device);

	if (!entry || entry->going)
		return -ENODEV;
	if (!entry->kind->has_links)
		return -EOPNOTSUPP;
	/* Port 0 has no link. */
	*port = name->port ? hca_registry_port(entry, name->port) : NULL;
	return *port ? 0 : -ENXIO;
}

static bool tap_port_is_full(const struct hca_port *port, kuid_t user)
{
	unsigned int kept = uid_eq(user, GLOBAL_ROOT_UID) ? 0 : HCA_TAP_KEPT_TAPS;

	return hca_tap_count(port) >= HCA_MAX_PORT_TAPS - kept;
}

static int tap_attach(struct tap_file *file, struct hca_tap *tap, const struct hca_tap_port *name)
{
	struct hca_port *port;
	int err;

	mutex_lock(&hca_control_mutex);
	err = tap_find_port(name, &port);
	if (!err && (file->num_taps == HCA_TAP_MAX_PORTS || tap_port_is_full(port, file->user)))
		err = -ENOSPC;
	if (!err) {
		tap->num = file->num_taps;
		err = hca_tap_file_begun(file);
		list_add_tail(&tap->node, &file->taps);
		hca_tap_attach(tap, port);
		hca_flow_update(port);
	}
	mutex_unlock(&hca_control_mutex);
	return err;
}

/* Add a port to a capture. Return: the number of the new tap, or a negative errno. */
static int tap_add_port(struct tap_file *file, const struct hca_tap_port *name)
{
	struct hca_tap *tap = kzalloc(sizeof(*tap), GFP_KERNEL_ACCOUNT);
	int err;

	if (!tap)
		return -ENOMEM;
	tap->capture = &file->capture;
	tap->directions = name->directions;
	err = tap_attach(file, tap, name);
	if (err < 0)
		kfree(tap);
	return err;
}

/* Check a request for a capture, and set up the capture if that was not done before. */
static int tap_begin(struct tap_file *file, const struct hca_tap_port *name)
{
	static const struct hca_tap_setup usual = { .ring_octets = DEFAULT_OCTETS };

	if (!(name->directions & BOTH) || name->directions & ~(BOTH | HCA_TAP_FLOW) ||
	    strnlen(name->device, sizeof(name->device)) == sizeof(name->device))
		return -EINVAL;
	return file->capture.ring ? 0 : tap_set_up(file, &usual);
}

static int tap_add(struct tap_file *file, const struct hca_tap_port *name, unsigned int command)
{
	int ret = tap_begin(file, name);

	if (ret)
		return ret;
	return command == HCA_TAP_ADD ? tap_add_port(file, name) : hca_rnic_tap_add(file, name);
}

static void tap_statistics(struct tap_file *file, struct hca_tap_statistics *result)
{
	if (!file->capture.ring)
		return;
	spin_lock_bh(&file->capture.lock);
	result->captured = file->capture.captured;
	result->lost = file->capture.lost;
	spin_unlock_bh(&file->capture.lock);
}

static long tap_command(struct tap_file *file, unsigned int command, void __user *arg)
{
	union {
		struct hca_tap_setup setup;
		struct hca_tap_port port;
		struct hca_tap_statistics statistics;
	} u = {};

	if (_IOC_DIR(command) & _IOC_WRITE &&
	    copy_from_user(&u, arg, min_t(size_t, _IOC_SIZE(command), sizeof(u))))
		return -EFAULT;
	switch (command) {
	case HCA_TAP_SETUP:
		return tap_set_up(file, &u.setup);
	case HCA_TAP_ADD:
	case HCA_TAP_ADD_RNIC:
		return tap_add(file, &u.port, command);
	case HCA_TAP_STATISTICS:
		tap_statistics(file, &u.statistics);
		return copy_to_user(arg, &u.statistics, sizeof(u.statistics)) ? -EFAULT : 0;
	}
	return -ENOTTY;
}

static long tap_ioctl(struct file *filp, unsigned int command, unsigned long arg)
{
	struct tap_file *file = filp->private_data;
	long ret;

	if (mutex_lock_interruptible(&file->lock))
		return -ERESTARTSYS;
	ret = tap_command(file, command, (void __user *)arg);
	mutex_unlock(&file->lock);
	return ret;
}

static const struct file_operations fops = {
	.owner = THIS_MODULE,
	.open = tap_open,
	.release = tap_release,
	.read = tap_read,
	.poll = tap_poll,
	.unlocked_ioctl = tap_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "hca_tap",
	.mode = 0600,
	.fops = &fops,
};

int hca_taps_start(void)
{
	return misc_register(&device);
}

void hca_taps_stop(void)
{
	misc_deregister(&device);
}
