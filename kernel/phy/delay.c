// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The delay line of a cable. It has two queues of packets, each sorted by time of arrival: one for
 * packets that keep their order, and one for the few late packets, which others overtake. The
 * sender's credits bound the length of both queues.
 */
#include "phy/delay.h"
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/hrtimer.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include "compat.h"
#include "link/port/port.h"
#include "packet/batch.h"
#include "packet/payload.h"
#include "phy/chance.h"

/* Maximum time by which a packet that others overtake is late, ns. */
#define HCA_LATE_NS 200000u

struct hca_delay {
	struct hca_rx_delay rx;
	struct hca_port *port;
	struct hca_delay_spec spec;
	struct hrtimer timer;
	spinlock_t lock; /* leaf lock, BH disabled; guards the fields below */
	struct llist_node *first, *last; /* packets that keep their order */
	struct llist_node *late; /* packets that others overtake */
	u64 last_due; /* time of arrival of the last packet that keeps its order, ns */
	/*
	 * States of random sequences. Flow-control packets have a sequence of their own, because
	 * their number depends on time, and must not change the delays of other packets.
	 */
	u64 chance, flow_chance;
	bool ended; /* the delay line is being removed: packets pass without delay */
	u64 reordered;
	struct rcu_head rcu;
};

static struct hca_packet *delay_packet(struct llist_node *node)
{
	return llist_entry(node, struct hca_packet, node);
}

static u64 delay_due(struct llist_node *node)
{
	return node ? delay_packet(node)->due : U64_MAX;
}

/* Return: a random number below @range. */
static u64 delay_jitter(u64 range, u64 *chance)
{
	return range * (hca_chance_draw(chance) >> 8) >> 24;
}

static u64 delay_of(const struct hca_delay_spec *spec, u64 *chance)
{
	u64 shortest = spec->delay - min(spec->delay, spec->jitter);

	return shortest + delay_jitter(spec->delay + spec->jitter - shortest, chance);
}

/* Draw a packet's time of arrival. *late is set to whether other packets may overtake this one. */
static u64 delay_draw(struct hca_delay *delay, const struct hca_packet *pkt, u64 now,
		      bool *late)
{
	u64 *chance = pkt->flags & HCA_PACKET_FLOW ? &delay->flow_chance : &delay->chance;
	u64 due;

	*late = hca_chance_happens(chance, delay->spec.reorder);
	due = now + delay_of(&delay->spec, chance);
	return *late ? due + 1 + delay_jitter(HCA_LATE_NS, chance) : due;
}

/* Return: a delay longer than that of any packet, late ones included. */
static u64 delay_longest(const struct hca_delay_spec *spec)
{
	return spec->delay + spec->jitter + HCA_LATE_NS + 1;
}

static void delay_append(struct hca_delay *delay, struct hca_packet *pkt, u64 due)
{
	pkt->due = max(due, delay->last_due);
	delay->last_due = pkt->due;
	pkt->node.next = NULL;
	if (delay->first)
		delay->last->next = &pkt->node;
	else
		delay->first = &pkt->node;
	delay->last = &pkt->node;
}

static void delay_be_late(struct hca_delay *delay, struct hca_packet *pkt, u64 due)
{
	struct llist_node **place = &delay->late;

	pkt->due = due;
	/* The sender's credits bound the list, since all packets fit into the receive buffer. */
	while (*place && delay_due(*place) <= pkt->due)
		place = &(*place)->next;
	pkt->node.next = *place;
	*place = &pkt->node;
	delay->reordered++;
}

static void delay_put(struct hca_delay *delay, struct hca_packet *pkt, u64 now)
{
	bool late;
	u64 due = delay_draw(delay, pkt, now, &late);

	if (late)
		delay_be_late(delay, pkt, due);
	else
		delay_append(delay, pkt, due);
}

/* Return: the queue whose first packet arrives first; both queues may be empty. */
static struct llist_node **delay_next(struct hca_delay *delay)
{
	return delay_due(delay->first) <= delay_due(delay->late) ? &delay->first :
									   &delay->late;
}

