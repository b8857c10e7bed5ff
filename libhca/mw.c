// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory windows (req V3-347, V3-350). */
#include <errno.h>
#include <stdlib.h>
#include "libhca.h"

struct ibv_mw *hca_alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type)
{
	VERBS_COMMAND(struct ib_uverbs_alloc_mw) cmd = {};
	struct ib_uverbs_alloc_mw_resp resp;
	struct ibv_mw *mw;
	int ret;

	mw = calloc(1, sizeof(*mw));
	if (!mw)
		return NULL;
	ret = ibv_cmd_alloc_mw(pd, type, mw, &cmd, sizeof(cmd), &resp, sizeof(resp));
	if (ret) {
		free(mw);
		errno = ret;
		return NULL;
	}
	hca_pd_get(pd);
	return mw;
}

int hca_dealloc_mw(struct ibv_mw *mw)
{
	int ret = ibv_cmd_dealloc_mw(mw);

	if (ret)
		return ret;
	hca_pd_put(mw->pd);
	free(mw);
	return 0;
}

/* Post a bind request with a new R_Key, which differs from the previous one (req V3-262). */
int hca_bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind)
{
	struct ibv_send_wr wr = {
		.wr_id = bind->wr_id,
		.opcode = IBV_WR_BIND_MW,
		.send_flags = bind->send_flags,
		.bind_mw = { .mw = mw, .rkey = ibv_inc_rkey(mw->rkey),
			     .bind_info = bind->bind_info },
	};
	struct ibv_send_wr *bad;
	int ret;

	ret = hca_post_send(qp, &wr, &bad);
	if (!ret)
		mw->rkey = wr.bind_mw.rkey;
	return ret;
}
