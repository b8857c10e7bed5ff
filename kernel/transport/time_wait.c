// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Time-wait: the wait before a queue pair or EE context is connected to the same port again. */
#include "transport/time_wait.h"
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "packet/flight.h"

#define MOST_MS 60000u

/* The default equals HCA_TIME_WAIT, the time before id_table.c allocates a freed index again. */
unsigned int hca_time_wait_ms = 250;

void hca_time_wait_begin(struct hca_eec *eec)
{
	if (!eec->attr.iba.av.dlid)
		return; /* not connected since the last Reset; last_av and last_end stay valid */
	eec->last_av = eec->attr.iba.av;
	eec->last_end = jiffies;
}

/*
 * Return whether two address vectors lead to the same port. DGIDs are compared if both address
 * vectors have one, because many ports are reached through the LID of one router.
 */
static bool time_wait_same_port(const struct hca_av *a, const struct hca_av *b)
{
	return a->dlid == b->dlid && (!a->has_grh || !b->has_grh ||
				      !memcmp(a->dgid, b->dgid, sizeof(a->dgid)));
}

bool hca_time_wait_start(struct hca_time_wait *wait, struct hca_eec *eec,
			 const struct hca_qp_attr *attr, int mask)
{
	unsigned long most = msecs_to_jiffies(min(READ_ONCE(hca_time_wait_ms), MOST_MS));
	bool waits;

	if (!(mask & IB_QP_STATE) || attr->state != IB_QPS_RTR || !(mask & IB_QP_AV))
		return false;
	spin_lock_bh(&eec->common->send_lock);
	waits = jiffies - eec->last_end < most && eec->last_av.dlid &&
		time_wait_same_port(&eec->last_av, &attr->iba.av);
	wait->most = most;
	wait->end = eec->last_end + most;
	spin_unlock_bh(&eec->common->send_lock);
	if (!waits)
		return false;
	wait->counted = hca_flight_is_local(most);
	wait->epoch = hca_flight_begin();
	return true;
}

unsigned long hca_time_wait_left(struct hca_time_wait *wait)
{
	unsigned long now = jiffies;
	bool over = wait->counted && hca_flight_is_over(wait->epoch);

	/*
	 * Check again whether all links are local, because a packet in a network counts as freed.
	 */
	wait->counted = wait->counted && hca_flight_is_local(wait->most);
	return (over && wait->counted) || time_after_eq(now, wait->end) ? 0 : wait->end - now;
}
