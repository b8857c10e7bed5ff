// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The uverbs method that queries the Terminate message of an RNIC's queue pair (req R0-123). */
#include <rdma/hca-abi.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include "iwarp/view.h"
#include "verbs/queue/ib_qp.h"
#include "verbs/rnic/rnic_device.h"

#define UVERBS_MODULE_NAME hca
#include <rdma/uverbs_named_ioctl.h>

static int UVERBS_HANDLER(HCA_METHOD_QP_QUERY_TERMINATE)(struct uverbs_attr_bundle *attrs)
{
	struct ib_qp *ib = uverbs_attr_get_obj(attrs, HCA_ATTR_QP_TERMINATE_HANDLE);
	struct hca_terminate_info info;

	hca_iwarp_view_terminate(to_hca_ib_qp(ib)->qp, &info);
	return uverbs_copy_to(attrs, HCA_ATTR_QP_TERMINATE_INFO, &info, sizeof(info));
}

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_QP_QUERY_TERMINATE,
			    UVERBS_ATTR_IDR(HCA_ATTR_QP_TERMINATE_HANDLE, UVERBS_OBJECT_QP,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(HCA_ATTR_QP_TERMINATE_INFO,
						UVERBS_ATTR_TYPE(struct hca_terminate_info),
						UA_MANDATORY));

ADD_UVERBS_METHODS(rnic_qp_methods, UVERBS_OBJECT_QP,
		   &UVERBS_METHOD(HCA_METHOD_QP_QUERY_TERMINATE));

const struct uapi_definition hca_rnic_terminate_definitions[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_QP, &rnic_qp_methods),
	{},
};
