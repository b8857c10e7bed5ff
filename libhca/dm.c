// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Device memory: the kernel allocates it, and the process maps it to copy data. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "command.h"
#include "libhca.h"

#define UNIT 4 /* unit of the offsets and lengths of copies in octets, as with other adapters */

/* Return: 0; EINVAL if the range exceeds the memory or does not consist of whole units. */
static int dm_check(const struct hca_dm *dm, uint64_t offset, size_t length)
{
	if (offset % UNIT || length % UNIT)
		return EINVAL;
	return offset > dm->length || length > dm->length - offset ? EINVAL : 0;
}

static int copy_to(struct ibv_dm *ibv, uint64_t offset, const void *from, size_t length)
{
	struct hca_dm *dm = to_hca_dm(ibv);
	int ret = dm_check(dm, offset, length);

	if (!ret)
		memcpy(dm->memory + offset, from, length);
	return ret;
}

static int copy_from(void *to, struct ibv_dm *ibv, uint64_t offset, size_t length)
{
	struct hca_dm *dm = to_hca_dm(ibv);
	int ret = dm_check(dm, offset, length);

	if (!ret)
		memcpy(to, dm->memory + offset, length);
	return ret;
}

/* Map the memory that dm->verbs.handle names. Return: 0 or an errno. */
static int dm_map(struct hca_dm *dm, struct ibv_context *context)
{
	struct hca_dm_info info = {};
	struct ib_uverbs_attr attrs[] = {
		hca_attr_handle(HCA_ATTR_DM_QUERY_HANDLE, dm->verbs.handle),
		hca_attr_struct(HCA_ATTR_DM_QUERY_INFO, &info, sizeof(info)),
	};
	int ret = hca_command(context, UVERBS_OBJECT_DM, HCA_METHOD_DM_QUERY, attrs, 2);

	if (ret)
		return ret;
	dm->memory = mmap(NULL, info.size, PROT_READ | PROT_WRITE, MAP_SHARED, context->cmd_fd,
			  info.offset);
	if (dm->memory == MAP_FAILED)
		return errno;
	dm->size = info.size;
	dm->length = info.length;
	dm->verbs.dm.context = context;
	dm->verbs.dm.memcpy_to_dm = copy_to;
	dm->verbs.dm.memcpy_from_dm = copy_from;
	/* A child of fork() does not inherit the mapping: the memory belongs to the adapter. */
	ibv_dontfork_range(dm->memory, dm->size);
	return 0;
}

static void dm_unmap(struct hca_dm *dm)
{
	ibv_dofork_range(dm->memory, dm->size);
	munmap(dm->memory, dm->size);
}

static int dm_allocate(struct hca_dm *dm, struct ibv_context *context,
		       const struct ibv_alloc_dm_attr *attr)
{
	int ret = ibv_cmd_alloc_dm(context, attr, &dm->verbs, NULL);

	if (ret)
		return ret;
	ret = dm_map(dm, context);
	if (ret)
		ibv_cmd_free_dm(&dm->verbs);
	return ret;
}

struct ibv_dm *hca_alloc_dm(struct ibv_context *context, struct ibv_alloc_dm_attr *attr)
{
	struct hca_dm *dm;
	int ret;

	if (attr->comp_mask) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	dm = calloc(1, sizeof(*dm));
	if (!dm)
		return NULL;
	ret = dm_allocate(dm, context, attr);
	if (ret) {
		free(dm);
		errno = ret;
		return NULL;
	}
	return &dm->verbs.dm;
}

int hca_free_dm(struct ibv_dm *ibv)
{
	struct hca_dm *dm = to_hca_dm(ibv);
	int ret = ibv_cmd_free_dm(&dm->verbs);

	if (ret)
		return ret;
	dm_unmap(dm);
	free(dm);
	return 0;
}

struct ibv_dm *hca_import_dm(struct ibv_context *context, uint32_t handle)
{
	struct hca_dm *dm = calloc(1, sizeof(*dm));
	int ret;

	if (!dm)
		return NULL;
	dm->verbs.handle = handle;
	dm->verbs.dm.handle = handle;
	dm->verbs.dm.comp_mask = IBV_DM_MASK_HANDLE;
	ret = dm_map(dm, context);
	if (ret) {
		free(dm);
		errno = ret;
		return NULL;
	}
	return &dm->verbs.dm;
}

void hca_unimport_dm(struct ibv_dm *ibv)
{
	struct hca_dm *dm = to_hca_dm(ibv);

	dm_unmap(dm);
	free(dm);
}

struct ibv_mr *hca_reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *dm, uint64_t offset, size_t length,
			     unsigned int access)
{
	struct verbs_mr *mr = calloc(1, sizeof(*mr));
	int ret;

	if (!mr)
		return NULL;
	ret = ibv_cmd_reg_dm_mr(pd, &to_hca_dm(dm)->verbs, offset, length, access, mr, NULL);
	if (ret) {
		free(mr);
		errno = ret;
		return NULL;
	}
	hca_pd_get(pd);
	return &mr->ibv_mr;
}
