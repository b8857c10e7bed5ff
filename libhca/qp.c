// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Queue pair verbs other than posting. The provider stores how many WQEs polled completions have
 * released; all other state is in the rings. The engine resets the indices of the rings with the
 * queue pair (req V3-195). libibverbs stores the state of the queue pair (req V3-178).
 */
#include <errno.h>
#include <stdlib.h>
#include "libhca.h"

/* Supported bits of comp_mask of struct ibv_qp_init_attr_ex. */
#define EX_KNOWN                                                                                   \
	(IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_XRCD | IBV_QP_INIT_ATTR_CREATE_FLAGS |             \
	 IBV_QP_INIT_ATTR_SEND_OPS_FLAGS)

/* Supported enum ibv_qp_create_flags. The kernel checks them against the QP type. */
#define CREATE_FLAGS IBV_QP_CREATE_BLOCK_SELF_MCAST_LB

_Static_assert(sizeof(struct ib_uverbs_ex_create_qp) == 64, "the driver's part follows");

static int qp_map(struct hca_qp *qp, const struct hca_create_qp_resp *resp)
{
	const struct ibv_context *context = qp->verbs.qp.context;
	int ret;

	ret = hca_queue_map(&qp->sq, context, resp->sq_offset, resp->sq_size, resp->sq_entries,
			    resp->sq_stride);
	if (ret)
		return ret;
	ret = hca_queue_map(&qp->rq, context, resp->rq_offset, resp->rq_size, resp->rq_entries,
			    resp->rq_stride);
	if (ret)
		hca_queue_unmap(&qp->sq);
	return ret;
}

static void qp_unmap(struct hca_qp *qp)
{
	hca_queue_unmap(&qp->sq);
	hca_queue_unmap(&qp->rq);
}

/*
 * Return whether a queue pair has a queue, and therefore an entry in the table. An XRC target has
 * none.
 */
static bool has_queues(const struct hca_qp *qp)
{
	return qp->sq.ring || qp->rq.ring;
}

static int qp_create(struct hca_qp *qp, struct ibv_context *context,
		     struct ibv_qp_init_attr_ex *attr, const struct hca_create_qp_req *driver)
{
	struct {
		VERBS_COMMAND_EX(struct ib_uverbs_ex_create_qp) verbs;
		struct hca_create_qp_req hca; /* only for IBV_QPT_DRIVER */
	} cmd = {};
	struct {
		struct ib_uverbs_ex_create_qp_resp core;
		struct hca_create_qp_resp hca;
	} resp = {};
	size_t size = offsetof(__typeof__(cmd), hca);
	int ret;

	if (driver) {
		cmd.hca = *driver;
		size = sizeof(cmd);
	}
	ret = ibv_cmd_create_qp_ex2(context, &qp->verbs, attr, &cmd, size, &resp.core,
				    sizeof(resp) VERBS_DRIVER(NULL));
	if (ret)
		return ret;
	ret = qp_map(qp, &resp.hca);
	if (!ret && has_queues(qp)) {
		ret = hca_qp_table_add(to_hca_context(context), qp);
		if (ret)
			qp_unmap(qp);
	}
	if (ret)
		ibv_cmd_destroy_qp(&qp->verbs.qp);
	return ret;
}

/* Return the opcodes of a type that hca_post_send() accepts. */
static uint16_t opcodes_of(const struct hca_context *context, const struct hca_lib_qp_type *type)
{
	/* Flush is missing, because struct ibv_send_wr does not have members for a Flush. */
	uint16_t opcodes = type->opcodes & ~(1u << VERBS_WR_FLUSH);

	return context->atomic_write ? opcodes : opcodes & ~(1u << VERBS_WR_ATOMIC_WRITE);
}

static const struct hca_lib_qp_type *type_of(const struct ibv_context *context, unsigned int type,
					     uint32_t driver_type)
{
	return hca_is_rnic(context->device) ? hca_lib_rnic_qp_type(type) :
					      hca_lib_qp_type(type, driver_type);
}

static struct hca_qp *qp_make(struct ibv_context *context, const struct hca_lib_qp_type *type,
			      struct ibv_qp_init_attr_ex *attr,
			      const struct hca_create_qp_req *driver)
{
	struct hca_qp *qp;
	int ret;

	qp = calloc(1, sizeof(*qp));
	if (!qp)
		return NULL;
	ret = qp_create(qp, context, attr, driver);
	if (ret) {
		free(qp);
		errno = ret;
		return NULL;
	}
	/* The kernel has written the actual capacities to @attr (req V3-173). */
	qp->max_send_sge = attr->cap.max_send_sge;
	qp->max_recv_sge = attr->cap.max_recv_sge;
	qp->max_inline = attr->cap.max_inline_data;
	qp->opcodes = opcodes_of(to_hca_context(context), type);
	qp->send_states = qp->sq.ring ? type->send_states : 0;
	qp->recv_states = qp->rq.ring ? type->recv_states : 0;
	qp->keep_completions = to_hca_context(context)->keep_completions;
	qp->pd = attr->comp_mask & IBV_QP_INIT_ATTR_PD ? attr->pd : NULL;
	hca_pd_get(qp->pd);
	return qp;
}

