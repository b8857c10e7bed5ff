// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * MADs that the MAD layer passes to the adapter (req V3-357): SMPs of QP0 for the node itself,
 * performance management MADs received on QP1, and the Gets by which sysfs reads counters. The RDMA
 * core also passes MADs while the device is being registered, before any queue pair exists.
 */
#include "fabric/agent.h"
#include "verbs/ib/ca_device.h"

static const int results[] = {
	[HCA_AGENT_PASS] = IB_MAD_RESULT_SUCCESS,
	[HCA_AGENT_REPLY] = IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_REPLY,
	[HCA_AGENT_CONSUMED] = IB_MAD_RESULT_SUCCESS | IB_MAD_RESULT_CONSUMED,
};

int hca_ib_process_mad(struct ib_device *ib, int flags, u32 port_num, const struct ib_wc *in_wc,
		       const struct ib_grh *in_grh, const struct ib_mad *in, struct ib_mad *out,
		       size_t *out_size, u16 *out_pkey_index)
{
	/* A request without @in_wc comes from the kernel. Other local requests need the M_Key. */
	bool m_key_trusted = !in_wc || (flags & IB_MAD_IGNORE_MKEY);
	struct hca_node *node = &to_hca_ca_device(ib)->ca.node;

	BUILD_BUG_ON(sizeof(struct hca_mad) != HCA_MAD_BYTES);
	BUILD_BUG_ON(sizeof(struct ib_mad) != HCA_MAD_BYTES);

	if (!hca_device_port(ib, port_num))
		return IB_MAD_RESULT_FAILURE;
	return results[node->agent->process(node, port_num, in_wc ? in_wc->slid : 0,
					    (const struct hca_mad *)in, (struct hca_mad *)out,
					    m_key_trusted)];
}
