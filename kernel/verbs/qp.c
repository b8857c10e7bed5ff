// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Queue pair verbs (req V3-327 to V3-331), which translate the core's attributes to transport's. */
#include <linux/delay.h>
#include <linux/minmax.h>
#include <linux/sched/signal.h>
#include "transport/time_wait.h"
#include "verbs/verbs.h"
#include "transport/iba_qp.h"
#include "transport/qp_create.h"

#define CREATE_FLAGS IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK

/* Interval between checks for the end of the time-wait: it is doubled each time. */
#define WAIT_LEAST_US 20ul
#define WAIT_MOST_US 2000ul

/*
 * The supported QP types, indexed by enum ib_qp_type, and their restrictions (req V3-168, V3-172).
 */
static const struct qp_kind {
	bool known;
	bool special; /* one for each port, for the kernel only */
	bool srq; /* may use an SRQ */
	bool ignores_srq; /* accepts an SRQ, as libfabric passes one, and does not use it */
	bool sends, receives; /* has the queue, and a CQ for the queue */
	bool user; /* for processes only */
	enum hca_object object; /* type of object that it is counted as */
} kinds[] = {
	[IB_QPT_SMI] = { .known = true, .special = true, .sends = true, .receives = true,
			 .object = HCA_OBJ_QP },
	[IB_QPT_GSI] = { .known = true, .special = true, .sends = true, .receives = true,
			 .object = HCA_OBJ_QP },
	[IB_QPT_RC] = { .known = true, .srq = true, .sends = true, .receives = true,
			.object = HCA_OBJ_QP },
	[IB_QPT_UC] = { .known = true, .srq = true, .sends = true, .receives = true,
			.object = HCA_OBJ_QP },
	[IB_QPT_UD] = { .known = true, .srq = true, .sends = true, .receives = true,
			.object = HCA_OBJ_QP },
	[IB_QPT_XRC_INI] = { .known = true, .sends = true, .user = true, .ignores_srq = true,
			     .object = HCA_OBJ_QP },
	/* A process creates an XRC target, but the core owns it and passes no udata. */
	[IB_QPT_XRC_TGT] = { .known = true, .ignores_srq = true, .object = HCA_OBJ_XRC_TGT },
};

/* Queue pairs that processes create with the driver's own part of the command. */
static const struct qp_kind driver_kind = {
	.known = true, .sends = true, .receives = true, .user = true, .object = HCA_OBJ_QP,
};

/* Return: the row of a type, or NULL. */
static const struct qp_kind *kind_of(enum ib_qp_type type)
{
	if (type == IB_QPT_DRIVER)
		return &driver_kind;
	return type < ARRAY_SIZE(kinds) && kinds[type].known ? &kinds[type] : NULL;
}

static int check_kind(struct ib_device *ib, const struct ib_qp_init_attr *attr, bool user)
{
	const struct qp_kind *kind = kind_of(attr->qp_type);

	if (attr->create_flags & ~CREATE_FLAGS)
		return -EOPNOTSUPP;
	if (attr->create_flags && attr->qp_type != IB_QPT_UD) /* the supported flag is UD's */
		return -EINVAL;
	if (!kind || (kind->user && !user) || (attr->srq && !kind->srq && !kind->ignores_srq))
		return -EOPNOTSUPP;
	if ((kind->sends && !attr->send_cq) || (kind->receives && !attr->recv_cq))
		return -EINVAL;
	if (kind->special && (user || !rdma_is_port_valid(ib, attr->port_num)))
		return -EINVAL;
	return 0;
}

/* Returns the actual capacities, which may exceed the requested ones (req V3-173). */
static void cap_fill(const struct hca_qp *qp, struct ib_qp_cap *cap)
{
	*cap = (struct ib_qp_cap){
		.max_send_wr = qp->sq.entries,
		.max_recv_wr = qp->rq.entries,
		.max_send_sge = qp->max_send_sge,
		.max_recv_sge = qp->max_recv_sge,
		.max_inline_data = qp->max_inline,
	};
}

/* Makes the mappings of the rings and returns their offsets and sizes to the process. */
static int share(struct hca_ib_qp *qp, struct ib_ucontext *context, struct ib_udata *udata)
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

static void destroy(struct hca_ib_qp *qp)
{
	struct hca_qp *going = qp->qp;

	mutex_lock(&qp->lock);
	qp->qp = NULL;
	mutex_unlock(&qp->lock);
	hca_mapping_remove(&qp->sq_mapping);
	hca_mapping_remove(&qp->rq_mapping);
	hca_qp_destroy(going);
	hca_qp_events_cancel(&qp->events);
	if (qp->rdd)
		hca_rdd_put(qp->rdd);
}

