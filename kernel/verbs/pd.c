// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Protection domains (req V3-134, V3-319, V3-320). The address of struct ib_pd identifies a domain.
 * The core counts its users (req V3-143).
 */
#include "verbs/verbs.h"

#define UVERBS_MODULE_NAME hca
#include <rdma/uverbs_named_ioctl.h>

int hca_ib_alloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	struct hca_ib_context *context = hca_udata_context(udata);

	container_of(pd, struct hca_ib_pd, ib)->context = context;
	return hca_context_object_add(pd->device, context, HCA_OBJ_PD);
}

int hca_ib_dealloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	hca_context_object_del(pd->device, hca_pd_context(pd), HCA_OBJ_PD);
	return 0;
}

/* The core finds the domain, or returns an error. */
static int UVERBS_HANDLER(HCA_METHOD_PD_QUERY)(struct uverbs_attr_bundle *attrs)
{
	return 0;
}

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_PD_QUERY,
			    UVERBS_ATTR_IDR(HCA_ATTR_PD_QUERY_HANDLE, UVERBS_OBJECT_PD,
					    UVERBS_ACCESS_READ, UA_MANDATORY));

ADD_UVERBS_METHODS(pd_methods, UVERBS_OBJECT_PD, &UVERBS_METHOD(HCA_METHOD_PD_QUERY));

const struct uapi_definition hca_pd_definitions[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_PD, &pd_methods),
	{},
};
