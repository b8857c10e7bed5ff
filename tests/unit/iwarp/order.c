// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A judge of the order of an endpoint's events (see order.h). */
#include "tests/unit/iwarp/order.h"
#include <check.h>

#define MAX_EVENTS 3 /* that an identifier of a responder has memory for */

/* Whether the ULP has accepted: the reply is made, and says so. */
static bool order_has_accepted(const struct hca_endpoint *ep)
{
	return ep->own.is_reply && !ep->own.rejected;
}

static bool order_has_connected(const struct hca_endpoint *ep)
{
	return ep->own.revision && !ep->own.is_reply;
}

/* CLOSE is passed on only to an identifier that has a connection. */
static void order_close(struct order *order, const struct hca_endpoint *ep)
{
	bool is_connected = order->state == ORDER_ESTABLISHED || order->state == ORDER_CLOSING;

	ck_assert_msg(ep->is_connected == is_connected, "is_connected is wrong at CLOSE");
	ck_assert_msg(is_connected || !order_has_accepted(ep), "accept without ESTABLISHED");
	ck_assert_msg(order->state != ORDER_NEW || !order_has_connected(ep),
		      "connect without CONNECT_REPLY");
	order->is_over = true;
	order->state = ORDER_IDLE;
}

void order_event(struct order *order, const struct hca_endpoint *ep, enum hca_endpoint_event event)
{
	ck_assert_msg(!order->is_over, "event %d behind CLOSE", event);
	switch (event) {
	case HCA_ENDPOINT_CONNECT_REQUEST:
		ck_assert_msg(order->state == ORDER_NEW, "CONNECT_REQUEST in %d", order->state);
		order->state = ORDER_CONN_RECV;
		return;
	case HCA_ENDPOINT_CONNECT_REPLY:
		ck_assert_msg(order->state == ORDER_NEW, "CONNECT_REPLY in %d", order->state);
		order->state = ep->reply_status ? ORDER_IDLE : ORDER_ESTABLISHED;
		break;
	case HCA_ENDPOINT_ESTABLISHED:
		ck_assert_msg(order->state == ORDER_CONN_RECV, "ESTABLISHED in %d", order->state);
		order->state = ORDER_ESTABLISHED;
		break;
	case HCA_ENDPOINT_DISCONNECT:
		ck_assert_msg(order->state == ORDER_ESTABLISHED, "DISCONNECT in %d", order->state);
		order->state = ORDER_CLOSING;
		break;
	case HCA_ENDPOINT_CLOSE:
		order_close(order, ep);
		break;
	}
	ck_assert_uint_le(++order->count, MAX_EVENTS);
}
