// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* NodeInfo: type and identity of a node (req C4-230, C4-231). */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "sma/attribute.h"

struct hca_node_info {
	u8 base_version;
	u8 class_version;
	u8 type;
	u8 num_ports;
	__be32 system_image_guid[2]; /* the three GUIDs are aligned to 4 octets only */
	__be32 node_guid[2];
	__be32 port_guid[2];
	__be16 partition_cap;
	__be16 device_id;
	__be32 revision;
	__be32 local_port_and_vendor; /* 8 bits, 24 bits */
};

static_assert(sizeof(struct hca_node_info) == 40);

u16 hca_node_info_get(struct hca_mad_request *rq)
{
	const struct hca_node *node = rq->node;
	__be64 system_image_guid = READ_ONCE(node->system_image_guid);
	struct hca_node_info info = {
		.base_version = 1,
		.class_version = 1,
		.type = node->type,
		.num_ports = node->num_ports,
		.partition_cap = cpu_to_be16(node->partition_cap),
		.device_id = cpu_to_be16(node->device_id),
		.revision = cpu_to_be32(node->revision),
		.local_port_and_vendor = cpu_to_be32((u32)rq->arrival << 24 |
						     (node->vendor_id & 0xffffff)),
	};

	memcpy(info.system_image_guid, &system_image_guid, 8);
	memcpy(info.node_guid, &node->node_guid, 8);
	memcpy(info.port_guid, &rq->home->guid[0], 8);
	memcpy(rq->out, &info, sizeof(info));
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
