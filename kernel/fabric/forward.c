// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The packet relay of a switch (IBA 18.2.4). */
#include "fabric/forward.h"
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include "link/port/discard.h"
#include "link/port/notice.h"
#include "link/tap/tap.h"
#include "link/tx/tx.h"
#include "packet/payload.h"

/* Bits of hca_port_info.partition_enforcement, in the order of PortInfo. */
enum {
	HCA_FILTER_RAW_OUT = 1 << 0,
	HCA_FILTER_RAW_IN = 1 << 1,
	HCA_ENFORCE_OUT = 1 << 2,
	HCA_ENFORCE_IN = 1 << 3,
};

/* Drop a packet that cannot be relayed and count it at its input port (req C4-336). */
static void relay_error(struct hca_port *in, struct hca_packet *pkt,
			enum hca_drop_reason reason)
{
	hca_trace_drop(in, pkt, reason);
	hca_count(in, reason == HCA_DROP_SL ? HCA_CTR_VL_MAPPING_ERRORS :
		      reason == HCA_DROP_WAY_BACK || reason == HCA_DROP_HOPS ?
					      HCA_CTR_LOOPING_ERRORS :
					      HCA_CTR_DLID_MAPPING_ERRORS, pkt->packets);
	hca_packet_free(pkt);
}

/*
 * Inbound partition enforcement. Return: whether the P_Key table of @port contains the partition of
 * @pkey; the membership bits are ignored. The table of a switch port is a copy of the table of its
 * peer: if the peer is a limited member, both its packets and the table contain the limited P_Key,
 * which must match. The outbound check and the destination still prevent two limited members from
 * communicating.
 */
static bool relay_accepts_pkey(const struct hca_port *port, u16 pkey)
{
	int i;

	for (i = 0; i < HCA_PKEYS; i++)
		if (hca_pkey_match(READ_ONCE(port->tables.pkey[i]) | HCA_PKEY_FULL, pkey))
			return true;
	return false;
}

static bool relay_passes_in(const struct hca_port *in, const struct hca_packet *pkt)
{
	u8 wanted = READ_ONCE(in->info.partition_enforcement);

	if (hca_packet_is_raw(pkt))
		return !(wanted & HCA_FILTER_RAW_IN);
	return !(wanted & HCA_ENFORCE_IN) || relay_accepts_pkey(in, pkt->h.bth.pkey);
}

static bool relay_passes_out(const struct hca_port *out, const struct hca_packet *pkt)
{
	u8 wanted = READ_ONCE(out->info.partition_enforcement);

	if (hca_packet_is_raw(pkt))
		return !(wanted & HCA_FILTER_RAW_OUT);
	return !(wanted & HCA_ENFORCE_OUT) || hca_port_find_pkey(out, pkt->h.bth.pkey) >= 0;
}

/* Drop and count a packet that has failed partition enforcement or a raw filter. */
static void relay_constraint(struct hca_port *port, struct hca_packet *pkt,
			     enum hca_counter counter)
{
	hca_trace_drop(port, pkt, hca_packet_is_raw(pkt) ? HCA_DROP_RAW : HCA_DROP_P_KEY);
	hca_count(port, counter, pkt->packets);
	if (!hca_packet_is_raw(pkt))
		hca_port_pkey_violation(port, pkt);
	hca_packet_free(pkt);
}

/*
 * Forward a packet to the external port @num. @in: the input port, or port 0 for packets of the
 * switch itself.
 */
static void relay_to(struct hca_switch *sw, struct hca_port *in, u8 num, struct hca_packet *pkt)
{
	struct hca_port *out = &sw->node.ports[num];
	struct hca_lrh *lrh = &pkt->h.lrh;

	if (unlikely(pkt->flags & HCA_PACKET_EXPIRED)) {
		hca_port_discard(out, pkt, HCA_DROP_LIFETIME);
		return;
	}
	lrh->vl = READ_ONCE(hca_switch_sl2vl(sw, in->num, num)[lrh->sl]);
	if (lrh->vl == HCA_VL_MANAGEMENT) { /* packets of this SL are dropped (IBA 7.6.6) */
		relay_error(in, pkt, HCA_DROP_SL);
		return;
	}
	if (!relay_passes_out(out, pkt)) {
		relay_constraint(out, pkt, HCA_CTR_XMIT_CONSTRAINT_ERRORS);
		return;
	}
	hca_port_forward(out, pkt);
}

