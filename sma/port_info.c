// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * PortInfo: identity, capabilities and configuration of a port (req C4-235 to C4-240). A port of a
 * CA and port 0 of a switch are endports. An external port of a switch only relays packets, and has
 * neither a LID nor an M_Key (req C4-189).
 */
#include <linux/kernel.h>
#include "fabric/switch.h"
#include "link/state/state.h"
#include "sma/attribute.h"
#include "sma/m_key.h"
#include "wire/field.h"

/* The bits of the attribute modifier that contain the port number. */
#define HCA_PORT_INFO_PORT 0xff
/* A bit of the attribute modifier that a manager sets if it supports extended speeds (IBA 1.3). */
#define HCA_PORT_INFO_EXTENDED_SPEEDS 0x80000000u

/* Special values of LinkWidthEnabled, LinkSpeedEnabled and LinkSpeedExtEnabled. */
#define HCA_WIDTH_ALL_SUPPORTED 0xff
#define HCA_SPEED_ALL_SUPPORTED 0xf
#define HCA_SPEED_EXT_NONE 30
#define HCA_SPEED_EXT_ALL_SUPPORTED 31

struct hca_port_info_attribute {
	struct hca_port_info info;
	u8 local_port_num;
	u8 vl_arb_high_cap, vl_arb_low_cap;
	u8 guid_cap;
};

#define FIELD(name, octet, bit, bits)                                                              \
	HCA_FIELD(struct hca_port_info_attribute, name, octet, bit, bits)

/* Roles of a port. They determine which fields of PortInfo a Set changes. */
enum hca_port_role {
	HCA_ROLE_END = 1 << 0, /* an endport, which has a LID and an M_Key */
	HCA_ROLE_LINK = 1 << 1, /* a port with VLs and an MTU */
	HCA_ROLE_RELAY = 1 << 2, /* an external port of a switch, which relays packets */
};

static unsigned int port_info_roles(const struct hca_port *port)
{
	if (port->node->type != RDMA_NODE_IB_SWITCH)
		return HCA_ROLE_END | HCA_ROLE_LINK;
	if (port->num)
		return HCA_ROLE_LINK | HCA_ROLE_RELAY;
	if (hca_node_switch(port->node)->info.enhanced_port0)
		return HCA_ROLE_END | HCA_ROLE_LINK;
	return HCA_ROLE_END;
}

/* The fields of PortInfo that only endports have. */
static const struct hca_field hca_port_info_end_fields[] = {
	FIELD(info.m_key, 0, 0, 64),
	FIELD(info.subnet_prefix, 8, 0, 64),
	FIELD(info.lid, 16, 0, 16),
	FIELD(info.sm_lid, 18, 0, 16),
	FIELD(info.capability_mask, 20, 0, 32),
	FIELD(info.m_key_lease_period, 26, 0, 16),
	FIELD(info.m_key_protect, 34, 0, 2),
	FIELD(info.lmc, 34, 5, 3),
	FIELD(info.sm_sl, 36, 4, 4),
	FIELD(info.init_type, 37, 4, 4),
	FIELD(info.m_key_violations, 44, 0, 16),
	FIELD(info.q_key_violations, 48, 0, 16),
	FIELD(guid_cap, 50, 0, 8),
	FIELD(info.client_reregister, 51, 0, 1),
	FIELD(info.subnet_timeout, 51, 3, 5),
	FIELD(info.resp_time_value, 52, 3, 5),
};

