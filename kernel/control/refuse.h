/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Saying no, and why. */
#ifndef HCA_CONTROL_REFUSE_H
#define HCA_CONTROL_REFUSE_H

#include <linux/compiler_attributes.h>

struct genl_info;
struct nlattr;
struct sk_buff;

/**
 * hca_refuse() - answer a command with an error and its reason
 * @skb: the command, as the handler got it
 * @info: likewise
 * @attr: the attribute at fault, or NULL
 * @err: negative errno
 * @why: what is wrong or what would be right; a format, without the value of @attr,
 *	which the user has before his eyes; cut after 159 octets
 *
 * Context: process; may hold the control mutex.
 * Return: what the handler must return, so that nobody else answers: not @err.
 */
__printf(5, 6)
int hca_refuse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *attr, int err,
	       const char *why, ...);

#endif
