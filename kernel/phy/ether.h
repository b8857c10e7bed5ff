/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Links over Ethernet, on which each frame (phy/frame.h) follows an Ethernet header. */
#ifndef HCA_PHY_ETHER_H
#define HCA_PHY_ETHER_H

#include <linux/types.h>

struct hca_address;
struct hca_port;
struct hca_remote;
struct hca_remote_config;
struct net_device;

/* The EtherType of frames, which IEEE 802 sets aside for local experiments. */
#define HCA_ETHER_TYPE 0x88b5
/* The group address to which a link without a configured peer sends its Hellos. */
#define HCA_ETHER_GROUP { 0x03, 0x00, 0x68, 0x63, 0x61, 0x21 }

/**
 * hca_ether_open() - open and start a link over an Ethernet interface
 * @dev: the interface; the link holds a reference until it is stopped or @dev is unregistered
 * @port: the port at this end, which has no cable
 * @peer: MAC address of the other end (6 octets); NULL accepts the first peer that answers
 * @config: options of the link (hca_remote_init())
 *
 * Context: process; the function acquires RTNL.
 * Return: the started link; or an ERR_PTR(): -EBUSY if the interface has a link already; -EINVAL
 * if it is not an Ethernet interface; -ENODEV if it is being unregistered; -ENOMEM; or an error of
 * the kernel's crypto API or of dev_mc_add().
 */
struct hca_remote *hca_ether_open(struct net_device *dev, struct hca_port *port, const u8 *peer,
				  const struct hca_remote_config *config);

/**
 * hca_ether_free() - free a link
 * @remote: a link of hca_ether_open() that hca_remote_stop() has stopped
 *
 * Context: process.
 */
void hca_ether_free(struct hca_remote *remote);

/**
 * hca_ether_name() - name of the interface of a link
 * @remote: a link of hca_ether_open()
 *
 * The name is the interface's name at the time when the link was opened, even after the interface
 * has been renamed or unregistered.
 * Context: any.
 * Return: the name, valid as long as the link.
 */
const char *hca_ether_name(const struct hca_remote *remote);

/**
 * hca_ether_start() - register for events of network interfaces
 *
 * Context: process.
 * Return: 0, or the error of register_netdevice_notifier().
 */
int hca_ether_start(void);

/**
 * hca_ether_stop() - unregister from events of network interfaces
 *
 * Context: process; all links over Ethernet have been freed.
 */
void hca_ether_stop(void);

#endif
