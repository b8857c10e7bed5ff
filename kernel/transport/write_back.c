// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Writing back memory from CPU caches for a Flush, so that the data persist. */
#include "transport/write_back.h"
#include <linux/err.h>
#include <linux/kernel.h>
#include "compat.h"
#include "qp/qp.h"
#include "tpt/write_back.h"

bool hca_flush_write_back(struct hca_eec *eec, const struct hca_qp *qp, const void *pd,
			  struct hca_response *r, u32 most)
{
	u32 octets = min_t(u64, r->left, most);
	struct hca_tpt_entry *entry;

	entry = hca_tpt_entry_get(&eec->ca->ci.tpt, r->rkey, pd, qp->qpn,
				   IB_UVERBS_ACCESS_FLUSH_PERSISTENT, r->va, octets);
	if (IS_ERR_OR_NULL(entry))
		return false;
	hca_tpt_entry_write_back(entry, r->va, octets);
	hca_tpt_entry_put(entry);
	r->va += octets;
	r->left -= octets;
	return true;
}
