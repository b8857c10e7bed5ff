// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Protection domains (req V3-134, V3-319, V3-320). The address of struct ib_pd identifies a domain.
 * The RDMA core counts the users of each domain (req V3-143).
 */
#include "verbs/core/pd.h"
#include <rdma/hca-abi.h>
#include "verbs/core/context.h"
#include "verbs/core/objects.h"

#define UVERBS_MODULE_NAME hca
#include <rdma/uverbs_named_ioctl.h>

static atomic64_t last_number = ATOMIC64_INIT(0);

int hca_ib_alloc_pd(struct ib_pd *ib, struct ib_udata *udata)
{
	struct hca_ib_context *context = hca_udata_context(udata);
	struct hca_ib_pd *pd = container_of(ib, struct hca_ib_pd, ib);
	int ret;

	pd->context = context;
	pd->info.number = atomic64_inc_return(&last_number);
	ret = hca_context_object_add(ib->device, context, HCA_OBJ_PD);
	if (ret || !udata || udata->outlen < sizeof(pd->info))
		return ret;
	ret = ib_copy_to_udata(udata, &pd->info, sizeof(pd->info));
	if (ret)
		hca_context_object_del(ib->device, context, HCA_OBJ_PD);
	return ret;
}

int hca_ib_dealloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	hca_context_object_del(pd->device, hca_pd_context(pd), HCA_OBJ_PD);
	return 0;
}

static int UVERBS_HANDLER(HCA_METHOD_PD_QUERY)(struct uverbs_attr_bundle *attrs)
{
	struct ib_pd *ib = uverbs_attr_get_obj(attrs, HCA_ATTR_PD_QUERY_HANDLE);
	struct hca_ib_pd *pd = container_of(ib, struct hca_ib_pd, ib);

	if (!uverbs_attr_is_valid(attrs, HCA_ATTR_PD_QUERY_INFO))
		return 0;
	return uverbs_copy_to(attrs, HCA_ATTR_PD_QUERY_INFO, &pd->info, sizeof(pd->info));
}

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_PD_QUERY,
			    UVERBS_ATTR_IDR(HCA_ATTR_PD_QUERY_HANDLE, UVERBS_OBJECT_PD,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(HCA_ATTR_PD_QUERY_INFO,
						UVERBS_ATTR_TYPE(struct hca_pd_info),
						UA_OPTIONAL));

ADD_UVERBS_METHODS(pd_methods, UVERBS_OBJECT_PD, &UVERBS_METHOD(HCA_METHOD_PD_QUERY));

const struct uapi_definition hca_pd_definitions[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_PD, &pd_methods),
	{},
};
