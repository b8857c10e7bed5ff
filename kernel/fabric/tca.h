/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A bare target adapter: a channel adapter's management without its verbs. It moves no data. */
#ifndef HCA_FABRIC_TCA_H
#define HCA_FABRIC_TCA_H

#include "fabric/node.h"
#include "link/packet.h"

#define HCA_MAX_TCA_PORTS 254

struct hca_tca {
	struct hca_node node;
	struct hca_packet_pool pool; /* for its agents */
};

/**
 * hca_tca_new() - a bare adapter without cables
 * @ports: 1 to HCA_MAX_TCA_PORTS
 * @guid: of node and system image; port n has GUID + n
 * @description: NodeDescription
 *
 * Context: process, may sleep. Return: the adapter; ERR_PTR(-ENOMEM).
 */
struct hca_tca *hca_tca_new(u8 ports, __be64 guid, const char *description);

/**
 * hca_tca_free() - end of a bare adapter
 * @tca: all cables unplugged
 *
 * Context: process, may sleep.
 */
void hca_tca_free(struct hca_tca *tca);

#endif
