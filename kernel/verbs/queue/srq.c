// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Shared receive queues, both basic (req R0-208, R0-487 to R0-490) and XRC. */
#include "verbs/queue/srq.h"
#include <rdma/hca-abi.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include "qp/ci.h"
#include "qp/limits.h"
#include "verbs/core/context.h"
#include "verbs/core/hca_device.h"
#include "verbs/core/mapping.h"
#include "verbs/core/objects.h"
#include "verbs/core/track.h"
#include "verbs/queue/cq.h"

#define UVERBS_MODULE_NAME hca
#include <rdma/uverbs_named_ioctl.h>

static const enum ib_event_type event_types[] = {
	[HCA_SRQ_LIMIT_REACHED] = IB_EVENT_SRQ_LIMIT_REACHED,
	[HCA_SRQ_ERROR] = IB_EVENT_SRQ_ERR,
};

/* Implements hca_srq.notify (req R0-475). */
static void srq_notify(struct hca_srq *srq, enum hca_srq_event type)
{
	struct ib_srq *ib = srq->context;
	struct ib_event event = {
		.device = ib->device,
		.element.srq = ib,
		.event = event_types[type],
	};

	if (ib->event_handler)
		ib->event_handler(&event, ib->srq_context);
}

/* Allows the process to map a ring, and sets @resp to the values that it needs for that. */
static int srq_describe_ring(struct hca_ib_srq *srq, struct hca_mapping *mapping,
			     const struct hca_queue *queue, struct hca_create_srq_resp *resp)
{
	int ret = hca_mapping_add(mapping, &srq->context->ib, queue->memory);

	if (ret)
		return ret;
	*resp = (struct hca_create_srq_resp){
		.offset = hca_mapping_offset(mapping),
		.size = queue->size,
		.entries = queue->entries,
		.stride = queue->stride,
	};
	return 0;
}

static int srq_share_ring(struct hca_ib_srq *srq, struct ib_udata *udata)
{
	struct hca_mapping *mapping = &srq->mappings[0];
	struct hca_create_srq_resp resp;
	int ret;

	if (udata->outlen < sizeof(resp))
		return -EINVAL;
	ret = srq_describe_ring(srq, mapping, &srq->srq.rq, &resp);
	if (ret)
		return ret;
	ret = ib_copy_to_udata(udata, &resp, sizeof(resp));
	if (ret)
		hca_mapping_remove(mapping);
	return ret;
}

/* Makes packets of the XRC domain find the SRQ. The CQ in @init gets their completions. */
static int srq_publish_xrc(struct hca_ib_srq *srq, const struct ib_srq_init_attr *init)
{
	struct hca_ci *ci = to_hca_device(srq->ib.device)->ci;

	srq->xrc = ci->ops->publish_xrc_srq(ci, &srq->srq, &to_hca_ib_cq(init->ext.cq)->cq,
					    init->ext.xrc.xrcd, &srq->ib.ext.xrc.srq_num);
	return PTR_ERR_OR_ZERO(srq->xrc);
}

static struct hca_mapping *srq_other_mapping(struct hca_ib_srq *srq)
{
	return &srq->mappings[!srq->current_mapping];
}

/* Frees the ring that the SRQ does not use: a former or a prepared ring. */
static void srq_discard_ring(struct hca_ib_srq *srq)
{
	hca_mapping_remove(srq_other_mapping(srq));
	hca_queue_free(&srq->prepared);
}

static void srq_destroy(struct hca_ib_srq *srq)
{
	struct hca_ci *ci = to_hca_device(srq->ib.device)->ci;

	srq_discard_ring(srq);
	hca_mapping_remove(&srq->mappings[srq->current_mapping]);
	if (!IS_ERR_OR_NULL(srq->xrc))
		ci->ops->withdraw_xrc_srq(ci, srq->xrc);
	hca_srq_destroy(&srq->srq);
}

static int srq_create(struct hca_ib_srq *srq, const struct ib_srq_init_attr *init,
		      struct ib_udata *udata)
{
	const struct ib_srq_attr *attr = &init->attr;
	int ret;