/* Return: the output port of a LID, or HCA_NO_PORT. */
static u8 switch_lookup(const struct hca_switch *sw, u16 lid)
{
	u8 num = HCA_NO_PORT;

	if (lid && lid < HCA_LFT_CAP && lid <= READ_ONCE(sw->info.linear_fdb_top))
		num = READ_ONCE(sw->lft[lid]);
	if (num == HCA_NO_PORT && sw->rft)
		num = READ_ONCE(sw->info.default_port);
	return num <= sw->node.num_ports ? num : HCA_NO_PORT;
}

/*
 * Return: number of the output port of a packet; HCA_NO_PORT if the packet has been dropped.
 */
static u8 relay_route(struct hca_switch *sw, struct hca_port *in, struct hca_packet *pkt)
{
	u8 num = switch_lookup(sw, pkt->h.lrh.dlid);

	/*
	 * A packet sent by its input port would loop. Port 0 receives only packets to its own LIDs,
	 * which the caller has handled.
	 */
	if (num != HCA_NO_PORT && num && num != in->num)
		return num;
	relay_error(in, pkt, num == in->num ? HCA_DROP_WAY_BACK : HCA_DROP_NO_ROUTE);
	return HCA_NO_PORT;
}

static void relay_unicast(struct hca_switch *sw, struct hca_port *in, struct hca_packet *pkt)
{
	struct hca_port *home = &sw->node.ports[0];
	u8 num;

	if (hca_port_owns_lid(home, pkt->h.lrh.dlid)) {
		home->ops->receive(home, pkt);
		return;
	}
	num = relay_route(sw, in, pkt);
	if (num != HCA_NO_PORT)
		relay_to(sw, in, num, pkt);
}

/*
 * Find the output ports of a multicast packet. If the table contains no port for the LID, a default
 * port is used. The input port is left out. Return: false if the default port does not exist.
 */
static bool relay_members(const struct hca_switch *sw, const struct hca_port *in, u16 lid,
			  unsigned long *ports)
{
	const struct hca_switch_info *info = &sw->info;
	unsigned int index = lid - HCA_LID_MULTICAST, i;
	u16 top = READ_ONCE(info->multicast_fdb_top); /* 0: the whole table is valid */
	bool any = false;
	u8 num;

	bitmap_zero(ports, HCA_MAX_SWITCH_PORTS + 1);
	if (index < HCA_MFT_CAP && (!top || lid <= top))
		for (i = 0; i <= sw->node.num_ports; i++)
			if (READ_ONCE(sw->mft[index * sw->mft_positions +
					      i / HCA_MFT_POSITION_PORTS]) &
			    1u << i % HCA_MFT_POSITION_PORTS) {
				__set_bit(i, ports);
				any = true;
			}
	if (!any) {
		num = READ_ONCE(info->default_multicast_primary);
		if (num == in->num)
			num = READ_ONCE(info->default_multicast_not_primary);
		if (num > sw->node.num_ports)
			return false;
		__set_bit(num, ports);
	}
	__clear_bit(in->num, ports);
	return true;
}

