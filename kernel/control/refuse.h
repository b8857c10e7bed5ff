/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Errors of netlink commands, with a message in the extended acknowledgement. */
#ifndef HCA_CONTROL_REFUSE_H
#define HCA_CONTROL_REFUSE_H

#include <linux/compiler_attributes.h>

struct genl_info;
struct nlattr;
struct sk_buff;

/**
 * hca_refuse() - answer a command with an error and its reason
 * @skb: request message of the command, as the handler got it
 * @info: parsed request, as the handler got it
 * @attr: the attribute that is wrong, or NULL
 * @err: negative errno to send
 * @why: printf format of the message, which is cut after 159 octets. The message states the fault
 *       or the rule. It does not repeat the value of @attr, because the user knows it
 *
 * Context: process; may hold the control mutex.
 * Return: -EINTR, which the handler must return to netlink instead of @err, so that netlink does
 * not send a second acknowledgement.
 */
__printf(5, 6)
int hca_refuse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *attr, int err,
	       const char *why, ...);

#endif
