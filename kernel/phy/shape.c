// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The shape of one direction of a cable or of a link over a network: its rate, its delay, and
 * interruptions of its signal (flapping).
 */
#include "phy/shape.h"
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "compat.h"
#include "link/port/port.h"
#include "link/state/recovery.h"

struct hca_shape {
	struct hca_shape_spec spec;
	struct hca_port *port; /* the sender */
	struct hca_port *peer; /* NULL: the peer is in another kernel, and the delay is ignored */
	struct hrtimer timer; /* turns the signal off and on */
	bool no_signal; /* the signal is interrupted; only the timer changes this field */
	u64 flapped; /* number of interruptions of the signal */
};

/* The timer is pinned to this processor, like the recovery timer that hca_link_signal() starts. */
static void shape_wait(struct hca_shape *shape, u64 until)
{
	hrtimer_start(&shape->timer, ns_to_ktime(until), HRTIMER_MODE_ABS_PINNED_SOFT);
}

static enum hrtimer_restart shape_flap(struct hrtimer *timer)
{
	struct hca_shape *shape = container_of(timer, struct hca_shape, timer);
	const struct hca_shape_spec *spec = &shape->spec;
	/*
	 * Read the time before hca_link_signal() reads the time. A pause of this processor between
	 * the two then does not prolong the interruption beyond the recovery of the link.
	 */
	u64 now = ktime_get_ns();

	shape->no_signal = !shape->no_signal;
	if (shape->no_signal)
		WRITE_ONCE(shape->flapped, shape->flapped + 1);
	hca_link_signal(shape->port, !shape->no_signal);
	shape_wait(shape,
		   now + (shape->no_signal ? spec->flap_for : spec->flap_every - spec->flap_for));
	hca_engine_run();
	return HRTIMER_NORESTART;
}

static bool shape_is_none(const struct hca_shape_spec *spec)
{
	return !spec->mbps && !spec->delay.delay && !spec->delay.jitter && !spec->delay.reorder &&
	       !spec->flap_every;
}

/*
 * Stop the timer, turn the signal on, and free the shape. Rate and delay stay as they are; the
 * caller sets them.
 */
static void shape_free(struct hca_shape *shape)
{
	hrtimer_cancel(&shape->timer);
	if (shape->no_signal) {
		local_bh_disable();
		hca_link_signal(shape->port, true);
		hca_engine_run();
		local_bh_enable();
	}
	kfree(shape);
}

static int shape_delay(struct hca_port *peer, const struct hca_delay_spec *spec)
{
	return peer ? hca_delay_set(peer, spec) : 0;
}

void hca_shape_end(struct hca_port *port)
{
	struct hca_shape *shape = port->shape;

	if (!shape)
		return;
	port->shape = NULL;
	shape_delay(shape->peer, &(struct hca_delay_spec){});
	hca_port_set_rate(port, 0);
	shape_free(shape);
}

int hca_shape_set(struct hca_port *port, const struct hca_shape_spec *spec)
{
	struct hca_port *peer = rcu_dereference_protected(port->peer, true);
	struct hca_shape *shape;
	int err;

	if (shape_is_none(spec)) {
		hca_shape_end(port);
		return 0;
	}
	shape = kzalloc(sizeof(*shape), GFP_KERNEL);
	if (!shape)
		return -ENOMEM;
	err = shape_delay(peer, &spec->delay);
	if (err) {
		kfree(shape);
		return err;
	}
	shape->spec = *spec;
	shape->port = port;
	shape->peer = peer;
	hrtimer_setup(&shape->timer, shape_flap, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_SOFT);
	if (port->shape)
		shape_free(port->shape);
	port->shape = shape;
	hca_port_set_rate(port, spec->mbps);
	if (spec->flap_every)
		shape_wait(shape, ktime_get_ns() + spec->flap_every - spec->flap_for);
	return 0;
}

const struct hca_shape_spec *hca_shape_get(const struct hca_port *port,
					   struct hca_shape_counts *counts)
{
	struct hca_shape *shape = port->shape;

	if (!shape)
		return NULL;
	counts->reordered = shape->peer ? hca_delay_reordered(shape->peer) : 0;
	counts->flapped = READ_ONCE(shape->flapped);
	return &shape->spec;
}
