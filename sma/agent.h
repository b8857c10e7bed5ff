/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The management agents of a node. They answer MADs at QP0 and QP1. */
#ifndef HCA_SMA_AGENT_H
#define HCA_SMA_AGENT_H

#include "fabric/agent.h"

/* The operations of the agents, for hca_node_init(). Nodes of all types have the same agents. */
extern const struct hca_agent_ops hca_agent;

#endif
