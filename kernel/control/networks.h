/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Links through other networks, to and from netlink. The caller holds the control mutex, but for
 * start and stop.
 */
#ifndef HCA_CONTROL_NETWORKS_H
#define HCA_CONTROL_NETWORKS_H

#include <linux/types.h>

struct genl_info;
struct hca_node;
struct hca_port;
struct net_device;
struct nlattr;
struct sk_buff;

/* Hear of network namespaces and interfaces that go. Context: process. Return: 0 or error. */
int hca_networks_start(void);
/* There are no links any more. */
void hca_networks_stop(void);

/* Whether a port's link is such a one; of what kind, for messages; NULL: it is not. */
const char *hca_network_noun(const struct hca_port *port);

/*
 * Make the link that a nest of enum hca_nl_network asks for, at a port without cable or link.
 * Return: 0, or what the command's handler is to return.
 */
int hca_network_add(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		    struct hca_port *port);

/* Make one over an interface, to whoever comes first. Return: 0 or error. */
int hca_network_add_ether(struct hca_port *port, struct net_device *dev);

/* Remove a port's link. Return: false: it has none. */
bool hca_network_del(struct hca_port *port);

/* Remove those of all ports of a node. */
void hca_networks_end(struct hca_node *node);

/* Tell a port's link, if it has one, as attribute @type. Return: 0 or -EMSGSIZE. */
int hca_network_fill(struct sk_buff *skb, int type, const struct hca_port *port);

#endif
