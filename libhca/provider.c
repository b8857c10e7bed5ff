// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The provider's interface to libibverbs: the match table of devices, the allocation of contexts,
 * and the table of verbs (req V3-139).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "fit.h"
#include "libhca.h"

static const struct verbs_context_ops context_ops;

/*
 * A device. If the loaded libibverbs has a larger struct verbs_device, its end is in @room.
 * device_fits() checks that verbs.sysfs has the value of @sysfs.
 */
struct hca_device {
	struct verbs_device verbs;
	uint64_t room[16];
	struct verbs_sysfs_dev *sysfs;
};

/* The limits of hca.ko in the response are ignored: create QP returns each queue pair's limits. */
static int get_context(struct hca_context *context)
{
	VERBS_COMMAND(struct ib_uverbs_get_context) cmd = {};
	union {
		struct ib_uverbs_get_context_resp core;
		char room[sizeof(struct ib_uverbs_get_context_resp) +
			  sizeof(struct hca_alloc_ucontext_resp)];
	} resp = {};

	return ibv_cmd_get_context(&context->verbs, &cmd, sizeof(cmd),
				   VERBS_FDS(NULL) &resp.core, sizeof(resp));
}

/* Return whether an environment variable is set, not empty, and not 0. */
static bool env_is_set(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] && strcmp(value, "0");
}

/* Set up the provider's part of a context that the kernel has allocated. */
static int fill_context(struct hca_context *context)
{
	int ret;

	ret = hca_learn_device(context);
	if (ret)
		return ret;
	ret = hca_doorbell_open(context);
	if (ret)
		return ret;
	hca_events_init(context);
	context->keep_completions = env_is_set("HCA_KEEP_COMPLETIONS");
	verbs_set_ops(&context->verbs, &context_ops);
	return 0;
}

/* Return whether libibverbs has filled in struct verbs_device at the expected offsets. */
static bool device_fits(struct ibv_device *ibv)
{
	struct hca_device *device = HCA_CONTAINER(ibv, struct hca_device, verbs.device);

	if (device->verbs.ops == &hca_device_ops && device->verbs.sysfs == device->sysfs)
		return true;
	fprintf(stderr, "libhca: %s: libibverbs has another struct verbs_device than libhca was built for: build libhca again, with this one's headers\n",
		ibv->name);
	return false;
}

/* Query the kernel's context for ibv_import_device(): another file descriptor has allocated it. */
static int query_context(struct hca_context *context)
{
	return ibv_cmd_query_context(&context->verbs.context, NULL);
}

/* Make a context, which @open allocates or queries in the kernel. On error @cmd_fd is closed. */
static struct verbs_context *open_context(struct ibv_device *device, int cmd_fd,
					  int (*open)(struct hca_context *context))
{
	struct verbs_context *const offset = (void *)offsetof(struct hca_context, verbs);
	struct hca_context *context;
	int ret;

	if (!device_fits(device)) {
		close(cmd_fd);
		errno = EPROTO;
		return NULL;
	}
	context = _verbs_init_and_alloc_context(device, cmd_fd, sizeof(*context), offset,
						0 /* RDMA_DRIVER_UNKNOWN */);
	if (!context)
		return NULL;
	ret = open(context);
	if (!ret)
		ret = fill_context(context);
	if (!ret)
		return &context->verbs;
	verbs_uninit_context(&context->verbs);
	free(context);
	errno = ret;
	return NULL;
}

static struct verbs_context *alloc_context(struct ibv_device *device, int cmd_fd,
					   void *private_data)
{
	(void)private_data;
	return open_context(device, cmd_fd, get_context);
}

static struct verbs_context *import_context(struct ibv_device *device, int cmd_fd)
{
	return open_context(device, cmd_fd, query_context);
}

static void free_context(struct ibv_context *ibv)
{
	struct hca_context *context = to_hca_context(ibv);

	hca_doorbell_close(context);
	hca_events_close(context);
	hca_qp_table_free(context);
	verbs_uninit_context(&context->verbs);
	free(context);
}