static int create(struct hca_ib_qp *qp, const struct ib_qp_init_attr *attr, struct ib_udata *udata)
{
	struct hca_ib_context *context = qp->context;
	const struct qp_kind *kind = kind_of(attr->qp_type);
	bool kernel = !udata && attr->qp_type != IB_QPT_XRC_TGT;
	struct hca_qp_init init = {
		.type = attr->qp_type,
		.port_num = attr->port_num,
		.kernel = kernel,
		.signal_all = attr->sq_sig_type == IB_SIGNAL_ALL_WR,
		.block_loopback = attr->create_flags & IB_QP_CREATE_BLOCK_MULTICAST_LOOPBACK,
		.pd = qp->ib.pd,
		.xrcd = attr->xrcd,
		.srq = attr->srq && kind->srq ? &to_hca_ib_srq(attr->srq)->srq : NULL,
		.owner = context ? &context->ib : NULL,
		.context = &qp->ib,
		.cookie = kernel ? (uintptr_t)&qp->ib : 0, /* user CQs get no kernel addresses */
	};
	int ret;

	if (kind->sends) {
		init.max_send_wr = attr->cap.max_send_wr;
		init.max_send_sge = attr->cap.max_send_sge;
		init.max_inline = attr->cap.max_inline_data;
		init.send_cq = &to_hca_ib_cq(attr->send_cq)->cq;
	}
	if (kind->receives) {
		init.max_recv_wr = attr->cap.max_recv_wr;
		init.max_recv_sge = attr->cap.max_recv_sge;
		init.recv_cq = &to_hca_ib_cq(attr->recv_cq)->cq;
	}
	if (attr->qp_type == IB_QPT_DRIVER) {
		ret = hca_driver_qp_init(context, udata, &init, &qp->rdd);
		if (ret)
			return ret;
	}
	qp->qp = hca_qp_create(&to_hca_device(qp->ib.device)->ca, &init);
	if (IS_ERR(qp->qp)) {
		if (qp->rdd)
			hca_rdd_put(qp->rdd);
		return PTR_ERR(qp->qp);
	}
	if (!udata)
		return 0;
	ret = share(qp, &context->ib, udata);
	if (ret)
		destroy(qp);
	return ret;
}

/*
 * Counts a queue pair. An XRC target is counted for its user, because other processes can open it,
 * and it lives until the last of them closes it.
 */
static int count(struct hca_ib_qp *qp, enum hca_object object)
{
	struct ib_device *ib = qp->ib.device;
	int ret;

	if (object != HCA_OBJ_XRC_TGT)
		return hca_context_object_add(ib, qp->context, object);
	qp->user = hca_user_get(&to_hca_device(ib)->users);
	if (!qp->user)
		return -ENOMEM;
	ret = hca_user_object_add(ib, qp->user, object);
	if (ret)
		hca_user_put(qp->user);
	return ret;
}

static void uncount(struct hca_ib_qp *qp, enum hca_object object)
{
	struct ib_device *ib = qp->ib.device;

	if (object != HCA_OBJ_XRC_TGT) {
		hca_context_object_del(ib, qp->context, object);
		return;
	}
	hca_user_object_del(ib, qp->user, object);
	hca_user_put(qp->user);
}

int hca_ib_create_qp(struct ib_qp *ib, struct ib_qp_init_attr *attr, struct ib_udata *udata)
{
	struct hca_ib_qp *qp = to_hca_ib_qp(ib);
	enum hca_object object;
	int ret;

	ret = check_kind(ib->device, attr, udata);
	if (ret)
		return ret;
	object = kind_of(attr->qp_type)->object;
	mutex_init(&qp->lock);
	hca_qp_events_init(&qp->events);
	atomic_set(&qp->members, 0);
	qp->context = hca_udata_context(udata);
	ret = count(qp, object);
	if (ret)
		return ret;
	ret = create(qp, attr, udata);
	if (ret) {
		uncount(qp, object);
		return ret;
	}
	ib->qp_num = qp->qp->qpn;
	cap_fill(qp->qp, &attr->cap);
	hca_track(ib->device, HCA_RESOURCE_QP, &qp->tracked, qp->qp->kernel ? &ib->res : NULL);
	return 0;
}

