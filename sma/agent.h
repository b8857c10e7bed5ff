/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Management agents behind QP0 and QP1, for nodes of every type. */
#ifndef HCA_SMA_AGENT_H
#define HCA_SMA_AGENT_H

#include <linux/types.h>
#include "fabric/node.h"
#include "wire/mad.h"

enum hca_agent_result {
	HCA_AGENT_PASS, /* the MAD is not for an agent: a response, or a manager's message */
	HCA_AGENT_REPLY, /* *out is the response, D bit included; the caller makes the headers */
	HCA_AGENT_CONSUMED, /* the agent sends no response (TrapRepress, M_Key violation) */
};

/**
 * hca_agent_process() - process a MAD of any class that has an agent
 * @node: node that receives the MAD
 * @port: number of the port where the MAD arrived, 0 to node->num_ports
 * @slid: source LID of the MAD, for notices; 0 if the node itself sent it
 * @in: received MAD
 * @out: complete response if the result is HCA_AGENT_REPLY; must not overlap @in
 * @m_key_trusted: skip the M_Key check (the kernel's own MAD layer sent the MAD)
 *
 * Context: process, or bottom halves disabled; takes port->lock; raises port events.
 * Return: enum hca_agent_result.
 */
enum hca_agent_result hca_agent_process(struct hca_node *node, u8 port, u16 slid,
					const struct hca_mad *in, struct hca_mad *out,
					bool m_key_trusted);

#endif
