// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Attributes of a channel adapter: features and identity (req V3-113 to V3-116). */
#include "link/port/notice.h"
#include "verbs/ib/ca.h"
#include "verbs/ib/ca_device.h"

#define ODP_REQUESTER \
	(IB_ODP_SUPPORT_SEND | IB_ODP_SUPPORT_WRITE | IB_ODP_SUPPORT_READ | IB_ODP_SUPPORT_ATOMIC)

/* Reports on-demand paging only for operations that do not lose a message if a page is absent. */
static void attributes_claim_odp(struct ib_device_attr *attr)
{
#ifdef HCA_ODP
	attr->kernel_cap_flags |= IBK_ON_DEMAND_PAGING;
	attr->odp_caps = (struct ib_odp_caps){
		.general_caps = IB_ODP_SUPPORT | IB_ODP_SUPPORT_IMPLICIT,
		.per_transport_caps = {
			.rc_odp_caps = ODP_REQUESTER | IB_ODP_SUPPORT_RECV |
				       IB_ODP_SUPPORT_SRQ_RECV,
			.uc_odp_caps = IB_ODP_SUPPORT_SEND,
			.ud_odp_caps = IB_ODP_SUPPORT_SEND,
			.xrc_odp_caps = ODP_REQUESTER | IB_ODP_SUPPORT_SRQ_RECV,
		},
	};
#endif
}

#if defined(HCA_PERSISTENT)
#define PLACEMENT_CAPS \
	(IB_DEVICE_FLUSH_GLOBAL | IB_DEVICE_FLUSH_PERSISTENT | IB_DEVICE_ATOMIC_WRITE)
#elif defined(HCA_PLACEMENT)
#define PLACEMENT_CAPS (IB_DEVICE_FLUSH_GLOBAL | IB_DEVICE_ATOMIC_WRITE)
#else
#define PLACEMENT_CAPS 0
#endif

static_assert(HCA_NODE_DESC_BYTES == IB_DEVICE_NODE_DESC_MAX);

void hca_ca_query(struct ib_device *ib, struct ib_device_attr *attr)
{
	const struct hca_node *node = &to_hca_ca_device(ib)->ca.node;

	attr->sys_image_guid = READ_ONCE(node->system_image_guid);
	attr->vendor_id = node->vendor_id;
	attr->vendor_part_id = node->device_id;
	attr->hw_ver = node->revision;
	attr->device_cap_flags |= IB_DEVICE_BAD_PKEY_CNTR | IB_DEVICE_BAD_QKEY_CNTR |
				  IB_DEVICE_SYS_IMAGE_GUID | IB_DEVICE_RC_RNR_NAK_GEN |
				  IB_DEVICE_UD_AV_PORT_ENFORCE | IB_DEVICE_AUTO_PATH_MIG |
				  IB_DEVICE_RAW_MULTI | IB_DEVICE_CHANGE_PHY_PORT |
				  IB_DEVICE_XRC | PLACEMENT_CAPS;
	attr->kernel_cap_flags |= IBK_BLOCK_MULTICAST_LOOPBACK;
	attr->max_sge_rd = HCA_MAX_SGE;
	attr->max_ah = HCA_MAX_AH;
	attr->max_mcast_grp = HCA_MAX_GROUPS;
	attr->max_mcast_qp_attach = HCA_MAX_GROUP_MEMBERS;
	attr->max_total_mcast_qp_attach = HCA_MAX_MEMBERS;
	attr->max_qp_rd_atom = HCA_MAX_RD_ATOMIC;
	attr->max_qp_init_rd_atom = HCA_MAX_RD_ATOMIC;
	attr->max_res_rd_atom = HCA_MAX_RD_ATOMIC * attr->max_qp;
	attr->max_rdd = HCA_MAX_RDD;
	attr->max_ee = HCA_MAX_EEC;
	attr->max_ee_rd_atom = HCA_MAX_RD_ATOMIC;
	attr->max_ee_init_rd_atom = HCA_MAX_RD_ATOMIC;
	attr->max_raw_ipv6_qp = HCA_MAX_RAW_QP;
	attr->max_raw_ethy_qp = HCA_MAX_RAW_QP;
	attr->atomic_cap = IB_ATOMIC_HCA;
	attr->masked_atomic_cap = IB_ATOMIC_NONE;
	attr->max_pkeys = HCA_PKEYS;
	attr->local_ca_ack_delay = HCA_LOCAL_ACK_DELAY;
	attributes_claim_odp(attr);
}

void hca_device_set_system_image_guid(struct hca_device *dev, __be64 guid)
{
	WRITE_ONCE(dev->ib.attrs.sys_image_guid, guid);
	hca_node_set_system_image_guid(hca_device_node(dev), guid);
}

/* Changes NodeDescription, and SystemImageGUID in NodeInfo (req V3-126, V3-318). */
int hca_ib_modify_device(struct ib_device *ib, int mask, struct ib_device_modify *modify)
{
	struct hca_node *node = &to_hca_ca_device(ib)->ca.node;
	unsigned int num;

	if (mask & ~(IB_DEVICE_MODIFY_NODE_DESC | IB_DEVICE_MODIFY_SYS_IMAGE_GUID))
		return -EOPNOTSUPP;
	if (mask & IB_DEVICE_MODIFY_SYS_IMAGE_GUID)
		hca_device_set_system_image_guid(to_hca_device(ib),
						 cpu_to_be64(modify->sys_image_guid));
	if (mask & IB_DEVICE_MODIFY_NODE_DESC) {
		hca_node_desc_trim(modify->node_desc);
		spin_lock_bh(&node->desc_lock);
		memcpy(node->description, modify->node_desc, sizeof(node->description));
		memcpy(ib->node_desc, modify->node_desc, sizeof(ib->node_desc));
		spin_unlock_bh(&node->desc_lock);
		for (num = 1; num <= node->num_ports; num++)
			hca_notice_local_change(&node->ports[num], HCA_NODE_DESCRIPTION_CHANGED);
	}
	return 0;
}
