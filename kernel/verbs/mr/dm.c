// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Device memory: memory of the adapter, which in this driver is kernel memory. It is zeroed, pinned
 * and charged like a ring. Processes map it, and copy data to it and from it.
 */
#include "verbs/mr/dm.h"
#include <linux/slab.h>
#include <rdma/hca-abi.h>
#include "qp/ci.h"
#include "qp/limits.h"
#include "qp/ring.h"
#include "verbs/core/context.h"
#include "verbs/core/mapping.h"
#include "verbs/core/objects.h"
#include "verbs/mr/mr_alloc.h"

#define UVERBS_MODULE_NAME hca
#include <rdma/uverbs_named_ioctl.h>

static struct hca_ib_dm *dm_make_mr(struct hca_ib_context *context, u64 length)
{
	struct hca_ib_dm *dm = kzalloc(sizeof(*dm), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!dm)
		return ERR_PTR(-ENOMEM);
	dm->context = context;
	dm->memory = hca_ring_memory_alloc(PAGE_ALIGN(length));
	if (!dm->memory) {
		kfree(dm);
		return ERR_PTR(-ENOMEM);
	}
	ret = hca_mapping_add(&dm->mapping, &context->ib, dm->memory);
	if (ret) {
		hca_ring_memory_put(dm->memory);
		kfree(dm);
		return ERR_PTR(ret);
	}
	return dm;
}

struct ib_dm *hca_ib_alloc_dm(struct ib_device *ib, struct ib_ucontext *context,
			      struct ib_dm_alloc_attr *attr, struct uverbs_attr_bundle *attrs)
{
	struct hca_ib_context *owner = to_hca_ib_context(context);
	struct hca_ib_dm *dm;
	int ret;

	if (!attr->length || attr->length > HCA_MAX_DM_BYTES || attr->alignment > PAGE_SHIFT)
		return ERR_PTR(-EINVAL);
	ret = hca_context_object_add(ib, owner, HCA_OBJ_DM);
	if (ret)
		return ERR_PTR(ret);
	dm = dm_make_mr(owner, attr->length);
	if (IS_ERR(dm)) {
		hca_context_object_del(ib, owner, HCA_OBJ_DM);
		return ERR_CAST(dm);
	}
	return &dm->ib;
}

/* No MR refers to the memory: otherwise the RDMA core does not free it. */
int hca_ib_dealloc_dm(struct ib_dm *ib, struct uverbs_attr_bundle *attrs)
{
	struct hca_ib_dm *dm = to_hca_ib_dm(ib);

	hca_mapping_remove(&dm->mapping);
	hca_ring_memory_put(dm->memory);
	hca_context_object_del(ib->device, dm->context, HCA_OBJ_DM);
	kfree(dm);
	return 0;
}

/*
 * Registers a range of device memory. The RDMA core has checked that the range is in the memory,
 * and that the MR is zero-based. An MR of length 0 permits no access.
 */
struct ib_mr *hca_ib_reg_dm_mr(struct ib_pd *pd, struct ib_dm *ib, struct ib_dm_mr_attr *attr,
			       struct uverbs_attr_bundle *attrs)
{
	struct hca_ib_mr *mr;
	int ret;

	mr = hca_mr_alloc(pd, attr->access_flags);
	if (IS_ERR(mr))
		return ERR_CAST(mr);
	ret = hca_mr_set_pages(mr, to_hca_ib_dm(ib)->memory->ring, attr->offset, attr->length);
	if (ret) {
		kfree(mr->entry);
		hca_mr_release(pd->device, mr);
		return ERR_PTR(ret);
	}
	mr->entry->length = attr->length;
	return hca_mr_publish(pd->device, mr);
}

static int UVERBS_HANDLER(HCA_METHOD_DM_QUERY)(struct uverbs_attr_bundle *attrs)
{
	struct ib_dm *ib = uverbs_attr_get_obj(attrs, HCA_ATTR_DM_QUERY_HANDLE);
	struct hca_dm_info info = {
		.offset = hca_mapping_offset(&to_hca_ib_dm(ib)->mapping),
		.size = to_hca_ib_dm(ib)->memory->size,
		.length = ib->length,
	};

	return uverbs_copy_to(attrs, HCA_ATTR_DM_QUERY_INFO, &info, sizeof(info));
}

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_DM_QUERY,
			    UVERBS_ATTR_IDR(HCA_ATTR_DM_QUERY_HANDLE, UVERBS_OBJECT_DM,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(HCA_ATTR_DM_QUERY_INFO,
						UVERBS_ATTR_TYPE(struct hca_dm_info),
						UA_MANDATORY));

ADD_UVERBS_METHODS(dm_methods, UVERBS_OBJECT_DM, &UVERBS_METHOD(HCA_METHOD_DM_QUERY));

const struct uapi_definition hca_dm_definitions[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_DM, &dm_methods),
	{},
};
