// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The generic netlink family, with the attributes and permissions of each command. */
#include <linux/hca_netlink.h>
#include <linux/module.h>
#include <net/genetlink.h>
#include <rdma/ib_user_verbs.h>
#include "control/control.h"
#include "control/handlers.h"
#include "fabric/node.h"

/* The policy of a device name, which limits its length. The handlers check its characters. */
#define NAME { .type = NLA_NUL_STRING, .len = IB_DEVICE_NAME_MAX - 1 }

#define TYPE NLA_POLICY_MAX(NLA_U32, HCA_NL_TYPE_MAX)

/*
 * Policies of the commands. Generic netlink validates strictly: it rejects each attribute that is
 * not in the policy of the command.
 */
static const struct nla_policy device_add_policy[HCA_NL_DEVICE_MAX + 1] = {
	[HCA_NL_DEVICE_NAME] = NAME,
	[HCA_NL_DEVICE_PORTS] = { .type = NLA_U32 },
	[HCA_NL_DEVICE_GUID] = { .type = NLA_U64 },
	[HCA_NL_DEVICE_DESCRIPTION] = { .type = NLA_NUL_STRING, .len = HCA_NODE_DESC_BYTES },
	[HCA_NL_DEVICE_TYPE] = TYPE,
	[HCA_NL_DEVICE_ENHANCED] = { .type = NLA_FLAG },
	[HCA_NL_DEVICE_RANDOM] = { .type = NLA_FLAG },
	[HCA_NL_DEVICE_SYSTEM_IMAGE_GUID] = { .type = NLA_U64 },
	[HCA_NL_DEVICE_RNIC] = { .type = NLA_NESTED }, /* the handler validates its contents */
};

static const struct nla_policy device_set_policy[HCA_NL_DEVICE_MAX + 1] = {
	[HCA_NL_DEVICE_NAME] = NAME,
	[HCA_NL_DEVICE_TYPE] = TYPE,
	[HCA_NL_DEVICE_SYSTEM_IMAGE_GUID] = { .type = NLA_U64 },
	[HCA_NL_DEVICE_RNIC_FAULT] = { .type = NLA_NESTED }, /* the handler validates it */
};

static const struct nla_policy device_name_policy[HCA_NL_DEVICE_MAX + 1] = {
	[HCA_NL_DEVICE_NAME] = NAME,
	[HCA_NL_DEVICE_TYPE] = TYPE,
};

/* The handler validates the contents of nested attributes. */
static const struct nla_policy link_add_policy[HCA_NL_LINK_MAX + 1] = {
	[HCA_NL_LINK_DEVICE_A] = NAME,
	[HCA_NL_LINK_PORT_A] = { .type = NLA_U32 },
	[HCA_NL_LINK_DEVICE_B] = NAME,
	[HCA_NL_LINK_PORT_B] = { .type = NLA_U32 },
	[HCA_NL_LINK_NETWORK] = { .type = NLA_NESTED },
	[HCA_NL_LINK_SUPPORTED_A] = { .type = NLA_NESTED },
	[HCA_NL_LINK_SUPPORTED_B] = { .type = NLA_NESTED },
};

static const struct nla_policy link_policy[HCA_NL_LINK_MAX + 1] = {
	[HCA_NL_LINK_DEVICE_A] = NAME,
	[HCA_NL_LINK_PORT_A] = { .type = NLA_U32 },
	[HCA_NL_LINK_DEVICE_B] = NAME,
	[HCA_NL_LINK_PORT_B] = { .type = NLA_U32 },
};

