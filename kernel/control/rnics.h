/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The netlink attributes of RNICs. */
#ifndef HCA_CONTROL_RNICS_H
#define HCA_CONTROL_RNICS_H

#include <linux/types.h>

struct genl_info;
struct hca_device;
struct hca_rnic_config;
struct nlattr;
struct sk_buff;

/**
 * hca_rnic_parse() - read the attributes of an RNIC from a command
 * @skb: request message of the command, as the handler got it
 * @info: parsed request, as the handler got it
 * @nest: attribute that contains the attributes of enum hca_nl_rnic
 * @config: interface, address and options are set; the caller releases the interface by dev_put()
 *
 * Context: process.
 * Return: 0 on success. Otherwise a negative errno or the return value of hca_refuse(): the handler
 * of the command must return this value to netlink, and there is nothing to be released.
 */
int hca_rnic_parse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		   struct hca_rnic_config *config);

/**
 * hca_rnic_fill() - add a description of an RNIC
 * @skb: message to add a nested attribute to
 * @type: type of the nested attribute
 * @dev: the RNIC
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0 or -EMSGSIZE.
 */
int hca_rnic_fill(struct sk_buff *skb, int type, struct hca_device *dev);

#endif
