// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reception of multicast packets. Each member of the group receives a copy (req C4-078). */
#include "transport/multicast.h"
#include <linux/rculist.h>
#include "packet/packet.h"
#include "qp/qp.h"
#include "transport/datagram.h"
#include "transport/group.h"
#include "transport/iba_qp.h"

/*
 * Return whether the queue pair must not receive the packet, because the queue pair has sent the
 * packet and has block_loopback set (req B4-422).
 */
static bool multicast_loopback_blocked(const struct hca_qp *qp, const struct hca_packet *pkt)
{
	return hca_iba_qp(qp)->block_loopback && (pkt->flags & HCA_PACKET_LOOPBACK) &&
	       pkt->h.deth.srcqp == qp->qpn;
}

bool hca_multicast_receive(struct hca_port *port, struct hca_packet *pkt)
{
	struct hca_ca *ca = container_of(port->node, struct hca_ca, node);
	struct hca_member *member;
	struct hca_group *group;
	bool any = false;

	if (!hca_packet_has_grh(pkt)) /* a multicast packet needs a GRH (req B4-421) */
		return false;
	group = hca_group_find(&ca->groups, &pkt->h.grh.dgid, pkt->h.lrh.dlid);
	if (!group)
		return false;
	/* the list has at most HCA_MAX_GROUP_MEMBERS entries */
	list_for_each_entry_rcu(member, &group->members, node) {
		struct hca_qp *qp = member->qp;

		if (multicast_loopback_blocked(qp, pkt) || !refcount_inc_not_zero(&qp->users))
			continue;
		port->rx.copies += any;
		any = true;
		hca_datagram_deliver(qp, port, pkt);
		hca_qp_put(qp);
	}
	return any;
}
