/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Parsing and filling of netlink attributes: the shape of a link (rate limit, delay, signal loss),
 * and the widths and speeds of a port.
 */
#ifndef HCA_CONTROL_SHAPES_H
#define HCA_CONTROL_SHAPES_H

struct genl_info;
struct hca_link_rate;
struct hca_port;
struct hca_shape_spec;
struct nlattr;
struct sk_buff;

/**
 * hca_shape_parse() - parse the shape of a link in a command
 * @skb: request message of the command, as the handler got it
 * @info: parsed request, as the handler got it
 * @nest: attribute that contains the attributes of enum hca_nl_shape
 * @spec: set to the shape
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0 on success. Otherwise the error of nla_parse_nested() or the return value of
 * hca_refuse(): the handler of the command must return this value to netlink.
 */
int hca_shape_parse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		    struct hca_shape_spec *spec);

/**
 * hca_rate_parse() - parse the widths and speeds of a port in a command
 * @skb: request message of the command, as the handler got it
 * @info: parsed request, as the handler got it
 * @nest: attribute that contains the attributes of enum hca_nl_rate
 * @rate: set to the widths and speeds
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0 on success. Otherwise the error of nla_parse_nested() or the return value of
 * hca_refuse(): the handler of the command must return this value to netlink.
 */
int hca_rate_parse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		   struct hca_link_rate *rate);

/**
 * hca_shape_fill() - report the shape of the direction in which a port sends, if there is one
 * @skb: message to add a nested attribute to
 * @type: type of the nested attribute
 * @port: the sending port
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0 or -EMSGSIZE.
 */
int hca_shape_fill(struct sk_buff *skb, int type, const struct hca_port *port);

/**
 * hca_rate_fill() - report widths and speeds of a port
 * @skb: message to add a nested attribute to
 * @type: type of the nested attribute
 * @rate: the widths and speeds
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0 or -EMSGSIZE.
 */
int hca_rate_fill(struct sk_buff *skb, int type, const struct hca_link_rate *rate);

#endif
