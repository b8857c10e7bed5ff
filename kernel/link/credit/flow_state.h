/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The credit state of a port, which decides where the port reads its credit limits. */
#ifndef HCA_LINK_CREDIT_FLOW_STATE_H
#define HCA_LINK_CREDIT_FLOW_STATE_H

#include "link/credit/credit.h"
#include "link/port/port.h"

/* Return the number of operational data VLs. Context: any. */
static inline unsigned int hca_flow_vls(const struct hca_port *port)
{
	return hca_vl_count(READ_ONCE(port->info.operational_vls));
}

/* Return: the credit state of a port, which may change at any time unless tx.lock is held. */
static inline enum hca_credit_state hca_flow_state(const struct hca_port *port)
{
	return READ_ONCE(port->flow.state);
}

/*
 * Set the credit state of a port. @peer: the port whose credit limit is read in memory; it is not
 * used if flow-control packets bring the limit. Context: tx.lock held, or the port has no link.
 */
void hca_flow_set_state(struct hca_port *port, const struct hca_port *peer,
			enum hca_credit_state state);

/* Change the credit state of a port by an event; some states ignore it. Context: tx.lock held. */
void hca_flow_event(struct hca_port *port, const struct hca_port *peer,
		    enum hca_credit_event event);

#endif
