// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A channel adapter as an ib_device: registration and removal (req V3-059 to V3-075, V3-133). */
#include <linux/dma-mapping.h>
#include <linux/cpumask.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include "link/capability.h"
#include "verbs/verbs.h"

static const struct ib_device_ops device_ops = {
	.owner = THIS_MODULE,
	.driver_id = RDMA_DRIVER_UNKNOWN,
	.uverbs_abi_ver = HCA_ABI_VERSION,
	.device_group = &hca_attribute_group,

	.query_device = hca_ib_query_device,
	.modify_device = hca_ib_modify_device,
	.get_dev_fw_str = hca_ib_get_dev_fw_str,

	.query_port = hca_ib_query_port,
	.modify_port = hca_ib_modify_port,
	.query_gid = hca_ib_query_gid,
	.query_pkey = hca_ib_query_pkey,
	.get_port_immutable = hca_ib_get_port_immutable,
	.get_link_layer = hca_ib_get_link_layer,
	.process_mad = hca_ib_process_mad,
	.alloc_hw_port_stats = hca_ib_alloc_hw_port_stats,
	.get_hw_stats = hca_ib_get_hw_stats,
	.fill_stat_mr_entry = hca_ib_fill_stat_mr_entry,
	.counter_bind_qp = hca_ib_counter_bind_qp,
	.counter_unbind_qp = hca_ib_counter_unbind_qp,
	.counter_dealloc = hca_ib_counter_dealloc,
	.counter_alloc_stats = hca_ib_counter_alloc_stats,
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
	.alloc_xrcd = hca_ib_alloc_xrcd,
	.dealloc_dm = hca_ib_dealloc_dm,
	.dealloc_pd = hca_ib_dealloc_pd,
	.dealloc_xrcd = hca_ib_dealloc_xrcd,

	.create_ah = hca_ib_create_ah,
	.create_user_ah = hca_ib_create_ah,
	.modify_ah = hca_ib_modify_ah,
	.query_ah = hca_ib_query_ah,
	.destroy_ah = hca_ib_destroy_ah,

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
	.attach_mcast = hca_ib_attach_mcast,
	.detach_mcast = hca_ib_detach_mcast,

	.fill_res_qp_entry = hca_ib_fill_res_qp_entry,
	.fill_res_cq_entry = hca_ib_fill_res_cq_entry,
	.fill_res_mr_entry = hca_ib_fill_res_mr_entry,
#ifdef HCA_FILL_RES_SRQ
	.fill_res_srq_entry = hca_ib_fill_res_srq_entry,
#endif

	INIT_RDMA_OBJ_SIZE(ib_ucontext, hca_ib_context, ib),
	INIT_RDMA_OBJ_SIZE(ib_pd, hca_ib_pd, ib),
	INIT_RDMA_OBJ_SIZE(ib_xrcd, hca_ib_xrcd, ib),
	INIT_RDMA_OBJ_SIZE(ib_ah, hca_ib_ah, ib),
	INIT_RDMA_OBJ_SIZE(ib_cq, hca_ib_cq, ib),
	INIT_RDMA_OBJ_SIZE(ib_mw, hca_ib_mw, ib),
	INIT_RDMA_OBJ_SIZE(ib_srq, hca_ib_srq, ib),
	INIT_RDMA_OBJ_SIZE(ib_qp, hca_ib_qp, ib),
};

/* The uverbs objects and methods that this driver adds. */
static const struct uapi_definition uapi_definitions[] = {
	UAPI_DEF_CHAIN(hca_doorbell_definitions),
	UAPI_DEF_CHAIN(hca_pd_definitions),
	UAPI_DEF_CHAIN(hca_mr_definitions),
	UAPI_DEF_CHAIN(hca_dm_definitions),
	UAPI_DEF_CHAIN(hca_rdd_definitions),
	UAPI_DEF_CHAIN(hca_eec_definitions),
	UAPI_DEF_CHAIN(hca_events_definitions),
	UAPI_DEF_CHAIN(hca_multicast_definitions),
	UAPI_DEF_CHAIN(hca_srq_definitions),
	{},
};

/*
 * Adds the parent, which has no driver. The provider recognizes the device by the parent's
 * modalias, platform:hca.
 */
static int parent_add(struct hca_device *dev)
{
	const struct platform_device_info info = {
		.name = "hca",
		.id = PLATFORM_DEVID_AUTO,
		.dma_mask = DMA_BIT_MASK(64),
	};

	dev->pdev = platform_device_register_full(&info);
	return PTR_ERR_OR_ZERO(dev->pdev);
}

