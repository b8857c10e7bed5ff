/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The operations of a node's management agent. The agent is a layer above the fabric. The owner of
 * the node therefore passes the functions of the agent to hca_node_init() as a table. sma/agent.h
 * declares the table of this module.
 */
#ifndef HCA_FABRIC_AGENT_H
#define HCA_FABRIC_AGENT_H

#include <linux/types.h>
#include "wire/mad.h"

struct hca_node;
struct hca_notice;
struct hca_port;

enum hca_agent_result {
	HCA_AGENT_PASS, /* the MAD is a response or a message to a manager, not for an agent */
	HCA_AGENT_REPLY, /* *@out is the complete response; the caller adds packet headers only */
	HCA_AGENT_CONSUMED, /* the MAD has no response (TrapRepress, M_Key violation) */
};

struct hca_agent_ops {
	/*
	 * Processes a MAD of any class that has arrived at port @port of @node, 0 to
	 * node->num_ports. @slid: source LID of the MAD; 0 if the node itself sent it. @out: the
	 * complete response if the result is HCA_AGENT_REPLY; must not overlap @in. @m_key_trusted:
	 * the M_Key is not checked. Context: process, or bottom halves disabled; acquires
	 * port->lock; raises port events.
	 */
	enum hca_agent_result (*process)(struct hca_node *node, u8 port, u16 slid,
					 const struct hca_mad *in, struct hca_mad *out,
					 bool m_key_trusted);
	/*
	 * Queues a notice that is about @port. Context: any that may use spin_lock_bh(); no lock of
	 * a port held.
	 */
	void (*notice)(struct hca_port *port, const struct hca_notice *notice);
	/*
	 * Allocates the state that the agent keeps for a port with a LID: an initialized port of a
	 * CA, or port 0 of a switch. Context: process, may sleep. Return: 0 or -ENOMEM.
	 */
	int (*port_init)(struct hca_port *home);
	/*
	 * Stops the timers that the agent has for any port, while the port can still send. The
	 * caller does not call process() any more. Context: process, may sleep, bottom halves
	 * enabled.
	 */
	void (*port_stop)(struct hca_port *port);
	/*
	 * Frees the state that the agent keeps for any port. Called after port_stop() and
	 * hca_port_destroy(). Context: process, may sleep, bottom halves enabled.
	 */
	void (*port_free)(struct hca_port *port);
};

#endif
