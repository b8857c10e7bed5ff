/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The netlink attributes of faults of what an RNIC sends. */
#ifndef HCA_CONTROL_RNIC_FAULTS_H
#define HCA_CONTROL_RNIC_FAULTS_H

struct genl_info;
struct hca_device;
struct nlattr;
struct sk_buff;

/**
 * hca_rnic_fault_set() - read the faults of a command, and set them
 * @skb: request message of the command, as the handler got it
 * @info: parsed request, as the handler got it
 * @nest: attribute that contains the attributes of enum hca_nl_rnic_fault
 * @dev: the RNIC
 *
 * Context: process, may sleep; the caller holds the control mutex.
 * Return: 0 on success. Otherwise the error of nla_parse_nested() or the return value of
 * hca_refuse(): the handler of the command must return this value to netlink.
 */
int hca_rnic_fault_set(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		       struct hca_device *dev);

/**
 * hca_rnic_fault_fill() - report the faults of an RNIC and of its queue pairs
 * @skb: message to add nested attributes to
 * @type: type of the nested attributes
 * @dev: the RNIC
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0 or -EMSGSIZE.
 */
int hca_rnic_fault_fill(struct sk_buff *skb, int type, struct hca_device *dev);

#endif
