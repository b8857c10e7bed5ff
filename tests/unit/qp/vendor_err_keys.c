// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Requests to bind, register and invalidate keys that fail by each of their checks. */
#include <check.h>
#include <linux/kernel.h>
#include "tests/unit/qp/vendor_err.h"

static struct hca_tpt_entry *window(u8 kind)
{
	scene.a->entry->access |= IB_UVERBS_ACCESS_MW_BIND;
	return scene_add(scene.a, scene_entry(scene.a, kind));
}

/* Bind eight octets of the MR. */
static struct hca_send_wqe *bind_of(const struct hca_tpt_entry *w)
{
	struct hca_send_wqe *wqe = pair_wqe(scene.a, 1, IB_UVERBS_WR_BIND_MW, HCA_WQE_SIGNALED);

	wqe->memory.key = w->key ^ 1;
	wqe->memory.lkey = scene.a->entry->key;
	wqe->memory.addr = pair_addr(scene.a, 0);
	wqe->memory.length = 8;
	wqe->memory.access = IB_UVERBS_ACCESS_REMOTE_READ;
	return wqe;
}

void bind_window(void)
{
	bind_of(scene.a->entry);
	scene_post();
}

void bind_window_pd(void)
{
	struct hca_tpt_entry *w = scene_entry(scene.a, HCA_TPT_MW_1);

	w->pd = &scene;
	bind_of(scene_add(scene.a, w));
	scene_post();
}

void bind_flags(void)
{
	bind_of(window(HCA_TPT_MW_1))->memory.access = IB_UVERBS_ACCESS_HUGETLB;
	scene_post();
}

void bind_length(void)
{
	bind_of(window(HCA_TPT_MW_2))->memory.length = 0;
	scene_post();
}

static struct hca_tpt_entry *bound(void)
{
	struct hca_tpt_entry *w = window(HCA_TPT_MW_2);

	bind_of(w)->flags = 0;
	scene_post();
	pair_settle();
	ck_assert_uint_ne(w->generation, 0);
	return w;
}

void bind_bound(void)
{
	bind_of(bound());
	scene_post();
}

void bind_key(void)
{
	struct hca_tpt_entry *w = window(HCA_TPT_MW_1);

	bind_of(w)->memory.key = w->key;
	scene_post();
}

void bind_mr(void)
{
	bind_of(window(HCA_TPT_MW_1))->memory.lkey ^= 1;
	scene_post();
}

/* Bind to another MR than that of the end. */
static void bind_to(struct hca_tpt_entry *mr, u32 access)
{
	struct hca_tpt_entry *w = window(HCA_TPT_MW_1);
	struct hca_send_wqe *wqe = bind_of(w);

	wqe->memory.lkey = scene_add(scene.a, mr)->key;
	wqe->memory.access = access;
	scene_post();
}

void bind_mr_pd(void)
{
	struct hca_tpt_entry *mr = scene_entry(scene.a, HCA_TPT_MR);

	mr->pd = &scene;
	bind_to(mr, 0);
}

void bind_mr_kind(void)
{
	struct hca_tpt_entry *mr = scene_entry(scene.a, HCA_TPT_MR);

	mr->page = NULL;
	bind_to(mr, 0);
}

void bind_mr_access(void)
{
	struct hca_tpt_entry *mr = scene_entry(scene.a, HCA_TPT_MR);

	mr->access = IB_UVERBS_ACCESS_LOCAL_WRITE;
	bind_to(mr, 0);
}

void bind_rights(void)
{
	struct hca_tpt_entry *mr = scene_entry(scene.a, HCA_TPT_MR);

	mr->access = IB_UVERBS_ACCESS_MW_BIND;
	bind_to(mr, IB_UVERBS_ACCESS_REMOTE_WRITE);
}

void bind_bounds(void)
{
	bind_of(window(HCA_TPT_MW_1))->memory.addr += PAIR_MEMORY - 7;
	scene_post();
}

/* Register eight octets. */
static void register_key(u32 key, u32 access)
{
	struct hca_send_wqe *wqe = pair_wqe(scene.a, 1, IB_WR_REG_MR, HCA_WQE_SIGNALED);

	wqe->memory.key = key;
	wqe->memory.addr = 0x5000000;
	wqe->memory.length = 8;
	wqe->memory.access = access;
	scene_post();
}

void reg_key(void)
{
	register_key(scene.a->entry->key, 0);
}

void reg_valid(void)
{
	struct hca_tpt_entry *entry = scene_entry(scene.a, HCA_TPT_FAST_MR);

	entry->length = 8;
	register_key(scene_add(scene.a, entry)->key, 0);
}

void reg_pd(void)
{
	struct hca_tpt_entry *entry = scene_entry(scene.a, HCA_TPT_FAST_MR);

	entry->pd = &scene;
	register_key(scene_add(scene.a, entry)->key, 0);
}

void reg_rights(void)
{
	register_key(scene_add(scene.a, scene_entry(scene.a, HCA_TPT_FAST_MR))->key,
		     IB_UVERBS_ACCESS_REMOTE_WRITE);
}

/* No pages were mapped. */
void reg_bounds(void)
{
	register_key(scene_add(scene.a, scene_entry(scene.a, HCA_TPT_FAST_MR))->key, 0);
}

void invalidate_key(void)
{
	pair_invalidate(scene.a, 1, scene.a->entry->key ^ 1);
}

void invalidate_kind(void)
{
	pair_invalidate(scene.a, 1, scene.a->entry->key);
}

void invalidate_qp(void)
{
	struct hca_tpt_entry *w = bound();

	w->qpn++;
	pair_invalidate(scene.a, 1, w->key);
}

void invalidate_pd(void)
{
	struct hca_tpt_entry *w = scene_entry(scene.a, HCA_TPT_MW_2);

	w->pd = &scene;
	pair_invalidate(scene.a, 1, scene_add(scene.a, w)->key);
}

void invalidate_bound(void)
{
	struct hca_tpt_entry *entry = scene_add(scene.a, scene_entry(scene.a, HCA_TPT_FAST_MR));

	entry->windows = 1;
	pair_invalidate(scene.a, 1, entry->key);
	pair_settle();
	entry->windows = 0;
}
