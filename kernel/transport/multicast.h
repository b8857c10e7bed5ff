/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Multicast groups and the datagram queue pairs of an adapter that are attached to them. */
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

/*
 * The groups of an adapter. A group is identified by an MGID and an MLID and exists while it has
 * members.
 */
struct hca_groups {
	spinlock_t lock; /* BH; leaf; readers of the lists use RCU instead */
	struct list_head bucket[HCA_GROUP_BUCKETS]; /* struct hca_group, by MLID */
	u32 num_groups;
	u32 num_members; /* of all groups together */
};

void hca_groups_init(struct hca_groups *groups);

/**
 * hca_multicast_attach() - attach a queue pair to a group
 * @qp: a UD or raw queue pair in any state; it receives the packets that arrive at its port
 * @mgid: multicast GID; raw packets have none and are selected by the LID alone
 * @mlid: multicast LID
 *
 * Context: process.
 * Return: 0; -EINVAL if the type of the queue pair is another, an address is not multicast or the
 * queue pair is attached already; -ENOMEM if there is no memory or a limit is reached.
 */
int hca_multicast_attach(struct hca_qp *qp, const union hca_gid *mgid, u16 mlid);

/*
 * Detach a queue pair from a group. Context: process. Return: 0, or -EINVAL if it is not attached.
 */
int hca_multicast_detach(struct hca_qp *qp, const union hca_gid *mgid, u16 mlid);

/* Detach a queue pair from all groups before it is destroyed (req V3-196). Context: process. */
void hca_multicast_detach_all(struct hca_qp *qp);

/**
 * hca_multicast_receive() - deliver a copy of a packet to each member of its group
 * @port: the port that received it; only queue pairs of this port are members
 * @pkt: a packet with destination QP FFFFFFh; stays the caller's
 *
 * Keys, state and receive requests are checked for each member by itself.
 *
 * Context: the port's run.
 * Return: whether there is any member.
 */
bool hca_multicast_receive(struct hca_port *port, struct hca_packet *pkt);

/* Return whether any group of the adapter has members. Context: any. */
static inline bool hca_multicast_members(const struct hca_groups *groups)
{
	return READ_ONCE(groups->num_members);
}

/*
 * Return whether a raw queue pair is attached to a group with this MLID, whatever its MGID.
 * Context: BH disabled.
 */
bool hca_multicast_is_member(const struct hca_qp *qp, u16 mlid);

#endif
