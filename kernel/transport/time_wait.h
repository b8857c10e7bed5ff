/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Time-wait of connections. A queue pair or EE context that is reset and connected again keeps its
 * number, which late packets of the last connection name. Such a packet does not identify the queue
 * pair that sent it, only the port. Therefore a new connection to the same port waits until none of
 * these packets is in flight any more (req V3-180).
 *
 * If no port of this kernel has a link over a network, packets in flight are counted
 * (link/flight.h). The wait is then for the packets that are in flight when it begins, since the
 * peer may have sent until the end of its own side. If a packet may be in a network, the wait lasts
 * a fixed time from the end of the connection, so that connections that have ended together wait
 * together.
 */
#ifndef HCA_TRANSPORT_TIME_WAIT_H
#define HCA_TRANSPORT_TIME_WAIT_H

#include "transport/eec.h"

/* Maximum time in ms from Reset to RTR towards the same port; 0: none. A module parameter. */
extern unsigned int hca_time_wait_ms;

/* Record the end of a connection. The address vector is still set. Both locks held. */
void hca_time_wait_begin(struct hca_eec *eec);

struct hca_time_wait {
	unsigned long most; /* jiffies that the wait lasts at most */
	unsigned long end; /* jiffies at which the wait ends at the latest */
	bool counted; /* the wait ends with the last packet, unless a network is used */
	u32 epoch; /* result of hca_flight_begin(); valid with counted */
};

/**
 * hca_time_wait_start() - start the time-wait before a modify
 * @wait: to be initialized
 * @eec: the connection or EE context
 * @attr: new values
 * @mask: enum ib_qp_attr_mask: the attributes to set
 *
 * Takes send_lock.
 *
 * Context: process, may sleep.
 * Return: whether a wait may be needed; false if the modify is not to RTR or not towards the same
 * port, or the time has passed.
 */
bool hca_time_wait_start(struct hca_time_wait *wait, struct hca_eec *eec,
			 const struct hca_qp_attr *attr, int mask);

/**
 * hca_time_wait_left() - return the remaining time-wait
 * @wait: initialized by hca_time_wait_start(), which returned true
 *
 * Context: process, may sleep.
 * Return: jiffies at most; 0 if no packet of the last connection can arrive any more.
 */
unsigned long hca_time_wait_left(struct hca_time_wait *wait);

#endif