/* The fields of PortInfo that all ports have. */
static const struct hca_field hca_port_info_fields[] = {
	FIELD(info.diag_code, 24, 0, 16),
	FIELD(local_port_num, 28, 0, 8),
	FIELD(info.link_width_enabled, 29, 0, 8),
	FIELD(info.link_width_supported, 30, 0, 8),
	FIELD(info.link_width_active, 31, 0, 8),
	FIELD(info.link_speed_supported, 32, 0, 4),
	FIELD(info.state, 32, 4, 4),
	FIELD(info.phys_state, 33, 0, 4),
	FIELD(info.link_down_default, 33, 4, 4),
	FIELD(info.link_speed_active, 35, 0, 4),
	FIELD(info.link_speed_enabled, 35, 4, 4),
	FIELD(info.neighbor_mtu, 36, 0, 4),
	FIELD(info.vl_cap, 37, 0, 4),
	FIELD(info.vl_high_limit, 38, 0, 8),
	FIELD(vl_arb_high_cap, 39, 0, 8),
	FIELD(vl_arb_low_cap, 40, 0, 8),
	FIELD(info.mtu_cap, 41, 4, 4), /* the 4 bits before are InitTypeReply, which is always 0 */
	FIELD(info.vl_stall_count, 42, 0, 3),
	FIELD(info.hoq_life, 42, 3, 5),
	FIELD(info.operational_vls, 43, 0, 4),
	FIELD(info.partition_enforcement, 43, 4, 4),
	FIELD(info.p_key_violations, 46, 0, 16),
	FIELD(info.local_phy_errors, 53, 0, 4),
	FIELD(info.overrun_errors, 53, 4, 4),
	/* MaxCreditHint, LinkRoundTripLatency and CapabilityMask2 are always 0. */
	FIELD(info.link_speed_ext_active, 62, 0, 4),
	FIELD(info.link_speed_ext_supported, 62, 4, 4),
	FIELD(info.link_speed_ext_enabled, 63, 3, 5),
};

struct hca_port *hca_port_info_port(const struct hca_mad_request *rq)
{
	u32 num = rq->modifier & ~HCA_PORT_INFO_EXTENDED_SPEEDS;

	if (num & ~HCA_PORT_INFO_PORT)
		return NULL;
	return num ? hca_node_port(rq->node, num) : rq->home;
}

/*
 * Returns whether a Set may change a port. In a CA, an SMP can only set the port where it arrived
 * (req C4-236).
 */
static bool port_info_is_settable(const struct hca_mad_request *rq, const struct hca_port *port)
{
	return port == rq->home || rq->node->type == RDMA_NODE_IB_SWITCH;
}

static bool port_info_requests_reregister(const struct hca_mad_request *rq)
{
	struct hca_port_info_attribute want;

	hca_fields_unpack(hca_port_info_end_fields, ARRAY_SIZE(hca_port_info_end_fields), rq->in,
			  &want);
	return want.info.client_reregister;
}

u16 hca_port_info_get(struct hca_mad_request *rq)
{
	struct hca_port *port = hca_port_info_port(rq);
	struct hca_port_info_attribute a;

	if (!port)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	spin_lock_bh(&port->lock);
	a.info = port->info;
	a.info.state = hca_port_reported_state(&a.info);
	if (rq->method == IB_MGMT_METHOD_GET && !rq->m_key_trusted &&
	    !hca_m_key_is_visible(port, rq->m_key))
		a.info.m_key = 0;
	spin_unlock_bh(&port->lock);
	/*
	 * In the response to a Set, ClientReregister is that of the request; in the response to a
	 * Get, it is 0 (o14-12.2.1).
	 */
	a.info.client_reregister = rq->method == IB_MGMT_METHOD_SET &&
				   port_info_requests_reregister(rq) &&
				   port_info_is_settable(rq, port);
	a.local_port_num = rq->arrival;
	a.vl_arb_high_cap = a.info.vl_cap > 1 ? HCA_VLARB_ENTRIES : 0;
	a.vl_arb_low_cap = a.info.vl_cap > 1 ? HCA_VLARB_ENTRIES : 0;
	a.guid_cap = HCA_GUIDS;
	hca_fields_pack(hca_port_info_fields, ARRAY_SIZE(hca_port_info_fields), &a, rq->out);
	if (port_info_roles(port) & HCA_ROLE_END)
		hca_fields_pack(hca_port_info_end_fields, ARRAY_SIZE(hca_port_info_end_fields), &a,
				rq->out);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}

static bool is_unicast_lid(u16 lid)
{
	return lid && lid < HCA_LID_MULTICAST;
}

/*
 * Each function set_*() applies one field of a Set. If the value is invalid, the function returns
 * false and changes nothing; the other fields are applied nevertheless. The caller holds
 * port->lock.
 */

