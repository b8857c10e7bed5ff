// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Verbs of basic and XRC shared receive queues other than posting (req R0-208, R0-487 to R0-490).
 */
#include <errno.h>
#include <stdlib.h>
#include "command.h"
#include "libhca.h"

static int srq_create(struct hca_srq *srq, struct ibv_context *context,
		      struct ibv_srq_init_attr_ex *attr)
{
	VERBS_COMMAND(struct ib_uverbs_create_xsrq) cmd = {};
	struct {
		struct ib_uverbs_create_srq_resp core;
		struct hca_create_srq_resp hca;
	} resp = {};
	int ret;

	ret = ibv_cmd_create_srq_ex(context, &srq->verbs, attr, &cmd, sizeof(cmd), &resp.core,
				    sizeof(resp));
	if (ret)
		return ret;
	ret = hca_queue_map(&srq->queue, context, resp.hca.offset, resp.hca.size,
			    resp.hca.entries, resp.hca.stride);
	if (ret)
		ibv_cmd_destroy_srq(&srq->verbs.srq);
	return ret;
}

static struct ibv_srq *srq_make(struct ibv_context *context, struct ibv_srq_init_attr_ex *attr)
{
	struct hca_srq *srq;
	int ret;

	srq = calloc(1, sizeof(*srq));
	if (!srq)
		return NULL;
	ret = srq_create(srq, context, attr);
	if (ret) {
		free(srq);
		errno = ret;
		return NULL;
	}
	srq->max_sge = attr->attr.max_sge;
	srq->pd = attr->pd;
	hca_pd_get(srq->pd);
	pthread_mutex_init(&srq->resize_lock, NULL); /* never fails */
	return &srq->verbs.srq;
}

struct ibv_srq *hca_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attr)
{
	struct ibv_srq_init_attr_ex ex = {
		.srq_context = attr->srq_context,
		.attr = attr->attr,
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD,
		.srq_type = IBV_SRQT_BASIC,
		.pd = pd,
	};
	struct ibv_srq *srq = srq_make(pd->context, &ex);

	if (srq)
		attr->attr = ex.attr;
	return srq;
}

#define EX_KNOWN                                                                                   \
	(IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_XRCD |                  \
	 IBV_SRQ_INIT_ATTR_CQ)

/* Return: 0 or an errno. libibverbs checks that a required PD, XRC domain and CQ are present. */
static int check_ex(const struct ibv_srq_init_attr_ex *attr)
{
	bool basic = !(attr->comp_mask & IBV_SRQ_INIT_ATTR_TYPE) ||
		     attr->srq_type == IBV_SRQT_BASIC;

	if (attr->comp_mask & ~EX_KNOWN || (!basic && attr->srq_type != IBV_SRQT_XRC))
		return EOPNOTSUPP;
	/* A basic SRQ uses the CQs of its queue pairs. */
	return basic && attr->comp_mask & (IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ) ?
		       EINVAL : 0;
}

struct ibv_srq *hca_create_srq_ex(struct ibv_context *context, struct ibv_srq_init_attr_ex *attr)
{
	int ret = check_ex(attr);

	if (ret) {
		errno = ret;
		return NULL;
	}
	return srq_make(context, attr);
}

int hca_get_srq_num(struct ibv_srq *ibv, uint32_t *srq_num)
{
	const struct verbs_srq *srq = &to_hca_srq(ibv)->verbs;

	if (srq->srq_type != IBV_SRQT_XRC)
		return EOPNOTSUPP;
	*srq_num = srq->srq_num;
	return 0;
}

/*
 * Make the kernel prepare a ring with @entries entries, and get its description in @ring. The
 * kernel first frees the ring of an earlier call of this function, even if the present call fails.
 * A call with 0 entries fails, and therefore only frees the earlier ring.
 */
