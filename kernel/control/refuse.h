/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Errors of commands with a message in the extended acknowledgement. */
#ifndef HCA_CONTROL_REFUSE_H
#define HCA_CONTROL_REFUSE_H

#include <linux/compiler_attributes.h>

struct genl_info;
struct nlattr;
struct sk_buff;

/**
 * hca_refuse() - answer a command with an error and its reason
 * @skb: the command, as it was passed to the handler
 * @info: the command, as it was passed to the handler
 * @attr: the attribute that is wrong, or NULL
 * @err: negative errno
 * @why: printf format of the message, which states the fault or the rule, without the value of
 *       @attr, which the user knows; cut after 159 octets
 *
 * Context: process; may hold the control mutex.
 * Return: the value that the handler returns, which is not @err: it stops netlink from sending an
 * acknowledgement of its own.
 */
__printf(5, 6)
int hca_refuse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *attr, int err,
	       const char *why, ...);

#endif
