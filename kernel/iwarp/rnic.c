// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* An RNIC: its tables and its default options. */
#include "iwarp/rnic.h"
#include <linux/bottom_half.h>
#include "iwarp/endpoint.h"
#include "iwarp/qp.h"

/* RFC 5044, 4.4: CRCs are on unless an administrator turns them off. */
const struct hca_rnic_options hca_rnic_defaults = {
	.crc = true,
	.strict = true,
	.revision = 2,
	.rtr = HCA_RTR_WRITE | HCA_RTR_READ,
	.timeout = 5,
};

int hca_rnic_init(struct hca_rnic *rnic)
{
	rnic->options = hca_rnic_defaults;
	spin_lock_init(&rnic->lock);
	INIT_LIST_HEAD(&rnic->endpoints);
	return hca_ci_init(&rnic->ci, &hca_iwarp_ci_ops, HCA_IWARP_MAX_MESSAGE);
}

void hca_rnic_fail(struct hca_rnic *rnic)
{
	struct hca_endpoint *ep;

	WRITE_ONCE(rnic->removed, true);
	hca_ci_fail(&rnic->ci);
	spin_lock_bh(&rnic->lock);
	list_for_each_entry(ep, &rnic->endpoints, node)
		hca_endpoint_kick(ep);
	spin_unlock(&rnic->lock);
	hca_engine_run();
	local_bh_enable();
}

u32 hca_rnic_connections(struct hca_rnic *rnic)
{
	struct hca_endpoint *ep;
	u32 count = 0;

	spin_lock_bh(&rnic->lock);
	list_for_each_entry(ep, &rnic->endpoints, node)
		count += !!READ_ONCE(ep->qp);
	spin_unlock_bh(&rnic->lock);
	return count;
}
