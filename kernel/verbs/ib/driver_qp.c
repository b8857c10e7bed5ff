// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Queue pairs of types that the RDMA core does not have: reliable datagram and raw (req V3-172).
 * The core treats them as IB_QPT_DRIVER, so this file makes the checks that the core makes for
 * other types.
 */
#include <linux/capability.h>
#include "verbs/ib/ca_device.h"

static const struct driver_kind {
	bool known;
	bool raw; /* the type can send arbitrary packets, and requires CAP_NET_RAW */
	u8 type; /* enum ib_qp_type */
} kinds[] = {
	[HCA_DRIVER_QP_RD] = { .known = true, .type = HCA_QPT_RD },
	[HCA_DRIVER_QP_RAW_IPV6] = { .known = true, .raw = true, .type = IB_QPT_RAW_IPV6 },
	[HCA_DRIVER_QP_RAW_ETHERTYPE] = { .known = true, .raw = true,
					  .type = IB_QPT_RAW_ETHERTYPE },
};

static int driver_qp_read_request(struct ib_udata *udata, struct hca_create_qp_req *req)
{
	if (udata->inlen < sizeof(*req))
		return -EINVAL;
	if (udata->inlen > sizeof(*req) &&
	    !ib_is_udata_cleared(udata, sizeof(*req), udata->inlen - sizeof(*req)))
		return -EOPNOTSUPP;
	return ib_copy_from_udata(req, udata, sizeof(*req));
}

/**
 * hca_driver_qp_init() - read and check the driver's part of a create QP command
 * @qp: the new queue pair; for type RD, rdd is set and its user count is increased
 * @udata: data of the command: struct hca_create_qp_req
 * @init: type and, for an RD queue pair, rdd are set
 *
 * Context: process.
 * Return: 0, or an error that is documented at struct hca_create_qp_req.
 */
int hca_driver_qp_init(struct hca_ib_qp *qp, struct ib_udata *udata, struct hca_qp_init *init)
{
	const struct driver_kind *kind;
	struct hca_create_qp_req req;
	int ret;

	ret = driver_qp_read_request(udata, &req);
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
	qp->rdd = hca_rdd_find(qp->context, req.rdd);
	if (!qp->rdd)
		return -ENOENT;
	init->rdd = qp->rdd->domain;
	return 0;
}
