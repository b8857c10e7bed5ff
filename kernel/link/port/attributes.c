// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The attributes of a port: their defaults, and functions by which the packet path reads them. */
#include "link/port/attributes.h"
#include <linux/errno.h>
#include "link/port/port.h"

static const struct hca_port_info defaults = {
	.capability_mask = HCA_CAP_SL_MAP | HCA_CAP_LED_INFO | HCA_CAP_SYSTEM_IMAGE_GUID |
			   HCA_CAP_EXTENDED_SPEEDS | HCA_CAP_CLIENT_REREGISTER,
	.state = IB_PORT_DOWN,
	.phys_state = IB_PORT_PHYS_STATE_POLLING,
	.link_down_default = IB_PORT_PHYS_STATE_POLLING,
	.link_width_enabled = 3, /* 1x, 4x */
	.link_width_supported = 3,
	.link_width_active = 2,
	.link_speed_enabled = 7, /* 2.5, 5, 10 Gb/s */
	.link_speed_supported = 7,
	.link_speed_active = 4,
	.link_speed_ext_enabled = 3, /* FDR, EDR */
	.link_speed_ext_supported = 3,
	.link_speed_ext_active = 2,
	.neighbor_mtu = IB_MTU_4096,
	.mtu_cap = IB_MTU_4096,
	.vl_cap = 5, /* VL0 to VL14 */
	.operational_vls = 5,
	.local_phy_errors = 8,
	.overrun_errors = 8,
	.resp_time_value = 16,
};

void hca_port_init_attributes(struct hca_port *port, __be64 guid)
{
	struct hca_port_tables *tables = &port->tables;
	int i;

	port->info = defaults;
	if (port->ops->relays && port->num)
		port->info.hoq_life = HCA_LIFE_FOREVER;
	port->info.subnet_prefix = cpu_to_be64(HCA_DEFAULT_GID_PREFIX);
	tables->guid[0] = guid;
	tables->pkey[0] = 0xffff;
	for (i = 0; i < 16; i++) {
		tables->sl2vl[i] = i % HCA_DATA_VLS;
		hca_vlarb_set(&tables->vlarb_low, i, i % HCA_DATA_VLS, i < HCA_DATA_VLS ? 1 : 0);
	}
}

bool hca_port_owns_lid(const struct hca_port *port, u16 lid)
{
	u16 own = READ_ONCE(port->info.lid);

	return own && (u16)(lid & ~((1u << READ_ONCE(port->info.lmc)) - 1)) == own;
}

bool hca_port_has_gid(const struct hca_port *port, const union hca_gid *gid)
{
	int i;

	if (!gid->interface_id || (gid->subnet_prefix != READ_ONCE(port->info.subnet_prefix) &&
				   gid->subnet_prefix != cpu_to_be64(HCA_DEFAULT_GID_PREFIX)))
		return false;
	for (i = 0; i < HCA_GUIDS; i++)
		if (gid->interface_id == READ_ONCE(port->tables.guid[i]))
			return true;
	return false;
}

int hca_port_find_pkey(const struct hca_port *port, u16 pkey)
{
	int i;

	for (i = 0; i < HCA_PKEYS; i++)
		if (hca_pkey_match(READ_ONCE(port->tables.pkey[i]), pkey))
			return i;
	return -ENOENT;
}
