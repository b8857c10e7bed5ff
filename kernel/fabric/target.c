// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Bare target adapters: how they come and go. */
#include <linux/err.h>
#include <linux/slab.h>
#include "fabric/gsi.h"
#include "fabric/smi.h"
#include "sma/notices.h"
#include "fabric/target.h"

/* Answers under way; a manager has a few requests outstanding. */
#define HCA_TARGET_PACKETS 256

static const struct hca_port_ops hca_target_port_ops = {
	.receive = hca_gsi_receive,
	.receive_smp = hca_smi_receive,
	.notice = hca_notices_take,
};

struct hca_target *hca_target_new(u8 ports, __be64 guid, const char *description)
{
	struct hca_target *target = kzalloc(sizeof(*target), GFP_KERNEL);
	struct hca_node *node;
	int ret;

	if (!target)
		return ERR_PTR(-ENOMEM);
	node = &target->node;
	hca_packet_pool_init(&target->pool, NULL, HCA_TARGET_PACKETS);
	hca_node_init(node, HCA_NODE_CA, guid, description, &target->pool);
	ret = hca_node_add_ports(node, ports, &hca_target_port_ops);
	if (ret) {
		kfree(target);
		return ERR_PTR(ret);
	}
	return target;
}

void hca_target_free(struct hca_target *target)
{
	hca_node_del_ports(&target->node);
	hca_packet_pool_destroy(&target->pool);
	kfree(target);
}
