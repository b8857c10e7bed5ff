/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Multicast groups and the queue pairs of an adapter that are attached to them. */
#ifndef HCA_TRANSPORT_GROUP_H
#define HCA_TRANSPORT_GROUP_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include "wire/headers.h"

struct hca_qp;

#define HCA_GROUP_BITS 8
#define HCA_GROUP_BUCKETS (1 << HCA_GROUP_BITS)

/*
 * The groups of an adapter. A group is identified by an MGID and an MLID and exists while it has
 * members.
 */
struct hca_groups {
	/* leaf lock, taken with BH disabled; readers of the lists use RCU instead */
	spinlock_t lock;
	u64 factor[3]; /* random odd factors of the hash that selects a bucket */
	/* lists of struct hca_group; a hash of MGID and MLID selects the list */
	struct list_head bucket[HCA_GROUP_BUCKETS];
	u32 num_groups;
	u32 num_members; /* total of all groups */
};

struct hca_group {
	struct list_head node; /* entry in the bucket's list; readers use RCU */
	struct list_head members; /* list of struct hca_member; readers use RCU */
	u32 num_members;
	u16 mlid;
	union hca_gid mgid;
	struct rcu_head rcu;
};

/* The attachment of a queue pair to a group. */
struct hca_member {
	struct list_head node; /* entry in group->members; readers use RCU */
	struct list_head of_qp; /* entry in struct hca_iba_qp.groups */
	struct hca_group *group;
	struct hca_qp *qp;
	const void *user; /* user who has attached the queue pair; NULL: root or the kernel */
	struct rcu_head rcu;
};

void hca_groups_init(struct hca_groups *groups);

/*
 * Find a group, or return NULL. Either groups->lock is held, or the caller is in an RCU read
 * section.
 */
struct hca_group *hca_group_find(struct hca_groups *groups, const union hca_gid *mgid, u16 mlid);

/**
 * hca_multicast_attach() - attach a queue pair to a group
 * @qp: a UD or raw queue pair in any state; it receives the group's packets that arrive at its port
 * @mgid: multicast GID; raw packets have no GID, and only their DLID is compared
 * @mlid: multicast LID
 * @user: user whose limits apply; NULL for root and the kernel, which may also use the share of
 *        each limit that is reserved for them
 *
 * Context: process.
 * Return: 0; -EINVAL if the queue pair has another type, @mgid or @mlid is not multicast, or the
 * queue pair is attached already; -ENOMEM if there is no memory or a limit is reached.
 */
int hca_multicast_attach(struct hca_qp *qp, const union hca_gid *mgid, u16 mlid, const void *user);

/**
 * hca_multicast_detach() - detach a queue pair from a group
 * @qp: the queue pair
 * @mgid: GID of the group
 * @mlid: LID of the group
 *
 * Context: process.
 * Return: 0, or -EINVAL if the queue pair is not attached.
 */
int hca_multicast_detach(struct hca_qp *qp, const union hca_gid *mgid, u16 mlid);

/* Detach a queue pair from all groups before it is destroyed (req V3-196). Context: process. */
void hca_multicast_detach_all(struct hca_qp *qp);

/* Return whether any group of the adapter has members. Context: any. */
static inline bool hca_multicast_members(const struct hca_groups *groups)
{
	return READ_ONCE(groups->num_members);
}

/*
 * Return whether a raw queue pair is attached to a group with this MLID and any MGID. Context: BH
 * disabled.
 */
bool hca_multicast_is_member(const struct hca_qp *qp, u16 mlid);

#endif
