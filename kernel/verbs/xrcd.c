// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * XRC domains. The address of struct ib_xrcd identifies a domain. The core shares it between the
 * processes that open the same file, and destroys it when nothing uses it any more.
 */
#include <linux/cred.h>
#include "verbs/verbs.h"

int hca_ib_alloc_xrcd(struct ib_xrcd *xrcd, struct ib_udata *udata)
{
	kuid_t user = current_uid();

	container_of(xrcd, struct hca_ib_xrcd, ib)->user = user;
	return hca_user_object_add(xrcd->device, user, HCA_OBJ_XRCD);
}

int hca_ib_dealloc_xrcd(struct ib_xrcd *xrcd, struct ib_udata *udata)
{
	hca_user_object_del(xrcd->device, container_of(xrcd, struct hca_ib_xrcd, ib)->user,
			    HCA_OBJ_XRCD);
	return 0;
}
