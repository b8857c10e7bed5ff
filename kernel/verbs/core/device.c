// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A device as an ib_device: registration and removal (req V3-059 to V3-075, V3-133). */
#include "verbs/core/device.h"
#include <linux/cpumask.h>
#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <rdma/hca-abi.h>
#include "compat.h"
#include "qp/ci.h"
#include "verbs/core/attributes.h"
#include "verbs/core/context.h"
#include "verbs/core/hca_device.h"
#include "verbs/core/kind.h"
#include "verbs/core/mapping.h"
#include "verbs/core/objects.h"
#include "verbs/core/pd.h"
#include "verbs/core/qp_events.h"
#include "verbs/core/restrack.h"
#include "verbs/core/track.h"
#include "verbs/core/user.h"
#include "verbs/mr/dm.h"
#include "verbs/mr/dmabuf.h"
#include "verbs/mr/fast_mr.h"
#include "verbs/mr/mr.h"
#include "verbs/mr/mw.h"
#include "verbs/mr/odp.h"
#include "verbs/queue/cq.h"
#include "verbs/queue/ib_qp.h"
#include "verbs/queue/post.h"
#include "verbs/queue/qp.h"
#include "verbs/queue/qp_counter.h"
#include "verbs/queue/srq.h"

/* The operations that do not depend on the carrier. */
static const struct ib_device_ops device_ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_UNKNOWN,
	.uverbs_abi_ver = HCA_ABI_VERSION,
	.device_group = &hca_attribute_group,

	.query_device = hca_ib_query_device,
	.get_dev_fw_str = hca_ib_get_dev_fw_str,

	.fill_stat_mr_entry = hca_ib_fill_stat_mr_entry,
	.counter_bind_qp = hca_ib_counter_bind_qp,
	.counter_unbind_qp = hca_ib_counter_unbind_qp,
	.counter_dealloc = hca_ib_counter_dealloc,
	.counter_update_stats = hca_ib_counter_update_stats,
	HCA_COUNTER_OPS

	.alloc_ucontext = hca_ib_alloc_ucontext,
	.dealloc_ucontext = hca_ib_dealloc_ucontext,
	.query_ucontext = hca_ib_query_ucontext,
	.disassociate_ucontext = hca_ib_disassociate_ucontext,
	.mmap = hca_ib_mmap,
	.mmap_free = hca_ib_mmap_free,

	.advise_mr = hca_ib_advise_mr,
	.alloc_dm = hca_ib_alloc_dm,
	.alloc_pd = hca_ib_alloc_pd,
	.dealloc_dm = hca_ib_dealloc_dm,
	.dealloc_pd = hca_ib_dealloc_pd,

	.create_cq = hca_ib_create_cq,
	.destroy_cq = hca_ib_destroy_cq,
	.HCA_RESIZE_CQ_OP = hca_ib_resize_cq,
	.modify_cq = hca_ib_modify_cq,
	.poll_cq = hca_ib_poll_cq,
	.req_notify_cq = hca_ib_req_notify_cq,

	.get_dma_mr = hca_ib_get_dma_mr,
	.reg_dm_mr = hca_ib_reg_dm_mr,
	.reg_user_mr = hca_ib_reg_user_mr,
	.reg_user_mr_dmabuf = hca_ib_reg_user_mr_dmabuf,
	.rereg_user_mr = hca_ib_rereg_user_mr,
	.dereg_mr = hca_ib_dereg_mr,
	.alloc_mr = hca_ib_alloc_mr,
	.map_mr_sg = hca_ib_map_mr_sg,
	.alloc_mw = hca_ib_alloc_mw,
	.dealloc_mw = hca_ib_dealloc_mw,

	.create_srq = hca_ib_create_srq,
	.modify_srq = hca_ib_modify_srq,
	.query_srq = hca_ib_query_srq,
	.destroy_srq = hca_ib_destroy_srq,
	.post_srq_recv = hca_ib_post_srq_recv,

	.create_qp = hca_ib_create_qp,
	.modify_qp = hca_ib_modify_qp,
	.query_qp = hca_ib_query_qp,
	.destroy_qp = hca_ib_destroy_qp,
	.post_send = hca_ib_post_send,
	.post_recv = hca_ib_post_recv,

	.fill_res_qp_entry = hca_ib_fill_res_qp_entry,
	.fill_res_cq_entry = hca_ib_fill_res_cq_entry,
	.fill_res_mr_entry = hca_ib_fill_res_mr_entry,
#ifdef HCA_FILL_RES_SRQ
	.fill_res_srq_entry = hca_ib_fill_res_srq_entry,