struct ibv_qp *hca_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct ibv_qp_init_attr_ex ex = {
		.qp_context = attr->qp_context,
		.send_cq = attr->send_cq,
		.recv_cq = attr->recv_cq,
		.srq = attr->srq,
		.cap = attr->cap,
		.qp_type = attr->qp_type,
		.sq_sig_all = attr->sq_sig_all,
		.comp_mask = IBV_QP_INIT_ATTR_PD,
		.pd = pd,
	};
	struct hca_qp *qp = qp_make(pd->context, type_of(pd->context, ex.qp_type, 0), &ex, NULL);

	if (!qp)
		return NULL;
	attr->cap = ex.cap;
	return &qp->verbs.qp;
}

/* Check the members of @attr that struct ibv_qp_init_attr does not have. Return: 0 or an errno. */
static int check_ex(const struct hca_context *context, const struct hca_lib_qp_type *type,
		    const struct ibv_qp_init_attr_ex *attr)
{
	if (attr->comp_mask & ~EX_KNOWN)
		return EOPNOTSUPP;
	if ((attr->comp_mask & IBV_QP_INIT_ATTR_CREATE_FLAGS) && attr->create_flags & ~CREATE_FLAGS)
		return EOPNOTSUPP;
	if ((attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS) &&
	    attr->send_ops_flags & ~hca_wr_opcodes(context, type))
		return EOPNOTSUPP;
	return attr->comp_mask & (attr->qp_type == IBV_QPT_XRC_RECV ? IBV_QP_INIT_ATTR_XRCD :
								      IBV_QP_INIT_ATTR_PD) ?
		       0 : EINVAL;
}

struct ibv_qp *hca_make_qp(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr,
			   const struct hca_create_qp_req *driver)
{
	const struct hca_lib_qp_type *type =
		type_of(context, attr->qp_type, driver ? driver->type : 0);
	struct hca_qp *qp;
	int ret;

	ret = check_ex(to_hca_context(context), type, attr);
	if (ret) {
		errno = ret;
		return NULL;
	}
	qp = qp_make(context, type, attr, driver);
	if (!qp)
		return NULL;
	if (attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS)
		hca_wr_enable(qp, attr->send_ops_flags);
	if (driver) {
		qp->driver_type = driver->type;
		qp->send_states = 0; /* struct ibv_send_wr has no members for the destination */
	}
	return &qp->verbs.qp;
}

struct ibv_qp *hca_create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	return hca_make_qp(context, attr, NULL);
}

static int open_qp(struct hca_qp *qp, struct ibv_context *context, struct ibv_qp_open_attr *attr)
{
	VERBS_COMMAND(struct ib_uverbs_open_qp) cmd = {};
	struct ib_uverbs_create_qp_resp resp;

	return ibv_cmd_open_qp(context, &qp->verbs, sizeof(qp->verbs), attr, &cmd, sizeof(cmd),
			       &resp, sizeof(resp));
}

struct ibv_qp *hca_open_qp(struct ibv_context *context, struct ibv_qp_open_attr *attr)
{
	struct hca_qp *qp = calloc(1, sizeof(*qp));
	int ret;

	if (!qp)
		return NULL;
	ret = open_qp(qp, context, attr);
	if (ret) {
		free(qp);
		errno = ret;
		return NULL;
	}
	return &qp->verbs.qp;
}

int hca_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask,
		 struct ibv_qp_init_attr *init)
{
	VERBS_COMMAND(struct ib_uverbs_query_qp) cmd = {};

	return ibv_cmd_query_qp(qp, attr, mask, init, &cmd, sizeof(cmd));
}

/*
 * Earlier completions of a queue pair that was reset or destroyed are removed, as with other
 * adapters, because programs free the memory that wr_id points to. With keep_completions these
 * completions stay in their CQs, but release no entries of the queues (req V3-189, V3-190).
 */
static void settle_completions(struct ibv_qp *ibv)
{
	const struct hca_qp *qp = to_hca_qp(ibv);
	void (*settle)(struct ibv_cq *cq, const struct hca_qp *qp) =
		qp->keep_completions ? hca_cq_release_none : hca_cq_purge;

	if (ibv->send_cq)
		settle(ibv->send_cq, qp);
	if (ibv->recv_cq && ibv->recv_cq != ibv->send_cq)
		settle(ibv->recv_cq, qp);
}

static void qp_reset(struct hca_qp *qp)
{
	settle_completions(&qp->verbs.qp);
	qp->sq.reaped = 0;
	qp->rq.reaped = 0;
}

int hca_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	VERBS_COMMAND(struct ib_uverbs_modify_qp) cmd = {};
	int ret;

	ret = ibv_cmd_modify_qp(qp, attr, mask, &cmd, sizeof(cmd));
	if (!ret && (mask & IBV_QP_STATE) && attr->qp_state == IBV_QPS_RESET)
		qp_reset(to_hca_qp(qp));
	return ret;
}

int hca_destroy_qp(struct ibv_qp *ibv)
{
	struct hca_qp *qp = to_hca_qp(ibv);
	int ret;

	ret = ibv_cmd_destroy_qp(ibv);
	if (ret)
		return ret;
	if (has_queues(qp))
		hca_qp_table_remove(to_hca_context(ibv->context), qp);
	settle_completions(ibv);
	qp_unmap(qp);
	hca_pd_put(qp->pd);
	free(qp);
	return 0;
}
