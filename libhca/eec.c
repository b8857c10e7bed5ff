// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* EE contexts (req V3-203 to V3-206, C4-036). */
#include <errno.h>
#include <stdlib.h>
#include "command.h"
#include "libhca.h"

static int eec_create(struct hcadv_eec *eec, const struct hcadv_rdd *rdd, int events)
{
	struct ib_uverbs_attr attrs[] = {
		hca_attr_handle(HCA_ATTR_EEC_CREATE_HANDLE, 0),
		hca_attr_handle(HCA_ATTR_EEC_CREATE_RDD, rdd->handle),
		hca_attr_struct(HCA_ATTR_EEC_CREATE_RESP_EECN, &eec->eecn, sizeof(eec->eecn)),
		hca_attr_handle(HCA_ATTR_EEC_CREATE_EVENTS, events),
	};
	int ret;

	ret = hca_command(rdd->context, HCA_OBJECT_EEC, HCA_METHOD_EEC_CREATE, attrs, 4);
	eec->handle = attrs[0].data;
	return ret;
}

struct hcadv_eec *hcadv_create_eec(struct hcadv_rdd *rdd)
{
	int events = hcadv_eec_event_fd(rdd->context), ret;
	struct hcadv_eec *eec;

	if (events < 0)
		return NULL;
	eec = calloc(1, sizeof(*eec));
	if (!eec)
		return NULL;
	ret = eec_create(eec, rdd, events);
	if (ret) {
		free(eec);
		errno = ret;
		return NULL;
	}
	eec->context = rdd->context;
	eec->rdd = rdd;
	return eec;
}

/* Check members that are narrower in struct hca_eec_attr. The kernel checks all other values. */
static bool attr_valid(const struct hcadv_eec *eec, const struct ibv_qp_attr *attr, int mask)
{
	const struct hca_context *context = to_hca_context(eec->context);

	return !((mask & IBV_QP_STATE) && attr->qp_state > IBV_QPS_ERR) &&
	       !((mask & IBV_QP_CUR_STATE) && attr->cur_qp_state > IBV_QPS_ERR) &&
	       !((mask & IBV_QP_PATH_MTU) && attr->path_mtu > IBV_MTU_4096) &&
	       !((mask & IBV_QP_PATH_MIG_STATE) && attr->path_mig_state > IBV_MIG_ARMED) &&
	       !((mask & IBV_QP_AV) && !hca_ah_attr_valid(context, &attr->ah_attr)) &&
	       !((mask & IBV_QP_ALT_PATH) && !hca_ah_attr_valid(context, &attr->alt_ah_attr));
}

/* Initializers of members that struct ibv_qp_attr and struct hca_eec_attr have under one name. */
#define CONTEXT_ATTRS(from) \
	.path_mtu = (from)->path_mtu, \
	.path_mig_state = (from)->path_mig_state, \
	.port_num = (from)->port_num, \
	.timeout = (from)->timeout, \
	.retry_cnt = (from)->retry_cnt, \
	.rnr_retry = (from)->rnr_retry, \
	.min_rnr_timer = (from)->min_rnr_timer, \
	.max_rd_atomic = (from)->max_rd_atomic, \
	.max_dest_rd_atomic = (from)->max_dest_rd_atomic, \
	.pkey_index = (from)->pkey_index, \
	.rq_psn = (from)->rq_psn, \
	.sq_psn = (from)->sq_psn, \
	.alt_port_num = (from)->alt_port_num, \
	.alt_timeout = (from)->alt_timeout, \
	.alt_pkey_index = (from)->alt_pkey_index

static void attr_fill(struct hca_eec_attr *to, const struct ibv_qp_attr *from, int mask)
{
	*to = (struct hca_eec_attr){
		CONTEXT_ATTRS(from),
		.mask = mask,
		.dest_eecn = from->dest_qp_num,
		.state = from->qp_state,
		.cur_state = from->cur_qp_state,
		.en_sqd_async_notify = from->en_sqd_async_notify,
	};
	if (mask & IBV_QP_AV)
		hca_av_fill(&to->av, &from->ah_attr);
	if (mask & IBV_QP_ALT_PATH)
		hca_av_fill(&to->alt_av, &from->alt_ah_attr);
}

static void attr_read(const struct hca_eec_attr *from, struct ibv_qp_attr *to)
{
	*to = (struct ibv_qp_attr){
		CONTEXT_ATTRS(from),
		.qp_state = from->state,
		.cur_qp_state = from->cur_state,
		.dest_qp_num = from->dest_eecn,
		.en_sqd_async_notify = from->en_sqd_async_notify,
		.sq_draining = from->sq_draining,
	};
	hca_av_to_ah_attr(&from->av, &to->ah_attr);
	hca_av_to_ah_attr(&from->alt_av, &to->alt_ah_attr);
}

int hcadv_modify_eec(struct hcadv_eec *eec, struct ibv_qp_attr *attr, int attr_mask)
{
	struct hca_eec_attr to;
	struct ib_uverbs_attr attrs[] = {
		hca_attr_handle(HCA_ATTR_EEC_MODIFY_HANDLE, eec->handle),
		hca_attr_struct(HCA_ATTR_EEC_MODIFY_ATTR, &to, sizeof(to)),
	};

	if (!attr_valid(eec, attr, attr_mask))
		return EINVAL;
	attr_fill(&to, attr, attr_mask);
	return hca_command(eec->context, HCA_OBJECT_EEC, HCA_METHOD_EEC_MODIFY, attrs, 2);
}

/* Fill in all attributes; attr_mask is ignored. */
int hcadv_query_eec(struct hcadv_eec *eec, struct ibv_qp_attr *attr, int attr_mask)
{
	struct hca_eec_attr from = {};
	struct ib_uverbs_attr attrs[] = {
		hca_attr_handle(HCA_ATTR_EEC_QUERY_HANDLE, eec->handle),
		hca_attr_struct(HCA_ATTR_EEC_QUERY_RESP_ATTR, &from, sizeof(from)),
	};
	int ret;

	(void)attr_mask;
	ret = hca_command(eec->context, HCA_OBJECT_EEC, HCA_METHOD_EEC_QUERY, attrs, 2);
	if (!ret)
		attr_read(&from, attr);
	return ret;
}

int hcadv_destroy_eec(struct hcadv_eec *eec)
{
	struct ib_uverbs_attr handle = hca_attr_handle(HCA_ATTR_EEC_DESTROY_HANDLE, eec->handle);
	int ret;

	ret = hca_command(eec->context, HCA_OBJECT_EEC, HCA_METHOD_EEC_DESTROY, &handle, 1);
	if (!ret)
		free(eec);
	return ret;
}
