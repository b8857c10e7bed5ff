// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Reliable datagram domains (req V3-150 to V3-152). */
#include <errno.h>
#include <stdlib.h>
#include "command.h"
#include "libhca.h"

/* Allocate a domain. The first of @attrs receives the handle. */
static struct hcadv_rdd *rdd_make(struct ibv_context *context, struct ib_uverbs_attr *attrs,
				  unsigned int n)
{
	struct hcadv_rdd *rdd;
	int ret;

	if (!hca_is_ours(context->device)) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	rdd = calloc(1, sizeof(*rdd));
	if (!rdd)
		return NULL;
	ret = hca_command(context, HCA_OBJECT_RDD, HCA_METHOD_RDD_ALLOC, attrs, n);
	if (ret) {
		free(rdd);
		errno = ret;
		return NULL;
	}
	rdd->context = context;
	rdd->handle = attrs[0].data;
	return rdd;
}

struct hcadv_rdd *hcadv_alloc_rdd(struct ibv_context *context)
{
	struct ib_uverbs_attr handle = hca_attr_handle(HCA_ATTR_RDD_ALLOC_HANDLE, 0);

	return rdd_make(context, &handle, 1);
}

struct hcadv_rdd *hcadv_open_rdd(struct ibv_context *context, int fd)
{
	struct ib_uverbs_attr attrs[] = {
		hca_attr_handle(HCA_ATTR_RDD_ALLOC_HANDLE, 0),
		hca_attr_handle(HCA_ATTR_RDD_ALLOC_FILE, fd),
	};

	attrs[1].data_s64 = fd; /* sign-extended */
	return rdd_make(context, attrs, 2);
}

int hcadv_dealloc_rdd(struct hcadv_rdd *rdd)
{
	struct ib_uverbs_attr handle = hca_attr_handle(HCA_ATTR_RDD_DEALLOC_HANDLE, rdd->handle);
	int ret;

	ret = hca_command(rdd->context, HCA_OBJECT_RDD, HCA_METHOD_RDD_DEALLOC, &handle, 1);
	if (!ret)
		free(rdd);
	return ret;
}