	srq->srq.notify = srq_notify;
	srq->srq.pd = srq->ib.pd;
	srq->srq.kernel = !udata;
	srq->srq.context = &srq->ib;
	ret = hca_srq_init(&srq->srq, attr->max_wr, attr->max_sge, attr->srq_limit);
	if (ret || !udata)
		return ret;
	ret = srq_share_ring(srq, udata);
	if (ret) {
		hca_srq_destroy(&srq->srq);
		return ret;
	}
	if (init->srq_type == IB_SRQT_XRC)
		ret = srq_publish_xrc(srq, init);
	if (ret)
		srq_destroy(srq);
	return ret;
}

/* Returns the type as which an SRQ is counted (objects.c). */
static enum hca_object srq_object(enum ib_srq_type type)
{
	return type == IB_SRQT_XRC ? HCA_OBJ_XRC_SRQ : HCA_OBJ_SRQ;
}

static bool srq_is_supported(struct ib_device *ib, enum ib_srq_type type, bool user)
{
	return type == IB_SRQT_BASIC ||
	       (type == IB_SRQT_XRC && user && to_hca_device(ib)->ci->ops->publish_xrc_srq);
}

int hca_ib_create_srq(struct ib_srq *ib, struct ib_srq_init_attr *init, struct ib_udata *udata)
{
	struct hca_ib_srq *srq = to_hca_ib_srq(ib);
	int ret;

	if (!srq_is_supported(ib->device, init->srq_type, udata))
		return -EOPNOTSUPP;
	mutex_init(&srq->resize_lock);
	srq->context = hca_udata_context(udata);
	ret = hca_context_object_add(ib->device, srq->context, srq_object(init->srq_type));
	if (ret)
		return ret;
	ret = srq_create(srq, init, udata);
	if (ret) {
		hca_context_object_del(ib->device, srq->context, srq_object(init->srq_type));
		return ret;
	}
	init->attr.max_wr = srq->srq.rq.entries; /* at least the requested number */
	hca_track(ib->device, HCA_RESOURCE_SRQ, &srq->tracked,
		  srq->context ? NULL : &ib->pd->res);
	return 0;
}

static int srq_resize_prepare(struct hca_ib_srq *srq, u32 entries, struct uverbs_attr_bundle *attrs)
{
	struct hca_create_srq_resp resp;
	int ret;

	srq_discard_ring(srq);
	if (!entries || entries > HCA_MAX_SRQ_WR)
		return -EINVAL;
	ret = hca_queue_alloc(&srq->prepared, entries, srq->srq.rq.stride, false);
	if (ret)
		return ret;
	ret = srq_describe_ring(srq, srq_other_mapping(srq), &srq->prepared, &resp);
	if (!ret)
		ret = uverbs_copy_to(attrs, HCA_ATTR_SRQ_PREPARE_RESP_RING, &resp, sizeof(resp));
	if (ret)
		srq_discard_ring(srq);
	return ret;
}

static int srq_resize_commit(struct hca_ib_srq *srq, const u32 *limit)
{
	int ret;

	if (!srq->prepared.size)
		return -EINVAL;
	ret = hca_srq_resize(&srq->srq, &srq->prepared, limit);
	if (ret)
		return ret;
	srq->current_mapping = !srq->current_mapping;
	srq_discard_ring(srq);
	return 0;
}

static int UVERBS_HANDLER(HCA_METHOD_SRQ_PREPARE)(struct uverbs_attr_bundle *attrs)
{
	struct ib_srq *ib = uverbs_attr_get_obj(attrs, HCA_ATTR_SRQ_PREPARE_HANDLE);
	struct hca_ib_srq *srq = to_hca_ib_srq(ib);
	u32 entries;
	int ret;

	ret = uverbs_copy_from(&entries, attrs, HCA_ATTR_SRQ_PREPARE_ENTRIES);
	if (ret)
		return ret;
	mutex_lock(&srq->resize_lock);
	ret = srq_resize_prepare(srq, entries, attrs);
	mutex_unlock(&srq->resize_lock);
	return ret;
}

