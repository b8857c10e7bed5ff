// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Multicast groups of this adapter (req V3-238, V3-351, V3-352). The consumer joins a group at the
 * subnet administrator. The RDMA core attaches only UD queue pairs, so this driver adds uverbs
 * methods for raw queue pairs (req B4-419).
 */
#include <linux/capability.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include "transport/group.h"
#include "transport/iba_qp.h"
#include "transport/raw.h"
#include "verbs/ib/ca_device.h"

#define UVERBS_MODULE_NAME hca
#include <rdma/uverbs_named_ioctl.h>

static_assert(sizeof(union ib_gid) == sizeof(union hca_gid));

/* Return: the queue pair's user; NULL for a kernel consumer, whose attachments are not counted. */
static struct hca_user *multicast_member_user(const struct hca_ib_qp *qp)
{
	return qp->context ? qp->context->user : NULL;
}

static int multicast_member_count(struct hca_ib_qp *qp)
{
	struct hca_user *user = multicast_member_user(qp);
	int ret = user ? hca_user_object_add(qp->ib.device, user, HCA_OBJ_MEMBER) : 0;

	if (user && !ret)
		atomic_inc(&qp->members);
	return ret;
}

static void multicast_member_uncount(struct hca_ib_qp *qp)
{
	struct hca_user *user = multicast_member_user(qp);

	if (!user)
		return;
	atomic_dec(&qp->members);
	hca_user_object_del(qp->ib.device, user, HCA_OBJ_MEMBER);
}

/* Uncounts all attachments of a destroyed queue pair. The transport has detached it already. */
void hca_members_uncount(struct hca_ib_qp *qp)
{
	while (atomic_read(&qp->members))
		multicast_member_uncount(qp);
}

static int multicast_attach_group(struct hca_ib_qp *qp, const union hca_gid *gid, u16 lid)
{
	struct hca_user *user = multicast_member_user(qp);
	int ret;

	ret = multicast_member_count(qp);
	if (ret)
		return ret;
	ret = hca_multicast_attach(qp->qp, gid, lid, user && !hca_user_is_root(user) ? user : NULL);
	if (ret)
		multicast_member_uncount(qp);
	return ret;
}

static int multicast_detach_group(struct hca_ib_qp *qp, const union hca_gid *gid, u16 lid)
{
	int ret = hca_multicast_detach(qp->qp, gid, lid);

	if (!ret)
		multicast_member_uncount(qp);
	return ret;
}

int hca_ib_attach_mcast(struct ib_qp *ib, union ib_gid *gid, u16 lid)
{
	return multicast_attach_group(to_hca_ib_qp(ib), (const union hca_gid *)gid, lid);
}

int hca_ib_detach_mcast(struct ib_qp *ib, union ib_gid *gid, u16 lid)
{
	return multicast_detach_group(to_hca_ib_qp(ib), (const union hca_gid *)gid, lid);
}

/* Reads the attributes, which both methods have in common. Return: the queue pair, or ERR_PTR. */
static struct hca_ib_qp *multicast_read_group(struct uverbs_attr_bundle *attrs, union hca_gid *gid,
					      u16 *lid)
{
	struct ib_qp *ib = uverbs_attr_get_obj(attrs, HCA_ATTR_QP_MCAST_HANDLE);
	struct hca_mcast_group group;
	int ret;

	ret = uverbs_copy_from(&group, attrs, HCA_ATTR_QP_MCAST_GROUP);
	if (ret)
		return ERR_PTR(ret);
	memcpy(gid, group.gid, sizeof(*gid));
	*lid = group.lid;
	return hca_qp_is_raw(to_hca_ib_qp(ib)->qp) ? to_hca_ib_qp(ib) : ERR_PTR(-EINVAL);
}

static int UVERBS_HANDLER(HCA_METHOD_QP_ATTACH_MCAST)(struct uverbs_attr_bundle *attrs)
{
	union hca_gid gid;
	struct hca_ib_qp *qp;
	u16 lid;

	if (!capable(CAP_NET_RAW))
		return -EPERM;
	qp = multicast_read_group(attrs, &gid, &lid);
	return IS_ERR(qp) ? PTR_ERR(qp) : multicast_attach_group(qp, &gid, lid);
}

static int UVERBS_HANDLER(HCA_METHOD_QP_DETACH_MCAST)(struct uverbs_attr_bundle *attrs)
{
	union hca_gid gid;
	struct hca_ib_qp *qp;
	u16 lid;

	qp = multicast_read_group(attrs, &gid, &lid);
	return IS_ERR(qp) ? PTR_ERR(qp) : multicast_detach_group(qp, &gid, lid);
}

#define MCAST_ATTRS                                                                                \
	UVERBS_ATTR_IDR(HCA_ATTR_QP_MCAST_HANDLE, UVERBS_OBJECT_QP, UVERBS_ACCESS_READ,            \
			UA_MANDATORY),                                                             \
		UVERBS_ATTR_PTR_IN(HCA_ATTR_QP_MCAST_GROUP,                                        \
				   UVERBS_ATTR_TYPE(struct hca_mcast_group), UA_MANDATORY)

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_QP_ATTACH_MCAST, MCAST_ATTRS);
DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_QP_DETACH_MCAST, MCAST_ATTRS);

ADD_UVERBS_METHODS(qp_methods, UVERBS_OBJECT_QP, &UVERBS_METHOD(HCA_METHOD_QP_ATTACH_MCAST),
		   &UVERBS_METHOD(HCA_METHOD_QP_DETACH_MCAST));

const struct uapi_definition hca_multicast_definitions[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_QP, &qp_methods),
	{},
};
