/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Shapes of cables and rates of ports, to and from netlink. The caller holds the control mutex. */
#ifndef HCA_CONTROL_SHAPES_H
#define HCA_CONTROL_SHAPES_H

struct genl_info;
struct hca_link_rate;
struct hca_port;
struct hca_shape_spec;
struct nlattr;
struct sk_buff;

/* Of a nest of enum hca_nl_shape, of enum hca_nl_rate. Return: 0, or what the handler is to return. */
int hca_shape_parse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		    struct hca_shape_spec *spec);
int hca_rate_parse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		   struct hca_link_rate *rate);

/* Tell the shape of the way from the port, if any, as attribute @type. Return: 0 or -EMSGSIZE. */
int hca_shape_fill(struct sk_buff *skb, int type, const struct hca_port *port);
int hca_rate_fill(struct sk_buff *skb, int type, const struct hca_link_rate *rate);

#endif