/* destroy() waits for all users of the queue pair, event handlers included (req V3-188). */
int hca_ib_destroy_qp(struct ib_qp *ib, struct ib_udata *udata)
{
	struct hca_ib_qp *qp = to_hca_ib_qp(ib);

	if (!hlist_empty(&qp->qp->windows)) /* req R0-127 */
		return -EBUSY;
	hca_untrack(ib->device, HCA_RESOURCE_QP, &qp->tracked);
	destroy(qp);
	hca_members_uncount(qp);
	uncount(qp, kind_of(ib->qp_type)->object);
	return 0;
}

static int attr_from_ib(struct ib_device *ib, const struct ib_qp_attr *from, int mask,
			struct hca_qp_attr *to)
{
	int ret = 0;

	*to = (struct hca_qp_attr){
		HCA_CONTEXT_ATTRS(from),
		.state = from->qp_state,
		.cur_state = from->cur_qp_state,
		.access = from->qp_access_flags,
		.qkey = from->qkey,
		.dest_qpn = from->dest_qp_num,
		.en_sqd_async_notify = from->en_sqd_async_notify,
	};
	if (((mask & IB_QP_PORT) && !rdma_is_port_valid(ib, from->port_num)) ||
	    ((mask & IB_QP_ALT_PATH) && !rdma_is_port_valid(ib, from->alt_port_num)))
		return -EINVAL;
	if (mask & IB_QP_AV)
		ret = hca_av_from_ah_attr(ib, &from->ah_attr, &to->av);
	if (!ret && (mask & IB_QP_ALT_PATH))
		ret = hca_av_from_ah_attr(ib, &from->alt_ah_attr, &to->alt_av);
	if (!ret && (hca_lid_is_multicast(to->av.dlid) || hca_lid_is_multicast(to->alt_av.dlid)))
		ret = -EINVAL; /* a connection cannot have a multicast DLID (req C4-085) */
	return ret;
}

static void attr_to_ib(const struct hca_qp_attr *from, struct ib_qp_attr *to)
{
	*to = (struct ib_qp_attr){
		HCA_CONTEXT_ATTRS(from),
		.qp_state = from->state,
		.cur_qp_state = from->state,
		.qkey = from->qkey,
		.dest_qp_num = from->dest_qpn,
		.qp_access_flags = from->access,
		.sq_draining = from->sq_draining,
	};
	hca_av_to_ah_attr(&from->av, &to->ah_attr);
	hca_av_to_ah_attr(&from->alt_av, &to->alt_ah_attr);
}

/*
 * Waits until no packet of the previous connection can arrive any more. If packets are counted, the
 * wait takes microseconds, unless links have a delay or no credit. Context: process. Return: 0, or
 * -EINTR if the process is killed.
 */
int hca_wait_for_last(struct hca_eec *eec, const struct hca_qp_attr *attr, int mask)
{
	unsigned long us = WAIT_LEAST_US, left;
	struct hca_time_wait wait;

	if (!hca_time_wait_start(&wait, eec, attr, mask))
		return 0;
	while ((left = hca_time_wait_left(&wait))) {
		if (fatal_signal_pending(current))
			return -EINTR;
		if (wait.counted)
			usleep_range(us, 2 * us);
		else
			schedule_timeout_killable(left);
		us = min(2 * us, WAIT_MOST_US);
	}
	return 0;
}

int hca_ib_modify_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask, struct ib_udata *udata)
{
	struct hca_qp *qp = to_hca_ib_qp(ib)->qp;
	struct hca_qp_attr to;
	int ret;

	if (mask & ~IB_QP_ATTR_STANDARD_BITS)
		return -EOPNOTSUPP;
	ret = attr_from_ib(ib->device, attr, mask, &to);
	if (!ret)
		ret = hca_wait_for_last(hca_qp_eec(qp), &to, mask);
	return ret ?: hca_qp_modify(qp, &to, mask);
}

static void query(const struct ib_qp *ib, struct hca_qp *qp, struct ib_qp_attr *attr,
		  struct ib_qp_init_attr *init)
{
	struct hca_qp_attr from;

	hca_qp_query(qp, &from);
	attr_to_ib(&from, attr);
	if (kind_of(ib->qp_type)->special)
		attr->port_num = ib->port;
	cap_fill(qp, &attr->cap);
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

/* Return: 0; -EINVAL if the core still finds a queue pair that is being destroyed. */
int hca_ib_query_qp(struct ib_qp *ib, struct ib_qp_attr *attr, int mask,
		    struct ib_qp_init_attr *init)
{
	struct hca_ib_qp *qp = to_hca_ib_qp(ib);
	int ret = -EINVAL;

	mutex_lock(&qp->lock);
	if (qp->qp) {
		query(ib, qp->qp, attr, init);
		ret = 0;
	}
	mutex_unlock(&qp->lock);
	return ret;
}
