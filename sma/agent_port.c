// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The state that agents keep for a managed port: a port of a CA, or port 0 of a switch. */
#include "sma/agent_port.h"
#include <linux/errno.h>
#include <linux/slab.h>
#include "sma/notices.h"
#include "sma/samples.h"

int hca_agent_port_new(struct hca_port *home)
{
	int err;

	home->agent = kzalloc(sizeof(*home->agent), GFP_KERNEL);
	if (!home->agent)
		return -ENOMEM;
	err = hca_notices_new(home);
	if (err)
		hca_agent_port_free(home);
	return err;
}

void hca_agent_port_stop(struct hca_port *port)
{
	if (!port->agent)
		return;
	hca_notices_stop(port);
	hca_samples_free(port);
}

void hca_agent_port_free(struct hca_port *port)
{
	if (!port->agent)
		return;
	hca_notices_free(port);
	kfree(port->agent);
	port->agent = NULL;
}
