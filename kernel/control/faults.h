/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Parsing and reporting of faults in netlink messages. */
#ifndef HCA_CONTROL_FAULTS_H
#define HCA_CONTROL_FAULTS_H

struct genl_info;
struct hca_fault;
struct hca_port;
struct nlattr;
struct sk_buff;

/**
 * hca_fault_parse() - parse the faults of a command
 * @skb: the command
 * @info: the command
 * @nest: nest of enum hca_nl_fault
 * @fault: set to faults for hca_fault_install(), or to NULL if the nest is empty
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0, or the value that the handler of the command returns.
 */
int hca_fault_parse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		    struct hca_fault **fault);

/**
 * hca_fault_fill() - add the faults of the direction in which a port sends, if it has any
 * @skb: the message
 * @type: attribute type of the nest
 * @port: the sender
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0 or -EMSGSIZE.
 */
int hca_fault_fill(struct sk_buff *skb, int type, const struct hca_port *port);

#endif
