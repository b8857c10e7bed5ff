// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The common part of all netlink dumps. */
#include "control/dump.h"
#include <linux/hca_netlink.h>
#include <net/genetlink.h>
#include "control/handlers.h"
#include "control/registry.h"

/*
 * Continue a dump with @entry. The position cb->args[1] belongs to the device with id cb->args[0].
 * If that device has been deleted, @entry is the next one, and is dumped from its beginning.
 */
static void dump_continue_with(struct netlink_callback *cb, const struct hca_entry *entry)
{
	if (entry->id != cb->args[0])
		cb->args[1] = 0;
	cb->args[0] = entry->id;
}

static void dump_continue_after(struct netlink_callback *cb, const struct hca_entry *entry)
{
	cb->args[0] = entry->id + 1;
	cb->args[1] = 0;
}

int hca_dump_devices(struct sk_buff *skb, struct netlink_callback *cb,
		     int (*dump)(struct sk_buff *skb, struct netlink_callback *cb,
				 const struct hca_entry *entry))
{
	struct hca_entry *entry;
	int err = 0;

	do {
		mutex_lock(&hca_control_mutex);
		cb->seq = hca_registry_generation();
		entry = hca_registry_from(cb->args[0]);
		if (entry) {
			dump_continue_with(cb, entry);
			err = dump(skb, cb, entry);
			if (!err)
				dump_continue_after(cb, entry);
		}
		mutex_unlock(&hca_control_mutex);
	} while (!err && entry);
	return skb->len ?: err;
}

void *hca_dump_message(struct sk_buff *skb, struct netlink_callback *cb, u8 command)
{
	void *header = genlmsg_put(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				   &hca_genl_family, NLM_F_MULTI, command);

	if (header)
		genl_dump_check_consistent(cb, header);
	return header;
}