static int srq_prepare(const struct ibv_srq *srq, uint32_t entries,
		       struct hca_create_srq_resp *ring)
{
	struct ib_uverbs_attr attrs[] = {
		hca_attr_handle(HCA_ATTR_SRQ_PREPARE_HANDLE, srq->handle),
		hca_attr_u32(HCA_ATTR_SRQ_PREPARE_ENTRIES, entries),
		hca_attr_struct(HCA_ATTR_SRQ_PREPARE_RESP_RING, ring, sizeof(*ring)),
	};

	return hca_command(srq->context, UVERBS_OBJECT_SRQ, HCA_METHOD_SRQ_PREPARE, attrs, 3);
}

/* Commit the prepared ring. @limit is a limit to arm, or NULL. */
static int srq_commit(const struct ibv_srq *srq, const uint32_t *limit)
{
	struct ib_uverbs_attr attrs[] = {
		hca_attr_handle(HCA_ATTR_SRQ_COMMIT_HANDLE, srq->handle),
		hca_attr_u32(HCA_ATTR_SRQ_COMMIT_LIMIT, limit ? *limit : 0),
	};

	return hca_command(srq->context, UVERBS_OBJECT_SRQ, HCA_METHOD_SRQ_COMMIT, attrs,
			   limit ? 2 : 1);
}

/* Replace the present ring by @next, and set @next to the former ring. Posting waits for this. */
static int srq_exchange(struct hca_srq *srq, struct hca_queue *next, const uint32_t *limit)
{
	int ret;

	pthread_spin_lock(&srq->queue.lock);
	ret = srq_commit(&srq->verbs.srq, limit);
	if (!ret)
		hca_queue_replace(&srq->queue, next);
	pthread_spin_unlock(&srq->queue.lock);
	return ret;
}

static int srq_resize(struct hca_srq *srq, uint32_t entries, const uint32_t *limit)
{
	const struct ibv_srq *ibv = &srq->verbs.srq;
	struct hca_create_srq_resp ring;
	struct hca_queue next = {};
	int ret;

	ret = srq_prepare(ibv, entries, &ring);
	if (ret)
		return ret;
	ret = hca_queue_map(&next, ibv->context, ring.offset, ring.size, ring.entries, ring.stride);
	if (!ret) {
		ret = srq_exchange(srq, &next, limit);
		hca_queue_unmap(&next);
	}
	if (ret)
		srq_prepare(ibv, 0, &ring);
	return ret;
}

int hca_modify_srq(struct ibv_srq *ibv, struct ibv_srq_attr *attr, int mask)
{
	VERBS_COMMAND(struct ib_uverbs_modify_srq) cmd = {};
	struct hca_srq *srq = to_hca_srq(ibv);
	int ret;

	if (mask & ~(IBV_SRQ_LIMIT | IBV_SRQ_MAX_WR))
		return EINVAL;
	if (!(mask & IBV_SRQ_MAX_WR))
		return ibv_cmd_modify_srq(ibv, attr, mask, &cmd, sizeof(cmd));
	pthread_mutex_lock(&srq->resize_lock);
	ret = srq_resize(srq, attr->max_wr, mask & IBV_SRQ_LIMIT ? &attr->srq_limit : NULL);
	pthread_mutex_unlock(&srq->resize_lock);
	return ret;
}

int hca_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr)
{
	VERBS_COMMAND(struct ib_uverbs_query_srq) cmd = {};

	return ibv_cmd_query_srq(srq, attr, &cmd, sizeof(cmd));
}

/*
 * An SRQ may be destroyed while requests are posted to it. Afterwards, the buffers of these
 * requests are not accessed any more (req R0-218, R0-219).
 */
int hca_destroy_srq(struct ibv_srq *ibv)
{
	struct hca_srq *srq = to_hca_srq(ibv);
	int ret;

	ret = ibv_cmd_destroy_srq(ibv);
	if (ret)
		return ret;
	hca_pd_put(srq->pd);
	hca_queue_unmap(&srq->queue);
	pthread_mutex_destroy(&srq->resize_lock);
	free(srq);
	return 0;
}
