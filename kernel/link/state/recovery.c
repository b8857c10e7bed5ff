// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Link error recovery, and hca_link_run(), which handles link events. */
#include "link/state/recovery.h"
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/rcupdate.h>
#include "compat.h"
#include "link/port/port.h"
#include "link/state/phy.h"
#include "link/state/state.h"

/* Duration of a training, ns. */
#define HCA_RETRAIN_NS 1000000ull
/* LinkDownTimeout: maximum time of a link in ActDefer, ns (req C4-133). */
#define HCA_LINK_DOWN_TIMEOUT_NS 10000000ull

static bool link_has_signal(const struct hca_port *port, const struct hca_port *peer)
{
	return !READ_ONCE(port->recovery.no_signal) && !READ_ONCE(peer->recovery.no_signal) &&
	       !READ_ONCE(port->recovery.admin_down);
}

static void link_fail(struct hca_port *port, struct hca_port *peer)
{
	hca_port_link_down(port);
	hca_port_link_down(peer);
	hca_link_train(port);
}

static void recovery_poll(struct hca_port *port, struct hca_port *peer)
{
	bool in_time;
	u64 until;

	if (link_has_signal(port, peer)) {
		if (!hca_port_resume(port) || !hca_port_resume(peer))
			link_fail(port, peer); /* one of the ports has gone Down meanwhile */
		return;
	}
	spin_lock(&port->lock);
	until = port->recovery.until;
	/*
	 * The link does not fail at the first check, because timers may be late: the timer that
	 * ends a short loss of the signal expires before the second check.
	 */
	in_time = !port->recovery.missed || ktime_get_ns() < until;
	port->recovery.missed = true;
	spin_unlock(&port->lock);
	if (in_time)
		hca_link_timer_start(port, until);
	else
		link_fail(port, peer);
}

enum hrtimer_restart hca_link_timer_expired(struct hrtimer *timer)
{
	struct hca_port *port = container_of(timer, struct hca_port, link_events.timer);
	struct hca_port *peer = rcu_dereference_bh(port->peer);

	if (peer && READ_ONCE(port->info.state) == IB_PORT_ACTIVE_DEFER) {
		recovery_poll(port, peer);
	} else if (READ_ONCE(port->info.phys_state) == IB_PORT_PHYS_STATE_SLEEP) {
		WRITE_ONCE(port->link_events.listens, true);
		hca_link_train(port);
	}
	hca_engine_run();
	return HRTIMER_NORESTART;
}

void hca_link_recover(struct hca_port *port)
{
	struct hca_port *peer = rcu_dereference_bh(port->peer);
	u64 now = ktime_get_ns();

	if (!peer || READ_ONCE(port->info.state) == IB_PORT_ACTIVE_DEFER)
		return; /* the port has no peer, or the link is recovering already */
	spin_lock(&port->lock);
	port->recovery.until = now + HCA_LINK_DOWN_TIMEOUT_NS;
	port->recovery.missed = false;
	spin_unlock(&port->lock);
	if (hca_port_defer(port) && hca_port_defer(peer))
		hca_link_timer_start(port, now + HCA_RETRAIN_NS);
	else
		link_fail(port, peer);
}

void hca_link_signal(struct hca_port *port, bool there)
{
	WRITE_ONCE(port->recovery.no_signal, !there);
	if (hca_phy_is_remote(port))
		hca_link_retrain(port);
	else if (!there)
		hca_link_recover(port);
	else if (READ_ONCE(port->info.state) == IB_PORT_ACTIVE_DEFER)
		hca_link_timer_start(port, ktime_get_ns() + HCA_RETRAIN_NS);
	else
		hca_link_train(port);
}

void hca_link_set_admin_down(struct hca_port *port, bool down)
{
	struct hca_port *peer = rcu_dereference_bh(port->peer);

	if (port->recovery.admin_down == down)
		return;
	WRITE_ONCE(port->recovery.admin_down, down);
	if (peer)
		WRITE_ONCE(peer->recovery.admin_down, down);
	hca_link_retrain(port);
}

void hca_link_reset_admin_down(struct hca_port *port)
{
	WRITE_ONCE(port->recovery.admin_down, false);
}

bool hca_link_run(struct hca_runnable *r, int *budget)
{
	struct hca_port *port = container_of(r, struct hca_port, link_events.run);
	int events = atomic_xchg(&port->link_events.raised, 0);

	/* The link may have gone Down since the event was raised, and must not go Down twice. */
	if (events & HCA_LINK_LOST && READ_ONCE(port->info.state) >= IB_PORT_INIT)
		hca_link_retrain(port);
	if (events & HCA_LINK_ERROR)
		hca_link_recover(port);
	if (events & HCA_LINK_READY)
		hca_link_train(port);
	return false;
}
