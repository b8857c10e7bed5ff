// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* An RNIC as an ib_device: its kind, and the operations that only iWARP has. */
#include <linux/netdevice.h>
#include <linux/string.h>
#include <rdma/iw_cm.h>
#include "verbs/rnic/cm.h"
#include "verbs/rnic/rnic.h"
#include "verbs/rnic/rnic_device.h"

static const struct ib_device_ops rnic_ops = {
	.modify_device = hca_rnic_modify_device,

	.query_port = hca_rnic_query_port,
	.query_gid = hca_rnic_query_gid,
	.query_pkey = hca_rnic_query_pkey,
	.get_port_immutable = hca_rnic_get_port_immutable,
	.get_link_layer = hca_rnic_get_link_layer,
	.alloc_hw_port_stats = hca_rnic_alloc_hw_port_stats,
	.get_hw_stats = hca_rnic_get_hw_stats,
};

/* The uverbs objects and methods that this driver adds. */
static const struct uapi_definition rnic_definitions[] = {
	UAPI_DEF_CHAIN(hca_doorbell_definitions),
	UAPI_DEF_CHAIN(hca_pd_definitions),
	UAPI_DEF_CHAIN(hca_mr_definitions),
	UAPI_DEF_CHAIN(hca_dm_definitions),
	UAPI_DEF_CHAIN(hca_srq_definitions),
	UAPI_DEF_CHAIN(hca_rnic_attach_definitions),
	UAPI_DEF_CHAIN(hca_rnic_terminate_definitions),
	{},
};

static struct hca_device *rnic_alloc(void)
{
	struct hca_rnic_device *dev = ib_alloc_device(hca_rnic_device, dev.ib);

	return dev ? &dev->dev : NULL;
}

static void rnic_configure(struct hca_rnic_device *dev, const struct hca_rnic_config *config)
{
	struct ib_device *ib = &dev->dev.ib;

	dev->rnic.options = config->options;
	dev->address = config->address;
	dev->system_image_guid = config->guid;
	dev->dev.ci = &dev->rnic.ci;
	ib->node_guid = config->guid;
	memcpy(ib->node_desc, config->description,
	       strnlen(config->description, sizeof(ib->node_desc)));
}

/* The RDMA core, too, holds a reference to the interface. */
static int rnic_init(struct hca_device *dev, const void *arg)
{
	struct hca_rnic_device *rnic_dev = to_hca_rnic_device(&dev->ib);
	const struct hca_rnic_config *config = arg;
	int ret;

	dev->ib.phys_port_cnt = 1;
	ret = ib_device_set_netdev(&dev->ib, config->netdev, 1) ?:
	      hca_rnic_init(&rnic_dev->rnic);
	if (ret)
		return ret;
	rnic_configure(rnic_dev, config);
	RCU_INIT_POINTER(rnic_dev->netdev, config->netdev);
	dev_hold(config->netdev);
	ret = hca_rnic_watch(rnic_dev);
	if (ret) {
		dev_put(config->netdev);
		hca_ci_destroy(&rnic_dev->rnic.ci);
	}
	return ret;
}

static void rnic_destroy(struct hca_device *dev)
{
	struct hca_rnic_device *rnic_dev = to_hca_rnic_device(&dev->ib);

	hca_rnic_unwatch(rnic_dev);
	hca_ci_destroy(&rnic_dev->rnic.ci);
	dev_put(rcu_dereference_protected(rnic_dev->netdev, 1)); /* nobody changes it any more */
}

static void rnic_fail(struct hca_device *dev)
{
	hca_rnic_fail(&to_hca_rnic_device(&dev->ib)->rnic);
}

static void rnic_describe(struct hca_device *dev)
{
	struct ib_device *ib = &dev->ib;

	ib_set_device_ops(ib, &hca_rnic_cm_ops);
	ib->node_type = RDMA_NODE_RNIC;
	ib->iw_driver_flags = IW_F_NO_PORT_MAP;
	rcu_read_lock();
	strscpy(ib->iw_ifname, rcu_dereference(to_hca_rnic_device(ib)->netdev)->name,
		sizeof(ib->iw_ifname));
	rcu_read_unlock();
}

static void rnic_release_qp(struct hca_ib_qp *qp) { }

static void rnic_report_counters(const struct hca_qp_counters *counters, struct rdma_hw_stats *hw)
{
}

static const struct hca_device_kind rnic_kind = {
	.ops = &rnic_ops,
	.definitions = rnic_definitions,
	.alloc = rnic_alloc,
	.init = rnic_init,
	.destroy = rnic_destroy,
	.fail = rnic_fail,
	.query = hca_rnic_query,
	.describe = rnic_describe,
	.release_qp = rnic_release_qp,
	.attr_from_ib = hca_rnic_attr_from_ib,
	.attr_to_ib = hca_rnic_attr_to_ib,
	.wait = hca_rnic_wait,
	.modified = hca_rnic_modified,
	.put_details = hca_rnic_put_details,
	.view = hca_rnic_view,
	.report_counters = rnic_report_counters,
};

struct hca_device *hca_rnic_device_add(const char *name, const struct hca_rnic_config *config)
{
	struct hca_device *dev = hca_device_add(name, &rnic_kind, config);

	if (!IS_ERR(dev))
		hca_rnic_announce(to_hca_rnic_device(&dev->ib));
	return dev;
}

void hca_rnic_get_config(struct hca_device *dev, struct hca_rnic_config *config)
{
	const struct hca_rnic_device *rnic_dev = to_hca_rnic_device(&dev->ib);

	*config = (struct hca_rnic_config){
		.address = rnic_dev->address,
		.options = rnic_dev->rnic.options,
	};
	/* User space can rename the interface meanwhile. */
	strscpy(config->interface, dev->ib.iw_ifname, sizeof(config->interface));
	rcu_read_lock();
	config->netdev = rcu_dereference(rnic_dev->netdev);
	dev_hold(config->netdev);
	rcu_read_unlock();
}

struct hca_rnic *hca_rnic_device_carrier(struct hca_device *dev)
{
	return &to_hca_rnic_device(&dev->ib)->rnic;
}

u32 hca_rnic_num_connections(struct hca_device *dev)
{
	return hca_rnic_connections(&to_hca_rnic_device(&dev->ib)->rnic);
}

int hca_rnic_device_set_faults(struct hca_device *dev, u32 qpn,
			       const struct hca_iwarp_fault_spec *spec)
{
	struct hca_rnic *rnic = &to_hca_rnic_device(&dev->ib)->rnic;

	return qpn ? hca_rnic_set_qp_faults(rnic, qpn, spec) : hca_rnic_set_faults(rnic, spec);
}

/* No queue pair of an RNIC has index 0: it stands for the faults of all of them. */
bool hca_rnic_device_next_fault(struct hca_device *dev, u32 *index,
				struct hca_rnic_fault_view *view)
{
	struct hca_rnic *rnic = &to_hca_rnic_device(&dev->ib)->rnic;

	if (!*index) {
		*index = 1;
		hca_rnic_view_faults(rnic, view);
		if (view->spec.kind != HCA_IWARP_FAULT_NONE)
			return true;
	}
	return hca_rnic_next_fault(rnic, index, view);
}
