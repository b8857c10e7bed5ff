// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Queue pair verbs (req V3-327 to V3-331). The kind of the device (verbs/core/kind.h) converts the
 * attributes of the RDMA core to those of the carrier, and back.
 */
#include "verbs/queue/qp.h"
#include <rdma/hca-abi.h>
#include "qp/ci.h"
#include "qp/type.h"
#include "verbs/core/context.h"
#include "verbs/core/hca_device.h"
#include "verbs/core/kind.h"
#include "verbs/core/mapping.h"
#include "verbs/core/objects.h"
#include "verbs/core/qp_events.h"
#include "verbs/core/track.h"
#include "verbs/core/user.h"
#include "verbs/queue/cq.h"
#include "verbs/queue/ib_qp.h"
#include "verbs/queue/srq.h"

/* Returns the row of a type by which the RDMA core creates queue pairs, or NULL. */
static const struct hca_qp_type *qp_type_of(struct ib_device *ib, enum ib_qp_type type)
{
	const struct hca_device *dev = to_hca_device(ib);
	bool driver = type == IB_QPT_DRIVER;
	const struct hca_qp_type *row =
		dev->ci->ops->qp_type(driver ? dev->kind->driver_type : type);

	return row && row->driver == driver ? row : NULL;
}

/* Returns the type of object as which a queue pair is counted. */
static enum hca_object qp_object_of(const struct hca_qp_type *type)
{
	return type->outlives ? HCA_OBJ_XRC_TGT : HCA_OBJ_QP;
}

static int qp_check_type(struct ib_device *ib, const struct ib_qp_init_attr *attr, bool user)
{
	const struct hca_qp_type *type = qp_type_of(ib, attr->qp_type);

	if (attr->create_flags & ~to_hca_device(ib)->ci->ops->create_flags)
		return -EOPNOTSUPP;
	/* the type does not have the flag */
	if (attr->create_flags & ~(type ? type->create_flags : 0))
		return -EINVAL;
	if (!type || (type->user && !user) || (attr->srq && !type->srq && !type->ignores_srq))
		return -EOPNOTSUPP;
	if ((type->sends && !attr->send_cq) || (type->receives && !attr->recv_cq))
		return -EINVAL;
	if (type->special && (user || !rdma_is_port_valid(ib, attr->port_num)))
		return -EINVAL;
	return 0;
}

/*
 * Returns the actual capacities, which may exceed the requested ones (req V3-173). max_rdma_ctxs is
 * that of the RDMA core, which reads it when the queue pair has been created.
 */
static void qp_fill_cap(const struct hca_qp *qp, struct ib_qp_cap *cap)
{
	cap->max_send_wr = qp->sq.entries;
	cap->max_recv_wr = qp->rq.entries;
	cap->max_send_sge = qp->max_send_sge;
	cap->max_recv_sge = qp->max_recv_sge;
	cap->max_inline_data = qp->max_inline;
}

/* Allows the process to map the rings, and returns offsets and sizes for its mmap() calls. */
static int qp_share_rings(struct hca_ib_qp *qp, struct ib_ucontext *context, struct ib_udata *udata)
{
	const struct hca_queue *sq = &qp->qp->sq, *rq = &qp->qp->rq;
	struct hca_create_qp_resp resp = {
		.sq_size = sq->size,
		.sq_entries = sq->entries,
		.sq_stride = sq->stride,
		.rq_size = rq->size,
		.rq_entries = rq->entries,
		.rq_stride = rq->stride,
	};
	int ret;

	if (udata->outlen < sizeof(resp))
		return -EINVAL;
	ret = hca_mapping_add(&qp->sq_mapping, context, sq->memory);
	if (!ret)
		ret = hca_mapping_add(&qp->rq_mapping, context, rq->memory);
	if (!ret) {
		resp.sq_offset = hca_mapping_offset(&qp->sq_mapping);
		resp.rq_offset = hca_mapping_offset(&qp->rq_mapping);
		ret = ib_copy_to_udata(udata, &resp, sizeof(resp));
	}
	return ret;
}

