/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Management agents behind QP0 and QP1, for nodes of every type. */
#ifndef HCA_SMA_AGENT_H
#define HCA_SMA_AGENT_H

#include "fabric/agent.h"

/* The agent of every node, for hca_node_init(). */
extern const struct hca_agent_ops hca_agent;

#endif
