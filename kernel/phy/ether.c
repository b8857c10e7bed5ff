// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Links over Ethernet. Each interface carries at most one link. */
#include "phy/ether.h"
#include <linux/err.h>
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "phy/remote.h"

struct hca_ether {
	struct hca_remote remote;
	struct packet_type type;
	/* The two fields below are guarded by hca_ether_mutex. */
	struct list_head node; /* entry in hca_ethers while dev is not NULL */
	struct net_device __rcu *dev; /* NULL: the interface is unregistered or the link closed */
	char name[IFNAMSIZ];
};

/*
 * This mutex guards hca_ethers and the interface of each link. It nests inside the control mutex
 * or, when an interface is unregistered, inside RTNL. RTNL is not acquired inside the control
 * mutex, since a process can hold RTNL for an unlimited time, for example while a call of ethtool
 * copies from the process's memory.
 */
static DEFINE_MUTEX(hca_ether_mutex);

static LIST_HEAD(hca_ethers); /* list of struct hca_ether */

static const u8 hca_ether_group[ETH_ALEN] = HCA_ETHER_GROUP;

static struct hca_ether *ether_of(const struct hca_remote *remote)
{
	return container_of(remote, struct hca_ether, remote);
}

static void ether_address(const u8 *octets, struct hca_address *address)
{
	address->len = ETH_ALEN;
	memcpy(address->octet, octets, ETH_ALEN);
}

static int ether_receive(struct sk_buff *skb, struct net_device *dev, struct packet_type *type,
			 struct net_device *orig_dev)
{
	struct hca_ether *ether = container_of(type, struct hca_ether, type);
	struct hca_address from = {};

	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb)
		return NET_RX_DROP;
	if (skb->pkt_type == PACKET_OTHERHOST) {
		kfree_skb(skb);
		return NET_RX_DROP;
	}
	ether_address(eth_hdr(skb)->h_source, &from);
	hca_remote_receive(&ether->remote, &from, skb);
	return NET_RX_SUCCESS;
}

static void ether_transmit(struct hca_remote *remote, const struct hca_address *to,
			   struct sk_buff *skb)
{
	struct net_device *dev = rcu_dereference_bh(ether_of(remote)->dev);

	if (!dev || skb->len > READ_ONCE(dev->mtu)) {
		kfree_skb(skb);
		return;
	}
	skb->dev = dev;
	skb->protocol = htons(HCA_ETHER_TYPE);
	skb_reset_network_header(skb);
	if (dev_hard_header(skb, dev, HCA_ETHER_TYPE, to->octet, dev->dev_addr, skb->len) < 0)
		kfree_skb(skb);
	else
		dev_queue_xmit(skb);
}

static unsigned int ether_frame_max(struct hca_remote *remote, const struct hca_address *to)
{
	struct net_device *dev = rcu_dereference_bh(ether_of(remote)->dev);

	return dev ? READ_ONCE(dev->mtu) : 0;
}

static struct net_device *ether_dev(const struct hca_ether *ether)
{
	return rcu_dereference_protected(ether->dev, lockdep_is_held(&hca_ether_mutex));
}

/*
 * Detach a link from its interface. On return, frames are neither received from the interface nor
 * transmitted to it. Context: hca_ether_mutex held.
 */
static void ether_detach(struct hca_ether *ether)
{
	struct net_device *dev = ether_dev(ether);

	if (!dev)
		return;
	list_del(&ether->node);
	RCU_INIT_POINTER(ether->dev, NULL);
	dev_remove_pack(&ether->type); /* this also waits for callers of ether_transmit() (RCU) */
	dev_mc_del(dev, hca_ether_group);
	dev_put(dev);
}

static void ether_close(struct hca_remote *remote)
{
	mutex_lock(&hca_ether_mutex);
	ether_detach(ether_of(remote));
	mutex_unlock(&hca_ether_mutex);
}

static const struct hca_network hca_ether_network = {
	.room = LL_MAX_HEADER,
	.padded = ETH_ZLEN - ETH_HLEN,
	.transmit = ether_transmit,
	.frame_max = ether_frame_max,
	.close = ether_close,
};

static bool ether_in_use(const struct net_device *dev)
{
	struct hca_ether *ether;

	list_for_each_entry(ether, &hca_ethers, node) /* at most one link for each interface */
		if (ether_dev(ether) == dev)
			return true;
	return false;
}

/*
 * Attach a link to an interface and start to receive. If the interface is being unregistered, its
 * reg_state changes before ether_event() acquires the mutex. Therefore either this function sees
 * the new reg_state, or ether_event() sees the link. Context: hca_ether_mutex held.
 */
static int ether_join(struct hca_ether *ether, struct net_device *dev)
{
	int err;

	if (READ_ONCE(dev->reg_state) != NETREG_REGISTERED)
		return -ENODEV;
	if (dev->type != ARPHRD_ETHER)
		return -EINVAL;
	if (ether_in_use(dev))
		return -EBUSY;
	err = dev_mc_add(dev, hca_ether_group);
	if (err)
		return err;
	dev_hold(dev);
	strscpy(ether->name, dev->name, sizeof(ether->name));
	rcu_assign_pointer(ether->dev, dev);
	list_add_tail(&ether->node, &hca_ethers);
	ether->type = (struct packet_type){
		.type = htons(HCA_ETHER_TYPE),
		.dev = dev,
		.func = ether_receive,
	};
	dev_add_pack(&ether->type);
	return 0;
}

struct hca_remote *hca_ether_open(struct net_device *dev, struct hca_port *port, const u8 *peer,
				  const struct hca_remote_config *config)
{
	struct hca_ether *ether = kzalloc(sizeof(*ether), GFP_KERNEL);
	struct hca_address address = {};
	int err;

	if (!ether)
		return ERR_PTR(-ENOMEM);
	ether_address(peer ?: hca_ether_group, &address);
	err = hca_remote_init(&ether->remote, &hca_ether_network, port, peer ? &address : NULL,
			      config);
	if (!err) {
		if (!peer)
			ether->remote.peer.call = address;
		mutex_lock(&hca_ether_mutex);
		err = ether_join(ether, dev);
		mutex_unlock(&hca_ether_mutex);
	}
	if (err) {
		hca_ether_free(&ether->remote);
		return ERR_PTR(err);
	}
	hca_remote_start(&ether->remote);
	return &ether->remote;
}

void hca_ether_free(struct hca_remote *remote)
{
	hca_remote_destroy(remote);
	kfree(ether_of(remote));
}

const char *hca_ether_name(const struct hca_remote *remote)
{
	return ether_of(remote)->name;
}

static int ether_event(struct notifier_block *block, unsigned long event, void *info)
{
	struct net_device *dev = netdev_notifier_info_to_dev(info);
	struct hca_ether *ether, *next;

	if (event == NETDEV_CHANGEMTU)
		hca_remote_mtu_changes();
	if (event != NETDEV_UNREGISTER)
		return NOTIFY_DONE;
	mutex_lock(&hca_ether_mutex);
	list_for_each_entry_safe(ether, next, &hca_ethers, node)
		if (ether_dev(ether) == dev)
			ether_detach(ether);
	mutex_unlock(&hca_ether_mutex);
	return NOTIFY_DONE;
}

static struct notifier_block hca_ether_notifier = { .notifier_call = ether_event };

int hca_ether_start(void)
{
	return register_netdevice_notifier(&hca_ether_notifier);
}

void hca_ether_stop(void)
{
	unregister_netdevice_notifier(&hca_ether_notifier);
}