/* Deliver packets whose time of arrival has come, and set the timer for the next packet. */
static void delay_release(struct hca_delay *delay, u64 now)
{
	struct llist_node **next = delay_next(delay);

	for (; delay_due(*next) <= now; next = delay_next(delay)) {
		struct hca_packet *pkt = delay_packet(*next);

		*next = (*next)->next;
		hca_rx_enqueue(&delay->port->rx, pkt);
	}
	if (*next)
		hrtimer_start(&delay->timer, ns_to_ktime(delay_due(*next)),
			      HRTIMER_MODE_ABS_SOFT);
}

static enum hrtimer_restart delay_expired(struct hrtimer *timer)
{
	struct hca_delay *delay = container_of(timer, struct hca_delay, timer);

	spin_lock(&delay->lock);
	delay_release(delay, ktime_get_ns());
	spin_unlock(&delay->lock);
	hca_engine_run();
	return HRTIMER_NORESTART;
}

/* Put a single packet into a delay line; consumes it. */
static void delay_enqueue_one(struct hca_delay *delay, struct hca_packet *pkt)
{
	u64 now = ktime_get_ns();

	/*
	 * Copy the payload, since the sender's request may end before the packet arrives. If the
	 * copy fails, the payload stays borrowed; the receiver then notices if the MR has gone.
	 */
	hca_packet_gather(pkt);
	spin_lock(&delay->lock);
	if (delay->ended)
		hca_rx_enqueue(&delay->port->rx, pkt);
	else if (pkt->flags & HCA_PACKET_LAST)
		delay_append(delay, pkt, now + delay_longest(&delay->spec));
	else
		delay_put(delay, pkt, now);
	delay_release(delay, now);
	spin_unlock(&delay->lock);
}

/* Each packet of a batch has a delay of its own. */
static void delay_enqueue(struct hca_rx_delay *rx, struct hca_packet *pkt)
{
	struct hca_delay *delay = container_of(rx, struct hca_delay, rx);
	struct hca_packet *first;

	while (pkt->packets > 1 && (first = hca_batch_split(pkt, 1)))
		delay_enqueue_one(delay, first);
	delay_enqueue_one(delay, pkt);
}

/* Return: the delay line of a port, or NULL. The caller serializes changes of it. */
static struct hca_delay *delay_of_port(const struct hca_port *port)
{
	struct hca_rx_delay *rx = rcu_dereference_protected(port->rx.delay, true);

	return rx ? container_of(rx, struct hca_delay, rx) : NULL;
}

static struct hca_delay *delay_new(struct hca_port *port, const struct hca_delay_spec *spec)
{
	struct hca_delay *delay = kzalloc(sizeof(*delay), GFP_KERNEL);

	if (!delay)
		return NULL;
	delay->rx.enqueue = delay_enqueue;
	delay->port = port;
	delay->spec = *spec;
	delay->chance = spec->seed;
	delay->flow_chance = ~(u64)spec->seed;
	spin_lock_init(&delay->lock);
	hrtimer_setup(&delay->timer, delay_expired, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
	return delay;
}

/* Deliver all packets of a delay line at once, before later packets can bypass the delay line. */
static void delay_end(struct hca_delay *delay)
{
	spin_lock_bh(&delay->lock);
	delay->ended = true;
	delay_release(delay, U64_MAX - 1);
	spin_unlock(&delay->lock);
	hca_engine_run();
	local_bh_enable();
	hrtimer_cancel(&delay->timer);
}

int hca_delay_set(struct hca_port *port, const struct hca_delay_spec *spec)
{
	struct hca_delay *old = delay_of_port(port), *delay = NULL;

	if (spec->delay || spec->jitter || spec->reorder) {
		delay = delay_new(port, spec);
		if (!delay)
			return -ENOMEM;
	}
	if (old)
		delay_end(old);
	rcu_assign_pointer(port->rx.delay, delay ? &delay->rx : NULL);
	if (old)
		kfree_rcu(old, rcu);
	return 0;
}

u64 hca_delay_reordered(const struct hca_port *port)
{
	struct hca_delay *delay = delay_of_port(port);
	u64 reordered = 0;

	if (delay) {
		spin_lock_bh(&delay->lock);
		reordered = delay->reordered;
		spin_unlock_bh(&delay->lock);
	}
	return reordered;
}
