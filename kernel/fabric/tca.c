// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Allocation and freeing of TCAs. */
#include "fabric/tca.h"
#include <linux/err.h>
#include <linux/slab.h>
#include "fabric/gsi.h"
#include "fabric/smi.h"

/*
 * Maximum number of packets in flight that the agents of a TCA have sent. It is small, because
 * managers have few outstanding requests to a TCA.
 */
#define HCA_TCA_PACKETS 256

static const struct hca_port_ops hca_tca_port_ops = {
	.receive = hca_gsi_receive,
	.receive_smp = hca_smi_receive,
	.notice = hca_node_notice,
};

struct hca_tca *hca_tca_new(u8 ports, __be64 guid, const char *description,
			    const struct hca_agent_ops *agent)
{
	struct hca_tca *tca = kzalloc(sizeof(*tca), GFP_KERNEL);
	struct hca_node *node;
	int ret;

	if (!tca)
		return ERR_PTR(-ENOMEM);
	node = &tca->node;
	hca_packet_pool_init(&tca->pool, NULL, HCA_TCA_PACKETS);
	hca_node_init(node, RDMA_NODE_IB_CA, guid, description, &tca->pool, agent);
	ret = hca_node_add_ports(node, ports, &hca_tca_port_ops);
	if (ret) {
		kfree(tca);
		return ERR_PTR(ret);
	}
	return tca;
}

void hca_tca_free(struct hca_tca *tca)
{
	hca_node_del_ports(&tca->node);
	hca_packet_pool_destroy(&tca->pool);
	kfree(tca);
}
