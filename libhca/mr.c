// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory regions (req V3-244). */
#include <errno.h>
#include <stdlib.h>
#include "libhca.h"

struct ibv_mr *hca_reg_mr(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, int access)
{
	VERBS_COMMAND(struct ib_uverbs_reg_mr) cmd = {};
	struct ib_uverbs_reg_mr_resp resp;
	struct verbs_mr *mr;
	int ret;

	mr = calloc(1, sizeof(*mr));
	if (!mr)
		return NULL;
	ret = ibv_cmd_reg_mr(pd, addr, length, iova, access, mr, &cmd, sizeof(cmd), &resp,
			     sizeof(resp));
	if (ret) {
		free(mr);
		errno = ret;
		return NULL;
	}
	hca_pd_get(pd);
	return &mr->ibv_mr;
}

struct ibv_mr *hca_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova,
				 int fd, int access)
{
	struct verbs_mr *mr = calloc(1, sizeof(*mr));
	int ret;

	if (!mr)
		return NULL;
	ret = ibv_cmd_reg_dmabuf_mr(pd, offset, length, iova, fd, access, mr, NULL);
	if (ret) {
		free(mr);
		errno = ret;
		return NULL;
	}
	return &mr->ibv_mr;
}

struct ibv_mr *hca_import_mr(struct ibv_pd *pd, uint32_t handle)
{
	struct verbs_mr *mr = calloc(1, sizeof(*mr));
	int ret;

	if (!mr)
		return NULL;
	ret = ibv_cmd_query_mr(pd, mr, handle);
	if (ret) {
		free(mr);
		errno = ret;
		return NULL;
	}
	hca_pd_get(pd);
	return &mr->ibv_mr;
}

void hca_unimport_mr(struct ibv_mr *mr)
{
	hca_pd_put(mr->pd);
	free(HCA_CONTAINER(mr, struct verbs_mr, ibv_mr));
}

/* The null MR is not an object of the kernel, which knows only its L_Key. */
struct ibv_mr *hca_alloc_null_mr(struct ibv_pd *pd)
{
	struct verbs_mr *mr = calloc(1, sizeof(*mr));

	if (!mr)
		return NULL;
	mr->ibv_mr = (struct ibv_mr){
		.context = pd->context,
		.pd = pd,
		.length = SIZE_MAX,
		.lkey = HCA_NULL_LKEY,
	};
	mr->mr_type = VERBS_MR_TYPE_NULL;
	return &mr->ibv_mr;
}

int hca_rereg_mr(struct verbs_mr *mr, int flags, struct ibv_pd *pd, void *addr, size_t length,
		 int access)
{
	VERBS_COMMAND(struct ib_uverbs_rereg_mr) cmd = {};
	struct ib_uverbs_rereg_mr_resp resp;
	int ret = ibv_cmd_rereg_mr(mr, flags, addr, length, (uintptr_t)addr, access, pd, &cmd,
				   sizeof(cmd), &resp, sizeof(resp));

	if (!ret && flags & IBV_REREG_MR_CHANGE_PD) { /* libibverbs changes mr->pd */
		hca_pd_get(pd);
		hca_pd_put(mr->ibv_mr.pd);
	}
	return ret;
}

int hca_dereg_mr(struct verbs_mr *mr)
{
	int ret = mr->mr_type == VERBS_MR_TYPE_NULL ? 0 : ibv_cmd_dereg_mr(mr);

	if (ret)
		return ret;
	hca_pd_put(mr->ibv_mr.pd);
	free(mr);
	return 0;
}
