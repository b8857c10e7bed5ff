// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Errors of netlink commands, with a message in the extended acknowledgement.
 *
 * Netlink sends the extended acknowledgement after the handler has returned. Until then it keeps
 * only a pointer to the message: to a constant before Linux 6.2, and also to a buffer of 80 octets
 * since Linux 6.2. A constant cannot contain names and numbers, and 80 octets are too few for them.
 * hca_refuse() therefore sends the acknowledgement itself, with a message on its stack. The return
 * value -EINTR keeps netlink_rcv_skb() from sending another one, just as it does for dumps.
 */
#include "control/refuse.h"
#include <linux/kernel.h>
#include <linux/netlink.h>
#include <net/genetlink.h>

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
