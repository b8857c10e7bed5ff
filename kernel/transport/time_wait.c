// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include "transport/time_wait.h"

#define MOST_MS 60000u

/* As HCA_TIME_WAIT, the time-wait of numbers (id_table.c). */
unsigned int hca_time_wait_ms = 250;

void hca_time_wait_begin(struct hca_eec *eec)
{
	if (!eec->attr.av.dlid)
		return; /* never connected: the time-wait of the connection before continues */
	eec->last_av = eec->attr.av;
	eec->last_end = jiffies;
}

/* Compare DGIDs too if both have one, because many ports are behind a router's LID. */
static bool same_port(const struct hca_av *a, const struct hca_av *b)
{
	return a->dlid == b->dlid && (!a->has_grh || !b->has_grh ||
				      !memcmp(a->dgid, b->dgid, sizeof(a->dgid)));
}

unsigned long hca_time_wait_left(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask)
{
	unsigned long wait = msecs_to_jiffies(min(READ_ONCE(hca_time_wait_ms), MOST_MS));
	unsigned long passed, left = 0;

	if (!(mask & IB_QP_STATE) || attr->state != IB_QPS_RTR || !(mask & IB_QP_AV))
		return 0;
	spin_lock_bh(&eec->common->send_lock);
	passed = jiffies - eec->last_end;
	if (passed < wait && eec->last_av.dlid && same_port(&eec->last_av, &attr->av))
		left = wait - passed;
	spin_unlock_bh(&eec->common->send_lock);
	return left;
}
