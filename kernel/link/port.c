// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The attributes of a port, as the packet path reads them, and its counters of packets. */
#include <linux/errno.h>
#include "link/port.h"

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
		if (gid->interface_id == READ_ONCE(port->guid[i]))
			return true;
	return false;
}

int hca_port_find_pkey(const struct hca_port *port, u16 pkey)
{
	int i;

	for (i = 0; i < HCA_PKEYS; i++)
		if (hca_pkey_match(READ_ONCE(port->pkey[i]), pkey))
			return i;
	return -ENOENT;
}

bool hca_port_phys_enabled(const struct hca_port *port)
{
	u8 phys = READ_ONCE(port->info.phys_state);

	return (phys == IB_PORT_PHYS_STATE_POLLING || phys == IB_PORT_PHYS_STATE_LINK_UP) &&
	       !READ_ONCE(port->recovery.no_signal);
}

void hca_port_count_opcode(struct hca_port *port, const struct hca_packet *pkt)
{
	if (hca_packet_is_raw(pkt) || pkt->h.bth.opcode + 1 != READ_ONCE(port->watched_opcode))
		return;
	hca_count(port, HCA_CTR_OPCODE_PACKETS, pkt->packets);
	hca_count(port, HCA_CTR_OPCODE_DATA, pkt->h.lrh.pktlen * pkt->packets);
}

void hca_port_event(struct hca_port *port, enum hca_port_event event)
{
	if (port->ops->event)
		port->ops->event(port, event);
}
