// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The state machines of a link. Every transition of a port's states is in this file. */
#include "link/state/state.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include "link/port/port.h"
#include "link/state/phy.h"
#include "link/state/rate.h"

const char *hca_port_state_name(u8 state)
{
	static const char *const names[] = { "NoChange", "Down",   "Init",
					     "Armed",	 "Active", "ActDefer" };

	return state < ARRAY_SIZE(names) ? names[state] : "?";
}

const char *hca_phys_state_name(u8 phys)
{
	static const char *const names[] = { "NoChange", "Sleep",  "Polling", "Disabled",
					     "Training", "LinkUp", "Recovery" };

	return phys < ARRAY_SIZE(names) ? names[phys] : "?";
}

static void port_link_changed(struct hca_port *port)
{
	if (port->ops->link_changed)
		port->ops->link_changed(port);
}

static struct hca_link_rate port_enabled(struct hca_port *port)
{
	struct hca_link_rate rate;

	spin_lock_bh(&port->lock);
	rate = hca_link_rate_enabled(&port->info);
	spin_unlock_bh(&port->lock);
	return rate;
}

static void port_train(struct hca_port *port, const struct hca_link_rate *rate)
{
	struct hca_port_info *info = &port->info;
	bool up;

	spin_lock_bh(&port->lock);
	/* The link may have gone administratively down after the caller's check. */
	up = info->state == IB_PORT_DOWN && !READ_ONCE(port->recovery.admin_down);
	if (up) {
		WRITE_ONCE(info->link_width_active, rate->width);
		WRITE_ONCE(info->link_speed_active, rate->speed);
		WRITE_ONCE(info->link_speed_ext_active, rate->speed_ext);
		WRITE_ONCE(info->phys_state, IB_PORT_PHYS_STATE_LINK_UP);
		WRITE_ONCE(info->state, IB_PORT_INIT);
	}
	spin_unlock_bh(&port->lock);
	if (!up)
		return;
	local_bh_disable();
	hca_flow_trained(port);
	local_bh_enable();
	hca_timing_trained(port);
	port_link_changed(port);
}

void hca_port_link_up(struct hca_port *port)
{
	struct hca_link_rate own = port_enabled(port), rate;

	if (hca_link_agree(&own, &own, &rate))
		port_train(port, &rate);
}

/* Return: the physical state that a port has after its link has failed. */
static u8 port_phys_below(const struct hca_port *port)
{
	u8 phys = READ_ONCE(port->info.phys_state);

	if (phys == IB_PORT_PHYS_STATE_LINK_UP || phys == IB_PORT_PHYS_STATE_LINK_ERROR_RECOVERY)
		return READ_ONCE(port->info.link_down_default);
	return phys;
}

/*
 * Take a port Down, and to the physical state @phys. @asked: the cause is a Set(PortInfo);
 * therefore LinkDownedCounter is not incremented, and link_changed() is not called (IBA 14.2.5.4,
 * PortStateChange).
 */
static void port_go_down(struct hca_port *port, u8 phys, bool asked)
{
	bool falls_asleep;
	u8 old;

	spin_lock_bh(&port->lock);
	old = port->info.state;
	falls_asleep = phys == IB_PORT_PHYS_STATE_SLEEP &&
		       port->info.phys_state != IB_PORT_PHYS_STATE_SLEEP;
	WRITE_ONCE(port->info.state, IB_PORT_DOWN);
	WRITE_ONCE(port->info.phys_state, phys);
	spin_unlock_bh(&port->lock);

	if (falls_asleep)
		hca_link_sleep(port);
	if (old > IB_PORT_DOWN) {
		local_bh_disable();
		/* Let tx.run discard the packets that are queued for the link (req B4-432). */
		hca_port_wake(port);
		hca_engine_raise();
		if (!asked) {
			hca_count(port, HCA_CTR_LINK_DOWNED, 1);
			port_link_changed(port);
		}
		if (old == IB_PORT_ACTIVE || old == IB_PORT_ACTIVE_DEFER)
			hca_port_event(port, HCA_EVENT_PORT_ERROR); /* req B4-275 */
		local_bh_enable();
	}
}

void hca_port_link_down(struct hca_port *port)
{
	port_go_down(port, port_phys_below(port), false);
}

bool hca_port_defer(struct hca_port *port)
{
	bool deferred;

	spin_lock_bh(&port->lock);
	if (port->info.state == IB_PORT_ACTIVE) {
		WRITE_ONCE(port->info.state, IB_PORT_ACTIVE_DEFER);
		WRITE_ONCE(port->info.phys_state, IB_PORT_PHYS_STATE_LINK_ERROR_RECOVERY);
	}
	deferred = port->info.state == IB_PORT_ACTIVE_DEFER;
	spin_unlock_bh(&port->lock);
	return deferred;
}

