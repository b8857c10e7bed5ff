// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The taps of RNICs that a capture has. */
#include "control/rnic_taps.h"
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "control/kinds.h"
#include "control/registry.h"
#include "control/tap_file.h"
#include "iwarp/tap.h"
#include "verbs/rnic/rnic.h"

/* Return: the RNIC of an entry; NULL if the device is of another kind. */
static struct hca_rnic *rnic_tap_carrier(const struct hca_entry *entry)
{
	return entry->kind->needs_interface ? hca_rnic_device_carrier(entry->device) : NULL;
}

static int rnic_tap_find(const char *name, struct hca_rnic **rnic)
{
	struct hca_entry *entry = hca_registry_find(name);

	if (!entry || entry->going)
		return -ENODEV;
	*rnic = rnic_tap_carrier(entry);
	return *rnic ? 0 : -EOPNOTSUPP;
}

static bool rnic_tap_has_qp(struct hca_rnic *rnic, u32 qpn)
{
	const struct hca_qp *qp;

	local_bh_disable();
	qp = hca_qp_find(&rnic->ci, qpn);
	local_bh_enable();
	return qp;
}

static bool rnic_tap_is_one_too_many(const struct tap_file *file, const struct hca_rnic *rnic)
{
	unsigned int kept = uid_eq(file->user, GLOBAL_ROOT_UID) ? 0 : HCA_TAP_KEPT_TAPS;

	return file->num_taps == HCA_TAP_MAX_PORTS ||
	       hca_rnic_tap_count(rnic) >= HCA_MAX_RNIC_TAPS - kept;
}

static int rnic_tap_attach(struct tap_file *file, struct hca_rnic_tap *tap, const char *name)
{
	struct hca_rnic *rnic;
	int ret = rnic_tap_find(name, &rnic);

	if (ret)
		return ret;
	if (tap->qpn && !rnic_tap_has_qp(rnic, tap->qpn))
		return -ENOENT;
	if (rnic_tap_is_one_too_many(file, rnic))
		return -ENOSPC;
	tap->num = file->num_taps;
	list_add_tail(&tap->node, &file->rnic_taps);
	ret = hca_tap_file_begun(file);
	hca_rnic_tap_attach(tap, rnic);
	return ret;
}

int hca_rnic_tap_add(struct tap_file *file, const struct hca_tap_port *name)
{
	struct hca_rnic_tap *tap = kzalloc(sizeof(*tap), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!tap)
		return -ENOMEM;
	tap->capture = &file->capture;
	tap->directions = name->directions;
	tap->qpn = name->port;
	mutex_lock(&hca_control_mutex);
	ret = rnic_tap_attach(file, tap, name->device);
	mutex_unlock(&hca_control_mutex);
	if (ret < 0)
		kfree(tap);
	return ret;
}

void hca_rnic_taps_detach(struct tap_file *file)
{
	struct hca_rnic_tap *tap;

	lockdep_assert_held(&hca_control_mutex);
	list_for_each_entry(tap, &file->rnic_taps, node)
		if (tap->rnic)
			hca_rnic_tap_detach(tap);
}

void hca_rnic_taps_free(struct tap_file *file)
{
	struct hca_rnic_tap *tap, *next;

	list_for_each_entry_safe(tap, next, &file->rnic_taps, node)
		kfree(tap);
}

static void rnic_tap_notify_end(struct hca_rnic_tap *tap)
{
	struct tap_file *file = hca_tap_file_of(tap->capture);

	list_move_tail(&tap->node, &file->rnic_taps);
	hca_tap_file_ended(file);
}

void hca_rnic_taps_end(const struct hca_entry *entry)
{
	struct hca_rnic *rnic = rnic_tap_carrier(entry);
	struct hca_rnic_tap *tap, *next;
	LIST_HEAD(detached);

	while (rnic && (tap = hca_rnic_tap_first(rnic))) {
		hca_rnic_tap_detach(tap);
		list_move_tail(&tap->node, &detached);
	}
	if (list_empty(&detached))
		return;
	synchronize_rcu();
	list_for_each_entry_safe(tap, next, &detached, node)
		rnic_tap_notify_end(tap);
}
