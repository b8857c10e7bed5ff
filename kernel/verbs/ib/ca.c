// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A channel adapter as an ib_device: its kind, and the operations that only InfiniBand has. */
#include "verbs/ib/ca.h"
#include "link/port/attributes.h"
#include "verbs/ib/ca_device.h"

struct ca_config {
	u8 ports;
	__be64 guid;
	const char *description;
	const struct hca_agent_ops *agent;
};

static const struct ib_device_ops ca_ops = {
	.modify_device = hca_ib_modify_device,

	.query_port = hca_ib_query_port,
	.modify_port = hca_ib_modify_port,
	.query_gid = hca_ib_query_gid,
	.query_pkey = hca_ib_query_pkey,
	.get_port_immutable = hca_ib_get_port_immutable,
	.get_link_layer = hca_ib_get_link_layer,
	.process_mad = hca_ib_process_mad,
	.alloc_hw_port_stats = hca_ib_alloc_hw_port_stats,
	.get_hw_stats = hca_ib_get_hw_stats,
	.counter_alloc_stats = hca_ib_counter_alloc_stats,

	.alloc_xrcd = hca_ib_alloc_xrcd,
	.dealloc_xrcd = hca_ib_dealloc_xrcd,

	.create_ah = hca_ib_create_ah,
	.create_user_ah = hca_ib_create_ah,
	.modify_ah = hca_ib_modify_ah,
	.query_ah = hca_ib_query_ah,
	.destroy_ah = hca_ib_destroy_ah,

	.attach_mcast = hca_ib_attach_mcast,
	.detach_mcast = hca_ib_detach_mcast,

	INIT_RDMA_OBJ_SIZE(ib_xrcd, hca_ib_xrcd, ib),
	INIT_RDMA_OBJ_SIZE(ib_ah, hca_ib_ah, ib),
};

/* The uverbs objects and methods that this driver adds. */
static const struct uapi_definition ca_definitions[] = {
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

static struct hca_ca_device *ca_device(struct hca_device *dev)
{
	return container_of(dev, struct hca_ca_device, dev);
}

static struct hca_device *ca_alloc(void)
{
	struct hca_ca_device *dev = ib_alloc_device(hca_ca_device, dev.ib);

	return dev ? &dev->dev : NULL;
}

static int ca_init(struct hca_device *dev, const void *arg)
{
	struct hca_ca_device *ca_dev = ca_device(dev);
	const struct ca_config *config = arg;
	struct hca_ca *ca = &ca_dev->ca;
	u8 num;
	int ret;

	hca_domains_init(ca_dev);
	ret = hca_ca_init(ca);
	if (ret)
		return ret;
	dev->ci = &ca->ci;
	ca->rd_eec_event = hca_ib_eec_event;
	hca_node_init(&ca->node, RDMA_NODE_IB_CA, config->guid, config->description, &ca->pool,
		      config->agent);
	ret = hca_node_add_ports(&ca->node, config->ports, &hca_device_port_ops);
	if (ret) {
		hca_ca_destroy(ca);
		return ret;
	}
	for (num = 1; num <= config->ports; num++)
		ca->node.ports[num].info.capability_mask |= HCA_CAP_AUTOMATIC_MIGRATION;
	return 0;
}

static void ca_destroy(struct hca_device *dev)
{
	struct hca_ca *ca = &ca_device(dev)->ca;

	hca_node_del_ports(&ca->node);
	hca_ca_destroy(ca);
}

static void ca_describe(struct hca_device *dev)
{
	const struct hca_node *node = &ca_device(dev)->ca.node;
	struct ib_device *ib = &dev->ib;

	ib->node_type = RDMA_NODE_IB_CA;
	ib->phys_port_cnt = node->num_ports;
	ib->node_guid = node->node_guid;
	memcpy(ib->node_desc, node->description, sizeof(ib->node_desc));
}

static void ca_release_qp(struct hca_ib_qp *qp)
{
	if (qp->rdd)
		hca_rdd_put(qp->rdd);
	hca_members_uncount(qp);
}

static const struct hca_device_kind ca_kind = {
	.ops = &ca_ops,
	.definitions = ca_definitions,
	.driver_type = HCA_QPT_RD,
	.alloc = ca_alloc,
	.init = ca_init,
	.destroy = ca_destroy,
	.query = hca_ca_query,
	.describe = ca_describe,
	.init_driver_qp = hca_driver_qp_init,
	.release_qp = ca_release_qp,
	.attr_from_ib = hca_ca_attr_from_ib,
	.attr_to_ib = hca_ca_attr_to_ib,
	.wait = hca_ca_wait,
	.report_counters = hca_ca_report_counters,
};

struct hca_device *hca_ca_device_add(const char *name, u8 ports, __be64 guid,
				     const char *description,
				     const struct hca_agent_ops *agent)
{
	const struct ca_config config = {
		.ports = ports,
		.guid = guid,
		.description = description,
		.agent = agent,
	};

	if (!ports || ports > HCA_MAX_CA_PORTS)
		return ERR_PTR(-EINVAL);
	return hca_device_add(name, &ca_kind, &config);
}

struct hca_node *hca_device_node(struct hca_device *dev)
{
	return &ca_device(dev)->ca.node;
}
