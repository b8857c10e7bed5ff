/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The state that agents keep for a managed port: a port of a CA, or port 0 of a switch. */
#ifndef HCA_SMA_AGENT_PORT_H
#define HCA_SMA_AGENT_PORT_H

#include "link/port/port.h"

struct hca_notices;
struct hca_samples;

struct hca_agent_port {
	u64 m_key_lease_end; /* end of the M_Key lease, ktime_get_ns(); 0: none; under port->lock */
	struct hca_notices *notices;
	struct hca_samples *samples; /* state of PortSamplesControl; NULL: not allocated yet */
};

/**
 * hca_agent_port_new() - allocate the state of a port; implements hca_agent_ops.port_init
 * @home: initialized port of a CA, or port 0 of a switch
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int hca_agent_port_new(struct hca_port *home);

/**
 * hca_agent_port_stop() - stop the timers of a port; implements hca_agent_ops.port_stop
 * @port: any port; nothing happens if it has no state
 *
 * Must be called while the port can still send, after the last MAD was processed.
 *
 * Context: process, may sleep, bottom halves enabled.
 */
void hca_agent_port_stop(struct hca_port *port);

/**
 * hca_agent_port_free() - free the state of a port; implements hca_agent_ops.port_free
 * @port: any port; nothing happens if it has no state
 *
 * Must be called after hca_agent_port_stop(), when the port does not raise events any more.
 *
 * Context: process, may sleep, bottom halves enabled.
 */
void hca_agent_port_free(struct hca_port *port);

#endif
