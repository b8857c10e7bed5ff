// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The ends of network interfaces, with which their RNICs end. */
#include "control/interfaces.h"
#include <linux/workqueue.h>
#include "control/handlers.h"
#include "control/kinds.h"
#include "control/registry.h"
#include "verbs/rnic/rnic.h"

/* Delete the devices whose interfaces were removed. A device that is being created is not live. */
static void interface_end_devices(struct work_struct *work)
{
	struct hca_entry *entry;

	mutex_lock(&hca_control_mutex);
	for (entry = hca_registry_from(0); entry; entry = hca_registry_from(entry->id + 1))
		if (entry->kind->is_lost && entry->kind->is_lost(entry->device))
			hca_device_end(entry);
	mutex_unlock(&hca_control_mutex);
}

static DECLARE_WORK(interface_work, interface_end_devices);

/*
 * The control mutex is not acquired here, because RTNL is held, which a process can hold for an
 * unlimited time.
 */
static void interface_lost(void)
{
	schedule_work(&interface_work);
}

int hca_interfaces_start(void)
{
	return hca_rnics_watch(interface_lost);
}

void hca_interfaces_stop(void)
{
	hca_rnics_unwatch();
	cancel_work_sync(&interface_work);
}
