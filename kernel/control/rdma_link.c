// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * rdma-link(8): "rdma link add NAME type hca netdev INTERFACE" creates a device whose port has a
 * link over the interface, and "type hca_rnic" an RNIC of the interface.
 */
#include "control/rdma_link.h"
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <rdma/rdma_netlink.h>
#include "control/handlers.h"
#include "control/networks.h"
#include "control/registry.h"
#include "verbs/rnic/rnic.h"

/*
 * Return a locally administered GUID (req V3-073). It consists of the octet 0x02, the MAC address
 * of the interface, and an octet 0, which leaves room for the GUIDs of ports.
 */
static u64 rdma_link_guid_of(const struct net_device *dev)
{
	return 0x02ull << 56 | ether_addr_to_u64(dev->dev_addr) << 8;
}

/* Add a link to the new device, unless another command has deleted or linked the device already. */
static int rdma_link_connect(u64 guid, struct net_device *dev)
{
	struct hca_entry *entry = hca_registry_find_guids((struct hca_guids){ guid, guid });
	struct hca_port *port;
	int err;

	if (!entry || !entry->live || entry->going)
		return -ENODEV;
	port = hca_registry_port(entry, 1);
	if (!port)
		return -ENODEV;
	if (hca_registry_peer(port) || hca_network_noun(port))
		return -EBUSY;
	err = hca_network_add_ether(port, dev);
	if (err)
		hca_device_end(entry);
	return err;
}

static int rdma_link_newlink(const char *name, struct net_device *dev)
{
	u64 guid;
	int err;

	if (dev->type != ARPHRD_ETHER)
		return -EINVAL;
	guid = rdma_link_guid_of(dev);
	err = hca_device_new(name, guid);
	if (err)
		return err;
	mutex_lock(&hca_control_mutex);
	err = rdma_link_connect(guid, dev);
	mutex_unlock(&hca_control_mutex);
	return err;
}

/* Return a GUID that no device of type hca has: its last octet is another one. */
static u64 rdma_link_rnic_guid_of(const struct net_device *dev)
{
	u8 address[ETH_ALEN];

	if (dev->type == ARPHRD_ETHER)
		return rdma_link_guid_of(dev) | 0x80;
	eth_random_addr(address);
	return 0x02ull << 56 | ether_addr_to_u64(address) << 8 | 0x80;
}

static int rdma_link_new_rnic(const char *name, struct net_device *dev)
{
	struct hca_rnic_config config = { .netdev = dev, .options = hca_rnic_defaults };

	if (!hca_rnic_can_use(dev))
		return -EINVAL;
	return hca_rnic_new(name, rdma_link_rnic_guid_of(dev), &config);
}

static struct rdma_link_ops ops = { .type = "hca", .newlink = rdma_link_newlink };
static struct rdma_link_ops rnic_ops = { .type = "hca_rnic", .newlink = rdma_link_new_rnic };

int hca_rdma_link_start(void)
{
	rdma_link_register(&ops);
	rdma_link_register(&rnic_ops);
	return 0;
}

void hca_rdma_link_stop(void)
{
	rdma_link_unregister(&rnic_ops);
	rdma_link_unregister(&ops);
}

MODULE_ALIAS_RDMA_LINK("hca");
MODULE_ALIAS_RDMA_LINK("hca_rnic");
