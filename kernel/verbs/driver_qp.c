// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Queue pairs of types that the RDMA core does not know: reliable datagrams and raw ones (V3-172).
 * To it they are IB_QPT_DRIVER, so what it checks of the others is checked here.
 */
#include <linux/capability.h>
#include "verbs/verbs.h"

static const struct driver_kind {
	bool known;
	bool raw; /* sends what it likes, and so is for the privileged */
	u8 type; /* enum hca_qp_type */
} kinds[] = {
	[HCA_DRIVER_QP_RD] = { .known = true, .type = HCA_QPT_RD },
	[HCA_DRIVER_QP_RAW_IPV6] = { .known = true, .raw = true, .type = HCA_QPT_RAW_IPV6 },
	[HCA_DRIVER_QP_RAW_ETHERTYPE] = { .known = true, .raw = true,
					  .type = HCA_QPT_RAW_ETHERTYPE },
};

static int read_request(struct ib_udata *udata, struct hca_create_qp_req *req)
{
	if (udata->inlen < sizeof(*req))
		return -EINVAL;
	if (udata->inlen > sizeof(*req) &&
	    !ib_is_udata_cleared(udata, sizeof(*req), udata->inlen - sizeof(*req)))
		return -EOPNOTSUPP;
	return ib_copy_from_udata(req, udata, sizeof(*req));
}

/**
 * hca_driver_qp_init() - what a process asks for with the driver's part of create QP
 * @context: the process's
 * @udata: with that part
 * @init: type and domain are set
 * @rdd: RD: the domain, with a user counted
 *
 * Context: process. Return: 0 or what struct hca_create_qp_req says.
 */
int hca_driver_qp_init(struct hca_ib_context *context, struct ib_udata *udata,
		       struct hca_qp_init *init, struct hca_rdd **rdd)
{
	const struct driver_kind *kind;
	struct hca_create_qp_req req;
	int ret;

	ret = read_request(udata, &req);
	if (ret)
		return ret;
	if (req.type >= ARRAY_SIZE(kinds) || !kinds[req.type].known)
		return -EOPNOTSUPP;
	kind = &kinds[req.type];
	init->type = kind->type;
	if (kind->raw) {
		if (req.rdd)
			return -EINVAL;
		return capable(CAP_NET_RAW) ? 0 : -EPERM;
	}
	*rdd = hca_rdd_find(context, req.rdd);
	init->rdd = *rdd;
	return *rdd ? 0 : -ENOENT;
}

/*
 * The attributes of a transition, as B4-219 wants them: those without which there is none, and
 * those that may come with it. An RD queue pair's port, path, P_Key and PSNs are its EE contexts'
 * (C4-015, C4-018); a raw one has neither keys nor PSNs (B4-416).
 */
struct change {
	bool possible;
	int required, optional; /* enum ib_qp_attr_mask; without IB_QP_STATE */
};

typedef struct change changes[IB_QPS_ERR + 1][IB_QPS_ERR + 1]; /* from, to */

/* Always possible, without attributes (B4-227). */
#define LEAVE [IB_QPS_RESET] = { .possible = true }, [IB_QPS_ERR] = { .possible = true }

#define RD_ATTRS (IB_QP_QKEY | IB_QP_ACCESS_FLAGS)

static const changes rd = {
	[IB_QPS_RESET] = {
		LEAVE,
		[IB_QPS_INIT] = { .possible = true, .required = RD_ATTRS },
	},
	[IB_QPS_INIT] = {
		LEAVE,
		[IB_QPS_INIT] = { .possible = true, .optional = RD_ATTRS },
		[IB_QPS_RTR] = { .possible = true, .optional = RD_ATTRS },
	},
	[IB_QPS_RTR] = {
		LEAVE,
		[IB_QPS_RTS] = { .possible = true, .optional = IB_QP_CUR_STATE | RD_ATTRS },
	},
	[IB_QPS_RTS] = {
		LEAVE,
		[IB_QPS_RTS] = { .possible = true, .optional = IB_QP_CUR_STATE | RD_ATTRS },
		[IB_QPS_SQD] = { .possible = true, .optional = IB_QP_EN_SQD_ASYNC_NOTIFY },
	},
	[IB_QPS_SQD] = {
		LEAVE,
		[IB_QPS_RTS] = { .possible = true, .optional = IB_QP_CUR_STATE | RD_ATTRS },
		[IB_QPS_SQD] = { .possible = true, .optional = RD_ATTRS },
	},
	[IB_QPS_SQE] = {
		LEAVE,
		[IB_QPS_RTS] = { .possible = true, .optional = IB_QP_CUR_STATE | RD_ATTRS },
	},
	[IB_QPS_ERR] = { LEAVE },
};

static const changes raw = {
	[IB_QPS_RESET] = {
		LEAVE,
		[IB_QPS_INIT] = { .possible = true, .required = IB_QP_PORT },
	},
	[IB_QPS_INIT] = {
		LEAVE,
		[IB_QPS_INIT] = { .possible = true, .optional = IB_QP_PORT },
		[IB_QPS_RTR] = { .possible = true },
	},
	[IB_QPS_RTR] = {
		LEAVE,
		[IB_QPS_RTS] = { .possible = true, .optional = IB_QP_CUR_STATE },
	},
	[IB_QPS_RTS] = {
		LEAVE,
		[IB_QPS_RTS] = { .possible = true, .optional = IB_QP_CUR_STATE },
		[IB_QPS_SQD] = { .possible = true, .optional = IB_QP_EN_SQD_ASYNC_NOTIFY },
	},
	[IB_QPS_SQD] = {
		LEAVE,
		[IB_QPS_RTS] = { .possible = true, .optional = IB_QP_CUR_STATE },
		[IB_QPS_SQD] = { .possible = true },
	},
	[IB_QPS_SQE] = {
		LEAVE,
		[IB_QPS_RTS] = { .possible = true, .optional = IB_QP_CUR_STATE },
	},
	[IB_QPS_ERR] = { LEAVE },
};

/**
 * hca_driver_qp_modify_ok() - may a queue pair change like this?
 * @type: RD or a raw one
 * @now: its state
 * @next: the state it is to have
 * @mask: enum ib_qp_attr_mask
 *
 * What ib_modify_qp_is_ok() is for the other types. Context: any.
 */
bool hca_driver_qp_modify_ok(enum hca_qp_type type, enum ib_qp_state now, enum ib_qp_state next,
			     int mask)
{
	const struct change *change;

	if (now > IB_QPS_ERR || next > IB_QPS_ERR)
		return false;
	change = type == HCA_QPT_RD ? &rd[now][next] : &raw[now][next];
	return change->possible && !(change->required & ~mask) &&
	       !(mask & ~(IB_QP_STATE | change->required | change->optional));
}
