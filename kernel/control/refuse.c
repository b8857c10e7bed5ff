// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Errors of commands with a message in the extended acknowledgement.
 *
 * Netlink sends the extended acknowledgement after the handler has returned, with a pointer to the
 * message: before Linux 6.2 to a constant, since then to a buffer of 80 octets. Messages that
 * contain names and numbers are therefore sent by this file, while the buffer on its stack exists.
 * The return value -EINTR keeps netlink_rcv_skb() from sending an acknowledgement, just as it does
 * for dumps.
 */
#include <linux/kernel.h>
#include <linux/netlink.h>
#include <net/genetlink.h>
#include "control/refuse.h"

int hca_refuse(struct sk_buff *skb, struct genl_info *info, const struct nlattr *attr, int err,
	       const char *why, ...)
{
	struct netlink_ext_ack extack = { .bad_attr = attr };
	char text[160];
	va_list args;

	va_start(args, why);
	vsnprintf(text, sizeof(text), why, args);
	va_end(args);

	/* NL_SET_ERR_MSG() requires a literal, so the field is set directly. */
	extack._msg = text;
	netlink_ack(skb, (struct nlmsghdr *)info->nlhdr, err, &extack);
	return -EINTR;
}