static bool port_info_set_subnet_prefix(struct hca_port_info *info,
					const struct hca_port_info *want, u32 *events)
{
	if (info->subnet_prefix != want->subnet_prefix)
		*events |= 1u << HCA_EVENT_GID_CHANGE;
	info->subnet_prefix = want->subnet_prefix;
	return true;
}

static bool port_info_set_lid(struct hca_port_info *info, const struct hca_port_info *want,
			      u32 *events)
{
	/* The lowest LMC bits of a base LID are 0 (IBA 3.5.10). */
	if (!is_unicast_lid(want->lid) || want->lid & ((1u << want->lmc) - 1))
		return false;
	if (info->lid != want->lid || info->lmc != want->lmc)
		*events |= 1u << HCA_EVENT_LID_CHANGE;
	WRITE_ONCE(info->lid, want->lid);
	WRITE_ONCE(info->lmc, want->lmc);
	return true;
}

static bool port_info_set_sm(struct hca_port_info *info, const struct hca_port_info *want,
			     u32 *events)
{
	if (!is_unicast_lid(want->sm_lid))
		return false;
	if (info->sm_lid != want->sm_lid || info->sm_sl != want->sm_sl)
		*events |= 1u << HCA_EVENT_SM_CHANGE;
	WRITE_ONCE(info->sm_lid, want->sm_lid);
	WRITE_ONCE(info->sm_sl, want->sm_sl);
	return true;
}

/*
 * Applies LinkWidthEnabled, LinkSpeedEnabled or LinkSpeedExtEnabled. @want is a subset of
 * @supported, 0 to change nothing, or @all to enable everything in @supported.
 */
static bool port_info_set_enabled(u8 *enabled, u8 want, u8 supported, u8 all)
{
	if (want == all)
		want = supported;
	if (want & ~supported)
		return false;
	if (want)
		*enabled = want;
	return true;
}

static bool port_info_set_speed_ext(struct hca_port_info *info, u8 want)
{
	if (want == HCA_SPEED_EXT_NONE) {
		info->link_speed_ext_enabled = 0;
		return true;
	}
	return port_info_set_enabled(&info->link_speed_ext_enabled, want,
				     info->link_speed_ext_supported, HCA_SPEED_EXT_ALL_SUPPORTED);
}

static bool port_info_set_link_down_default(struct hca_port_info *info, u8 want)
{
	if (want > IB_PORT_PHYS_STATE_POLLING)
		return false;
	if (want != HCA_PHYS_NOP)
		WRITE_ONCE(info->link_down_default, want);
	return true;
}

static bool port_info_set_neighbor_mtu(struct hca_port_info *info, u8 want)
{
	if (want < IB_MTU_256 || want > info->mtu_cap)
		return false;
	WRITE_ONCE(info->neighbor_mtu, want);
	return true;
}

static bool port_info_set_operational_vls(struct hca_port_info *info, u8 want)
{
	if (want > info->vl_cap)
		return false;
	if (want)
		WRITE_ONCE(info->operational_vls, want);
	return true;
}

/* Only 0 can be written to a violation counter; any other value does not change the counter. */
static void port_info_set_violations(u16 *counter, u16 want)
{
	if (!want)
		WRITE_ONCE(*counter, 0);
}

static bool port_info_apply_end(struct hca_port_info *info, const struct hca_port_info *want,
				u32 *events)
{
	bool ok = true;

	info->m_key = want->m_key;
	info->m_key_lease_period = want->m_key_lease_period;
	info->m_key_protect = want->m_key_protect;
	info->subnet_timeout = want->subnet_timeout;
	info->init_type = want->init_type;
	ok &= port_info_set_lid(info, want, events);
	ok &= port_info_set_sm(info, want, events);
	ok &= port_info_set_subnet_prefix(info, want, events);
	port_info_set_violations(&info->m_key_violations, want->m_key_violations);
	port_info_set_violations(&info->q_key_violations, want->q_key_violations);
	return ok;
}

