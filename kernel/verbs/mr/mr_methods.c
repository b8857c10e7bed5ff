// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Methods of memory regions and memory windows that uverbs does not have: Register Shared MR
 * (req V3-255, V3-346, R0-300, R0-500), Query MR (req V3-254, R0-338, R0-497) and Query MW
 * (req R0-502).
 */
#include <linux/mm.h>
#include <linux/overflow.h>
#include <rdma/hca-abi.h>
#include <rdma/ib_umem.h>
#include "compat.h"
#include "qp/ci.h"
#include "verbs/core/hca_device.h"
#include "verbs/mr/mr.h"
#include "verbs/mr/mr_alloc.h"
#include "verbs/mr/mw.h"

#define UVERBS_MODULE_NAME hca
#include <rdma/uverbs_named_ioctl.h>

/* --- shared MRs */

/*
 * Checks the request. Pages that were pinned for reading only cannot be written. The new MR must
 * begin at the same offset in its first page as the other MR (req R0-302, R0-330).
 */
static int mr_check_share(const struct hca_ib_mr *from, const struct hca_share_mr_req *req)
{
	int ret = ib_check_mr_access(from->ib.device, req->access);
	u64 last;

	if (ret)
		return ret;
	if (!from->pinned)
		return -EOPNOTSUPP;
	if (req->lkey != from->entry->key)
		return -EINVAL; /* req R0-301 */
	if (ib_access_writable(req->access) && !from->pinned->umem->writable)
		return -EACCES;
	if (req->access & IB_ZERO_BASED)
		return 0;
	return offset_in_page(req->iova) != from->entry->first_offset ||
			       check_add_overflow(req->iova, from->entry->length - 1, &last) ?
		       -EINVAL :
		       0;
}

/* Registers another MR with the pages of @from. Both count as shared forever (req R0-303). */
static struct ib_mr *mr_share(struct ib_pd *pd, struct hca_ib_mr *from,
			      const struct hca_share_mr_req *req)
{
	struct hca_ib_mr *mr;
	int ret = mr_check_share(from, req);

	if (ret)
		return ERR_PTR(ret);
	mr = hca_mr_alloc(pd, req->access & ~IB_UVERBS_ACCESS_FLUSH_PERSISTENT);
	if (IS_ERR(mr))
		return ERR_CAST(mr);
	ret = hca_mr_set_persistent(mr, from->pinned, req->access);
	if (ret) {
		kfree(mr->entry);
		hca_mr_release(pd->device, mr);
		return ERR_PTR(ret);
	}
	refcount_inc(&from->pinned->users);
	mr->pinned = from->pinned;
	mr->shared = true;
	mr->entry->page = from->entry->page;
	mr->entry->first_offset = from->entry->first_offset;
	mr->entry->length = from->entry->length;
	hca_mr_set_base(mr, req->iova);
	return hca_mr_publish(pd->device, mr);
}

/*
 * Sets the fields that the RDMA core sets in MRs of its own methods, because the core will also
 * deregister this MR.
 */
static void mr_adopt(struct ib_mr *ib, struct ib_pd *pd, struct ib_uobject *uobject)
{
	ib->device = pd->device;
	ib->pd = pd;
	ib->type = IB_MR_TYPE_USER;
	ib->uobject = uobject;
	atomic_inc(&pd->usecnt);
	uobject->object = ib;
}

static int UVERBS_HANDLER(HCA_METHOD_MR_SHARE)(struct uverbs_attr_bundle *attrs)
{
	struct ib_uobject *uobject = uverbs_attr_get_uobject(attrs, HCA_ATTR_MR_SHARE_HANDLE);
	struct ib_pd *pd = uverbs_attr_get_obj(attrs, HCA_ATTR_MR_SHARE_PD);
	struct ib_mr *from = uverbs_attr_get_obj(attrs, HCA_ATTR_MR_SHARE_FROM);
	struct hca_share_mr_req req;
	struct ib_mr *ib;
	int ret;

	ret = uverbs_copy_from(&req, attrs, HCA_ATTR_MR_SHARE_REQ);
	if (ret)
		return ret;
	ib = mr_share(pd, to_hca_ib_mr(from), &req);
	if (IS_ERR(ib))
		return PTR_ERR(ib);
	ret = uverbs_copy_to(attrs, HCA_ATTR_MR_SHARE_RESP_KEY, &ib->lkey, sizeof(ib->lkey));
	if (ret) {
		ib->device = pd->device;
		hca_ib_dereg_mr(ib, NULL);
		return ret;
	}
	WRITE_ONCE(to_hca_ib_mr(from)->shared, true);
	mr_adopt(ib, pd, uobject);
	return 0;
}

