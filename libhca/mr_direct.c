// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Direct verbs of memory regions and memory windows: Register Shared MR, Query MR, Query MW. */
#include <errno.h>
#include <stdlib.h>
#include "command.h"
#include "libhca.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)
SAME(HCADV_MR_VALID, HCA_MR_VALID);
SAME(HCADV_MR_SHARED, HCA_MR_SHARED);
SAME(HCADV_MR_ON_DEMAND, HCA_MR_ON_DEMAND);
#undef SAME

/* The null MR is not an object of the kernel: its handle may be that of another MR. */
static int mr_check(const struct ibv_mr *mr)
{
	if (!hca_is_ours(mr->context->device))
		return EOPNOTSUPP;
	return HCA_CONTAINER(mr, const struct verbs_mr, ibv_mr)->mr_type == VERBS_MR_TYPE_NULL ?
		       EINVAL :
		       0;
}

static int mr_share(struct ibv_mr *to, struct ibv_pd *pd, const struct ibv_mr *from, uint64_t iova,
		    int access)
{
	const struct hca_share_mr_req req = { .iova = iova, .lkey = from->lkey, .access = access };
	struct ib_uverbs_attr attrs[] = {
		hca_attr_handle(HCA_ATTR_MR_SHARE_HANDLE, 0),
		hca_attr_handle(HCA_ATTR_MR_SHARE_PD, pd->handle),
		hca_attr_handle(HCA_ATTR_MR_SHARE_FROM, from->handle),
		hca_attr_struct(HCA_ATTR_MR_SHARE_REQ, &req, sizeof(req)),
		hca_attr_struct(HCA_ATTR_MR_SHARE_RESP_KEY, &to->lkey, sizeof(to->lkey)),
	};
	int ret = mr_check(from);

	if (!ret && pd->context != from->context)
		ret = EINVAL;
	if (!ret)
		ret = hca_command(pd->context, UVERBS_OBJECT_MR, HCA_METHOD_MR_SHARE, attrs, 5);
	if (ret)
		return ret;
	to->handle = attrs[0].data;
	to->rkey = to->lkey;
	to->context = pd->context;
	to->pd = pd;
	to->addr = from->addr;
	to->length = from->length;
	return 0;
}

/*
 * For an MR of VERBS_MR_TYPE_IMPORTED, libibverbs does not undo ibv_dontfork_range(), which the
 * other MR still needs, and does not reregister the MR.
 */
struct ibv_mr *hcadv_reg_shared_mr(struct ibv_pd *pd, struct ibv_mr *from, uint64_t iova,
				   int access)
{
	struct verbs_mr *mr = calloc(1, sizeof(*mr));
	int ret;

	if (!mr)
		return NULL;
	ret = mr_share(&mr->ibv_mr, pd, from, iova, access);
	if (ret) {
		free(mr);
		errno = ret;
		return NULL;
	}
	mr->mr_type = VERBS_MR_TYPE_IMPORTED;
	return &mr->ibv_mr;
}

int hcadv_query_mr(struct ibv_mr *mr, struct hcadv_mr_attr *attr)
{
	struct hca_mr_info info = {};
	struct ib_uverbs_attr attrs[] = {
		hca_attr_handle(HCA_ATTR_MR_QUERY_HANDLE, mr->handle),
		hca_attr_struct(HCA_ATTR_MR_QUERY_INFO, &info, sizeof(info)),
	};
	int ret = mr_check(mr);

	if (!ret && attr->comp_mask)
		ret = EINVAL;
	if (!ret)
		ret = hca_command(mr->context, UVERBS_OBJECT_MR, HCA_METHOD_MR_QUERY, attrs, 2);
	if (ret)
		return ret;
	*attr = (struct hcadv_mr_attr){
		.iova = info.iova,
		.length = info.length,
		.pages = info.pages,
		.lkey = info.lkey,
		.rkey = info.rkey,
		.access = info.access,
		.pd_handle = info.pd,
		.flags = info.flags,
	};
	return 0;
}

int hcadv_query_mw(struct ibv_mw *mw, struct hcadv_mw_attr *attr)
{
	struct hca_mw_info info = {};
	struct ib_uverbs_attr attrs[] = {
		hca_attr_handle(HCA_ATTR_MW_QUERY_HANDLE, mw->handle),
		hca_attr_struct(HCA_ATTR_MW_QUERY_INFO, &info, sizeof(info)),
	};
	int ret = hca_is_ours(mw->context->device) ? 0 : EOPNOTSUPP;

	if (!ret && attr->comp_mask)
		ret = EINVAL;
	if (!ret)
		ret = hca_command(mw->context, UVERBS_OBJECT_MW, HCA_METHOD_MW_QUERY, attrs, 2);
	if (ret)
		return ret;
	*attr = (struct hcadv_mw_attr){
		.iova = info.iova,
		.length = info.length,
		.rkey = info.rkey,
		.lkey = info.lkey,
		.access = info.access,
		.pd_handle = info.pd,
		.qp_num = info.qp_num,
		.bound = info.flags & HCA_MW_BOUND,
	};
	return 0;
}
