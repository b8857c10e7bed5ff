/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Reset and connected again, a queue pair or EE context has the number it had, and a late packet of
 * its last connection names it. Such a packet does not say which queue pair has sent it, only from
 * which port it comes: so a connection to the same port is to wait until none is under way any more
 * (V3-180).
 */
#ifndef HCA_TRANSPORT_TIME_WAIT_H
#define HCA_TRANSPORT_TIME_WAIT_H

#include "transport/eec.h"

/* Milliseconds from Reset to RTR, towards the same port; 0: none. A module parameter. */
extern unsigned int hca_time_wait_ms;

/* The connection ends. Both locks held; its address vector is still there. */
void hca_time_wait_begin(struct hca_eec *eec);

/**
 * hca_time_wait_left() - how long is what is to be modified to wait?
 * @eec: the connection or EE context
 * @attr: new values
 * @mask: enum hca_qp_attr_mask: which
 *
 * Context: process. Return: jiffies; 0: it is not to become RTR, or not towards that port.
 */
unsigned long hca_time_wait_left(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask);

#endif
