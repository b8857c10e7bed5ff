// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The port of an RNIC: it shows the state, the speed and the address of the interface. */
#include <linux/ethtool.h>
#include <linux/minmax.h>
#include "verbs/rnic/rnic_device.h"

static bool port_has_speed(const struct hca_rnic_device *dev)
{
	const struct ethtool_ops *ops;
	bool has_speed;

	rcu_read_lock();
	ops = rcu_dereference(dev->netdev)->ethtool_ops;
	has_speed = ops && ops->get_link_ksettings;
	rcu_read_unlock();
	return has_speed;
}

static u32 port_mtu(const struct hca_rnic_device *dev)
{
	u32 mtu;

	rcu_read_lock();
	mtu = READ_ONCE(rcu_dereference(dev->netdev)->mtu);
	rcu_read_unlock();
	return mtu;
}

/*
 * The RDMA core complains in the kernel log about an interface whose speed it cannot read, such as
 * a loopback interface. Such an interface is reported as the fastest one that the core knows.
 */
static void port_get_speed(struct hca_rnic_device *dev, struct ib_port_attr *attr)
{
	if (port_has_speed(dev) &&
	    !ib_get_eth_speed(&dev->dev.ib, 1, &attr->active_speed, &attr->active_width))
		return;
	attr->active_speed = IB_SPEED_EDR;
	attr->active_width = IB_WIDTH_4X;
}

int hca_rnic_query_port(struct ib_device *ib, u32 num, struct ib_port_attr *attr)
{
	struct hca_rnic_device *dev = to_hca_rnic_device(ib);
	u32 mtu = port_mtu(dev);
	bool active = hca_rnic_is_active(&dev->dev);

	*attr = (struct ib_port_attr){
		.state = active ? IB_PORT_ACTIVE : IB_PORT_DOWN,
		.phys_state = active ? IB_PORT_PHYS_STATE_LINK_UP : IB_PORT_PHYS_STATE_DISABLED,
		.max_mtu = ib_mtu_int_to_enum(mtu),
		.active_mtu = ib_mtu_int_to_enum(mtu),
		.phys_mtu = mtu,
		.gid_tbl_len = 1,
		.pkey_tbl_len = 1,
		.port_cap_flags = IB_PORT_CM_SUP,
		.max_msg_sz = dev->dev.ci->max_message,
	};
	port_get_speed(dev, attr);
	return 0;
}

/* The connection manager finds the device of an interface by the interface's hardware address. */
int hca_rnic_query_gid(struct ib_device *ib, u32 num, int index, union ib_gid *gid)
{
	const struct net_device *netdev;

	memset(gid, 0, sizeof(*gid));
	rcu_read_lock();
	netdev = rcu_dereference(to_hca_rnic_device(ib)->netdev);
	memcpy(gid, netdev->dev_addr, min_t(size_t, netdev->addr_len, sizeof(*gid)));
	rcu_read_unlock();
	return 0;
}

int hca_rnic_query_pkey(struct ib_device *ib, u32 num, u16 index, u16 *pkey)
{
	if (index)
		return -EINVAL;
	*pkey = IB_DEFAULT_PKEY_FULL;
	return 0;
}

int hca_rnic_get_port_immutable(struct ib_device *ib, u32 num, struct ib_port_immutable *immutable)
{
	immutable->core_cap_flags = RDMA_CORE_PORT_IWARP;
	immutable->gid_tbl_len = 1;
	immutable->pkey_tbl_len = 1;
	return 0;
}

enum rdma_link_layer hca_rnic_get_link_layer(struct ib_device *ib, u32 num)
{
	return IB_LINK_LAYER_ETHERNET;
}
