// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Attributes of an RNIC: features, limits and identity. */
#include "verbs/rnic/rnic_device.h"

#define RNIC_VENDOR_ID 0xffffff /* that of channel adapters, too: no vendor has it */
#define RNIC_PART_ID 0x4844
#define RNIC_REVISION 1

void hca_rnic_query(struct ib_device *ib, struct ib_device_attr *attr)
{
	attr->sys_image_guid = READ_ONCE(to_hca_rnic_device(ib)->system_image_guid);
	attr->vendor_id = RNIC_VENDOR_ID;
	attr->vendor_part_id = RNIC_PART_ID;
	attr->hw_ver = RNIC_REVISION;
	attr->device_cap_flags |= IB_DEVICE_SYS_IMAGE_GUID;
	attr->max_sge_rd = 1;
	attr->max_qp_rd_atom = HCA_IWARP_MAX_READS;
	attr->max_qp_init_rd_atom = HCA_IWARP_MAX_READS;
	attr->max_res_rd_atom = HCA_IWARP_MAX_READS * attr->max_qp;
	attr->atomic_cap = IB_ATOMIC_NONE;
	attr->masked_atomic_cap = IB_ATOMIC_NONE;
	attr->max_pkeys = 1;
}

void hca_rnic_set_system_image_guid(struct hca_device *dev, __be64 guid)
{
	WRITE_ONCE(dev->ib.attrs.sys_image_guid, guid);
	WRITE_ONCE(to_hca_rnic_device(&dev->ib)->system_image_guid, guid);
}

int hca_rnic_modify_device(struct ib_device *ib, int mask, struct ib_device_modify *modify)
{
	if (mask & ~(IB_DEVICE_MODIFY_NODE_DESC | IB_DEVICE_MODIFY_SYS_IMAGE_GUID))
		return -EOPNOTSUPP;
	if (mask & IB_DEVICE_MODIFY_SYS_IMAGE_GUID)
		hca_rnic_set_system_image_guid(to_hca_device(ib),
					       cpu_to_be64(modify->sys_image_guid));
	if (mask & IB_DEVICE_MODIFY_NODE_DESC) {
		hca_node_desc_trim(modify->node_desc);
		memcpy(ib->node_desc, modify->node_desc, sizeof(ib->node_desc));
	}
	return 0;
}

static_assert(sizeof_field(struct hca_rnic_identity, description) == IB_DEVICE_NODE_DESC_MAX + 1);

void hca_rnic_get_identity(struct hca_device *dev, struct hca_rnic_identity *id)
{
	*id = (struct hca_rnic_identity){
		.guid = dev->ib.node_guid,
		.system_image_guid =
			READ_ONCE(to_hca_rnic_device(&dev->ib)->system_image_guid),
	};
	memcpy(id->description, dev->ib.node_desc, IB_DEVICE_NODE_DESC_MAX);
}
