// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Accesses to memory by STags that the peer names, and the errors of those that are refused. */
#include "iwarp/access.h"
#include <linux/err.h>
#include <linux/kernel.h>

/* The rights of a queue pair that count. Local rights are the STag's alone. */
#define ACCESS_OF_QP (IB_UVERBS_ACCESS_REMOTE_WRITE | IB_UVERBS_ACCESS_REMOTE_READ)

static enum hca_vendor_err access_refusal(const struct hca_iwarp_qp *it, u32 stag, u32 access,
					  u64 to, u32 octets)
{
	return hca_tpt_entry_refusal(&it->qp.ci->tpt, stag, it->qp.pd, it->qp.qpn, access, to,
				     octets);
}

/* The STag is looked at before the rights of the queue pair, so that its errors come first. */
static enum hca_vendor_err access_of_qp(const struct hca_iwarp_qp *it, u32 access)
{
	return access & ACCESS_OF_QP & ~it->access ? HCA_VENDOR_ERR_LKEY_ACCESS :
						     HCA_VENDOR_ERR_NONE;
}

enum hca_vendor_err hca_access_get(const struct hca_iwarp_qp *it, u32 stag, u32 access, u64 to,
				   u32 octets, struct hca_segment *segment)
{
	segment->entry = hca_tpt_entry_get(&it->qp.ci->tpt, stag, it->qp.pd, it->qp.qpn, access, to,
					   octets);
	segment->addr = to;
	segment->length = octets;
	if (!segment->entry)
		return access_refusal(it, stag, access, to, octets);
	if (IS_ERR(segment->entry))
		return HCA_VENDOR_ERR_PAGE;
	if (access_of_qp(it, access))
		hca_tpt_entry_put(segment->entry);
	return access_of_qp(it, access);
}

enum hca_vendor_err hca_access_check(const struct hca_iwarp_qp *it, u32 stag, u32 access, u64 to,
				     u32 octets)
{
	if (!hca_tpt_entry_find(&it->qp.ci->tpt, stag, it->qp.pd, it->qp.qpn, access, to, octets))
		return access_refusal(it, stag, access, to, octets);
	return access_of_qp(it, access);
}

static bool access_wraps(u64 to, u32 octets)
{
	return octets && to + (octets - 1) < to;
}

enum hca_iwarp_error hca_access_error(enum hca_vendor_err refusal, u64 to, u32 octets,
				      bool is_tagged)
{
	switch (refusal) {
	case HCA_VENDOR_ERR_LKEY:
	case HCA_VENDOR_ERR_LKEY_INVALID:
	case HCA_VENDOR_ERR_LKEY_CHANGED:
		return is_tagged ? HCA_ERR_DDP_STAG : HCA_ERR_RDMAP_STAG;
	case HCA_VENDOR_ERR_LKEY_PD:
	case HCA_VENDOR_ERR_LKEY_WINDOW:
		return is_tagged ? HCA_ERR_DDP_STREAM_OF_STAG : HCA_ERR_RDMAP_STREAM_OF_STAG;
	case HCA_VENDOR_ERR_LKEY_ACCESS: /* DDP has no code for rights */
		return is_tagged ? HCA_ERR_DDP_STREAM_OF_STAG : HCA_ERR_RDMAP_ACCESS;
	default:
		if (access_wraps(to, octets))
			return is_tagged ? HCA_ERR_DDP_WRAP : HCA_ERR_RDMAP_WRAP;
		return is_tagged ? HCA_ERR_DDP_BOUNDS : HCA_ERR_RDMAP_BOUNDS;
	}
}