#endif

	INIT_RDMA_OBJ_SIZE(ib_ucontext, hca_ib_context, ib),
	INIT_RDMA_OBJ_SIZE(ib_pd, hca_ib_pd, ib),
	INIT_RDMA_OBJ_SIZE(ib_cq, hca_ib_cq, ib),
	INIT_RDMA_OBJ_SIZE(ib_mw, hca_ib_mw, ib),
	INIT_RDMA_OBJ_SIZE(ib_srq, hca_ib_srq, ib),
	INIT_RDMA_OBJ_SIZE(ib_qp, hca_ib_qp, ib),
};

/*
 * Adds the parent device, a platform device without a driver. libhca recognizes the RDMA device by
 * the modalias of the parent, platform:hca.
 */
static int device_add_parent(struct hca_device *dev)
{
	const struct platform_device_info info = {
		.name = "hca",
		.id = PLATFORM_DEVID_AUTO,
		.dma_mask = DMA_BIT_MASK(64),
	};

	dev->pdev = platform_device_register_full(&info);
	return PTR_ERR_OR_ZERO(dev->pdev);
}

/*
 * The device is fully initialized before it is registered (req V3-066), because the RDMA core uses
 * it at once. Processes post through their rings only; uverbs_cmd_mask therefore lacks POST_SEND,
 * POST_RECV and POST_SRQ_RECV.
 */
static int device_register_ib(struct hca_device *dev, const char *name)
{
	struct ib_device *ib = &dev->ib;
	int ret;

	ib->dev.parent = &dev->pdev->dev;
	ib->num_comp_vectors = num_possible_cpus(); /* req R0-036 */
	ib->local_dma_lkey = HCA_LOCAL_DMA_KEY;
	ib->driver_def = dev->kind->definitions;
	dev->kind->describe(dev);
	ib_set_device_ops(ib, &device_ops);
	ib_set_device_ops(ib, dev->kind->ops);

	dev->events = true;
	/* There is no DMA device: DMA addresses are kernel virtual addresses. */
	ret = ib_register_device(ib, name, NULL);
	return ret == -ENFILE ? -EEXIST : ret;
}

/*
 * Returns whether a name is valid. A name with '%' is invalid, because the RDMA core replaces '%'
 * by a number.
 */
static bool device_name_valid(const char *name)
{
	size_t len = strnlen(name, IB_DEVICE_NAME_MAX);

	return len && len < IB_DEVICE_NAME_MAX && !strpbrk(name, "%/");
}

/* Stops dispatching events to the RDMA core, and waits for doorbell writes in progress. */
static void device_silence(struct hca_device *dev)
{
	WRITE_ONCE(dev->events, false);
	synchronize_rcu();
}

struct hca_device *hca_device_add(const char *name, const struct hca_device_kind *kind,
				  const void *config)
{
	struct hca_device *dev;
	int ret;

	if (!device_name_valid(name))
		return ERR_PTR(-EINVAL);
	dev = kind->alloc();
	if (!dev)
		return ERR_PTR(-ENOMEM);
	dev->kind = kind;
	hca_counter_table_init(dev);
	hca_users_init(&dev->users);
	hca_tracks_init(dev);
	ret = device_add_parent(dev);
	if (ret)
		goto err_parent;
	ret = kind->init(dev, config);
	if (ret)
		goto err_init;
	dev->ci->qp_event = hca_ib_qp_event;
	ret = device_register_ib(dev, name);
	if (ret)
		goto err_register;
	return dev;

err_register:
	device_silence(dev);
	hca_counter_table_destroy(dev);
	dev->kind->destroy(dev);
err_init:
	platform_device_unregister(dev->pdev);
err_parent:
	ib_dealloc_device(&dev->ib);
	return ERR_PTR(ret);
}

void hca_device_unregister(struct hca_device *dev)
{
	might_sleep(); /* req V3-111 */
	device_silence(dev);
	if (dev->kind->fail)
		dev->kind->fail(dev);
	else
		hca_ci_fail(dev->ci);
	/*
	 * The RDMA core removes its clients with their queue pairs, and disassociates user contexts
	 * (req V3-131).
	 */
	ib_unregister_device(&dev->ib);
}

void hca_device_free(struct hca_device *dev)
{
	struct platform_device *pdev = dev->pdev;

	synchronize_rcu(); /* waits for doorbell writes */
	hca_objects_report(dev);
	hca_counter_table_destroy(dev);
	dev->kind->destroy(dev);
	ib_dealloc_device(&dev->ib);
	platform_device_unregister(pdev);
}

const char *hca_device_name(const struct hca_device *dev)
{
	return dev->ib.name; /* dev_name() is not safe: a rename frees the string */
}
