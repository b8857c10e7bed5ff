/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The agents behind QP0 and QP1, for every kind of node. */
#ifndef HCA_SMA_AGENT_H
#define HCA_SMA_AGENT_H

#include <linux/types.h>
#include "fabric/node.h"

#define HCA_MAD_BYTES 256
#define HCA_BASE_VERSION 1

/* MAD header (IBA 13.4.2), as on the wire. */
struct hca_mad_hdr {
	u8 base_version;
	u8 mgmt_class;
	u8 class_version;
	u8 method;
	__be16 status;
	__be16 class_specific; /* directed route: hop pointer, hop count */
	__be64 tid;
	__be16 attr_id;
	__be16 reserved;
	__be32 attr_mod;
};

struct hca_mad {
	struct hca_mad_hdr hdr;
	u8 body[232];
};

enum hca_mad_class {
	HCA_CLASS_SUBN_LID = 0x01,
	HCA_CLASS_SUBN_DIRECTED = 0x81,
	HCA_CLASS_PERF = 0x04,
	HCA_CLASS_COMM = 0x07,
};

/* Attributes that classes have in common. */
#define HCA_ATTRIBUTE_CLASS_PORT_INFO 0x0001
#define HCA_ATTRIBUTE_NOTICE 0x0002

enum hca_mad_method {
	HCA_METHOD_GET = 0x01,
	HCA_METHOD_SET = 0x02,
	HCA_METHOD_SEND = 0x03,
	HCA_METHOD_TRAP = 0x05,
	HCA_METHOD_REPORT = 0x06,
	HCA_METHOD_TRAP_REPRESS = 0x07,
	HCA_METHOD_GET_RESP = 0x81,
};

enum hca_mad_status {
	HCA_MAD_OK = 0,
	HCA_MAD_BUSY = 0x01,
	HCA_MAD_BAD_VERSION = 0x04,
	HCA_MAD_BAD_METHOD = 0x08,
	HCA_MAD_BAD_METHOD_ATTR = 0x0c,
	HCA_MAD_BAD_VALUE = 0x1c,
	HCA_SMP_DIRECTION = 0x8000,
};

enum hca_agent_result {
	HCA_AGENT_PASS, /* not for the agents: a response, what a manager is asked or told */
	HCA_AGENT_REPLY, /* *out is the answer, direction bit and all; lrh is the caller's */
	HCA_AGENT_CONSUMED, /* nothing to answer (a trap repress, an M_Key violation) */
};

/**
 * hca_agent_process() - answer a MAD of any class that an agent has
 * @node: the node asked
 * @port: where the MAD came in; 0 to n
 * @slid: who sent it, for notices; 0: the node itself
 * @in: the MAD
 * @out: the answer, complete, if the result is HCA_AGENT_REPLY; may not overlap @in
 * @m_key_trusted: do not check the M_Key (the MAD comes from this node's own MAD layer)
 *
 * Context: bottom halves disabled or process; takes port->lock; raises port events.
 * Return: enum hca_agent_result.
 */
enum hca_agent_result hca_agent_process(struct hca_node *node, u8 port, u16 slid,
					const struct hca_mad *in, struct hca_mad *out,
					bool m_key_trusted);

#endif
