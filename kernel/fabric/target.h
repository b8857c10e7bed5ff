/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A bare target adapter: a channel adapter's management without its verbs. It moves no data. */
#ifndef HCA_FABRIC_TARGET_H
#define HCA_FABRIC_TARGET_H

#include "fabric/node.h"
#include "link/packet.h"

#define HCA_MAX_TARGET_PORTS 254

struct hca_target {
	struct hca_node node;
	struct hca_packet_pool pool; /* for its agents */
};

/**
 * hca_target_new() - a bare adapter without cables
 * @ports: 1 to HCA_MAX_TARGET_PORTS
 * @guid: of node and system image; port n has GUID + n
 * @description: NodeDescription
 *
 * Context: process, may sleep. Return: the adapter; ERR_PTR(-ENOMEM).
 */
struct hca_target *hca_target_new(u8 ports, __be64 guid, const char *description);

/**
 * hca_target_free() - end of a bare adapter
 * @target: all cables unplugged
 *
 * Context: process, may sleep.
 */
void hca_target_free(struct hca_target *target);

#endif
