// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Functions of a port: events, counters, and whether its link may be trained. */
#include "link/port/port.h"

bool hca_port_phys_enabled(const struct hca_port *port)
{
	u8 phys = READ_ONCE(port->info.phys_state);

	return (phys == IB_PORT_PHYS_STATE_POLLING || phys == IB_PORT_PHYS_STATE_LINK_UP) &&
	       !READ_ONCE(port->recovery.no_signal) && !READ_ONCE(port->recovery.admin_down);
}

u64 hca_counter_read_since_reset(struct hca_port *port, enum hca_counter c)
{
	u64 value;

	spin_lock_bh(&port->lock);
	value = hca_counter_read(port, c) - (port->counters.base ? port->counters.base[c] : 0);
	spin_unlock_bh(&port->lock);
	return value;
}

void hca_port_count_opcode(struct hca_port *port, const struct hca_packet *pkt)
{
	u16 watched = READ_ONCE(port->counters.watched_opcode);

	if (hca_packet_is_raw(pkt) || pkt->h.bth.opcode + 1 != watched)
		return;
	hca_count(port, HCA_CTR_OPCODE_PACKETS, pkt->packets);
	hca_count(port, HCA_CTR_OPCODE_DATA, pkt->h.lrh.pktlen * pkt->packets);
}

void hca_port_event(struct hca_port *port, enum hca_port_event event)
{
	if (port->ops->event)
		port->ops->event(port, event);
}
