// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A port whose link leads elsewhere: its making and end, and what comes from there. */
#include <linux/bottom_half.h>
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include "fabric/node.h"
#include "link/image.h"
#include "link/medium.h"
#include "link/port.h"
#include "link/rx.h"
#include "link/state.h"
#include "link/tap.h"
#include "link/tx.h"

static struct hca_medium *hca_medium_of(const struct hca_port *port)
{
	struct hca_medium *medium = rcu_dereference_check(port->medium, rcu_read_lock_bh_held());

	if (medium && medium->below)
		medium = medium->below;
	return medium && medium->elsewhere ? medium : NULL;
}

bool hca_medium_is_elsewhere(const struct hca_port *port)
{
	return hca_medium_of(port);
}

bool hca_medium_is_up(const struct hca_port *port)
{
	const struct hca_medium *medium = hca_medium_of(port);

	return medium && READ_ONCE(medium->up);
}

void hca_medium_will(struct hca_port *port, bool willing)
{
	struct hca_medium *medium = hca_medium_of(port);

	if (medium && medium->will)
		medium->will(medium, willing);
}

/* No larger MTU than both ends and the way between them have. */
static void hca_medium_limit_mtu(struct hca_port *port, u8 mtu)
{
	spin_lock_bh(&port->lock);
	WRITE_ONCE(port->info.mtu_cap, mtu);
	WRITE_ONCE(port->info.neighbor_mtu, min(port->info.neighbor_mtu, mtu));
	spin_unlock_bh(&port->lock);
}

void hca_medium_attach(struct hca_port *port, struct hca_medium *medium)
{
	medium->elsewhere = true;
	medium->up = false;
	medium->mtu_cap = port->info.mtu_cap;
	hca_flow_reset(port, NULL);
	rcu_assign_pointer(port->medium, medium);
	local_bh_disable();
	hca_medium_will(port, hca_port_willing(port));
	local_bh_enable();
}

void hca_medium_detach(struct hca_port *port)
{
	struct hca_medium *medium = rcu_dereference_protected(port->medium, true);

	hca_flow_stop(port);
	RCU_INIT_POINTER(port->medium, NULL);
	WRITE_ONCE(port->link_generation, port->link_generation + 1);
	synchronize_rcu_expedited();
	hca_medium_limit_mtu(port, medium->mtu_cap);
	hca_port_link_down(port);
	local_bh_disable();
	hca_port_wake(port);
	hca_engine_drain();
	local_bh_enable();
}

void hca_medium_up(struct hca_port *port, u8 mtu)
{
	struct hca_medium *medium;

	local_bh_disable();
	medium = hca_medium_of(port);
	if (medium) {
		hca_medium_limit_mtu(port, min(medium->mtu_cap, mtu));
		WRITE_ONCE(medium->up, true);
		hca_flow_start(port);
		hca_link_train(port);
	}
	local_bh_enable();
}

void hca_medium_down(struct hca_port *port)
{
	struct hca_medium *medium;

	local_bh_disable();
	medium = hca_medium_of(port);
	if (medium) {
		WRITE_ONCE(medium->up, false);
		hca_flow_stop(port);
		hca_port_link_down(port);
	}
	local_bh_enable();
}

int hca_medium_receive(struct hca_port *port, const u8 *octets, unsigned int len)
{
	struct hca_packet *pkt = hca_packet_alloc(port->node->pool);
	int err;

	if (!pkt)
		return -ENOMEM;
	memset(&pkt->h, 0, sizeof(pkt->h));
	err = hca_packet_read(pkt, octets, len);
	if (err)
		hca_port_refuse_image(port, pkt, octets, len, err);
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

void hca_medium_flow(struct hca_port *port, const u8 *octets, unsigned int len)
{
	hca_flow_deliver(port, octets, len);
}