static int node_init(struct hca_device *dev, u8 ports, __be64 guid, const char *description,
		     const struct hca_agent_ops *agent)
{
	u8 num;
	int ret;

	ret = hca_ca_init(&dev->ca);
	if (ret)
		return ret;
	dev->ca.qp_event = hca_ib_qp_event;
	dev->ca.rd_eec_event = hca_ib_eec_event;
	hca_node_init(&dev->ca.node, RDMA_NODE_IB_CA, guid, description, &dev->ca.pool, agent);
	ret = hca_node_add_ports(&dev->ca.node, ports, &hca_device_port_ops);
	if (ret) {
		hca_ca_destroy(&dev->ca);
		return ret;
	}
	for (num = 1; num <= ports; num++)
		dev->ca.node.ports[num].info.capability_mask |= HCA_CAP_AUTOMATIC_MIGRATION;
	return 0;
}

static void node_destroy(struct hca_device *dev)
{
	hca_node_del_ports(&dev->ca.node);
	hca_ca_destroy(&dev->ca);
}

/*
 * The device is fully initialized before it is registered (req V3-066), since the core uses it at
 * once. Processes post through their rings only, so uverbs_cmd_mask lacks POST_SEND, POST_RECV and
 * POST_SRQ_RECV.
 */
static int register_device(struct hca_device *dev, const char *name)
{
	struct ib_device *ib = &dev->ib;
	const struct hca_node *node = &dev->ca.node;
	int ret;

	ib->dev.parent = &dev->pdev->dev;
	ib->node_type = RDMA_NODE_IB_CA;
	ib->phys_port_cnt = node->num_ports;
	ib->num_comp_vectors = num_possible_cpus(); /* req R0-036 */
	ib->node_guid = node->node_guid;
	ib->local_dma_lkey = HCA_LOCAL_DMA_KEY;
	ib->driver_def = uapi_definitions;
	memcpy(ib->node_desc, node->description, sizeof(ib->node_desc));
	ib_set_device_ops(ib, &device_ops);

	dev->events = true;
	/* There is no DMA device: DMA addresses are kernel virtual addresses. */
	ret = ib_register_device(ib, name, NULL);
	return ret == -ENFILE ? -EEXIST : ret;
}

/* The core replaces % in a name by a device number. */
static bool name_valid(const char *name)
{
	size_t len = strnlen(name, IB_DEVICE_NAME_MAX);

	return len && len < IB_DEVICE_NAME_MAX && !strpbrk(name, "%/");
}

/* Stops the events to the core and waits for doorbell writes in progress. */
static void silence(struct hca_device *dev)
{
	WRITE_ONCE(dev->events, false);
	synchronize_rcu();
}

struct hca_device *hca_device_add(const char *name, u8 ports, __be64 guid,
				  const char *description,
				  const struct hca_agent_ops *agent)
{
	struct hca_device *dev;
	int ret;

	if (!name_valid(name) || !ports || ports > HCA_MAX_CA_PORTS)
		return ERR_PTR(-EINVAL);
	dev = ib_alloc_device(hca_device, ib);
	if (!dev)
		return ERR_PTR(-ENOMEM);
	hca_domains_init(dev);
	hca_counter_table_init(dev);
	hca_users_init(&dev->users);
	hca_tracks_init(dev);
	ret = parent_add(dev);
	if (ret)
		goto err_parent;
	ret = node_init(dev, ports, guid, description, agent);
	if (ret)
		goto err_node;
	ret = register_device(dev, name);
	if (ret)
		goto err_register;
	return dev;

err_register:
	silence(dev);
	hca_counter_table_destroy(dev);
	node_destroy(dev);
err_node:
	platform_device_unregister(dev->pdev);
err_parent:
	ib_dealloc_device(&dev->ib);
	return ERR_PTR(ret);
}

void hca_device_unregister(struct hca_device *dev)
{
	might_sleep(); /* req V3-111 */
	silence(dev);
	hca_ca_fail(&dev->ca);
	/*
	 * The core removes its clients with their queue pairs and disassociates users (req V3-131).
	 */
	ib_unregister_device(&dev->ib);
}

void hca_device_free(struct hca_device *dev)
{
	struct platform_device *pdev = dev->pdev;

	synchronize_rcu(); /* waits for doorbell writes */
	hca_objects_report(dev);
	hca_counter_table_destroy(dev);
	node_destroy(dev);
	ib_dealloc_device(&dev->ib);
	platform_device_unregister(pdev);
}

struct hca_node *hca_device_node(struct hca_device *dev)
{
	return &dev->ca.node;
}

struct hca_device *hca_node_device(const struct hca_node *node)
{
	return container_of(node, struct hca_device, ca.node);
}

const char *hca_device_name(const struct hca_device *dev)
{
	return dev->ib.name; /* dev_name() is not safe: a rename frees the string */
}