/* The handler validates the contents of nested attributes. */
static const struct nla_policy link_set_policy[HCA_NL_LINK_MAX + 1] = {
	[HCA_NL_LINK_DEVICE_A] = NAME,
	[HCA_NL_LINK_PORT_A] = { .type = NLA_U32 },
	[HCA_NL_LINK_DEVICE_B] = NAME,
	[HCA_NL_LINK_PORT_B] = { .type = NLA_U32 },
	[HCA_NL_LINK_FAULT_A] = { .type = NLA_NESTED },
	[HCA_NL_LINK_FAULT_B] = { .type = NLA_NESTED },
	[HCA_NL_LINK_SHAPE_A] = { .type = NLA_NESTED },
	[HCA_NL_LINK_SHAPE_B] = { .type = NLA_NESTED },
	[HCA_NL_LINK_SUPPORTED_A] = { .type = NLA_NESTED },
	[HCA_NL_LINK_SUPPORTED_B] = { .type = NLA_NESTED },
	[HCA_NL_LINK_ADMIN_DOWN] = NLA_POLICY_MAX(NLA_U32, 1),
};

/* A command that can only dump. It has no policy, and therefore accepts no attributes. */
#define DUMP(command, dump) { .cmd = command, .dumpit = dump }
#define RESOURCE_DUMP(command) DUMP(command, hca_resource_dump)

#define POLICY(p) .policy = p, .maxattr = ARRAY_SIZE(p) - 1

static const struct genl_ops ops[] = {
	{
		.cmd = HCA_CMD_DEVICE_ADD,
		.flags = GENL_ADMIN_PERM,
		.doit = hca_device_add_command,
		POLICY(device_add_policy),
	}, {
		.cmd = HCA_CMD_DEVICE_DEL,
		.flags = GENL_ADMIN_PERM,
		.doit = hca_device_del_command,
		POLICY(device_name_policy),
	}, {
		.cmd = HCA_CMD_DEVICE_SET,
		.flags = GENL_ADMIN_PERM,
		.doit = hca_device_set_command,
		POLICY(device_set_policy),
	}, {
		.cmd = HCA_CMD_DEVICE_GET,
		.doit = hca_device_get_command,
		.start = hca_device_dump_start,
		.dumpit = hca_device_dump,
		POLICY(device_name_policy),
	}, {
		.cmd = HCA_CMD_LINK_ADD,
		.flags = GENL_ADMIN_PERM,
		.doit = hca_link_add_command,
		POLICY(link_add_policy),
	}, {
		.cmd = HCA_CMD_LINK_DEL,
		.flags = GENL_ADMIN_PERM,
		.doit = hca_link_del_command,
		POLICY(link_policy),
	}, {
		.cmd = HCA_CMD_LINK_SET,
		.flags = GENL_ADMIN_PERM,
		.doit = hca_link_set_command,
		POLICY(link_set_policy),
	},
	DUMP(HCA_CMD_LINK_GET, hca_link_dump),
	DUMP(HCA_CMD_COUNTERS_GET, hca_counters_dump),
	RESOURCE_DUMP(HCA_CMD_QP_GET),
	RESOURCE_DUMP(HCA_CMD_CQ_GET),
	RESOURCE_DUMP(HCA_CMD_SRQ_GET),
	RESOURCE_DUMP(HCA_CMD_MR_GET),
	RESOURCE_DUMP(HCA_CMD_MW_GET),
	RESOURCE_DUMP(HCA_CMD_EEC_GET),
};

/* netnsok is false, because devices belong to the machine, not to a network namespace. */
struct genl_family hca_genl_family __ro_after_init = {
	.name = HCA_GENL_NAME,
	.version = HCA_GENL_VERSION,
	.module = THIS_MODULE,
	.parallel_ops = true, /* a waiting command does not block commands of other families */
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
};

int hca_control_start(void)
{
	int err = hca_devices_start();

	if (err)
		return err;
	err = genl_register_family(&hca_genl_family);
	if (err)
		hca_devices_stop();
	return err;
}

void hca_control_stop(void)
{
	/* genl_unregister_family() waits until the last command has finished. */
	genl_unregister_family(&hca_genl_family);
	hca_devices_stop();
}

MODULE_ALIAS_GENL_FAMILY(HCA_GENL_NAME);
