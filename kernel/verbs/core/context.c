// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* User contexts (req V3-107, V3-315, V3-316). */
#include "verbs/core/context.h"
#include <rdma/hca-abi.h>
#include "qp/limits.h"
#include "verbs/core/hca_device.h"
#include "verbs/core/objects.h"
#include "verbs/core/user.h"

int hca_ib_alloc_ucontext(struct ib_ucontext *context, struct ib_udata *udata)
{
	struct hca_alloc_ucontext_resp resp = {
		.max_inline_data = HCA_MAX_INLINE,
		.max_send_sge = HCA_MAX_SGE,
		.max_recv_sge = HCA_MAX_SGE,
	};
	struct hca_user *user = hca_user_get(&to_hca_device(context->device)->users);
	int ret;

	if (!user)
		return -ENOMEM;
	to_hca_ib_context(context)->user = user;
	ret = hca_user_object_add(context->device, user, HCA_OBJ_CONTEXT);
	if (ret)
		goto err_object;
	xa_init(&to_hca_ib_context(context)->rdds);
	ret = ib_copy_to_udata(udata, &resp, min(sizeof(resp), udata->outlen));
	if (ret)
		goto err_copy;
	return 0;

err_copy:
	hca_user_object_del(context->device, user, HCA_OBJ_CONTEXT);
err_object:
	hca_user_put(user);
	return ret;
}

/*
 * Implements ibv_import_device(), by which a process imports a context from a uverbs file. libhca
 * needs no data from the driver for this.
 */
int hca_ib_query_ucontext(struct ib_ucontext *context, struct uverbs_attr_bundle *attrs)
{
	return 0;
}

void hca_ib_dealloc_ucontext(struct ib_ucontext *context)
{
	struct hca_user *user = to_hca_ib_context(context)->user;

	hca_user_object_del(context->device, user, HCA_OBJ_CONTEXT);
	hca_user_put(user);
}

/*
 * There is nothing to do: before the RDMA core calls this function, it destroys every object of the
 * context, doorbells included. The operation must exist nevertheless, because without it the core
 * does not unregister a device that has users.
 */
void hca_ib_disassociate_ucontext(struct ib_ucontext *context)
{
}
