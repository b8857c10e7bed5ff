/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A judge of the order of an endpoint's events: the states of an identifier of iw_cm
 * (drivers/infiniband/core/iwcm.c), which would BUG() where this judge fails a test.
 */
#ifndef HCA_TESTS_IWARP_ORDER_H
#define HCA_TESTS_IWARP_ORDER_H

#include "iwarp/endpoint.h"

/* States of an identifier of iw_cm, and the end of an endpoint of which iw_cm is not told. */
enum order_state {
	ORDER_NEW, /* the first event shows the role */
	ORDER_CONN_RECV,
	ORDER_ESTABLISHED,
	ORDER_CLOSING,
	ORDER_IDLE, /* after a failed connection or the end of one */
};

struct order {
	enum order_state state;
	bool is_over; /* CLOSE was reported */
	unsigned int count; /* events that iw_cm has got */
};

/* Judge an event when it is reported. */
void order_event(struct order *order, const struct hca_endpoint *ep,
		 enum hca_endpoint_event event);

#endif
