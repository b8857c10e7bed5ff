// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Attributes of the node as a whole: NodeInfo, NodeDescription, VendorDiag and LedInfo. */
#include <linux/kernel.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include "sma/attribute.h"
#include "wire/field.h"

/* NodeInfo: type and identity of a node (req C4-230, C4-231). */

struct hca_node_info {
	u8 base_version;
	u8 class_version;
	u8 type; /* enum rdma_node_type */
	u8 num_ports;
	__be64 system_image_guid;
	__be64 node_guid;
	__be64 port_guid;
	u16 partition_cap;
	u16 device_id;
	u32 revision;
	u8 local_port_num;
	u32 vendor_id;
};

#define FIELD(name, octet, bits) HCA_FIELD(struct hca_node_info, name, octet, 0, bits)

static const struct hca_field hca_node_info_fields[] = {
	FIELD(base_version, 0, 8),
	FIELD(class_version, 1, 8),
	FIELD(type, 2, 8),
	FIELD(num_ports, 3, 8),
	FIELD(system_image_guid, 4, 64),
	FIELD(node_guid, 12, 64),
	FIELD(port_guid, 20, 64),
	FIELD(partition_cap, 28, 16),
	FIELD(device_id, 30, 16),
	FIELD(revision, 32, 32),
	FIELD(local_port_num, 36, 8),
	FIELD(vendor_id, 37, 24),
};

u16 hca_node_info_get(struct hca_mad_request *rq)
{
	const struct hca_node *node = rq->node;
	struct hca_node_info info = {
		.base_version = 1,
		.class_version = 1,
		.type = node->type,
		.num_ports = node->num_ports,
		.system_image_guid = READ_ONCE(node->system_image_guid),
		.node_guid = node->node_guid,
		.port_guid = rq->home->tables.guid[0],
		.partition_cap = node->partition_cap,
		.device_id = node->device_id,
		.revision = node->revision,
		.local_port_num = rq->arrival,
		.vendor_id = node->vendor_id,
	};

	hca_fields_pack(hca_node_info_fields, ARRAY_SIZE(hca_node_info_fields), &info, rq->out);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

/* NodeDescription: one text for all ports of a node, read-only for SMPs (req C4-229). */

u16 hca_node_description_get(struct hca_mad_request *rq)
{
	spin_lock_bh(&rq->node->desc_lock);
	memcpy(rq->out, rq->node->description, HCA_NODE_DESC_BYTES);
	spin_unlock_bh(&rq->node->desc_lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

/*
 * VendorDiag: diagnostic data of the node (req C4-248). There is only one diagnostic record,
 * because a software node has no faults to report.
 */

#define HCA_DIAG_DATA 2 /* offset after NextIndex, which is 0, since no more records follow */

u16 hca_vendor_diag_get(struct hca_mad_request *rq)
{
	static const char text[] = "no fault";

	if (rq->modifier)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	memcpy(rq->out + HCA_DIAG_DATA, text, sizeof(text));
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

/* LedInfo: the state of the LED by which a person can recognize the node (req C4-249). */

#define HCA_LED_MASK_ON 0x80

u16 hca_led_info_get(struct hca_mad_request *rq)
{
	rq->out[0] = READ_ONCE(rq->node->led) ? HCA_LED_MASK_ON : 0;
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

u16 hca_led_info_set(struct hca_mad_request *rq)
{
	WRITE_ONCE(rq->node->led, rq->in[0] & HCA_LED_MASK_ON);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
