// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Dumps of queue pairs, CQs, SRQs, MRs, memory windows and EE contexts. As in the dumps of the RDMA
 * core, everybody sees all objects, but only processes with CAP_NET_ADMIN see keys and addresses.
 */
#include <linux/bitops.h>
#include <linux/capability.h>
#include <linux/hca_netlink.h>
#include <net/genetlink.h>
#include "control/dump.h"
#include "control/handlers.h"
#include "control/registry.h"
#include "verbs/core/device.h"

/* The attribute that pads 64-bit numbers. Its number is the same in the nests of all types. */
#define PAD HCA_NL_QP_PAD
static_assert((int)HCA_NL_CQ_PAD == PAD && (int)HCA_NL_SRQ_PAD == PAD &&
	      (int)HCA_NL_MR_PAD == PAD && (int)HCA_NL_MW_PAD == PAD);

static const struct dump {
	u8 command;
	enum hca_resource type;
	u16 nest; /* type of the attribute that contains the values */
} dumps[] = {
	{ HCA_CMD_QP_GET, HCA_RESOURCE_QP, HCA_NL_RESOURCE_QP },
	{ HCA_CMD_CQ_GET, HCA_RESOURCE_CQ, HCA_NL_RESOURCE_CQ },
	{ HCA_CMD_SRQ_GET, HCA_RESOURCE_SRQ, HCA_NL_RESOURCE_SRQ },
	{ HCA_CMD_MR_GET, HCA_RESOURCE_MR, HCA_NL_RESOURCE_MR },
	{ HCA_CMD_MW_GET, HCA_RESOURCE_MW, HCA_NL_RESOURCE_MW },
	{ HCA_CMD_EEC_GET, HCA_RESOURCE_EEC, HCA_NL_RESOURCE_QP },
};

/* Return the row of the table @dumps for the command of a dump. Each such command has a row. */
static const struct dump *resource_dump_of(const struct netlink_callback *cb)
{
	const struct genlmsghdr *header = nlmsg_data(cb->nlh);
	const struct dump *dump = dumps;

	while (dump->command != header->cmd)
		dump++;
	return dump;
}

static int resource_fill_number(struct sk_buff *skb, int attr, u64 value)
{
	return value == (u32)value ? nla_put_u32(skb, attr, value) :
				     nla_put_u64_64bit(skb, attr, value, PAD);
}

static int resource_fill_values(struct sk_buff *skb, u16 attr, const struct hca_resource_view *view)
{
	struct nlattr *nest = nla_nest_start(skb, attr);
	int i, err = nest ? 0 : -EMSGSIZE;

	for (i = 0; !err && i < HCA_RESOURCE_VALUES; i++)
		if (test_bit(i, view->present))
			err = resource_fill_number(skb, i, view->value[i]);
	if (!err && view->terminate)
		err = nla_put_string(skb, HCA_NL_QP_TERMINATE, view->terminate);
	if (!err)
		nla_nest_end(skb, nest);
	return err;
}

static int resource_fill_owner(struct sk_buff *skb, const struct hca_resource_view *view)
{
	if (*view->consumer)
		return nla_put_string(skb, HCA_NL_RESOURCE_CONSUMER, view->consumer);
	return view->pid ? nla_put_u32(skb, HCA_NL_RESOURCE_PID, view->pid) : 0;
}

static int resource_fill(struct sk_buff *skb, struct netlink_callback *cb, const struct dump *dump,
			 const struct hca_entry *entry, const struct hca_resource_view *view)
{
	void *header = hca_dump_message(skb, cb, dump->command);
	int err;

	if (!header)
		return -EMSGSIZE;
	err = nla_put_string(skb, HCA_NL_RESOURCE_DEVICE, hca_registry_name(entry)) ?:
	      nla_put_u32(skb, HCA_NL_RESOURCE_NUMBER, view->number) ?:
	      resource_fill_owner(skb, view) ?:
	      resource_fill_values(skb, dump->nest, view);
	if (err)
		genlmsg_cancel(skb, header);
	else
		genlmsg_end(skb, header);
	return err;
}

/* Add the objects of a device whose id is at least cb->args[1], as long as they fit into @skb. */
static int resource_dump_device(struct sk_buff *skb, struct netlink_callback *cb,
				const struct hca_entry *entry)
{
	bool admin = netlink_capable(cb->skb, CAP_NET_ADMIN);
	const struct dump *dump = resource_dump_of(cb);
	struct hca_resource_view view;
	int err = 0;

	if (!entry->device)
		return 0;
	while (!err && hca_device_resource(entry->device, dump->type, cb->args[1], admin, &view)) {
		err = resource_fill(skb, cb, dump, entry, &view);
		if (!err)
			cb->args[1] = view.id + 1;
	}
	return err;
}

int hca_resource_dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	return hca_dump_devices(skb, cb, resource_dump_device);
}
