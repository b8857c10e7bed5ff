// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * XRC domains. The address of struct ib_xrcd identifies a domain. The core shares it between the
 * processes that open the same file, and destroys it when nothing uses it any more.
 */
#include "verbs/verbs.h"

int hca_ib_alloc_xrcd(struct ib_xrcd *xrcd, struct ib_udata *udata)
{
	return hca_object_add(xrcd->device, HCA_OBJ_XRCD);
}

int hca_ib_dealloc_xrcd(struct ib_xrcd *xrcd, struct ib_udata *udata)
{
	hca_object_del(xrcd->device, HCA_OBJ_XRCD);
	return 0;
}
