// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Shared receive queues (req R0-208, R0-487 to R0-490). */
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
	ret = hca_mapping_add(&srq->mapping, &srq->context->ib, &srq->srq.rq);
	if (ret)
		return ret;
	resp.offset = hca_mapping_offset(&srq->mapping);
	ret = ib_copy_to_udata(udata, &resp, sizeof(resp));
	if (ret)
		hca_mapping_remove(&srq->mapping);
	return ret;
}

static int create(struct hca_ib_srq *srq, const struct ib_srq_attr *attr, struct ib_udata *udata)
{
	int ret;

	srq->srq.notify = srq_notify;
	srq->srq.pd = srq->ib.pd;
	srq->srq.kernel = !udata;
	srq->srq.context = &srq->ib;
	ret = hca_srq_init(&srq->srq, attr->max_wr, attr->max_sge, attr->srq_limit);
	if (ret || !udata)
		return ret;
	ret = share(srq, udata);
	if (ret)
		hca_srq_destroy(&srq->srq);
	return ret;
}

int hca_ib_create_srq(struct ib_srq *ib, struct ib_srq_init_attr *init, struct ib_udata *udata)
{
	struct hca_ib_srq *srq = to_hca_ib_srq(ib);
	int ret;

	if (init->srq_type != IB_SRQT_BASIC)
		return -EOPNOTSUPP;
	srq->context = hca_udata_context(udata);
	ret = hca_context_object_add(ib->device, srq->context, HCA_OBJ_SRQ);
	if (ret)
		return ret;
	ret = create(srq, &init->attr, udata);
	if (ret) {
		hca_context_object_del(ib->device, srq->context, HCA_OBJ_SRQ);
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

	hca_mapping_remove(&srq->mapping);
	hca_srq_destroy(&srq->srq);
	hca_context_object_del(ib->device, srq->context, HCA_OBJ_SRQ);
	return 0;
}
