// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The credit state of a port, which decides where the port reads its credit limits. */
#include "link/credit/flow_state.h"

void hca_flow_set_state(struct hca_port *port, const struct hca_port *peer,
			enum hca_credit_state state)
{
	WRITE_ONCE(port->flow.state, state);
	port->tx.limit = hca_credit_is_received(state) ? port->flow.fccl_received :
							 peer->rx_buffer.fccl;
	WRITE_ONCE(port->rx_buffer.advertises, hca_credit_is_advertised(state));
}

void hca_flow_event(struct hca_port *port, const struct hca_port *peer,
		    enum hca_credit_event event)
{
	enum hca_credit_state next = hca_credit_next(port->flow.state, event);

	if (next != HCA_CREDIT_NO_STATE)
		hca_flow_set_state(port, peer, next);
}
