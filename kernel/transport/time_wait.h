/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Time-wait of connections. A queue pair or EE context that is reset and connected again keeps its
 * number. Late packets of the last connection contain that number, too. Such packets show which
 * port has sent them, but not which queue pair. Therefore a new connection to the same port waits
 * until no late packet is in flight any more (req V3-180).
 *
 * If no port of this kernel has a link over a network, packets in flight are counted
 * (packet/flight.h). The wait then begins with the new connection, and ends when all packets that
 * were in flight at the beginning of the wait have been freed. It does not begin at the end of the
 * last connection, because the peer may have sent packets after that. If packets may be in a
 * network, the wait ends a fixed time after the end of the last connection. Several connections
 * that have ended at the same time thus wait during the same period.
 */
#ifndef HCA_TRANSPORT_TIME_WAIT_H
#define HCA_TRANSPORT_TIME_WAIT_H

#include "transport/eec.h"

/*
 * Module parameter: maximum time in ms from Reset to RTR with a path to the same port; 0: no wait.
 */
extern unsigned int hca_time_wait_ms;

/*
 * Record the end of a connection, before the attributes of @eec are reset. send_lock and recv_lock
 * held.
 */
void hca_time_wait_begin(struct hca_eec *eec);

struct hca_time_wait {
	unsigned long most; /* maximum duration of the wait, in jiffies */
	unsigned long end; /* latest end of the wait, in jiffies */
	bool counted; /* the wait ends before @end if all packets of @epoch have been freed */
	u32 epoch; /* epoch of packets in flight (packet/flight.h); valid if @counted is true */
};

/**
 * hca_time_wait_start() - start the time-wait before a modify to RTR
 * @wait: initialized by this function
 * @eec: the connection or EE context
 * @attr: new values
 * @mask: enum ib_qp_attr_mask: the attributes to set
 *
 * Takes send_lock.
 *
 * Context: process, may sleep.
 * Return: true if a wait may be needed; the caller then calls hca_time_wait_left(). No wait is
 * needed if the new state is not RTR, the new path does not lead to the port of the last
 * connection, or the maximum time has passed.
 */
bool hca_time_wait_start(struct hca_time_wait *wait, struct hca_eec *eec,
			 const struct hca_qp_attr *attr, int mask);

/**
 * hca_time_wait_left() - return the remaining time-wait
 * @wait: initialized by hca_time_wait_start(), which returned true
 *
 * Context: process, may sleep.
 * Return: the maximum number of jiffies until the wait ends; 0 if no packet of the last connection
 * can arrive any more.
 */
unsigned long hca_time_wait_left(struct hca_time_wait *wait);

#endif
