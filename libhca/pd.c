// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Protection domains (req V3-134). */
#include <errno.h>
#include <stdlib.h>
#include "libhca.h"

struct ibv_pd *hca_alloc_pd(struct ibv_context *context)
{
	VERBS_COMMAND(struct ib_uverbs_alloc_pd) cmd = {};
	struct ib_uverbs_alloc_pd_resp resp;
	struct hca_pd *pd;
	int ret;

	pd = calloc(1, sizeof(*pd));
	if (!pd)
		return NULL;
	ret = ibv_cmd_alloc_pd(context, &pd->pd, &cmd, sizeof(cmd), &resp, sizeof(resp));
	if (ret) {
		free(pd);
		errno = ret;
		return NULL;
	}
	return &pd->pd;
}

/*
 * A domain with objects cannot be deallocated. The kernel counts its own objects, the provider
 * counts address handles (req V3-143).
 */
int hca_dealloc_pd(struct ibv_pd *ibv)
{
	struct hca_pd *pd = to_hca_pd(ibv);
	int ret;

	if (atomic_load(&pd->num_ahs))
		return EBUSY;
	ret = ibv_cmd_dealloc_pd(ibv);
	if (!ret)
		free(pd);
	return ret;
}