static bool port_info_apply_link(struct hca_port_info *info, const struct hca_port_info *want,
				 bool extended_speeds)
{
	bool ok = true;

	info->vl_high_limit = want->vl_high_limit;
	info->local_phy_errors = want->local_phy_errors;
	info->overrun_errors = want->overrun_errors;
	ok &= port_info_set_enabled(&info->link_width_enabled, want->link_width_enabled,
				    info->link_width_supported, HCA_WIDTH_ALL_SUPPORTED);
	ok &= port_info_set_enabled(&info->link_speed_enabled, want->link_speed_enabled,
				    info->link_speed_supported, HCA_SPEED_ALL_SUPPORTED);
	if (extended_speeds)
		ok &= port_info_set_speed_ext(info, want->link_speed_ext_enabled);
	ok &= port_info_set_link_down_default(info, want->link_down_default);
	ok &= port_info_set_neighbor_mtu(info, want->neighbor_mtu);
	ok &= port_info_set_operational_vls(info, want->operational_vls);
	return ok;
}

static void port_info_apply_relay(struct hca_port_info *info, const struct hca_port_info *want)
{
	info->vl_stall_count = want->vl_stall_count;
	WRITE_ONCE(info->hoq_life, want->hoq_life);
	WRITE_ONCE(info->partition_enforcement, want->partition_enforcement & HCA_SWITCH_FILTERS);
}

static bool port_info_apply(struct hca_port *port, struct hca_port_info *want,
			    bool extended_speeds, u32 *events)
{
	unsigned int roles = port_info_roles(port);
	struct hca_port_info *info = &port->info;
	bool ok = true;

	if (!(roles & HCA_ROLE_LINK))
		want->lmc = 0; /* port 0 of a switch has one LID if not enhanced (req C4-188) */
	if (roles & HCA_ROLE_END)
		ok &= port_info_apply_end(info, want, events);
	if (roles & HCA_ROLE_LINK)
		ok &= port_info_apply_link(info, want, extended_speeds);
	if (roles & HCA_ROLE_RELAY)
		port_info_apply_relay(info, want);
	port_info_set_violations(&info->p_key_violations, want->p_key_violations);
	return ok;
}

/*
 * Applies PortState and PortPhysicalState. A Set may change PortPhysicalState only if its PortState
 * is Down or 0 (no change). The caller holds no lock.
 */
static bool port_info_apply_state(struct hca_port *port, const struct hca_port_info *want)
{
	if (!port->num) /* port 0 of a switch has no link and is always Active */
		return true;
	if (want->phys_state == HCA_PHYS_NOP)
		return !hca_port_set_state(port, want->state);
	return (want->state == IB_PORT_NOP || want->state == IB_PORT_DOWN) &&
	       !hca_port_set_phys_state(port, want->phys_state);
}

u16 hca_port_info_set(struct hca_mad_request *rq)
{
	struct hca_port *port = hca_port_info_port(rq);
	struct hca_port_info_attribute want;
	u32 event, events = 0;
	bool ok;

	if (!port)
		return IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
	if (!port_info_is_settable(rq, port))
		return IB_MGMT_MAD_STATUS_SUCCESS;

	hca_fields_unpack(hca_port_info_fields, ARRAY_SIZE(hca_port_info_fields), rq->in, &want);
	hca_fields_unpack(hca_port_info_end_fields, ARRAY_SIZE(hca_port_info_end_fields), rq->in,
			  &want);
	spin_lock_bh(&port->lock);
	ok = port_info_apply(port, &want.info, rq->modifier & HCA_PORT_INFO_EXTENDED_SPEEDS,
			     &events);
	spin_unlock_bh(&port->lock);
	for (event = 0; events >> event; event++)
		if (events & 1u << event)
			hca_port_event(port, event);

	/* The states change last, so that a link that comes up has the new configuration. */
	ok &= port_info_apply_state(port, &want.info);
	if (want.info.client_reregister && port_info_roles(port) & HCA_ROLE_END)
		hca_port_event(port, HCA_EVENT_CLIENT_REREGISTER);
	return ok ? IB_MGMT_MAD_STATUS_SUCCESS : IB_MGMT_MAD_STATUS_INVALID_ATTRIB_VALUE;
}
