/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The attributes of a port, which managers set and the packet path reads. */
#ifndef HCA_LINK_PORT_ATTRIBUTES_H
#define HCA_LINK_PORT_ATTRIBUTES_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <rdma/ib_verbs.h>
#include "link/credit/flow_control.h"
#include "link/tx/arbiter.h"
#include "packet/packet.h"

struct hca_port;

/* "No state change" in PortPhysicalState of a Set(PortInfo); see enum ib_port_phys_state. */
#define HCA_PHYS_NOP 0

/*
 * The bits of PortInfo:CapabilityMask, capabilities of a port and of its consumers
 * (req C4-239). The MAD layer of an adapter adds and removes some.
 */
enum hca_port_capability {
	HCA_CAP_SM = 1 << 1,
	HCA_CAP_NOTICE = 1 << 2,
	HCA_CAP_TRAP = 1 << 3,
	HCA_CAP_AUTOMATIC_MIGRATION = 1 << 5,
	HCA_CAP_SL_MAP = 1 << 6,
	HCA_CAP_LED_INFO = 1 << 9,
	HCA_CAP_SYSTEM_IMAGE_GUID = 1 << 11,
	HCA_CAP_SWITCH_P_KEY_TRAP = 1 << 12,
	HCA_CAP_EXTENDED_SPEEDS = 1 << 14,
	HCA_CAP_CONNECTION_MANAGEMENT = 1 << 16,
	HCA_CAP_DIRECTED_NOTICE = 1 << 21,
	HCA_CAP_CAPABILITY_NOTICE = 1 << 22,
	HCA_CAP_CLIENT_REREGISTER = 1 << 25,
	HCA_CAP_LOCAL_CHANGES_NOTICE = 1 << 26,
	HCA_CAP_MULTICAST_FDB_TOP = 1 << 30, /* SwitchInfo has MulticastFDBTop */
};

#define HCA_PKEYS 32
#define HCA_GUIDS 8
#define HCA_DEFAULT_GID_PREFIX 0xfe80000000000000ull

/* The fields of PortInfo, in host byte order except M_Key and prefix. */
struct hca_port_info {
	__be64 m_key;
	__be64 subnet_prefix;
	u16 lid;
	u16 sm_lid;
	u32 capability_mask;
	u16 diag_code;
	u16 m_key_lease_period; /* seconds */
	u8 lmc;
	u8 m_key_protect;
	u8 sm_sl;
	u8 state; /* enum ib_port_state */
	u8 phys_state; /* enum ib_port_phys_state */
	u8 link_down_default;
	u8 link_width_enabled, link_width_supported, link_width_active;
	u8 link_speed_enabled, link_speed_supported, link_speed_active;
	u8 link_speed_ext_enabled, link_speed_ext_supported, link_speed_ext_active;
	u8 neighbor_mtu; /* enum ib_mtu */
	u8 mtu_cap;
	u8 vl_cap; /* code of PortInfo: 1 means VL0; 2: VL0-1; 3: VL0-3; 4: VL0-7; 5: VL0-14 */
	u8 operational_vls;
	u8 vl_high_limit;
	u8 init_type; /* set by the subnet manager; has no effect on the port */
	u8 vl_stall_count, hoq_life;
	/* PartitionEnforcement and FilterRaw bits, in the order of PortInfo. */
	u8 partition_enforcement;
	u8 subnet_timeout;
	u8 resp_time_value;
	u8 local_phy_errors, overrun_errors;
	u16 m_key_violations, p_key_violations, q_key_violations;
	u8 client_reregister;
};

/* P_Key table, GUIDInfo, SLtoVLMappingTable and VLArbitrationTable. */
struct hca_port_tables {
	u16 pkey[HCA_PKEYS];
	__be64 guid[HCA_GUIDS]; /* [0] is the port GUID */
	u8 sl2vl[16];
	struct hca_vlarb_table vlarb_low, vlarb_high;
};

/**
 * hca_port_init_attributes() - set the attributes of a port to their defaults
 * @port: the port, whose num and ops are set
 * @guid: port GUID
 *
 * Context: process.
 */
void hca_port_init_attributes(struct hca_port *port, __be64 guid);

/**
 * hca_port_reported_state() - PortState as managers and consumers see it
 * @info: PortInfo of the port
 *
 * ActDefer is reported as Active (IBA 7.2.7).
 * Context: any.
 * Return: enum ib_port_state.
 */
static inline u8 hca_port_reported_state(const struct hca_port_info *info)
{
	return info->state == IB_PORT_ACTIVE_DEFER ? IB_PORT_ACTIVE : info->state;
}

/* Number of data VLs that a code of VLCap or OperationalVLs means (req C4-139). Context: any. */
static inline unsigned int hca_vl_count(u8 code)
{
	static const u8 counts[16] = { [1] = 1, 2, 4, 8, HCA_DATA_VLS };

	return counts[code & 15];
}

/**
 * hca_info_has_vl() - whether a data VL is operational
 * @info: PortInfo of a port
 * @vl: the VL; VL15 is none
 *
 * Context: any.
 */
static inline bool hca_info_has_vl(const struct hca_port_info *info, u8 vl)
{
	return vl < hca_vl_count(READ_ONCE(info->operational_vls));
}

/**
 * hca_port_owns_lid() - whether a LID is one of a port's own
 * @port: the port
 * @lid: the LID; its low LMC bits are ignored
 *
 * Context: any.
 */
bool hca_port_owns_lid(const struct hca_port *port, u16 lid);

/**
 * hca_port_has_gid() - whether a GID is one of a port's own
 * @port: the port
 * @gid: must have the port's prefix or the default prefix, and one of the port's GUIDs
 *
 * Context: any.
 */
bool hca_port_has_gid(const struct hca_port *port, const union hca_gid *gid);

/**
 * hca_port_find_pkey() - find a matching P_Key in the table of a port
 * @port: the port
 * @pkey: P_Key of a packet; see hca_pkey_match()
 *
 * Context: any.
 * Return: index, or -ENOENT.
 */
int hca_port_find_pkey(const struct hca_port *port, u16 pkey);

#define HCA_PKEY_FULL 0x8000 /* the bit of a P_Key that means full membership */

/**
 * hca_pkey_match() - whether two P_Keys match
 * @a: one P_Key
 * @b: the other P_Key
 *
 * Two P_Keys match if their low 15 bits are equal and not 0, and at least one of them is a full
 * member's (IBA 10.9.3).
 * Context: any.
 */
static inline bool hca_pkey_match(u16 a, u16 b)
{
	return (a & 0x7fff) && !((a ^ b) & 0x7fff) && ((a | b) & HCA_PKEY_FULL);
}

#endif
