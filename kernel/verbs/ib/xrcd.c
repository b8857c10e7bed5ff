// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * XRC domains. The address of struct ib_xrcd identifies a domain. The RDMA core shares a domain
 * between the processes that open the same file, and destroys it when it has no users any more.
 */
#include "verbs/ib/ca_device.h"

int hca_ib_alloc_xrcd(struct ib_xrcd *xrcd, struct ib_udata *udata)
{
	struct hca_user *user = hca_user_get(&to_hca_device(xrcd->device)->users);
	int ret;

	if (!user)
		return -ENOMEM;
	ret = hca_user_object_add(xrcd->device, user, HCA_OBJ_XRCD);
	if (ret)
		hca_user_put(user);
	else
		container_of(xrcd, struct hca_ib_xrcd, ib)->user = user;
	return ret;
}

int hca_ib_dealloc_xrcd(struct ib_xrcd *xrcd, struct ib_udata *udata)
{
	struct hca_user *user = container_of(xrcd, struct hca_ib_xrcd, ib)->user;

	hca_user_object_del(xrcd->device, user, HCA_OBJ_XRCD);
	hca_user_put(user);
	return 0;
}
