// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Multicast groups and the queue pairs of an adapter that are attached to them (req C4-087). */
#include "transport/group.h"
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/random.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "qp/qp.h"
#include "transport/iba_qp.h"

void hca_groups_init(struct hca_groups *groups)
{
	unsigned int i;

	spin_lock_init(&groups->lock);
	for (i = 0; i < ARRAY_SIZE(groups->factor); i++)
		groups->factor[i] = get_random_u64() | 1;
	for (i = 0; i < HCA_GROUP_BUCKETS; i++)
		INIT_LIST_HEAD(&groups->bucket[i]);
}

/*
 * Return the bucket of a group (multiply-shift hashing). A bucket is searched with bottom halves
 * disabled for each multicast packet. Users choose the addresses of groups, and must not be able to
 * put all groups into one bucket; therefore the factors are secret.
 */
static struct list_head *group_bucket(struct hca_groups *groups, const union hca_gid *mgid,
				      u16 mlid)
{
	u64 hash = groups->factor[0] * mlid +
		   groups->factor[1] * (__force u64)mgid->subnet_prefix +
		   groups->factor[2] * (__force u64)mgid->interface_id;

	return &groups->bucket[hash >> (64 - HCA_GROUP_BITS)];
}

struct hca_group *hca_group_find(struct hca_groups *groups, const union hca_gid *mgid, u16 mlid)
{
	struct hca_group *group;

	list_for_each_entry_rcu(group, group_bucket(groups, mgid, mlid), node,
				lockdep_is_held(&groups->lock))
		if (group->mlid == mlid && !memcmp(&group->mgid, mgid, sizeof(*mgid)))
			return group;
	return NULL;
}

static struct hca_member *group_member_find(const struct hca_group *group, const struct hca_qp *qp)
{
	struct hca_member *member;

	list_for_each_entry(member, &group->members, node)
		if (member->qp == qp)
			return member;
	return NULL;
}

static bool groups_are_full(const struct hca_groups *groups, const void *user)
{
	return groups->num_groups >= (user ? HCA_FOR_USERS(HCA_MAX_GROUPS) : HCA_MAX_GROUPS);
}

/*
 * Return the number of members of a group that @user has attached. A group has at most
 * HCA_MAX_GROUP_MEMBERS members.
 */
static unsigned int group_count_user(const struct hca_group *group, const void *user)
{
	const struct hca_member *member;
	unsigned int count = 0;

	list_for_each_entry(member, &group->members, node)
		count += member->user == user;
	return count;
}

static bool group_is_full(const struct hca_group *group, const void *user)
{
	if (!user)
		return group->num_members >= HCA_MAX_GROUP_MEMBERS;
	return group->num_members >= HCA_FOR_USERS(HCA_MAX_GROUP_MEMBERS) ||
	       group_count_user(group, user) >= HCA_MAX_USER_MEMBERS;
}

/* A raw queue pair may be in few groups, because its list of groups is searched for each packet. */
static bool group_may_join(const struct hca_qp *qp)
{
	return !hca_qp_is_raw(qp) || hca_iba_qp(qp)->num_groups < HCA_MAX_RAW_QP_GROUPS;
}

/*
 * Add @member to the existing group that has the MGID and MLID of *group. If no such group exists,
 * add @member to *group, add *group to @groups, and set the pointer *group to NULL.
 */
static int group_member_add(struct hca_groups *groups, struct hca_group **group,
			    struct hca_member *member)
{
	struct hca_group *known = hca_group_find(groups, &(*group)->mgid, (*group)->mlid);

	if (known && group_member_find(known, member->qp))
		return -EINVAL;
	if (groups->num_members == HCA_MAX_MEMBERS || !group_may_join(member->qp) ||
	    (known ? group_is_full(known, member->user) : groups_are_full(groups, member->user)))
		return -ENOMEM;
	if (!known) {
		known = *group;
		*group = NULL;
		list_add_tail_rcu(&known->node, group_bucket(groups, &known->mgid, known->mlid));
		groups->num_groups++;
	}
	member->group = known;
	list_add_tail(&member->of_qp, &hca_iba_qp(member->qp)->groups);
	hca_iba_qp(member->qp)->num_groups++;
	list_add_tail_rcu(&member->node, &known->members);
	known->num_members++;
	WRITE_ONCE(groups->num_members, groups->num_members + 1);
	return 0;
}

static void group_member_del(struct hca_groups *groups, struct hca_member *member)
{
	struct hca_group *group = member->group;

	list_del(&member->of_qp);
	hca_iba_qp(member->qp)->num_groups--;
	list_del_rcu(&member->node);
	kfree_rcu(member, rcu);
	WRITE_ONCE(groups->num_members, groups->num_members - 1);
	if (--group->num_members)
		return;
	list_del_rcu(&group->node);
	kfree_rcu(group, rcu);
	groups->num_groups--;
}

int hca_multicast_attach(struct hca_qp *qp, const union hca_gid *mgid, u16 mlid, const void *user)
{
	struct hca_groups *groups = &hca_qp_eec(qp)->ca->groups;
	struct hca_member *member;
	struct hca_group *group;
	int ret = -ENOMEM;

	if (qp->type != IB_QPT_UD && !hca_qp_is_raw(qp))
		return -EINVAL; /* only UD and raw queue pairs can be attached (req B4-419) */
	if (!hca_is_multicast_gid(mgid) || !hca_lid_is_multicast(mlid))
		return -EINVAL;
	group = kzalloc(sizeof(*group), GFP_KERNEL_ACCOUNT);
	member = kzalloc(sizeof(*member), GFP_KERNEL_ACCOUNT);
	if (group && member) {
		INIT_LIST_HEAD(&group->members);
		group->mgid = *mgid;
		group->mlid = mlid;
		member->qp = qp;
		member->user = user;
		spin_lock_bh(&groups->lock);
		ret = group_member_add(groups, &group, member);
		spin_unlock_bh(&groups->lock);
	}
	if (ret)
		kfree(member);
	kfree(group);
	return ret;
}

int hca_multicast_detach(struct hca_qp *qp, const union hca_gid *mgid, u16 mlid)
{
	struct hca_groups *groups = &hca_qp_eec(qp)->ca->groups;
	struct hca_member *member = NULL;
	struct hca_group *group;

	spin_lock_bh(&groups->lock);
	group = hca_group_find(groups, mgid, mlid);
	if (group)
		member = group_member_find(group, qp);
	if (member)
		group_member_del(groups, member);
	spin_unlock_bh(&groups->lock);
	return member ? 0 : -EINVAL;
}

void hca_multicast_detach_all(struct hca_qp *qp)
{
	struct hca_groups *groups = &hca_qp_eec(qp)->ca->groups;
	struct hca_member *member, *next;

	spin_lock_bh(&groups->lock);
	/*
	 * The list has at most HCA_MAX_GROUPS entries, because the queue pair is in each group once
	 * at most.
	 */
	list_for_each_entry_safe(member, next, &hca_iba_qp(qp)->groups, of_qp)
		group_member_del(groups, member);
	spin_unlock_bh(&groups->lock);
}

/* The list has at most HCA_MAX_RAW_QP_GROUPS entries, because @qp is a raw queue pair. */
bool hca_multicast_is_member(const struct hca_qp *qp, u16 mlid)
{
	struct hca_groups *groups = &hca_qp_eec(qp)->ca->groups;
	const struct hca_member *member;
	bool found = false;

	spin_lock(&groups->lock);
	list_for_each_entry(member, &hca_iba_qp(qp)->groups, of_qp)
		found |= member->group->mlid == mlid;
	spin_unlock(&groups->lock);
	return found;
}
