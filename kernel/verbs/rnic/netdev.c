// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The interfaces of RNICs: their changes become events of the ports, and the ends of devices. */
#include <linux/if_arp.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <net/net_namespace.h>
#include "verbs/rnic/rnic_device.h"

/*
 * This mutex guards the list of RNICs, and the fields of the devices that rnic_device.h names. It
 * nests inside RTNL, and no lock but those of the RDMA core's events nests inside it.
 */
static DEFINE_MUTEX(netdev_mutex);

static LIST_HEAD(netdev_rnics); /* list of struct hca_rnic_device */

static void (*netdev_lost)(void); /* reports the loss of an interface */

bool hca_rnic_can_use(const struct net_device *netdev)
{
	return netdev->type == ARPHRD_ETHER || netdev->type == ARPHRD_LOOPBACK ||
	       netdev->type == ARPHRD_NONE;
}

/* Return: the interface of a device; netdev_mutex is held, or the device is not listed yet. */
static struct net_device *netdev_of(const struct hca_rnic_device *dev)
{
	return rcu_dereference_protected(dev->netdev, lockdep_is_held(&netdev_mutex));
}

static bool netdev_is_active(const struct hca_rnic_device *dev)
{
	const struct net_device *netdev;
	bool is_active;

	rcu_read_lock();
	netdev = rcu_dereference(dev->netdev);
	is_active = netif_running(netdev) && netif_carrier_ok(netdev);
	rcu_read_unlock();
	return is_active;
}

bool hca_rnic_is_active(const struct hca_device *dev)
{
	return netdev_is_active(container_of(dev, struct hca_rnic_device, dev));
}

static bool netdev_is_shared(const struct hca_rnic_device *dev)
{
	const struct hca_rnic_device *other;

	list_for_each_entry(other, &netdev_rnics, node)
		if (netdev_of(other) == netdev_of(dev) &&
		    (!other->address.family || !dev->address.family ||
		     !memcmp(&other->address, &dev->address, sizeof(dev->address))))
			return true;
	return false;
}

/*
 * The reg_state of an interface that is being unregistered changes before the notifier is called.
 * Therefore either this function sees the new reg_state, or the notifier sees the device.
 */
int hca_rnic_watch(struct hca_rnic_device *dev)
{
	int ret = 0;

	mutex_lock(&netdev_mutex);
	if (READ_ONCE(netdev_of(dev)->reg_state) != NETREG_REGISTERED)
		ret = -ENODEV;
	else if (netdev_is_shared(dev))
		ret = -EADDRINUSE;
	else
		list_add_tail(&dev->node, &netdev_rnics);
	dev->is_active = netdev_is_active(dev);
	mutex_unlock(&netdev_mutex);
	return ret;
}

void hca_rnic_unwatch(struct hca_rnic_device *dev)
{
	mutex_lock(&netdev_mutex);
	list_del(&dev->node);
	mutex_unlock(&netdev_mutex);
}

bool hca_rnic_is_lost(const struct hca_device *dev)
{
	return READ_ONCE(container_of(dev, struct hca_rnic_device, dev)->is_lost);
}

/*
 * Dispatches an event to the RDMA core, which queues the event. Bottom halves are disabled, so that
 * the grace period in hca_device_unregister() waits for this function.
 */
static void netdev_dispatch(struct hca_rnic_device *dev, enum ib_event_type type)
{
	struct ib_event event = {
		.device = &dev->dev.ib,
		.element.port_num = 1,
		.event = type,
	};

	local_bh_disable();
	if (dev->is_registered && READ_ONCE(dev->dev.events))
		ib_dispatch_event(&event);
	local_bh_enable();
}

static void netdev_report_state(struct hca_rnic_device *dev)
{
	bool active = netdev_is_active(dev);

	if (active == dev->is_active || !dev->is_registered)
		return;
	dev->is_active = active;
	netdev_dispatch(dev, active ? IB_EVENT_PORT_ACTIVE : IB_EVENT_PORT_ERR);
}

void hca_rnic_announce(struct hca_rnic_device *dev)
{
	mutex_lock(&netdev_mutex);
	dev->is_registered = true;
	netdev_report_state(dev);
	mutex_unlock(&netdev_mutex);
}

struct net *hca_rnic_get_net(const struct hca_rnic_device *dev)
{
	struct net *net;

	rcu_read_lock();
	net = READ_ONCE(dev->is_lost) ? NULL : maybe_get_net(dev_net(rcu_dereference(dev->netdev)));
	rcu_read_unlock();
	return net;
}

/*
 * Release an interface that is being removed, as its removal waits for all references. The device
 * may be there for a minute still: it waits for its consumers. Meanwhile it has the interface that
 * Linux gives to routes whose own is gone. Readers of dev->netdev are safe, as there is a grace
 * period between this event and the end of the interface.
 */
static void netdev_release(struct hca_rnic_device *dev)
{
	struct net_device *netdev = netdev_of(dev);

	dev_hold(blackhole_netdev);
	rcu_assign_pointer(dev->netdev, blackhole_netdev);
	ib_device_set_netdev(&dev->dev.ib, blackhole_netdev, 1);
	dev_put(netdev);
}

static void netdev_change(struct hca_rnic_device *dev, unsigned long event)
{
	switch (event) {
	case NETDEV_UNREGISTER: /* of an interface that changes its network namespace, too */
		WRITE_ONCE(dev->is_lost, true);
		netdev_release(dev);
		netdev_lost();
		break;
	case NETDEV_CHANGEADDR:
		netdev_dispatch(dev, IB_EVENT_GID_CHANGE);
		break;
	case NETDEV_CHANGENAME:
		strscpy(dev->dev.ib.iw_ifname, netdev_of(dev)->name,
			sizeof(dev->dev.ib.iw_ifname));
		break;
	default:
		netdev_report_state(dev);
	}
}

static int netdev_event(struct notifier_block *block, unsigned long event, void *info)
{
	struct net_device *netdev = netdev_notifier_info_to_dev(info);
	struct hca_rnic_device *dev;

	mutex_lock(&netdev_mutex);
	list_for_each_entry(dev, &netdev_rnics, node)
		if (netdev_of(dev) == netdev)
			netdev_change(dev, event);
	mutex_unlock(&netdev_mutex);
	return NOTIFY_DONE;
}

static struct notifier_block netdev_notifier = { .notifier_call = netdev_event };

int hca_rnics_watch(void (*lost)(void))
{
	netdev_lost = lost;
	return register_netdevice_notifier(&netdev_notifier);
}

void hca_rnics_unwatch(void)
{
	unregister_netdevice_notifier(&netdev_notifier);
}