static void relay_multicast(struct hca_switch *sw, struct hca_port *in, struct hca_packet *pkt)
{
	DECLARE_BITMAP(ports, HCA_MAX_SWITCH_PORTS + 1);
	unsigned long num, next, end = sw->node.num_ports + 1;
	struct hca_packet *copy;

	if (!relay_members(sw, in, pkt->h.lrh.dlid, ports)) {
		relay_error(in, pkt, HCA_DROP_NO_ROUTE);
		return;
	}
	__clear_bit(0, ports); /* port 0 is not a member of multicast groups */
	num = find_first_bit(ports, end);
	if (num >= end) {
		trace_hca_drop(in, pkt, HCA_DROP_NO_MEMBER);
		hca_packet_free(pkt);
		return;
	}
	/*
	 * The last output port sends @pkt itself. The other ports send copies, which share the
	 * payload and the reserved receive buffer of @pkt.
	 */
	for (; (next = find_next_bit(ports, end, num + 1)) < end; num = next) {
		in->rx.copies++;
		copy = hca_packet_share(pkt) ? NULL : hca_packet_branch(pkt);
		if (copy) {
			relay_to(sw, in, num, copy);
			continue;
		}
		trace_hca_drop(&sw->node.ports[num], pkt, HCA_DROP_NO_MEMORY);
		hca_count(&sw->node.ports[num], HCA_CTR_OTHER_DISCARDS, 1);
	}
	relay_to(sw, in, num, pkt);
}

/*
 * Set the time when a packet expires: after LifeTimeValue of this switch (IBA 18.2.5.4), but not
 * later than the time set by an earlier switch, so that packets do not circulate forever.
 */
static void switch_limit_life(const struct hca_switch *sw, struct hca_packet *pkt)
{
	u8 life = READ_ONCE(sw->info.life_time);
	u64 now;

	if (life >= HCA_LIFE_FOREVER && !pkt->expires)
		return;
	now = ktime_get_ns();
	if (pkt->expires && pkt->expires <= now)
		pkt->flags |= HCA_PACKET_EXPIRED;
	if (life < HCA_LIFE_FOREVER)
		pkt->expires = min_not_zero(pkt->expires, now + (HCA_LIFE_UNIT_NS << life));
}

void hca_switch_receive(struct hca_port *in, struct hca_packet *pkt)
{
	struct hca_switch *sw = hca_node_switch(in->node);
	u16 lid = pkt->h.lrh.dlid;

	switch_limit_life(sw, pkt);
	if (unlikely(++pkt->hops > HCA_MAX_HOPS)) {
		relay_error(in, pkt, HCA_DROP_HOPS);
		return;
	}
	if (!relay_passes_in(in, pkt)) {
		relay_constraint(in, pkt, HCA_CTR_RCV_CONSTRAINT_ERRORS);
		return;
	}
	if (lid == HCA_LID_PERMISSIVE)
		relay_error(in, pkt, HCA_DROP_NO_ROUTE);
	else if (hca_lid_is_multicast(lid))
		relay_multicast(sw, in, pkt);
	else
		relay_unicast(sw, in, pkt);
}

void hca_switch_relay_smp(struct hca_port *in, struct hca_packet *pkt)
{
	struct hca_switch *sw = hca_node_switch(in->node);
	u8 num;

	if (++pkt->hops > HCA_MAX_HOPS) {
		relay_error(in, pkt, HCA_DROP_HOPS);
		return;
	}
	num = relay_route(sw, in, pkt);
	if (num != HCA_NO_PORT)
		hca_port_forward(&sw->node.ports[num], pkt);
}

/*
 * Return: the output port of a packet of the switch itself; NULL if there is none, in which case
 * the packet has been dropped without being counted.
 */
static struct hca_port *switch_route(struct hca_switch *sw, struct hca_packet *pkt)
{
	u8 num = switch_lookup(sw, pkt->h.lrh.dlid);

	if (num != HCA_NO_PORT && num)
		return &sw->node.ports[num];
	trace_hca_drop(&sw->node.ports[0], pkt, HCA_DROP_NO_ROUTE);
	hca_packet_free(pkt);
	return NULL;
}

void hca_switch_send_smp(struct hca_switch *sw, struct hca_packet *pkt)
{
	struct hca_port *out = switch_route(sw, pkt);

	if (out)
		hca_port_forward(out, pkt);
}

void hca_switch_send(struct hca_switch *sw, struct hca_packet *pkt)
{
	struct hca_port *out = switch_route(sw, pkt);

	if (out)
		relay_to(sw, &sw->node.ports[0], out->num, pkt);
}
