// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Notices of a port, which are kept for polling, and sent as traps until they are repressed. */
#include "sma/notices.h"
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timer.h>
#include "compat.h"
#include "engine/run.h"
#include "fabric/node.h"
#include "fabric/smi.h"
#include "link/port/attributes.h"
#include "sma/agent_port.h"
#include "sma/attribute.h"
#include "wire/smp.h"

/*
 * Size of each queue. If a queue is full when a notice is added, the queue for polling drops its
 * oldest notice, and the queue of traps drops the new notice.
 */
#define HCA_NOTICES 8
/* Number of times that a trap is sent if it is not repressed. */
#define HCA_TRAP_TRIES 10

#define HCA_NOTICE_TOGGLE 0x8000
/*
 * A bit that is set in the transaction IDs of the agent's traps. The kernel's MAD layer never sets
 * it, because the upper half of its transaction IDs is an agent number below 2^24.
 */
#define HCA_TRAP_TID (1ull << 63)

struct hca_pending_trap {
	struct hca_notice notice;
	u64 tid;
	u8 tries;
};

struct hca_notices {
	struct hca_port *home;
	spinlock_t lock; /* leaf lock, BH disabled; protects all members below */
	struct hca_notice kept[HCA_NOTICES]; /* oldest first */
	unsigned int num_kept;
	bool toggle; /* toggle bit of the oldest notice; inverted when that notice is removed */
	/* Traps with equal tries are in the order of their age, oldest first. */
	struct hca_pending_trap traps[HCA_NOTICES];
	unsigned int num_traps;
	u64 last_tid;
	unsigned long next; /* earliest time at which the next trap may be sent, jiffies */
	struct hca_runnable run; /* sends the next trap */
	struct timer_list timer;
};

/* --- traps */

static struct hca_pending_trap trap_remove(struct hca_notices *notices, unsigned int index)
{
	struct hca_pending_trap trap = notices->traps[index];

	notices->num_traps--;
	memmove(&notices->traps[index], &notices->traps[index + 1],
		(notices->num_traps - index) * sizeof(trap));
	return trap;
}

/*
 * Queue a notice as a trap. If an equal trap is pending that has not been sent, nothing is done. If
 * an equal trap has been sent, a trap with a new transaction ID replaces it, because a TrapRepress
 * of the earlier trap may be on its way.
 */
static void trap_add(struct hca_notices *notices, const struct hca_notice *notice)
{
	struct hca_pending_trap trap = { .notice = *notice };
	unsigned int i;

	for (i = 0; i < notices->num_traps; i++)
		if (!memcmp(&notices->traps[i].notice, notice, sizeof(*notice)))
			break;
	if (i < notices->num_traps) {
		if (!notices->traps[i].tries)
			return;
		trap_remove(notices, i);
	}
	if (notices->num_traps == HCA_NOTICES)
		return;
	trap.tid = HCA_TRAP_TID | ++notices->last_tid;
	notices->traps[notices->num_traps++] = trap;
}

/* The shortest interval between two traps: PortInfo.SubnetTimeout (req C4-223). */
static unsigned long trap_interval(const struct hca_port *home)
{
	return 1 + nsecs_to_jiffies(4096ull << (READ_ONCE(home->info.subnet_timeout) & 31));
}

/* Fills in the SMP of a trap. The M_Key of a trap is 0 (o14-1). */
static void trap_fill(struct hca_smp *smp, const struct hca_pending_trap *trap)
{
	*smp = (struct hca_smp){
		.base_version = 1,
		.mgmt_class = IB_MGMT_CLASS_SUBN_LID_ROUTED,
		.class_version = 1,
		.method = IB_MGMT_METHOD_TRAP,
		.tid = cpu_to_be64(trap->tid),
		.attr_id = cpu_to_be16(HCA_ATTRIBUTE_NOTICE),
	};
	memcpy(smp->data, &trap->notice, sizeof(trap->notice));
}

/* Selects the trap that was sent least often; if there are several, the oldest of them. */
static unsigned int trap_select(const struct hca_notices *notices)
{
	unsigned int i, selected = 0;

	for (i = 1; i < notices->num_traps; i++)
		if (notices->traps[i].tries < notices->traps[selected].tries)
			selected = i;
	return selected;
}

/*
 * Prepares the next trap, if trap_interval() has passed since the previous one. A trap that would
 * be sent while the link is down counts as sent. Returns true if the caller must send *@smp.
 */
static bool trap_next(struct hca_notices *notices, struct hca_smp *smp)
{
	const struct hca_port *home = notices->home;
	struct hca_pending_trap trap;

	if (!READ_ONCE(home->info.sm_lid))
		notices->num_traps = 0;
	if (!notices->num_traps)
		return false;
	if (time_before(jiffies, notices->next)) {
		mod_timer(&notices->timer, notices->next);
		return false;
	}
	trap = trap_remove(notices, trap_select(notices));
	if (++trap.tries < HCA_TRAP_TRIES)
		notices->traps[notices->num_traps++] = trap;
	notices->next = jiffies + trap_interval(home);
	if (notices->num_traps)
		mod_timer(&notices->timer, notices->next);
	trap_fill(smp, &trap);
	return READ_ONCE(home->info.state) >= IB_PORT_INIT;
}

