// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The memory in which a Flush may make data persistent. The resource map of the system lists this
 * memory as persistent, for example an NVDIMM, and the kernel does not use it as ordinary memory.
 * Only pinned pages can be checked, because other pages may move.
 */
#include <linux/ioport.h>
#include <linux/mm.h>
#include <linux/scatterlist.h>
#include <linux/sched.h>
#include <rdma/ib_umem.h>
#include "compat.h"
#include "qp/ci.h"
#include "verbs/mr/mr_alloc.h"

#ifdef HCA_PERSISTENT

static bool persistent_lies_in(phys_addr_t start, size_t length, unsigned long kind)
{
	return region_intersects(start, length, IORESOURCE_MEM, kind) == REGION_INTERSECTS;
}

/* Returns whether a range is in persistent memory, including the legacy kind of before ACPI 6. */
static bool is_persistent(struct scatterlist *range)
{
	return is_zone_device_page(sg_page(range)) &&
	       (persistent_lies_in(sg_phys(range), range->length, IORES_DESC_PERSISTENT_MEMORY) ||
		persistent_lies_in(sg_phys(range), range->length,
				   IORES_DESC_PERSISTENT_MEMORY_LEGACY));
}

static int persistent_check(const struct hca_pinned *pinned)
{
	struct scatterlist *range;
	int i;

	for_each_sgtable_sg(&pinned->umem->sgt_append.sgt, range, i) {
		if (!is_persistent(range))
			return -EINVAL;
		cond_resched();
	}
	return 0;
}

#else

static int persistent_check(const struct hca_pinned *pinned)
{
	return -EOPNOTSUPP;
}

#endif

int hca_mr_set_persistent(struct hca_ib_mr *mr, const struct hca_pinned *pinned, int access)
{
	int ret = access & IB_UVERBS_ACCESS_FLUSH_PERSISTENT ? persistent_check(pinned) : 0;

	if (!ret)
		mr->entry->access |= access & IB_UVERBS_ACCESS_FLUSH_PERSISTENT;
	return ret;
}
