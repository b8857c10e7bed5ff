// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The link's two state machines. Every transition of a port's states is in this file. */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include "link/medium.h"
#include "link/port.h"
#include "link/state.h"
#include "link/tx.h"

const char *hca_port_state_name(u8 state)
{
	static const char *const names[] = { "NoChange", "Down", "Init", "Armed", "Active" };

	return state < ARRAY_SIZE(names) ? names[state] : "?";
}

const char *hca_phys_state_name(u8 phys)
{
	static const char *const names[] = { "NoChange", "Sleep",   "Polling",
					     "Disabled", "Training", "LinkUp" };

	return phys < ARRAY_SIZE(names) ? names[phys] : "?";
}

static void hca_port_link_changed(struct hca_port *port)
{
	if (port->ops->link_changed)
		port->ops->link_changed(port);
}

void hca_port_link_up(struct hca_port *port)
{
	bool up;

	spin_lock_bh(&port->lock);
	up = port->info.state == HCA_PORT_DOWN;
	if (up) {
		WRITE_ONCE(port->info.phys_state, HCA_PHYS_LINK_UP);
		WRITE_ONCE(port->info.state, HCA_PORT_INIT);
	}
	spin_unlock_bh(&port->lock);
	if (up) {
		local_bh_disable();
		hca_flow_trained(port);
		local_bh_enable();
		hca_port_link_changed(port);
	}
}

static void hca_port_go_down(struct hca_port *port, u8 phys)
{
	u8 old;

	spin_lock_bh(&port->lock);
	old = port->info.state;
	WRITE_ONCE(port->info.state, HCA_PORT_DOWN);
	WRITE_ONCE(port->info.phys_state, phys);
	spin_unlock_bh(&port->lock);

	if (old > HCA_PORT_DOWN) {
		local_bh_disable();
		/* What is queued for the link is lost with it (B4-432). */
		hca_port_wake(port);
		hca_engine_raise();
		hca_count(port, HCA_CTR_LINK_DOWNED, 1);
		hca_port_link_changed(port);
		if (old == HCA_PORT_ACTIVE)
			hca_port_event(port, HCA_EVENT_PORT_ERROR);
		local_bh_enable();
	}
}

void hca_port_link_down(struct hca_port *port)
{
	u8 phys = READ_ONCE(port->info.phys_state);

	hca_port_go_down(port, phys == HCA_PHYS_LINK_UP ? port->info.link_down_default : phys);
}

bool hca_port_willing(const struct hca_port *port)
{
	u8 phys = READ_ONCE(port->info.phys_state);

	return phys == HCA_PHYS_POLLING || phys == HCA_PHYS_LINK_UP;
}

static bool hca_port_is_ready(const struct hca_port *port)
{
	return hca_port_willing(port) && !READ_ONCE(port->flow.deaf);
}

void hca_link_train(struct hca_port *port)
{
	struct hca_port *peer;

	rcu_read_lock();
	peer = rcu_dereference(port->peer);
	if (hca_port_is_ready(port) && (peer ? hca_port_is_ready(peer) : hca_medium_is_up(port))) {
		hca_port_link_up(port);
		if (peer)
			hca_port_link_up(peer);
	}
	rcu_read_unlock();
}

/* Both ends lose the link; each comes back if it and its neighbour are willing. */
static void hca_link_retrain(struct hca_port *port, u8 phys)
{
	struct hca_port *peer;

	rcu_read_lock();
	peer = rcu_dereference(port->peer);
	hca_port_go_down(port, phys);
	if (peer) {
		hca_port_link_down(peer);
	} else {
		hca_medium_will(port, false);
		if (hca_port_willing(port))
			hca_medium_will(port, true);
	}
	rcu_read_unlock();
	hca_link_train(port);
}

int hca_port_set_state(struct hca_port *port, u8 state)
{
	bool up = false;
	int ret = 0;

	if (state == HCA_PORT_NOP)
		return 0;
	if (state == HCA_PORT_DOWN) {
		u8 phys = READ_ONCE(port->info.phys_state);

		hca_link_retrain(port, phys == HCA_PHYS_LINK_UP ? port->info.link_down_default :
								  phys);
		return 0;
	}

	spin_lock_bh(&port->lock);
	if (state == HCA_PORT_ARMED && (port->info.state == HCA_PORT_INIT ||
					port->info.state == HCA_PORT_ARMED)) {
		WRITE_ONCE(port->info.state, HCA_PORT_ARMED);
	} else if (state == HCA_PORT_ACTIVE && (port->info.state == HCA_PORT_ARMED ||
						port->info.state == HCA_PORT_ACTIVE)) {
		up = port->info.state == HCA_PORT_ARMED;
		WRITE_ONCE(port->info.state, HCA_PORT_ACTIVE);
	} else {
		ret = -EINVAL;
	}
	spin_unlock_bh(&port->lock);
	if (up)
		hca_port_event(port, HCA_EVENT_PORT_ACTIVE);
	return ret;
}

void hca_port_active_enable(struct hca_port *port)
{
	if (READ_ONCE(port->info.state) == HCA_PORT_ARMED)
		hca_port_set_state(port, HCA_PORT_ACTIVE);
}

int hca_port_set_phys_state(struct hca_port *port, u8 phys)
{
	switch (phys) {
	case HCA_PHYS_NOP:
		return 0;
	case HCA_PHYS_SLEEP:
	case HCA_PHYS_POLLING:
	case HCA_PHYS_DISABLED:
		hca_link_retrain(port, phys);
		return 0;
	default:
		return -EINVAL;
	}
}