/* --- queries */

static int UVERBS_HANDLER(HCA_METHOD_MR_QUERY)(struct uverbs_attr_bundle *attrs)
{
	struct ib_mr *ib = uverbs_attr_get_obj(attrs, HCA_ATTR_MR_QUERY_HANDLE);
	struct hca_ib_mr *mr = to_hca_ib_mr(ib);
	struct hca_tpt_info tpt;
	struct hca_mr_info info;

	hca_tpt_entry_query(&to_hca_device(ib->device)->ci->tpt, mr->entry, &tpt);
	info = (struct hca_mr_info){
		.iova = tpt.iova,
		.length = tpt.length,
		.pages = tpt.pages,
		.lkey = tpt.key,
		.rkey = tpt.key,
		.access = tpt.access,
		.pd = ib->pd->uobject->id,
		.flags = (tpt.valid ? HCA_MR_VALID : 0) |
			 (READ_ONCE(mr->shared) ? HCA_MR_SHARED : 0) |
			 (mr->odp ? HCA_MR_ON_DEMAND : 0),
	};
	return uverbs_copy_to(attrs, HCA_ATTR_MR_QUERY_INFO, &info, sizeof(info));
}

static int UVERBS_HANDLER(HCA_METHOD_MW_QUERY)(struct uverbs_attr_bundle *attrs)
{
	struct ib_mw *ib = uverbs_attr_get_obj(attrs, HCA_ATTR_MW_QUERY_HANDLE);
	struct hca_tpt_info tpt;
	struct hca_mw_info info;

	hca_tpt_entry_query(&to_hca_device(ib->device)->ci->tpt, to_hca_ib_mw(ib)->entry, &tpt);
	info = (struct hca_mw_info){
		.rkey = tpt.key,
		.pd = ib->pd->uobject->id,
	};
	if (tpt.valid) {
		info.iova = tpt.iova;
		info.length = tpt.length;
		info.lkey = tpt.mr_key;
		info.access = tpt.access;
		info.qp_num = tpt.qpn;
		info.flags = HCA_MW_BOUND;
	}
	return uverbs_copy_to(attrs, HCA_ATTR_MW_QUERY_INFO, &info, sizeof(info));
}

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_MR_SHARE,
			    UVERBS_ATTR_IDR(HCA_ATTR_MR_SHARE_HANDLE, UVERBS_OBJECT_MR,
					    UVERBS_ACCESS_NEW, UA_MANDATORY),
			    UVERBS_ATTR_IDR(HCA_ATTR_MR_SHARE_PD, UVERBS_OBJECT_PD,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_IDR(HCA_ATTR_MR_SHARE_FROM, UVERBS_OBJECT_MR,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(HCA_ATTR_MR_SHARE_REQ,
					       UVERBS_ATTR_TYPE(struct hca_share_mr_req),
					       UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(HCA_ATTR_MR_SHARE_RESP_KEY, UVERBS_ATTR_TYPE(u32),
						UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_MR_QUERY,
			    UVERBS_ATTR_IDR(HCA_ATTR_MR_QUERY_HANDLE, UVERBS_OBJECT_MR,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(HCA_ATTR_MR_QUERY_INFO,
						UVERBS_ATTR_TYPE(struct hca_mr_info),
						UA_MANDATORY));

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_MW_QUERY,
			    UVERBS_ATTR_IDR(HCA_ATTR_MW_QUERY_HANDLE, UVERBS_OBJECT_MW,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(HCA_ATTR_MW_QUERY_INFO,
						UVERBS_ATTR_TYPE(struct hca_mw_info),
						UA_MANDATORY));

ADD_UVERBS_METHODS(mr_methods, UVERBS_OBJECT_MR, &UVERBS_METHOD(HCA_METHOD_MR_SHARE),
		   &UVERBS_METHOD(HCA_METHOD_MR_QUERY));
ADD_UVERBS_METHODS(mw_methods, UVERBS_OBJECT_MW, &UVERBS_METHOD(HCA_METHOD_MW_QUERY));

const struct uapi_definition hca_mr_definitions[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_MR, &mr_methods),
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_MW, &mw_methods),
	{},
};
