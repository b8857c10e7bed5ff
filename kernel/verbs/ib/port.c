// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Port operations of the RDMA core. They read and write the PortInfo that the management agents
 * use (req V3-118, V3-126).
 */
#include "fabric/smi.h"
#include "link/port/notice.h"
#include "verbs/ib/ca_device.h"

static const enum ib_event_type event_types[] = {
	[HCA_EVENT_PORT_ACTIVE] = IB_EVENT_PORT_ACTIVE,
	[HCA_EVENT_PORT_ERROR] = IB_EVENT_PORT_ERR,
	[HCA_EVENT_LID_CHANGE] = IB_EVENT_LID_CHANGE,
	[HCA_EVENT_SM_CHANGE] = IB_EVENT_SM_CHANGE,
	[HCA_EVENT_PKEY_CHANGE] = IB_EVENT_PKEY_CHANGE,
	[HCA_EVENT_GID_CHANGE] = IB_EVENT_GID_CHANGE,
	[HCA_EVENT_CLIENT_REREGISTER] = IB_EVENT_CLIENT_REREGISTER,
};

/*
 * Dispatches an event to the RDMA core, which queues the event. Bottom halves are disabled, so that
 * the grace period in hca_device_unregister() waits for this function.
 */
static void port_event(struct hca_port *port, enum hca_port_event type)
{
	struct hca_device *dev = &hca_port_device(port)->dev;
	struct ib_event event = {
		.device = &dev->ib,
		.element.port_num = port->num,
		.event = event_types[type],
	};

	if (READ_ONCE(dev->events))
		ib_dispatch_event(&event);
}

const struct hca_port_ops hca_device_port_ops = {
	.receive = hca_transport_receive,
	.receive_smp = hca_smi_receive,
	.manager = hca_transport_receive,
	.event = port_event,
	.notice = hca_node_notice,
};

/*
 * LinkSpeedExtActive has FDR, EDR, HDR and NDR in bits 0 to 3. enum ib_port_speed has these speeds
 * in the same order, from the bit IB_SPEED_FDR on. A multiplication therefore converts them.
 */
static u16 port_active_speed(const struct hca_port_info *info)
{
	static_assert(IB_SPEED_EDR == IB_SPEED_FDR << 1 && IB_SPEED_NDR == IB_SPEED_FDR << 3);

	if (info->link_speed_ext_active)
		return info->link_speed_ext_active * IB_SPEED_FDR;
	return info->link_speed_active ?: IB_SPEED_SDR;
}

int hca_ib_query_port(struct ib_device *ib, u32 num, struct ib_port_attr *attr)
{
	struct hca_port *port = hca_device_port(ib, num);
	struct hca_port_info info;

	if (!port)
		return -EINVAL;
	spin_lock_bh(&port->lock);
	info = port->info;
	spin_unlock_bh(&port->lock);

	*attr = (struct ib_port_attr){
		.subnet_prefix = be64_to_cpu(info.subnet_prefix),
		.state = hca_port_reported_state(&info),
		.phys_state = info.phys_state,
		.max_mtu = info.mtu_cap,
		.active_mtu = info.neighbor_mtu,
		.phys_mtu = hca_mtu_bytes(info.neighbor_mtu),
		.gid_tbl_len = HCA_GUIDS,
		.pkey_tbl_len = HCA_PKEYS,
		.port_cap_flags = info.capability_mask,
		.max_msg_sz = to_hca_device(ib)->ci->max_message,
		.bad_pkey_cntr = info.p_key_violations,
		.qkey_viol_cntr = info.q_key_violations,
		.lid = info.lid,
		.lmc = info.lmc,
		.sm_lid = info.sm_lid,
		.sm_sl = info.sm_sl,
		.max_vl_num = info.vl_cap,
		.subnet_timeout = info.subnet_timeout,
		.active_width = info.link_width_active ?: IB_WIDTH_4X,
		.active_speed = port_active_speed(&info),
	};
	return 0;
}

/* Changes the capability mask, for the subnet manager and the CM (req V3-123, V3-127). */
int hca_ib_modify_port(struct ib_device *ib, u32 num, int mask, struct ib_port_modify *modify)
{
	struct hca_port *port = hca_device_port(ib, num);

	if (!port)
		return -EINVAL;
	if (mask & ~IB_PORT_RESET_QKEY_CNTR)
		return -EOPNOTSUPP;
	spin_lock_bh(&port->lock);
	port->info.capability_mask |= modify->set_port_cap_mask;
	port->info.capability_mask &= ~modify->clr_port_cap_mask;
	if (mask & IB_PORT_RESET_QKEY_CNTR) /* req V3-124 */
		port->info.q_key_violations = 0;
	spin_unlock_bh(&port->lock);
	if (modify->set_port_cap_mask | modify->clr_port_cap_mask)
		hca_notice_local_change(port, 0);
	return 0;
}

/* Returns the GID 0 for an entry of GUIDInfo that has no GUID. */
int hca_ib_query_gid(struct ib_device *ib, u32 num, int index, union ib_gid *gid)
{
	struct hca_port *port = hca_device_port(ib, num);

	if (!port || index < 0 || index >= HCA_GUIDS)
		return -EINVAL;
	spin_lock_bh(&port->lock);
	gid->global.interface_id = port->tables.guid[index];
	gid->global.subnet_prefix = port->tables.guid[index] ? port->info.subnet_prefix : 0;
	spin_unlock_bh(&port->lock);
	return 0;
}

int hca_ib_query_pkey(struct ib_device *ib, u32 num, u16 index, u16 *pkey)
{
	struct hca_port *port = hca_device_port(ib, num);

	if (!port || index >= HCA_PKEYS)
		return -EINVAL;
	*pkey = READ_ONCE(port->tables.pkey[index]);
	return 0;
}

int hca_ib_get_port_immutable(struct ib_device *ib, u32 num, struct ib_port_immutable *immutable)
{
	immutable->core_cap_flags = RDMA_CORE_PORT_IBA_IB;
	immutable->gid_tbl_len = HCA_GUIDS;
	immutable->pkey_tbl_len = HCA_PKEYS;
	immutable->max_mad_size = IB_MGMT_MAD_SIZE;
	return 0;
}

enum rdma_link_layer hca_ib_get_link_layer(struct ib_device *ib, u32 num)
{
	return IB_LINK_LAYER_INFINIBAND;
}