static const struct verbs_context_ops context_ops = {
	.query_device_ex = hca_query_device,
	.query_rt_values = hca_query_rt_values,
	.query_port = hca_query_port,
#if HCA_IBVERBS_API >= 16
	.query_port_speed = { hca_query_port_speed },
#endif
	.free_context = free_context,

	.alloc_pd = hca_alloc_pd,
	.dealloc_pd = hca_dealloc_pd,
	.alloc_parent_domain = hca_alloc_parent_domain,
	.alloc_td = hca_alloc_td,
	.dealloc_td = hca_dealloc_td,
	.import_pd = hca_import_pd,
	.unimport_pd = hca_unimport_pd,

	.open_xrcd = hca_open_xrcd,
	.close_xrcd = hca_close_xrcd,

	.create_ah = hca_create_ah,
	.destroy_ah = hca_destroy_ah,

	.advise_mr = ibv_cmd_advise_mr,
	.alloc_null_mr = hca_alloc_null_mr,
	.reg_mr = hca_reg_mr,
	.reg_dmabuf_mr = hca_reg_dmabuf_mr,
	.rereg_mr = hca_rereg_mr,
	.dereg_mr = hca_dereg_mr,
	.import_mr = hca_import_mr,
	.unimport_mr = hca_unimport_mr,

	.alloc_dm = hca_alloc_dm,
	.free_dm = hca_free_dm,
	.reg_dm_mr = hca_reg_dm_mr,
	.import_dm = hca_import_dm,
	.unimport_dm = hca_unimport_dm,

	.alloc_mw = hca_alloc_mw,
	.bind_mw = hca_bind_mw,
	.dealloc_mw = hca_dealloc_mw,

	.create_cq = hca_create_cq,
	.create_cq_ex = hca_create_cq_ex,
	.resize_cq = hca_resize_cq,
	.destroy_cq = hca_destroy_cq,
	.poll_cq = hca_poll_cq,
	.req_notify_cq = hca_req_notify_cq,

	.create_srq = hca_create_srq,
	.create_srq_ex = hca_create_srq_ex,
	.get_srq_num = hca_get_srq_num,
	.modify_cq = hca_modify_cq,
	.modify_srq = hca_modify_srq,
	.query_srq = hca_query_srq,
	.destroy_srq = hca_destroy_srq,
	.post_srq_recv = hca_post_srq_recv,

	.create_qp = hca_create_qp,
	.create_qp_ex = hca_create_qp_ex,
	.open_qp = hca_open_qp,
	.query_qp = hca_query_qp,
	.modify_qp = hca_modify_qp,
	.destroy_qp = hca_destroy_qp,
	.post_send = hca_post_send,
	.post_recv = hca_post_recv,
	.attach_mcast = ibv_cmd_attach_mcast,
	.detach_mcast = ibv_cmd_detach_mcast,
};

static struct verbs_device *alloc_device(struct verbs_sysfs_dev *sysfs)
{
	struct hca_device *device = calloc(1, sizeof(*device));

	if (!device)
		return NULL;
	device->sysfs = sysfs;
	return &device->verbs;
}

static void uninit_device(struct verbs_device *device)
{
	free(HCA_CONTAINER(device, struct hca_device, verbs));
}

/* hca has no driver ID, so the name of a device's parent, a platform device, is matched. */
static const struct verbs_match_ent match_table[] = {
	{ .u.modalias = "platform:hca*", .kind = VERBS_MATCH_MODALIAS },
	{ .kind = VERBS_MATCH_END },
};

const struct verbs_device_ops hca_device_ops = {
	.name = "hca",
	.match_min_abi_version = HCA_ABI_VERSION,
	.match_max_abi_version = HCA_ABI_VERSION,
	.match_table = match_table,
	.alloc_context = alloc_context,
	.import_context = import_context,
	.alloc_device = alloc_device,
	.uninit_device = uninit_device,
};

static __attribute__((constructor)) void register_provider(void)
{
	if (hca_ibverbs_fits())
		verbs_register_driver(&hca_device_ops);
}
