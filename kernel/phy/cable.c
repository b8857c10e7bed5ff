// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The in-kernel cable, which connects two ports of this kernel. */
#include "phy/cable.h"
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include "link/port/port.h"
#include "link/state/recovery.h"
#include "link/state/state.h"
#include "link/tx/tx.h"
#include "phy/fault.h"
#include "phy/shape.h"

/* Return whether a port has neither a cable nor a link over a network. */
static bool cable_is_free(const struct hca_port *port)
{
	return !rcu_access_pointer(port->peer) && !rcu_access_pointer(port->phy);
}

int hca_cable_connect(struct hca_port *a, struct hca_port *b)
{
	if (a == b)
		return -EINVAL;
	if (!cable_is_free(a) || !cable_is_free(b))
		return -EBUSY;

	hca_flow_reset(a, b);
	hca_flow_reset(b, a);
	rcu_assign_pointer(a->peer, b);
	rcu_assign_pointer(b->peer, a);
	if (hca_flow_is_needed(a, b))
		hca_flow_begin(a, b);
	local_bh_disable();
	hca_link_train(a);
	local_bh_enable();
	return 0;
}

static void cable_unlink_end(struct hca_port *port, struct list_head *unlinked)
{
	RCU_INIT_POINTER(port->peer, NULL);
	/* Queued packets of the old generation are dropped without returning credits. */
	WRITE_ONCE(port->link_generation, port->link_generation + 1);
	list_add_tail(&port->unlinked, unlinked);
}

int hca_cable_unlink(struct hca_port *a, struct list_head *unlinked)
{
	struct hca_port *b = rcu_dereference_protected(a->peer, true);

	if (!b)
		return -ENOTCONN;
	cable_unlink_end(a, unlinked);
	cable_unlink_end(b, unlinked);
	return 0;
}

void hca_cable_sync(struct list_head *unlinked)
{
	struct hca_port *port, *next;

	if (list_empty(unlinked))
		return;
	/*
	 * After the grace period senders do not use the cable, and receivers do not return its
	 * credits. The grace period is expedited, because a user waits for this function, and may
	 * remove thousands of cables one by one.
	 */
	synchronize_rcu_expedited();
	list_for_each_entry(port, unlinked, unlinked) {
		hca_fault_remove(port);
		hca_shape_end(port);
		hca_flow_stop(port);
		hca_port_link_down(port);
		hca_link_reset_admin_down(port);
	}
	/* Schedule blocked senders. Their packets are dropped, since the ports have no cable. */
	list_for_each_entry_safe(port, next, unlinked, unlinked) {
		list_del(&port->unlinked);
		local_bh_disable();
		hca_port_wake(port);
		hca_engine_run();
		local_bh_enable();
	}
}

int hca_cable_disconnect(struct hca_port *a)
{
	LIST_HEAD(unlinked);
	int err = hca_cable_unlink(a, &unlinked);

	hca_cable_sync(&unlinked);
	return err;
}