static int UVERBS_HANDLER(HCA_METHOD_SRQ_COMMIT)(struct uverbs_attr_bundle *attrs)
{
	struct ib_srq *ib = uverbs_attr_get_obj(attrs, HCA_ATTR_SRQ_COMMIT_HANDLE);
	bool arm = uverbs_attr_is_valid(attrs, HCA_ATTR_SRQ_COMMIT_LIMIT);
	struct hca_ib_srq *srq = to_hca_ib_srq(ib);
	u32 limit;
	int ret;

	ret = arm ? uverbs_copy_from(&limit, attrs, HCA_ATTR_SRQ_COMMIT_LIMIT) : 0;
	if (ret)
		return ret;
	mutex_lock(&srq->resize_lock);
	ret = srq_resize_commit(srq, arm ? &limit : NULL);
	mutex_unlock(&srq->resize_lock);
	return ret;
}

DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_SRQ_PREPARE,
			    UVERBS_ATTR_IDR(HCA_ATTR_SRQ_PREPARE_HANDLE, UVERBS_OBJECT_SRQ,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(HCA_ATTR_SRQ_PREPARE_ENTRIES, UVERBS_ATTR_TYPE(u32),
					       UA_MANDATORY),
			    UVERBS_ATTR_PTR_OUT(HCA_ATTR_SRQ_PREPARE_RESP_RING,
						UVERBS_ATTR_TYPE(struct hca_create_srq_resp),
						UA_MANDATORY));
DECLARE_UVERBS_NAMED_METHOD(HCA_METHOD_SRQ_COMMIT,
			    UVERBS_ATTR_IDR(HCA_ATTR_SRQ_COMMIT_HANDLE, UVERBS_OBJECT_SRQ,
					    UVERBS_ACCESS_READ, UA_MANDATORY),
			    UVERBS_ATTR_PTR_IN(HCA_ATTR_SRQ_COMMIT_LIMIT, UVERBS_ATTR_TYPE(u32),
					       UA_OPTIONAL));

ADD_UVERBS_METHODS(srq_methods, UVERBS_OBJECT_SRQ, &UVERBS_METHOD(HCA_METHOD_SRQ_PREPARE),
		   &UVERBS_METHOD(HCA_METHOD_SRQ_COMMIT));

const struct uapi_definition hca_srq_definitions[] = {
	UAPI_DEF_CHAIN_OBJ_TREE(UVERBS_OBJECT_SRQ, &srq_methods),
	{},
};

/*
 * This function can change only the limit. A process resizes the ring by methods of this driver,
 * because it must map the new ring; the ring of a kernel consumer cannot be resized.
 */
int hca_ib_modify_srq(struct ib_srq *ib, struct ib_srq_attr *attr, enum ib_srq_attr_mask mask,
		      struct ib_udata *udata)
{
	if (mask & ~IB_SRQ_LIMIT)
		return mask & ~(IB_SRQ_LIMIT | IB_SRQ_MAX_WR) ? -EINVAL : -EOPNOTSUPP;
	return mask & IB_SRQ_LIMIT ? hca_srq_arm(&to_hca_ib_srq(ib)->srq, attr->srq_limit) : 0;
}

int hca_ib_query_srq(struct ib_srq *ib, struct ib_srq_attr *attr)
{
	struct hca_srq *srq = &to_hca_ib_srq(ib)->srq;

	spin_lock_bh(&srq->lock);
	*attr = (struct ib_srq_attr){
		.max_wr = srq->rq.entries,
		.max_sge = srq->max_sge,
		.srq_limit = srq->limit,
	};
	spin_unlock_bh(&srq->lock);
	return 0;
}

/* The RDMA core destroys an SRQ only when no queue pair uses it (req R0-218). */
int hca_ib_destroy_srq(struct ib_srq *ib, struct ib_udata *udata)
{
	struct hca_ib_srq *srq = to_hca_ib_srq(ib);

	hca_untrack(ib->device, HCA_RESOURCE_SRQ, &srq->tracked);
	srq_destroy(srq);
	mutex_destroy(&srq->resize_lock);
	hca_context_object_del(ib->device, srq->context, srq_object(ib->srq_type));
	return 0;
}
