/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Parsing and filling of netlink attributes of injected faults. */
#ifndef HCA_CONTROL_FAULTS_H
#define HCA_CONTROL_FAULTS_H

struct genl_info;
struct hca_fault;
struct hca_port;
struct nlattr;
struct sk_buff;

/**
 * hca_fault_parse() - parse the faults of a command
 * @skb: request message of the command, as the handler got it
 * @info: parsed request, as the handler got it
 * @nest: attribute that contains the attributes of enum hca_nl_fault
 * @fault: set to the faults, for hca_fault_install(); to NULL if @nest is empty or on an error
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0 on success. Otherwise -ENOMEM, the error of nla_parse_nested() or the return value of
 * hca_refuse(): the handler of the command must return this value to netlink.
 */
int hca_fault_parse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		    struct hca_fault **fault);

/**
 * hca_fault_fill() - report the faults injected into packets that a port sends, if there are any
 * @skb: message to add a nested attribute to
 * @type: type of the nested attribute
 * @port: the sending port
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0 or -EMSGSIZE.
 */
int hca_fault_fill(struct sk_buff *skb, int type, const struct hca_port *port);

#endif
