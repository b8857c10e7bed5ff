// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* NodeDescription: one text for all ports of a node, read-only for SMPs (req C4-229). */
#include <linux/spinlock.h>
#include <linux/string.h>
#include "sma/attribute.h"

u16 hca_node_description_get(struct hca_mad_request *rq)
{
	spin_lock_bh(&rq->node->desc_lock);
	memcpy(rq->out, rq->node->description, HCA_NODE_DESC_BYTES);
	spin_unlock_bh(&rq->node->desc_lock);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
