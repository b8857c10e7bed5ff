// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Multicast groups of this adapter (V3-238, V3-351, V3-352). Joining one at the subnet manager
 * is somebody else's matter.
 */
#include "transport/multicast.h"
#include "verbs/verbs.h"

static_assert(sizeof(union ib_gid) == sizeof(union hca_gid));

int hca_ib_attach_mcast(struct ib_qp *ib, union ib_gid *gid, u16 lid)
{
	return hca_multicast_attach(to_hca_ib_qp(ib)->qp, (const union hca_gid *)gid, lid);
}

int hca_ib_detach_mcast(struct ib_qp *ib, union ib_gid *gid, u16 lid)
{
	return hca_multicast_detach(to_hca_ib_qp(ib)->qp, (const union hca_gid *)gid, lid);
}
