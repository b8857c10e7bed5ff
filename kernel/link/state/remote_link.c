// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Links to remote ports: connecting, disconnecting, and receiving from them. */
#include "link/state/remote_link.h"
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include "link/credit/flow_control.h"
#include "link/port/discard.h"
#include "link/port/port.h"
#include "link/rx/rx_buffer.h"
#include "link/state/state.h"
#include "packet/flight.h"
#include "packet/serialize.h"

/* Set MTUCap to @mtu, and limit NeighborMTU to @mtu. */
static void phy_limit_mtu(struct hca_port *port, u8 mtu)
{
	spin_lock_bh(&port->lock);
	WRITE_ONCE(port->info.mtu_cap, mtu);
	WRITE_ONCE(port->info.neighbor_mtu, min(port->info.neighbor_mtu, mtu));
	spin_unlock_bh(&port->lock);
}

void hca_phy_attach(struct hca_port *port, struct hca_phy *phy)
{
	hca_flight_add_network();
	phy->remote = true;
	phy->up = false;
	phy->mtu_cap = port->info.mtu_cap;
	hca_flow_reset(port, NULL);
	rcu_assign_pointer(port->phy, phy);
	local_bh_disable();
	hca_phy_enable(port, hca_port_phys_enabled(port));
	local_bh_enable();
}

void hca_phy_detach(struct hca_port *port)
{
	struct hca_phy *phy = rcu_dereference_protected(port->phy, true);

	hca_flow_stop(port);
	RCU_INIT_POINTER(port->phy, NULL);
	WRITE_ONCE(port->link_generation, port->link_generation + 1);
	synchronize_rcu_expedited();
	phy_limit_mtu(port, phy->mtu_cap);
	hca_port_link_down(port);
	hca_link_reset_admin_down(port);
	local_bh_disable();
	hca_port_wake(port);
	hca_engine_run();
	local_bh_enable();
	hca_flight_del_network();
}

void hca_phy_up(struct hca_port *port, u8 mtu)
{
	struct hca_phy *phy;

	local_bh_disable();
	phy = hca_phy_to_remote(port);
	if (phy) {
		phy_limit_mtu(port, min(phy->mtu_cap, mtu));
		WRITE_ONCE(phy->up, true);
		hca_flow_start(port);
		hca_link_train(port);
	}
	local_bh_enable();
}

void hca_phy_down(struct hca_port *port)
{
	struct hca_phy *phy;

	local_bh_disable();
	phy = hca_phy_to_remote(port);
	if (phy) {
		WRITE_ONCE(phy->up, false);
		hca_flow_stop(port);
		hca_port_link_down(port);
	}
	local_bh_enable();
}

int hca_phy_receive(struct hca_port *port, const u8 *octets, unsigned int len)
{
	struct hca_packet *pkt = hca_packet_alloc(port->pool);
	int err;

	if (!pkt)
		return -ENOMEM;
	memset(&pkt->h, 0, sizeof(pkt->h));
	err = hca_packet_deserialize(pkt, octets, len);
	if (err)
		hca_port_reject_octets(port, pkt, octets, len, err);
	else if (pkt->h.lrh.vl == HCA_VL_MANAGEMENT && !hca_port_admits_smp(port, pkt))
		err = -ENOBUFS;
	if (err) {
		hca_packet_free(pkt);
		return err;
	}
	pkt->link_generation = READ_ONCE(port->link_generation);
	hca_port_enqueue(port, pkt);
	return 0;
}

void hca_phy_flow(struct hca_port *port, const u8 *octets, unsigned int len)
{
	hca_flow_deliver(port, octets, len);
}
