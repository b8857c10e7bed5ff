/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Multicast: which datagram queue pairs of an adapter are attached to which groups. */
#ifndef HCA_TRANSPORT_MULTICAST_H
#define HCA_TRANSPORT_MULTICAST_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "wire/headers.h"

struct hca_packet;
struct hca_port;
struct hca_qp;

#define HCA_GROUP_BUCKETS 64 /* power of two */

/* An adapter's groups. A group is of one MGID and one MLID, and there is while it has members. */
struct hca_groups {
	spinlock_t lock; /* BH; leaf; guards all but reading, which is RCU's */
	struct list_head bucket[HCA_GROUP_BUCKETS]; /* struct hca_group, by MLID */
	u32 num_groups;
	u32 num_members; /* of all groups together */
};

void hca_groups_init(struct hca_groups *groups);

/**
 * hca_multicast_attach() - have a queue pair receive what is sent to a group
 * @qp: a UD or raw queue pair in any state; it receives by the port that it has
 * @mgid: multicast GID; raw packets have none, and come by the LID alone
 * @mlid: multicast LID
 *
 * Context: process. Return: 0; -EINVAL: another type, not multicast addresses, or attached already;
 * -ENOMEM: no memory, or as many groups or members as there may be.
 */
int hca_multicast_attach(struct hca_qp *qp, const union hca_gid *mgid, u16 mlid);

/* The reverse. Context: process. Return: 0 or -EINVAL: it is not attached. */
int hca_multicast_detach(struct hca_qp *qp, const union hca_gid *mgid, u16 mlid);

/* From all its groups: a queue pair goes (V3-196). Context: process. */
void hca_multicast_detach_all(struct hca_qp *qp);

/**
 * hca_multicast_receive() - give a copy of a packet to each member of its group
 * @port: where it has arrived; queue pairs of other ports are no members here
 * @pkt: with destination QP FFFFFFh; stays the caller's
 *
 * Keys, state and buffers are each member's own matter: one's failure is none of another's.
 * Context: the port's run. Return: whether there is any member.
 */
bool hca_multicast_receive(struct hca_port *port, struct hca_packet *pkt);

/* Might anybody here want a copy of what is sent? Context: any. */
static inline bool hca_multicast_members(const struct hca_groups *groups)
{
	return READ_ONCE(groups->num_members);
}

/* Is it attached to a group of this LID, whatever its GID? Raw packets bring none. BH disabled. */
bool hca_multicast_is_member(const struct hca_qp *qp, u16 mlid);

#endif
