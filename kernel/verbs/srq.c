// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Shared receive queues, basic ones (req R0-208, R0-487 to R0-490) and those of XRC. */
#include "verbs/verbs.h"

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

/* Makes the mapping of the ring and returns its offset and size to the process. */
static int share(struct hca_ib_srq *srq, struct ib_udata *udata)
{
	struct hca_create_srq_resp resp = {
		.size = srq->srq.rq.size,
		.entries = srq->srq.rq.entries,
		.stride = srq->srq.rq.stride,
	};
	int ret;

	if (udata->outlen < sizeof(resp))
		return -EINVAL;
	ret = hca_mapping_add(&srq->mapping, &srq->context->ib, srq->srq.rq.memory);
	if (ret)
		return ret;
	resp.offset = hca_mapping_offset(&srq->mapping);
	ret = ib_copy_to_udata(udata, &resp, sizeof(resp));
	if (ret)
		hca_mapping_remove(&srq->mapping);
	return ret;
}

/* Lets packets of the XRC domain find the SRQ; its completions go to the CQ named here. */
static int publish(struct hca_ib_srq *srq, const struct ib_srq_init_attr *init)
{
	srq->xrc = hca_xrc_srq_publish(&to_hca_device(srq->ib.device)->ca, &srq->srq,
				       &to_hca_ib_cq(init->ext.cq)->cq, init->ext.xrc.xrcd);
	if (IS_ERR(srq->xrc))
		return PTR_ERR(srq->xrc);
	srq->ib.ext.xrc.srq_num = srq->xrc->srqn;
	return 0;
}

static void destroy(struct hca_ib_srq *srq)
{
	hca_mapping_remove(&srq->mapping);
	if (!IS_ERR_OR_NULL(srq->xrc))
		hca_xrc_srq_withdraw(&to_hca_device(srq->ib.device)->ca, srq->xrc);
	hca_srq_destroy(&srq->srq);
}

static int create(struct hca_ib_srq *srq, const struct ib_srq_init_attr *init,
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
	ret = share(srq, udata);
	if (ret) {
		hca_srq_destroy(&srq->srq);
		return ret;
	}
	if (init->srq_type == IB_SRQT_XRC)
		ret = publish(srq, init);
	if (ret)
		destroy(srq);
	return ret;
}

/* The objects that count for the limits of the adapter and of the process. */
static enum hca_object kind(enum ib_srq_type type)
{
	return type == IB_SRQT_XRC ? HCA_OBJ_XRC_SRQ : HCA_OBJ_SRQ;
}

int hca_ib_create_srq(struct ib_srq *ib, struct ib_srq_init_attr *init, struct ib_udata *udata)
{
	struct hca_ib_srq *srq = to_hca_ib_srq(ib);
	int ret;

	if (init->srq_type != IB_SRQT_BASIC && (init->srq_type != IB_SRQT_XRC || !udata))
		return -EOPNOTSUPP;
	srq->context = hca_udata_context(udata);
	ret = hca_context_object_add(ib->device, srq->context, kind(init->srq_type));
	if (ret)
		return ret;
	ret = create(srq, init, udata);
	if (ret) {
		hca_context_object_del(ib->device, srq->context, kind(init->srq_type));
		return ret;
	}
	init->attr.max_wr = srq->srq.rq.entries; /* at least what was asked for */
	return 0;
}

/* Only the limit can be changed: the ring is mapped by a process, so its size is fixed. */
int hca_ib_modify_srq(struct ib_srq *ib, struct ib_srq_attr *attr, enum ib_srq_attr_mask mask,
		      struct ib_udata *udata)
{
	if (mask & ~IB_SRQ_LIMIT)
		return mask & ~(IB_SRQ_LIMIT | IB_SRQ_MAX_WR) ? -EINVAL : -EOPNOTSUPP;
	return mask & IB_SRQ_LIMIT ? hca_srq_arm(&to_hca_ib_srq(ib)->srq, attr->srq_limit) : 0;
}

int hca_ib_query_srq(struct ib_srq *ib, struct ib_srq_attr *attr)
{
	const struct hca_srq *srq = &to_hca_ib_srq(ib)->srq;

	*attr = (struct ib_srq_attr){
		.max_wr = srq->rq.entries,
		.max_sge = srq->max_sge,
		.srq_limit = READ_ONCE(srq->limit),
	};
	return 0;
}

/* The core destroys an SRQ only when no queue pair uses it (req R0-218). */
int hca_ib_destroy_srq(struct ib_srq *ib, struct ib_udata *udata)
{
	struct hca_ib_srq *srq = to_hca_ib_srq(ib);

	destroy(srq);
	hca_context_object_del(ib->device, srq->context, kind(ib->srq_type));
	return 0;
}
