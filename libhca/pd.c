// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Protection domains, parent domains and thread domains (req V3-134). A parent domain is a second
 * struct ibv_pd for the kernel's handle of a protection domain. The kernel does not know parent
 * domains.
 */
#include <errno.h>
#include <stdlib.h>
#include "command.h"
#include "libhca.h"

struct ibv_pd *hca_alloc_pd(struct ibv_context *context)
{
	VERBS_COMMAND(struct ib_uverbs_alloc_pd) cmd = {};
	/* The uverbs part has 4 octets, and the driver's part follows without padding. */
	struct {
		struct ib_uverbs_alloc_pd_resp core;
		struct hca_pd_info hca;
	} __attribute__((packed, aligned(4))) resp = {};
	struct hca_pd *pd;
	int ret;

	pd = calloc(1, sizeof(*pd));
	if (!pd)
		return NULL;
	ret = ibv_cmd_alloc_pd(context, &pd->pd, &cmd, sizeof(cmd), &resp.core, sizeof(resp));
	if (ret) {
		free(pd);
		errno = ret;
		return NULL;
	}
	pd->number = resp.hca.number;
	return &pd->pd;
}

static int dealloc_parent(struct hca_pd *parent)
{
	atomic_fetch_sub(&parent->domain->users, 1);
	if (parent->td)
		atomic_fetch_sub(&parent->td->users, 1);
	free(parent);
	return 0;
}

/*
 * A domain with objects cannot be deallocated. The kernel counts its own objects. The provider
 * counts address handles, parent domains, and the objects of parent domains (req V3-143).
 */
int hca_dealloc_pd(struct ibv_pd *ibv)
{
	struct hca_pd *pd = to_hca_pd(ibv);
	int ret;

	if (atomic_load(&pd->users))
		return EBUSY;
	if (pd->domain)
		return dealloc_parent(pd);
	ret = ibv_cmd_dealloc_pd(ibv);
	if (!ret)
		free(pd);
	return ret;
}

/* Allocators of the program are not supported, because rings are memory of the kernel. */
static int check_parent(const struct ibv_parent_domain_init_attr *attr)
{
	if (!attr->pd)
		return EINVAL;
	return attr->comp_mask & ~IBV_PARENT_DOMAIN_INIT_ATTR_PD_CONTEXT ? EOPNOTSUPP : 0;
}

struct ibv_pd *hca_alloc_parent_domain(struct ibv_context *context,
				       struct ibv_parent_domain_init_attr *attr)
{
	int ret = check_parent(attr);
	struct hca_pd *parent;

	if (ret) {
		errno = ret;
		return NULL;
	}
	parent = calloc(1, sizeof(*parent));
	if (!parent)
		return NULL;
	parent->pd = (struct ibv_pd){ .context = context, .handle = attr->pd->handle };
	parent->domain = to_hca_pd(attr->pd);
	parent->number = parent->domain->number;
	atomic_fetch_add(&parent->domain->users, 1);
	if (attr->td) {
		parent->td = to_hca_td(attr->td);
		atomic_fetch_add(&parent->td->users, 1);
	}
	return &parent->pd;
}

/* A thread domain has no effect: rings are always locked, which costs very little. */
struct ibv_td *hca_alloc_td(struct ibv_context *context, struct ibv_td_init_attr *attr)
{
	struct hca_td *td;

	if (attr->comp_mask) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	td = calloc(1, sizeof(*td));
	if (!td)
		return NULL;
	td->td.context = context;
	return &td->td;
}

int hca_dealloc_td(struct ibv_td *ibv)
{
	struct hca_td *td = to_hca_td(ibv);

	if (atomic_load(&td->users))
		return EBUSY;
	free(td);
	return 0;
}

struct ibv_pd *hca_import_pd(struct ibv_context *context, uint32_t handle)
{
	struct hca_pd_info info = {};
	struct ib_uverbs_attr attrs[] = {
		hca_attr_handle(HCA_ATTR_PD_QUERY_HANDLE, handle),
		hca_attr_optional(HCA_ATTR_PD_QUERY_INFO, &info, sizeof(info)),
	};
	int ret = hca_command(context, UVERBS_OBJECT_PD, HCA_METHOD_PD_QUERY, attrs, 2);
	struct hca_pd *pd;

	if (ret) {
		errno = ret;
		return NULL;
	}
	pd = calloc(1, sizeof(*pd));
	if (!pd)
		return NULL;
	pd->pd = (struct ibv_pd){ .context = context, .handle = handle };
	pd->number = info.number;
	return &pd->pd;
}

void hca_unimport_pd(struct ibv_pd *pd)
{
	free(to_hca_pd(pd));
}
