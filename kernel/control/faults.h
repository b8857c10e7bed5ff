/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Faults of cables, to and from netlink. The caller holds the control mutex. */
#ifndef HCA_CONTROL_FAULTS_H
#define HCA_CONTROL_FAULTS_H

struct genl_info;
struct hca_fault;
struct hca_port;
struct nlattr;
struct sk_buff;

/*
 * Make of a nest of enum hca_nl_fault what hca_fault_install() takes. Return: 0, *fault NULL
 * if the nest is empty; or what the command's handler is to return.
 */
int hca_fault_parse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		    struct hca_fault **fault);

/* Tell the faults of the way from the port, if any, as attribute @type. Return: 0 or -EMSGSIZE. */
int hca_fault_fill(struct sk_buff *skb, int type, const struct hca_port *port);

#endif
