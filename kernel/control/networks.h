/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Links over networks: creation and removal by netlink commands, and reporting. The caller holds
 * the control mutex, except for hca_networks_start() and hca_networks_stop().
 */
#ifndef HCA_CONTROL_NETWORKS_H
#define HCA_CONTROL_NETWORKS_H

#include <linux/types.h>

struct genl_info;
struct hca_port;
struct net_device;
struct nlattr;
struct sk_buff;

/**
 * hca_networks_start() - register notifiers, which remove links over networks
 *
 * Links are removed when their network namespace or Ethernet interface ends and when the machine
 * shuts down.
 *
 * Context: process.
 * Return: 0, or the error of hca_ether_start() or register_pernet_device().
 */
int hca_networks_start(void);

/**
 * hca_networks_stop() - undo hca_networks_start()
 *
 * Context: process; all links over networks have been removed.
 */
void hca_networks_stop(void);

/**
 * hca_network_noun() - return the kind of network of a port's link
 * @port: the port
 *
 * Context: process; the caller holds the control mutex.
 * Return: "UDP" or "Ethernet", for messages; NULL if the port has no link over a network.
 */
const char *hca_network_noun(const struct hca_port *port);

/**
 * hca_network_add() - add a link over a network for a command
 * @skb: request message of the command, as the handler got it
 * @info: parsed request, as the handler got it
 * @nest: attribute that contains the attributes of enum hca_nl_network
 * @port: the port, which has neither a cable nor a link over a network
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0 on success. Otherwise a negative errno or the return value of hca_refuse(): the handler
 * of the command must return this value to netlink.
 */
int hca_network_add(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		    struct hca_port *port);

/**
 * hca_network_add_ether() - add a link over Ethernet
 * @port: the port, which has neither a cable nor a link over a network
 * @dev: the interface
 *
 * The first port that sends a Hello becomes the peer.
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0, -ENOMEM, or an error of hca_ether_open().
 */
int hca_network_add_ether(struct hca_port *port, struct net_device *dev);

/**
 * hca_network_del() - remove a port's link over a network, if it has one
 * @port: the port
 *
 * Context: process, may sleep; the caller holds the control mutex.
 * Return: whether the port had a link over a network.
 */
bool hca_network_del(struct hca_port *port);

/**
 * hca_network_fill() - add a description of a port's link over a network, if it has one
 * @skb: message to add a nested attribute to
 * @type: type of the nested attribute
 * @port: the port
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0 or -EMSGSIZE.
 */
int hca_network_fill(struct sk_buff *skb, int type, const struct hca_port *port);

#endif
