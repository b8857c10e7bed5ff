// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Multicast groups of raw queue pairs (req B4-417); libibverbs supports UD queue pairs only. */
#include <errno.h>
#include <string.h>
#include "command.h"
#include "libhca.h"

static int multicast_change(struct ibv_qp *qp, uint16_t method, const union ibv_gid *gid,
			    uint16_t lid)
{
	struct hca_mcast_group group = { .lid = lid };
	struct ib_uverbs_attr attrs[] = {
		hca_attr_handle(HCA_ATTR_QP_MCAST_HANDLE, qp->handle),
		hca_attr_struct(HCA_ATTR_QP_MCAST_GROUP, &group, sizeof(group)),
	};

	if (!hca_is_ours(qp->context->device))
		return EOPNOTSUPP;
	memcpy(group.gid, gid, sizeof(group.gid));
	return hca_command(qp->context, UVERBS_OBJECT_QP, method, attrs, 2);
}

int hcadv_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	return multicast_change(qp, HCA_METHOD_QP_ATTACH_MCAST, gid, lid);
}

int hcadv_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	return multicast_change(qp, HCA_METHOD_QP_DETACH_MCAST, gid, lid);
}