static bool notices_run(struct hca_runnable *r, int *budget)
{
	struct hca_notices *notices = container_of(r, struct hca_notices, run);
	struct hca_smp smp;
	bool send;

	spin_lock(&notices->lock);
	send = trap_next(notices, &smp);
	spin_unlock(&notices->lock);
	if (send)
		hca_smi_send_trap(notices->home, &smp);
	return false;
}

static void notices_expired(struct timer_list *timer)
{
	struct hca_notices *notices = timer_container_of(notices, timer, timer);

	hca_run_schedule(&notices->run);
	hca_engine_run();
}

bool hca_notices_repress(struct hca_port *home, __be64 tid, const struct hca_notice *notice)
{
	struct hca_notices *notices = home->agent->notices;
	struct hca_pending_trap *trap;
	bool found = false;
	unsigned int i;

	spin_lock(&notices->lock);
	for (i = 0; i < notices->num_traps && !found; i++) {
		trap = &notices->traps[i];
		found = trap->tid == be64_to_cpu(tid) &&
			!memcmp(&trap->notice, notice, sizeof(*notice));
		if (found)
			trap_remove(notices, i);
	}
	spin_unlock(&notices->lock);
	return found;
}

/* --- polling */

static void notice_discard(struct hca_notices *notices)
{
	notices->num_kept--;
	notices->toggle = !notices->toggle;
	memmove(&notices->kept[0], &notices->kept[1], notices->num_kept * sizeof(notices->kept[0]));
}

static void notice_keep(struct hca_notices *notices, const struct hca_notice *notice)
{
	if (notices->num_kept == HCA_NOTICES)
		notice_discard(notices);
	notices->kept[notices->num_kept++] = *notice;
}

static void notice_show(const struct hca_notices *notices, struct hca_notice *notice)
{
	*notice = (struct hca_notice){ .type = HCA_NOTICE_GENERIC | HCA_NOTICE_EMPTY };
	if (notices->num_kept)
		*notice = notices->kept[0];
	notice->toggle_count = cpu_to_be16((notices->toggle ? HCA_NOTICE_TOGGLE : 0) |
					   notices->num_kept);
}

static void notices_first(struct hca_port *home, struct hca_notice *notice)
{
	struct hca_notices *notices = home->agent->notices;

	spin_lock(&notices->lock);
	notice_show(notices, notice);
	spin_unlock(&notices->lock);
}

/*
 * Returns whether @cleared is the notice @first, as an earlier Get returned it. The count of
 * notices may have increased since that Get. Therefore only the toggle bit of toggle_count is
 * compared.
 */
static bool notice_is_first(const struct hca_notice *first, const struct hca_notice *cleared)
{
	struct hca_notice notice = *cleared;

	notice.toggle_count ^= first->toggle_count;
	if (notice.toggle_count & cpu_to_be16(HCA_NOTICE_TOGGLE))
		return false;
	notice.toggle_count = first->toggle_count;
	return !memcmp(&notice, first, sizeof(notice));
}

static void notices_clear(struct hca_port *home, const struct hca_notice *notice)
{
	struct hca_notices *notices = home->agent->notices;
	struct hca_notice first;

	spin_lock(&notices->lock);
	notice_show(notices, &first);
	if (notices->num_kept && notice_is_first(&first, notice))
		notice_discard(notices);
	spin_unlock(&notices->lock);
}

/*
 * The attribute Notice, for a manager that polls. A Get returns the oldest notice; a Set with the
 * contents of that notice clears it (req C4-226, C4-228).
 */
u16 hca_notice_get(struct hca_mad_request *rq)
{
	notices_first(rq->home, (struct hca_notice *)rq->out);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_notice_set(struct hca_mad_request *rq)
{
	notices_clear(rq->home, (const struct hca_notice *)rq->in);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

/* --- both queues */

void hca_notices_accept(struct hca_port *port, const struct hca_notice *notice)
{
	struct hca_notices *notices = hca_port_home(port)->agent->notices;

	spin_lock_bh(&notices->lock);
	notice_keep(notices, notice);
	trap_add(notices, notice);
	spin_unlock(&notices->lock);
	hca_run_schedule(&notices->run);
	hca_engine_raise();
	local_bh_enable();
}

int hca_notices_new(struct hca_port *home)
{
	struct hca_notices *notices = kzalloc(sizeof(*notices), GFP_KERNEL);

	if (!notices)
		return -ENOMEM;
	notices->home = home;
	notices->next = jiffies;
	spin_lock_init(&notices->lock);
	hca_run_init(&notices->run, notices_run);
	timer_setup(&notices->timer, notices_expired, 0);
	home->agent->notices = notices;
	home->info.capability_mask |= HCA_CAP_NOTICE | HCA_CAP_TRAP | HCA_CAP_DIRECTED_NOTICE |
				      HCA_CAP_CAPABILITY_NOTICE | HCA_CAP_LOCAL_CHANGES_NOTICE;
	if (hca_node_is_switch(home->node))
		home->info.capability_mask |= HCA_CAP_SWITCH_P_KEY_TRAP;
	return 0;
}

void hca_notices_stop(struct hca_port *port)
{
	if (!port->agent->notices)
		return;
	hca_run_stop(&port->agent->notices->run);
	timer_delete_sync(&port->agent->notices->timer);
}

void hca_notices_free(struct hca_port *port)
{
	kfree(port->agent->notices);
	port->agent->notices = NULL;
}
