/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Links over Ethernet, in frames of an EtherType of their own. */
#ifndef HCA_PHY_ETHER_H
#define HCA_PHY_ETHER_H

#include <linux/types.h>

struct hca_address;
struct hca_port;
struct hca_remote;
struct hca_remote_config;
struct net_device;

/*
 * The one that IEEE 802 leaves to local experiments; between stations that agree on it. Who has no
 * partner calls the group address.
 */
#define HCA_ETHER_TYPE 0x88b5
#define HCA_ETHER_GROUP { 0x03, 0x00, 0x68, 0x63, 0x61, 0x21 }

/**
 * hca_ether_open() - a link over Ethernet
 * @dev: the interface; held by the link until it goes, or is unregistered
 * @port: the port at this end, without a cable
 * @peer: 6 octets, the other end; NULL: whoever comes first
 * @config: as for hca_remote_init()
 *
 * Context: process; RTNL is taken. Return: the link, started; ERR_PTR(): -EBUSY: the interface has a
 * link; -EINVAL: it is not Ethernet; -ENODEV: it is being unregistered; -ENOMEM, or what the kernel's
 * crypto says.
 */
struct hca_remote *hca_ether_open(struct net_device *dev, struct hca_port *port, const u8 *peer,
				  const struct hca_remote_config *config);

/* Free a link that has been stopped. */
void hca_ether_free(struct hca_remote *remote);

/* What the interface is, or was, called. */
const char *hca_ether_name(const struct hca_remote *remote);

/* Hear of interfaces that go. Context: process. Return: 0 or error. */
int hca_ether_start(void);
void hca_ether_stop(void);

#endif
