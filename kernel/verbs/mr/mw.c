// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Memory windows (req V3-258, V3-347, V3-350). Work requests bind windows; see tpt/key.c. */
#include "verbs/mr/mw.h"
#include <linux/slab.h>
#include "qp/ci.h"
#include "verbs/core/context.h"
#include "verbs/core/hca_device.h"
#include "verbs/core/objects.h"
#include "verbs/core/track.h"

/* A new window is not bound and therefore invalid (req R0-353). */
int hca_ib_alloc_mw(struct ib_mw *ib, struct ib_udata *udata)
{
	struct hca_ib_context *context = hca_udata_context(udata);
	struct hca_tpt_entry *entry;
	int ret;

	to_hca_ib_mw(ib)->context = context;
	ret = hca_context_object_add(ib->device, context, HCA_OBJ_MW);
	if (ret)
		return ret;
	entry = kzalloc(sizeof(*entry), GFP_KERNEL_ACCOUNT);
	if (!entry) {
		ret = -ENOMEM;
		goto del;
	}
	entry->kind = ib->type == IB_MW_TYPE_2 ? HCA_TPT_MW_2 : HCA_TPT_MW_1;
	entry->pd = ib->pd;
	ret = hca_tpt_entry_add(&to_hca_device(ib->device)->ci->tpt, entry);
	if (ret)
		goto free;
	to_hca_ib_mw(ib)->entry = entry;
	ib->rkey = entry->key;
	hca_track(ib->device, HCA_RESOURCE_MW, &to_hca_ib_mw(ib)->tracked,
		  context ? NULL : &ib->pd->res);
	return 0;

free:
	kfree(entry);
del:
	hca_context_object_del(ib->device, context, HCA_OBJ_MW);
	return ret;
}

/* A window can be deallocated whether it is bound or not (req R0-351). */
int hca_ib_dealloc_mw(struct ib_mw *ib)
{
	hca_untrack(ib->device, HCA_RESOURCE_MW, &to_hca_ib_mw(ib)->tracked);
	hca_tpt_entry_remove(&to_hca_device(ib->device)->ci->tpt, to_hca_ib_mw(ib)->entry);
	hca_context_object_del(ib->device, to_hca_ib_mw(ib)->context, HCA_OBJ_MW);
	return 0;
}