bool hca_port_resume(struct hca_port *port)
{
	bool deferred, active;

	spin_lock_bh(&port->lock);
	deferred = port->info.state == IB_PORT_ACTIVE_DEFER;
	if (deferred) {
		WRITE_ONCE(port->info.state, IB_PORT_ACTIVE);
		WRITE_ONCE(port->info.phys_state, IB_PORT_PHYS_STATE_LINK_UP);
	}
	active = port->info.state == IB_PORT_ACTIVE;
	spin_unlock_bh(&port->lock);
	if (deferred) {
		hca_count(port, HCA_CTR_LINK_ERROR_RECOVERY, 1);
		hca_port_wake(port);
	}
	return active;
}

static bool port_is_ready(const struct hca_port *port)
{
	return hca_port_phys_enabled(port) && !READ_ONCE(port->flow.no_flow_control);
}

/* Take a sleeping port from Sleep to Polling if its peer polls (req C4-177). */
static void port_wake_up(struct hca_port *port, const struct hca_port *peer)
{
	if (!READ_ONCE(port->link_events.listens) || !hca_port_phys_enabled(peer))
		return;
	spin_lock_bh(&port->lock);
	if (port->info.phys_state == IB_PORT_PHYS_STATE_SLEEP)
		WRITE_ONCE(port->info.phys_state, IB_PORT_PHYS_STATE_POLLING);
	spin_unlock_bh(&port->lock);
}

void hca_link_train(struct hca_port *port)
{
	struct hca_link_rate own, other, rate;
	struct hca_port *peer;

	rcu_read_lock();
	peer = rcu_dereference(port->peer);
	if (peer) {
		port_wake_up(port, peer);
		port_wake_up(peer, port);
	}
	if (port_is_ready(port) && (peer ? port_is_ready(peer) : hca_phy_is_up(port))) {
		own = port_enabled(port);
		other = peer ? port_enabled(peer) : own;
		if (hca_link_agree(&own, &other, &rate)) {
			port_train(port, &rate);
			if (peer)
				port_train(peer, &rate);
		}
	}
	rcu_read_unlock();
}

/* Take both ends Down, @port to the physical state @phys; retrain the link if both are enabled. */
static void link_retrain_as(struct hca_port *port, u8 phys, bool asked)
{
	struct hca_port *peer;

	rcu_read_lock();
	peer = rcu_dereference(port->peer);
	port_go_down(port, phys, asked);
	if (peer) {
		hca_port_link_down(peer);
	} else {
		hca_phy_enable(port, false);
		if (hca_port_phys_enabled(port))
			hca_phy_enable(port, true);
	}
	rcu_read_unlock();
	hca_link_train(port);
}

void hca_link_retrain(struct hca_port *port)
{
	link_retrain_as(port, port_phys_below(port), false);
}

int hca_port_set_state(struct hca_port *port, u8 state)
{
	bool up = false, armed = false;
	int ret = 0;

	if (state == IB_PORT_NOP)
		return 0;
	if (state == IB_PORT_DOWN) {
		link_retrain_as(port, port_phys_below(port), true);
		return 0;
	}

	spin_lock_bh(&port->lock);
	if (state == IB_PORT_ARMED && (port->info.state == IB_PORT_INIT ||
				       port->info.state == IB_PORT_ARMED)) {
		armed = true;
		WRITE_ONCE(port->info.state, IB_PORT_ARMED);
	} else if (state == IB_PORT_ACTIVE && port->info.state == IB_PORT_ARMED) {
		up = true;
		WRITE_ONCE(port->info.state, IB_PORT_ACTIVE);
	} else if (state != IB_PORT_ACTIVE || port->info.state < IB_PORT_ACTIVE) {
		ret = -EINVAL;
	}
	spin_unlock_bh(&port->lock);
	if (armed)
		hca_flow_armed(port);
	if (up)
		hca_port_event(port, HCA_EVENT_PORT_ACTIVE);
	return ret;
}

/*
 * Return whether ActiveEnable is true: the peer has left Initialize, and sends data after training.
 */
static bool port_is_enabled(const struct hca_port *port)
{
	const struct hca_port *peer = rcu_dereference_bh(port->peer);

	return peer ? READ_ONCE(peer->info.state) > IB_PORT_INIT :
		      READ_ONCE(port->flow.past_init);
}

void hca_port_active_trigger(struct hca_port *port)
{
	if (READ_ONCE(port->info.state) == IB_PORT_ARMED && port_is_enabled(port))
		hca_port_set_state(port, IB_PORT_ACTIVE);
}

int hca_port_set_phys_state(struct hca_port *port, u8 phys)
{
	switch (phys) {
	case HCA_PHYS_NOP:
		return 0;
	case IB_PORT_PHYS_STATE_SLEEP:
	case IB_PORT_PHYS_STATE_POLLING:
	case IB_PORT_PHYS_STATE_DISABLED:
		link_retrain_as(port, phys, true);
		return 0;
	default:
		return -EINVAL;
	}
}
