/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Time-wait of connections. A queue pair or EE context that is reset and connected again keeps its
 * number, which late packets of the last connection name. Such a packet does not identify the queue
 * pair that sent it, only the port. Therefore a new connection to the same port waits until none of
 * these packets is in flight any more (req V3-180).
 */
#ifndef HCA_TRANSPORT_TIME_WAIT_H
#define HCA_TRANSPORT_TIME_WAIT_H

#include "transport/eec.h"

/* Milliseconds from Reset to RTR towards the same port; 0: none. A module parameter. */
extern unsigned int hca_time_wait_ms;

/* Record the end of a connection. The address vector is still set. Both locks held. */
void hca_time_wait_begin(struct hca_eec *eec);

/**
 * hca_time_wait_left() - return the remaining time-wait before a modify
 * @eec: the connection or EE context
 * @attr: new values
 * @mask: enum ib_qp_attr_mask: the attributes to set
 *
 * Takes send_lock.
 *
 * Context: process.
 * Return: jiffies; 0 if the modify is not to RTR or not towards the same port.
 */
unsigned long hca_time_wait_left(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask);

#endif
