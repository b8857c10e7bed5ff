// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Verbs of shared receive queues other than posting (req R0-208, R0-487 to R0-490). */
#include <errno.h>
#include <stdlib.h>
#include "libhca.h"

static int create(struct hca_srq *srq, struct ibv_pd *pd, struct ibv_srq_init_attr *attr)
{
	VERBS_COMMAND(struct ib_uverbs_create_srq) cmd = {};
	struct {
		struct ib_uverbs_create_srq_resp core;
		struct hca_create_srq_resp hca;
	} resp = {};
	int ret;

	ret = ibv_cmd_create_srq(pd, &srq->srq, attr, &cmd, sizeof(cmd), &resp.core, sizeof(resp));
	if (ret)
		return ret;
	ret = hca_queue_map(&srq->queue, pd->context, resp.hca.offset, resp.hca.size,
			    resp.hca.entries, resp.hca.stride);
	if (ret)
		ibv_cmd_destroy_srq(&srq->srq);
	return ret;
}

struct ibv_srq *hca_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attr)
{
	struct hca_srq *srq;
	int ret;

	srq = calloc(1, sizeof(*srq));
	if (!srq)
		return NULL;
	ret = create(srq, pd, attr);
	if (ret) {
		free(srq);
		errno = ret;
		return NULL;
	}
	srq->max_sge = attr->attr.max_sge;
	return &srq->srq;
}

int hca_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask)
{
	VERBS_COMMAND(struct ib_uverbs_modify_srq) cmd = {};

	return ibv_cmd_modify_srq(srq, attr, mask, &cmd, sizeof(cmd));
}

int hca_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr)
{
	VERBS_COMMAND(struct ib_uverbs_query_srq) cmd = {};

	return ibv_cmd_query_srq(srq, attr, &cmd, sizeof(cmd));
}

/*
 * An SRQ may be destroyed with requests in it; their buffers are not accessed (req R0-218, R0-219).
 */
int hca_destroy_srq(struct ibv_srq *ibv)
{
	struct hca_srq *srq = to_hca_srq(ibv);
	int ret;

	ret = ibv_cmd_destroy_srq(ibv);
	if (ret)
		return ret;
	hca_queue_unmap(&srq->queue);
	free(srq);
	return 0;
}
