/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* A memory region, and what all kinds of memory regions share. */
#ifndef HCA_VERBS_MR_MR_ALLOC_H
#define HCA_VERBS_MR_MR_ALLOC_H

#include <linux/refcount.h>
#include <rdma/ib_verbs.h>
#include "verbs/core/track.h"

struct hca_ib_context;
struct hca_ib_dmabuf;
struct hca_ib_mr;
struct hca_ib_odp;
struct hca_tpt_entry;
struct ib_umem;

#define HCA_MAX_MR_PAGES (INT_MAX / sizeof(void *))
#define HCA_MAX_MR_BYTES ((u64)HCA_MAX_MR_PAGES * PAGE_SIZE)

/*
 * Pages of a process that are pinned for one MR, or for several MRs that share them (req V3-256).
 */
struct hca_pinned {
	refcount_t users; /* number of MRs */
	struct ib_umem *umem; /* pins the pages */
	void **page; /* kernel addresses of the pages */
};

/* Operations on memory whose pages this driver does not pin. */
struct hca_mr_ops {
	/*
	 * Makes an MR invalid before its entry is removed; NULL if the removal of the entry is
	 * enough. Context: process, may sleep.
	 */
	void (*detach)(struct hca_ib_mr *mr);
	/* Frees the memory after the MR's entry was removed. Context: process, may sleep. */
	void (*free)(struct hca_ib_mr *mr);
};

struct hca_ib_mr {
	struct ib_mr ib;
	const struct hca_mr_ops *ops; /* NULL: pinned pages, or memory of the kernel */
	struct hca_tracked tracked;
	struct hca_ib_context *context; /* NULL: owned by a kernel consumer */
	struct hca_tpt_entry *entry;
	struct hca_ib_odp *odp; /* on-demand paging, or NULL */
	struct hca_ib_dmabuf *dmabuf; /* memory of another driver, or NULL */
	struct hca_pinned *pinned; /* pages of the process, or NULL */
	bool shared; /* another MR has, or had, the same pages */
	void **page; /* pages in kernel memory or in another driver's memory; or NULL */
	u64 va; /* address of the first octet; only remembered while the MR is zero-based */
	/* Fast registration only: the pages that ib_map_mr_sg() set for the next registration. */
	void **next_page;
	u32 max_pages; /* fast registration only: the size of both arrays */
};

static inline struct hca_ib_mr *to_hca_ib_mr(struct ib_mr *ib)
{
	return container_of(ib, struct hca_ib_mr, ib);
}

/**
 * hca_mr_alloc() - allocate a memory region without pages and without a key
 * @pd: protection domain
 * @access: access rights, enum ib_access_flags, without IB_ACCESS_FLUSH_PERSISTENT, which needs
 *          hca_mr_set_persistent()
 *
 * Context: process, may sleep.
 * Return: the MR, or ERR_PTR: -EOPNOTSUPP (unsupported right), -ENOMEM.
 */
struct hca_ib_mr *hca_mr_alloc(struct ib_pd *pd, int access);

/**
 * hca_mr_set_pages() - store the page addresses of memory that the kernel has mapped
 * @mr: MR from hca_mr_alloc()
 * @memory: address of the memory, a multiple of PAGE_SIZE
 * @offset: octets between @memory and the first octet of the MR
 * @length: octets of the MR
 *
 * The length of the MR's entry is left to the caller.
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int hca_mr_set_pages(struct hca_ib_mr *mr, void *memory, u64 offset, u64 length);

/**
 * hca_mr_publish() - enter a memory region into the translation table
 * @ib: device
 * @mr: MR from hca_mr_alloc(); freed if the function fails
 *
 * Context: process, may sleep.
 * Return: the MR with its keys, or ERR_PTR: -ENOMEM.
 */
struct ib_mr *hca_mr_publish(struct ib_device *ib, struct hca_ib_mr *mr);

/**
 * hca_mr_set_base() - set the address of a memory region's first octet
 * @mr: MR from hca_mr_alloc() that has no key yet
 * @iova: the address; a zero-based MR begins at address 0 instead
 *
 * Context: any.
 */
void hca_mr_set_base(struct hca_ib_mr *mr, u64 iova);

/* Frees an MR except for mr->entry, which the translation table owns after hca_mr_publish(). */
void hca_mr_release(struct ib_device *ib, struct hca_ib_mr *mr);

/* persistent.c */

/**
 * hca_mr_set_persistent() - grant the right to a Flush that makes data persist, if requested
 * @mr: MR from hca_mr_alloc() that has no key yet
 * @pinned: pages of the MR
 * @access: requested access rights, enum ib_access_flags
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL: not all pages are persistent memory; -EOPNOTSUPP: the kernel cannot write
 * caches back.
 */
int hca_mr_set_persistent(struct hca_ib_mr *mr, const struct hca_pinned *pinned, int access);

#endif
