// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The Terminate message of an RNIC's queue pair (req R0-123); libibverbs has no query for it. */
#include <errno.h>
#include <string.h>
#include "command.h"
#include "libhca.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)
SAME(HCADV_TERMINATE_NONE, HCA_TERMINATE_NONE);
SAME(HCADV_TERMINATE_UNSENT, HCA_TERMINATE_UNSENT);
SAME(HCADV_TERMINATE_LOCAL, HCA_TERMINATE_LOCAL);
SAME(HCADV_TERMINATE_REMOTE, HCA_TERMINATE_REMOTE);
SAME(sizeof(((struct hcadv_terminate *)0)->ddp), sizeof(((struct hca_terminate_info *)0)->ddp));
SAME(sizeof(((struct hcadv_terminate *)0)->read), sizeof(((struct hca_terminate_info *)0)->read));
SAME(sizeof(((struct hcadv_terminate *)0)->message),
     sizeof(((struct hca_terminate_info *)0)->message));
#undef SAME

static int terminate_check(const struct ibv_qp *qp, const struct hcadv_terminate *terminate)
{
	const struct ibv_device *device = qp->context->device;

	if (!hca_is_ours(qp->context->device) || device->transport_type != IBV_TRANSPORT_IWARP)
		return EOPNOTSUPP;
	return terminate->comp_mask ? EINVAL : 0;
}

int hcadv_query_terminate(struct ibv_qp *qp, struct hcadv_terminate *terminate)
{
	struct hca_terminate_info info = {};
	struct ib_uverbs_attr attrs[] = {
		hca_attr_handle(HCA_ATTR_QP_TERMINATE_HANDLE, qp->handle),
		hca_attr_struct(HCA_ATTR_QP_TERMINATE_INFO, &info, sizeof(info)),
	};
	int ret = terminate_check(qp, terminate);

	if (!ret)
		ret = hca_command(qp->context, UVERBS_OBJECT_QP, HCA_METHOD_QP_QUERY_TERMINATE,
				  attrs, 2);
	if (ret)
		return ret;
	*terminate = (struct hcadv_terminate){
		.origin = info.origin,
		.layer = info.layer,
		.error_type = info.error_type,
		.error_code = info.error_code,
		.swapped = info.swapped,
		.segment_length = info.segment_length,
		.ddp_octets = info.ddp_octets,
		.read_octets = info.read_octets,
		.message_octets = info.message_octets,
	};
	memcpy(terminate->ddp, info.ddp, sizeof(terminate->ddp));
	memcpy(terminate->read, info.read, sizeof(terminate->read));
	memcpy(terminate->message, info.message, sizeof(terminate->message));
	return 0;
}
