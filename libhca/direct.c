// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Direct verbs that query devices and create queue pairs. Other files contain the other direct
 * verbs.
 */
#include <errno.h>
#include "libhca.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)
SAME(HCADV_QPT_RD, HCA_DRIVER_QP_RD);
SAME(HCADV_QPT_RAW_IPV6, HCA_DRIVER_QP_RAW_IPV6);
SAME(HCADV_QPT_RAW_ETHERTYPE, HCA_DRIVER_QP_RAW_ETHERTYPE);
#undef SAME

bool hcadv_is_supported(struct ibv_device *device)
{
	return hca_is_ours(device);
}

static uint32_t caps_of(const struct ibv_device_attr *device)
{
	bool rd = device->max_rdd && device->max_ee;

	return (rd ? HCADV_CAP_RD : 0) |
	       (rd && device->atomic_cap != IBV_ATOMIC_NONE ? HCADV_CAP_RD_ATOMICS : 0) |
	       (device->max_raw_ipv6_qp ? HCADV_CAP_RAW_IPV6 : 0) |
	       (device->max_raw_ethy_qp ? HCADV_CAP_RAW_ETHERTYPE : 0);
}

int hcadv_query_device(struct ibv_context *context, struct hcadv_device_attr *attr)
{
	struct ibv_device_attr device;
	int ret;

	if (!hca_is_ours(context->device))
		return EOPNOTSUPP;
	if (attr->comp_mask)
		return EINVAL;
	ret = ibv_query_device(context, &device);
	if (ret)
		return ret;
	*attr = (struct hcadv_device_attr){
		.caps = caps_of(&device),
		.max_rdd = device.max_rdd,
		.max_eec = device.max_ee,
		.max_raw_ipv6_qp = device.max_raw_ipv6_qp,
		.max_raw_ethertype_qp = device.max_raw_ethy_qp,
		.max_eec_rd_atom = device.max_ee_rd_atom,
		.max_eec_init_rd_atom = device.max_ee_init_rd_atom,
	};
	if (attr->caps & HCADV_CAP_RD)
		attr->max_rd_qp = device.max_qp;
	return 0;
}

/* Programs built with an earlier struct hcadv_qp_init_attr do not have its member flags. */
static uint32_t flags_of(const struct hcadv_qp_init_attr *attr)
{
	return attr->comp_mask & HCADV_QP_INIT_ATTR_FLAGS ? attr->flags : 0;
}

struct ibv_qp *hcadv_create_qp(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr,
			       const struct hcadv_qp_init_attr *hca_attr)
{
	bool driver = attr->qp_type == IBV_QPT_DRIVER;
	const struct hcadv_rdd *rdd = hca_attr->rdd;
	const struct hca_create_qp_req req = {
		.type = hca_attr->type,
		.rdd = rdd ? rdd->handle : 0,
	};
	uint32_t flags = flags_of(hca_attr);
	struct ibv_qp *qp;

	if (!hca_is_ours(context->device) || hca_attr->comp_mask & ~HCADV_QP_INIT_ATTR_FLAGS ||
	    flags & ~HCADV_QP_KEEP_COMPLETIONS) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	if ((!driver && hca_attr->type) ||
	    (hca_attr->type == HCADV_QPT_RD) != (rdd && rdd->context == context)) {
		errno = EINVAL;
		return NULL;
	}
	qp = hca_make_qp(context, attr, driver ? &req : NULL);
	if (qp && flags & HCADV_QP_KEEP_COMPLETIONS)
		to_hca_qp(qp)->keep_completions = true;
	return qp;
}

struct hcadv_qp_ex *hcadv_qp_ex_from_ibv_qp_ex(struct ibv_qp_ex *ex)
{
	struct hca_qp *qp;

	if (!ex || !hca_is_ours(ex->qp_base.context->device))
		return NULL;
	qp = to_hca_qp(&ex->qp_base);
	return qp->driver_type ? &qp->dv : NULL;
}
