/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Time-wait of connections. A queue pair or EE context that is reset and connected again keeps its
 * number, which late packets of the last connection name. Such a packet does not identify the queue
 * pair that sent it, only the port. Therefore a new connection to the same port waits until none of
 * these packets is in flight any more (req V3-180). Where no port of this kernel has a link over a
 * network that is known, because packets are counted (link/flight.h): the wait is for those that
 * are in flight when it begins, since the peer may have sent until its own end. Where a packet
 * may be in a network, a time counts from the end of the connection, so that many connections that
 * have ended together wait together.
 */
#ifndef HCA_TRANSPORT_TIME_WAIT_H
#define HCA_TRANSPORT_TIME_WAIT_H

#include "transport/eec.h"

/* Milliseconds from Reset to RTR towards the same port at most; 0: none. A module parameter. */
extern unsigned int hca_time_wait_ms;

/* Record the end of a connection. The address vector is still set. Both locks held. */
void hca_time_wait_begin(struct hca_eec *eec);

struct hca_time_wait {
	unsigned long most; /* jiffies that it lasts at most */
	unsigned long end; /* jiffies at which it ends at the latest */
	bool counted; /* it ends earlier, with the last packet, as long as there is no network */
	u32 epoch; /* of hca_flight_begin(); valid with counted */
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
 * Return: whether there may be something to wait for; false if the modify is not to RTR or not
 * towards the same port, or the time has passed.
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
