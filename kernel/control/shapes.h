/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Parsing and reporting of shapes of links and rates of ports in netlink messages. */
#ifndef HCA_CONTROL_SHAPES_H
#define HCA_CONTROL_SHAPES_H

struct genl_info;
struct hca_link_rate;
struct hca_port;
struct hca_shape_spec;
struct nlattr;
struct sk_buff;

/**
 * hca_shape_parse() - parse the shape of a command
 * @skb: the command
 * @info: the command
 * @nest: nest of enum hca_nl_shape
 * @spec: set to the shape
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0, or the value that the handler of the command returns.
 */
int hca_shape_parse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		    struct hca_shape_spec *spec);

/**
 * hca_rate_parse() - parse widths and speeds of a command
 * @skb: the command
 * @info: the command
 * @nest: nest of enum hca_nl_rate
 * @rate: set to widths and speeds
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0, or the value that the handler of the command returns.
 */
int hca_rate_parse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *nest,
		   struct hca_link_rate *rate);

/**
 * hca_shape_fill() - add the shape of the direction in which a port sends, if it has one
 * @skb: the message
 * @type: attribute type of the nest
 * @port: the sender
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0 or -EMSGSIZE.
 */
int hca_shape_fill(struct sk_buff *skb, int type, const struct hca_port *port);

/**
 * hca_rate_fill() - add widths and speeds
 * @skb: the message
 * @type: attribute type of the nest
 * @rate: widths and speeds
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0 or -EMSGSIZE.
 */
int hca_rate_fill(struct sk_buff *skb, int type, const struct hca_link_rate *rate);

#endif