static void qp_destroy(struct hca_ib_qp *qp)
{
	struct hca_qp *going = qp->qp;

	mutex_lock(&qp->lock);
	qp->qp = NULL;
	mutex_unlock(&qp->lock);
	hca_mapping_remove(&qp->sq_mapping);
	hca_mapping_remove(&qp->rq_mapping);
	hca_qp_destroy(going);
	hca_qp_events_cancel(&qp->events);
	to_hca_device(qp->ib.device)->kind->release_qp(qp);
}

/* Fills in the queues that the type has. */
static void qp_init_queues(struct hca_qp_init *init, const struct hca_qp_type *type,
			   const struct ib_qp_init_attr *attr)
{
	if (type->sends) {
		init->max_send_wr = attr->cap.max_send_wr;
		init->max_send_sge = attr->cap.max_send_sge;
		init->max_inline = attr->cap.max_inline_data;
		init->send_cq = &to_hca_ib_cq(attr->send_cq)->cq;
	}
	if (type->receives) {
		init->max_recv_wr = attr->cap.max_recv_wr;
		init->max_recv_sge = attr->cap.max_recv_sge;
		init->recv_cq = &to_hca_ib_cq(attr->recv_cq)->cq;
	}
}

static int qp_create(struct hca_ib_qp *qp, const struct ib_qp_init_attr *attr,
		     struct ib_udata *udata)
{
	const struct hca_qp_type *type = qp_type_of(qp->ib.device, attr->qp_type);
	struct hca_device *dev = to_hca_device(qp->ib.device);
	struct hca_ib_context *context = qp->context;
	bool kernel = !udata && !type->outlives;
	struct hca_qp_init init = {
		.type = attr->qp_type,
		.port_num = attr->port_num,
		.kernel = kernel,
		.signal_all = attr->sq_sig_type == IB_SIGNAL_ALL_WR,
		.block_loopback = attr->create_flags & IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK,
		.pd = qp->ib.pd,
		.xrcd = attr->xrcd,
		.srq = attr->srq && type->srq ? &to_hca_ib_srq(attr->srq)->srq : NULL,
		.owner = context ? &context->ib : NULL,
		.context = &qp->ib,
		.cookie = kernel ? (uintptr_t)&qp->ib : 0, /* user CQs get no kernel addresses */
	};
	int ret;

	qp_init_queues(&init, type, attr);
	if (attr->qp_type == IB_QPT_DRIVER) {
		ret = dev->kind->init_driver_qp(qp, udata, &init);
		if (ret)
			return ret;
	}
	qp->qp = dev->ci->ops->create_qp(dev->ci, &init);
	if (IS_ERR(qp->qp)) {
		dev->kind->release_qp(qp);
		return PTR_ERR(qp->qp);
	}
	if (!udata)
		return 0;
	ret = qp_share_rings(qp, &context->ib, udata);
	if (ret)
		qp_destroy(qp);
	return ret;
}

/*
 * Counts a queue pair. If it outlives its context, as an XRC target, it is counted for its user but
 * not for its context: it exists until the last process closes it.
 */
static int qp_count(struct hca_ib_qp *qp, const struct hca_qp_type *type)
{
	struct ib_device *ib = qp->ib.device;
	int ret;

	if (!type->outlives)
		return hca_context_object_add(ib, qp->context, qp_object_of(type));
	qp->user = hca_user_get(&to_hca_device(ib)->users);
	if (!qp->user)
		return -ENOMEM;
	ret = hca_user_object_add(ib, qp->user, qp_object_of(type));
	if (ret)
		hca_user_put(qp->user);
	return ret;
}

static void qp_uncount(struct hca_ib_qp *qp, const struct hca_qp_type *type)
{
	struct ib_device *ib = qp->ib.device;

	if (!type->outlives) {
		hca_context_object_del(ib, qp->context, qp_object_of(type));
		return;
	}
	hca_user_object_del(ib, qp->user, qp_object_of(type));
	hca_user_put(qp->user);
}

