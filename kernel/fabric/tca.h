/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A target channel adapter (TCA) without verbs. Agents of the TCA answer management packets; the
 * TCA does not transfer data.
 */
#ifndef HCA_FABRIC_TCA_H
#define HCA_FABRIC_TCA_H

#include "fabric/node.h"
#include "packet/packet.h"

#define HCA_MAX_TCA_PORTS 254

struct hca_tca {
	struct hca_node node;
	struct hca_packet_pool pool; /* pool of packets that its agents send */
};

/**
 * hca_tca_new() - allocate a TCA
 * @ports: number of ports, 1 to HCA_MAX_TCA_PORTS
 * @guid: GUID of the node and its system image; port n has @guid + n
 * @description: NodeDescription
 * @agent: operations of its agent
 *
 * Context: process, may sleep.
 * Return: the TCA, or ERR_PTR(-ENOMEM).
 */
struct hca_tca *hca_tca_new(u8 ports, __be64 guid, const char *description,
			    const struct hca_agent_ops *agent);

/**
 * hca_tca_free() - free a TCA
 * @tca: the TCA, without cables
 *
 * Context: process, may sleep.
 */
void hca_tca_free(struct hca_tca *tca);

#endif
