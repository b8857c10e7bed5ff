// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Protection domains (req V3-134, V3-319, V3-320). The address of struct ib_pd identifies a domain.
 * The core counts its users (req V3-143).
 */
#include "verbs/verbs.h"

int hca_ib_alloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	return hca_object_add(pd->device, HCA_OBJ_PD);
}

int hca_ib_dealloc_pd(struct ib_pd *pd, struct ib_udata *udata)
{
	hca_object_del(pd->device, HCA_OBJ_PD);
	return 0;
}
