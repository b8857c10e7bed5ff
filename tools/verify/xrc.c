// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Objects of extended reliable connections (XRC). A connection has, in each direction, an initiator
 * queue pair, whose requests name a shared receive queue, and a target queue pair, which does not
 * have queues of its own.
 */
#include <fcntl.h>
#include "iteration.h"

struct ibv_xrcd *xrc_open_domain(const struct end *end)
{
	struct ibv_xrcd_init_attr init = {
		.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS,
		.fd = -1, /* the domain belongs to this process alone */
		.oflags = O_CREAT,
	};

	return ibv_open_xrcd(end->context, &init);
}

struct ibv_srq *xrc_create_srq(const struct end *end, const struct cq_set *cq_set,
			       const struct ibv_srq_attr *attr)
{
	struct ibv_srq_init_attr_ex init = {
		.attr = *attr,
		.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD |
			     IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ,
		.srq_type = IBV_SRQT_XRC,
		.pd = end->pd,
		.xrcd = cq_set->xrcd,
		.cq = cq_set->recv_cq,
	};

	return ibv_create_srq_ex(end->context, &init);
}

struct ibv_qp *xrc_create_recv_qp(const struct end *end, const struct cq_set *cq_set)
{
	struct ibv_qp_init_attr_ex init = {
		.qp_type = IBV_QPT_XRC_RECV,
		.comp_mask = IBV_QP_INIT_ATTR_XRCD,
		.xrcd = cq_set->xrcd,
	};

	return ibv_create_qp_ex(end->context, &init);
}
