// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The in-kernel cable: two ports of this kernel, joined. */
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include "link/port.h"
#include "link/rx.h"
#include "link/state.h"
#include "link/tx.h"
#include "phy/cable.h"
#include "phy/fault.h"

/* A fresh link: full credit, and nothing that is still queued from the last one. */
static void hca_cable_reset(struct hca_port *port)
{
	int vl;

	WRITE_ONCE(port->link_generation, port->link_generation + 1);
	for (vl = 0; vl < HCA_NUM_VLS; vl++) {
		port->fctbs[vl] = 0;
		port->fccl[vl] = HCA_VL_BUFFER_BLOCKS;
	}
}

int hca_cable_plug(struct hca_port *a, struct hca_port *b)
{
	if (a == b)
		return -EINVAL;
	if (rcu_access_pointer(a->peer) || rcu_access_pointer(b->peer))
		return -EBUSY;

	hca_cable_reset(a);
	hca_cable_reset(b);
	rcu_assign_pointer(a->peer, b);
	rcu_assign_pointer(b->peer, a);
	local_bh_disable();
	hca_link_train(a);
	local_bh_enable();
	return 0;
}

int hca_cable_unplug(struct hca_port *a)
{
	struct hca_port *b = rcu_dereference_protected(a->peer, true);

	if (!b)
		return -ENOTCONN;
	RCU_INIT_POINTER(a->peer, NULL);
	RCU_INIT_POINTER(b->peer, NULL);
	/* What is queued belongs to a link that is no more. */
	WRITE_ONCE(a->link_generation, a->link_generation + 1);
	WRITE_ONCE(b->link_generation, b->link_generation + 1);
	/* No sender that saw the cable, no receiver that would still give credit for it. */
	synchronize_rcu();
	hca_fault_install(a, NULL);
	hca_fault_install(b, NULL);
	hca_port_link_down(a);
	hca_port_link_down(b);
	/* Those who wait for credit find no cable now, and lose their packets to it. */
	local_bh_disable();
	hca_port_wake(a);
	hca_port_wake(b);
	hca_engine_drain();
	local_bh_enable();
	return 0;
}
