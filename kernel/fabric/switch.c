// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Allocation and freeing of switches. */
#include "fabric/switch.h"
#include <linux/err.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "fabric/forward.h"
#include "fabric/gsi.h"
#include "fabric/smi.h"
#include "link/port/attributes.h"
#include "link/port/notice.h"

/* Maximum number of packets in flight that the agents of a switch have sent. */
#define HCA_SWITCH_PACKETS 1024

/* Record that the link of a port has come up or gone down (req C4-233, C4-250). */
static void switch_link_changed(struct hca_port *port)
{
	struct hca_switch *sw = hca_node_switch(port->node);

	spin_lock_bh(&sw->lock);
	sw->info.port_state_change = true;
	spin_unlock_bh(&sw->lock);
	hca_notice_port(port, HCA_TRAP_LINK_STATE);
}

static const struct hca_port_ops hca_switch_port_ops = {
	.receive = hca_switch_receive,
	.receive_smp = hca_smi_receive,
	.notice = hca_node_notice,
	.link_changed = switch_link_changed,
	.relays = true,
};

/* Operations of port 0. The relay calls receive() with packets to the switch itself. */
static const struct hca_port_ops hca_switch_home_ops = {
	.receive = hca_gsi_receive,
	.receive_smp = hca_smi_receive,
	.notice = hca_node_notice,
	.link_changed = switch_link_changed,
	.relays = true,
};

static int switch_add_tables(struct hca_switch *sw, u8 ports)
{
	size_t ways = (size_t)(ports + 1) * (ports + 1);
	size_t i;

	sw->mft_positions = ports / HCA_MFT_POSITION_PORTS + 1;
	sw->lft = kvmalloc(HCA_LFT_CAP, GFP_KERNEL);
	sw->mft = kvcalloc((size_t)HCA_MFT_CAP * sw->mft_positions, sizeof(*sw->mft), GFP_KERNEL);
	sw->sl2vl = kvmalloc(ways * 16, GFP_KERNEL);
	if (!sw->lft || !sw->mft || !sw->sl2vl)
		return -ENOMEM;
	memset(sw->lft, HCA_NO_PORT, HCA_LFT_CAP);
	for (i = 0; i < ways * 16; i++)
		sw->sl2vl[i] = i % 16 % HCA_DATA_VLS;
	return 0;
}

static void switch_del_tables(struct hca_switch *sw)
{
	kvfree(sw->lft);
	kvfree(sw->rft);
	kvfree(sw->mft);
	kvfree(sw->sl2vl);
}

struct hca_switch *hca_switch_new(u8 ports, __be64 guid, const char *description, bool enhanced,
				  const struct hca_agent_ops *agent)
{
	struct hca_switch *sw = kzalloc(sizeof(*sw), GFP_KERNEL);
	int ret;

	if (!sw)
		return ERR_PTR(-ENOMEM);
	spin_lock_init(&sw->lock);
	sw->info.default_multicast_primary = HCA_NO_PORT;
	sw->info.default_multicast_not_primary = HCA_NO_PORT;
	sw->info.life_time = 20;
	sw->info.enhanced_port0 = enhanced;
	hca_packet_pool_init(&sw->pool, NULL, HCA_SWITCH_PACKETS);
	hca_node_init(&sw->node, RDMA_NODE_IB_SWITCH, guid, description, &sw->pool, agent);
	ret = switch_add_tables(sw, ports);
	if (!ret)
		ret = hca_node_add_ports(&sw->node, ports, &hca_switch_port_ops);
	if (ret) {
		switch_del_tables(sw);
		kfree(sw);
		return ERR_PTR(ret);
	}
	sw->node.ports[0].ops = &hca_switch_home_ops;
	/* Port 0 has no link that could be down. */
	sw->node.ports[0].info.state = IB_PORT_ACTIVE;
	sw->node.ports[0].info.phys_state = IB_PORT_PHYS_STATE_LINK_UP;
	sw->node.ports[0].info.capability_mask |= HCA_CAP_MULTICAST_FDB_TOP;
	return sw;
}

int hca_switch_use_random_forwarding_table(struct hca_switch *sw)
{
	sw->rft = kvcalloc(HCA_RFT_CAP, sizeof(*sw->rft), GFP_KERNEL);
	if (!sw->rft)
		return -ENOMEM;
	sw->info.linear_fdb_top = HCA_LFT_CAP - 1;
	return 0;
}

void hca_switch_free(struct hca_switch *sw)
{
	hca_node_del_ports(&sw->node);
	hca_packet_pool_destroy(&sw->pool);
	switch_del_tables(sw);
	kfree(sw);
}