int hca_ib_create_qp(struct ib_qp *ib, struct ib_qp_init_attr *attr, struct ib_udata *udata)
{
	struct hca_ib_qp *qp = to_hca_ib_qp(ib);
	const struct hca_qp_type *type;
	int ret;

	ret = qp_check_type(ib->device, attr, udata);
	if (ret)
		return ret;
	type = qp_type_of(ib->device, attr->qp_type);
	mutex_init(&qp->lock);
	hca_qp_events_init(&qp->events);
	atomic_set(&qp->members, 0);
	qp->context = hca_udata_context(udata);
	ret = qp_count(qp, type);
	if (ret)
		return ret;
	ret = qp_create(qp, attr, udata);
	if (ret) {
		qp_uncount(qp, type);
		return ret;
	}
	ib->qp_num = qp->qp->qpn;
	qp_fill_cap(qp->qp, &attr->cap);
	hca_track(ib->device, HCA_RESOURCE_QP, &qp->tracked, qp->qp->kernel ? &ib->res : NULL);
	return 0;
}

/*
 * When the function qp_destroy() of this file returns, nothing uses the queue pair any more, not
 * even an event handler (req V3-188).
 */
int hca_ib_destroy_qp(struct ib_qp *ib, struct ib_udata *udata)
{
	struct hca_ib_qp *qp = to_hca_ib_qp(ib);

	if (!hlist_empty(&qp->qp->windows)) /* req R0-127 */
		return -EBUSY;
	hca_untrack(ib->device, HCA_RESOURCE_QP, &qp->tracked);
	qp_destroy(qp);
	qp_uncount(qp, qp_type_of(ib->device, ib->qp_type));
	return 0;
}

/*
 * Get a reference to a queue pair. iw_cm modifies queue pairs that are being destroyed. Return:
 * NULL if this one is.
 */
static struct hca_qp *qp_use(struct hca_ib_qp *ib)
{
	struct hca_qp *qp;

	mutex_lock(&ib->lock);
	qp = hca_qp_use(ib->qp);
	mutex_unlock(&ib->lock);
	return qp;
}

int hca_ib_modify_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask, struct ib_udata *udata)
{
	const struct hca_device_kind *kind = to_hca_device(ib->device)->kind;
	struct hca_qp *qp;
	struct hca_qp_attr to;
	int ret;

	if (mask & ~IB_QP_ATTR_STANDARD_BITS)
		return -EOPNOTSUPP;
	ret = kind->attr_from_ib(ib->device, attr, mask, &to);
	if (ret)
		return ret;
	qp = qp_use(to_hca_ib_qp(ib));
	if (!qp)
		return -EINVAL;
	ret = kind->wait(qp, &to, mask);
	if (!ret)
		ret = hca_qp_modify(qp, &to, mask);
	if (!ret && kind->modified)
		kind->modified(qp, &to, mask);
	hca_qp_put(qp);
	return ret;
}

static void qp_query(const struct ib_qp *ib, struct hca_qp *qp, struct ib_qp_attr *attr,
		     struct ib_qp_init_attr *init)
{
	struct hca_qp_attr from;

	hca_qp_query(qp, &from);
	to_hca_device(ib->device)->kind->attr_to_ib(&from, attr);
	if (qp_type_of(ib->device, ib->qp_type)->special)
		attr->port_num = ib->port;
	qp_fill_cap(qp, &attr->cap);
	*init = (struct ib_qp_init_attr){
		.event_handler = ib->event_handler,
		.qp_context = ib->qp_context,
		.send_cq = ib->send_cq,
		.recv_cq = ib->recv_cq,
		.srq = ib->srq,
		.cap = attr->cap,
		.sq_sig_type = qp->signal_all ? IB_SIGNAL_ALL_WR : IB_SIGNAL_REQ_WR,
		.qp_type = ib->qp_type,
		.port_num = attr->port_num,
	};
}

/* Return: 0; -EINVAL if the queue pair is being destroyed, and the RDMA core still finds it. */
int hca_ib_query_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask,
		    struct ib_qp_init_attr *init)
{
	struct hca_ib_qp *qp = to_hca_ib_qp(ib);
	int ret = -EINVAL;

	mutex_lock(&qp->lock);
	if (qp->qp) {
		qp_query(ib, qp->qp, attr, init);
		ret = 0;
	}
	mutex_unlock(&qp->lock);
	return ret;
}
