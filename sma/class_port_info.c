// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* ClassPortInfo of performance management: what the agent can (C4-218, C4-219). */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "sma/attribute.h"

enum hca_perf_capability {
	HCA_PERF_ALL_PORT_SELECT = 1 << 8, /* PortSelect FFh (C4-338) */
	HCA_PERF_EXTENDED_WIDTH = 1 << 9, /* PortCountersExtended, uni- and multicast included */
	HCA_PERF_XMIT_WAIT = 1 << 12, /* PortCounters.PortXmitWait */
};

enum hca_perf_capability2 {
	HCA_PERF2_EXTENDED_ERRORS = 1 << 1, /* PortCountersExtended's second half */
};

struct hca_class_port_info {
	u8 base_version;
	u8 class_version;
	__be16 capability_mask;
	__be32 capability_mask2_and_resp_time; /* 27, 5 */
	u8 redirect[32]; /* nobody is sent elsewhere */
	u8 trap[32]; /* no traps */
};

static_assert(sizeof(struct hca_class_port_info) == 72);

u16 hca_perf_class_port_info_get(struct hca_mad_request *rq)
{
	struct hca_class_port_info info = {
		.base_version = 1,
		.class_version = 1,
		.capability_mask = cpu_to_be16(HCA_PERF_EXTENDED_WIDTH | HCA_PERF_XMIT_WAIT),
		.capability_mask2_and_resp_time =
			cpu_to_be32(HCA_PERF2_EXTENDED_ERRORS << 5 |
				    READ_ONCE(rq->home->info.resp_time_value)),
	};

	if (rq->node->type == HCA_NODE_SWITCH)
		info.capability_mask |= cpu_to_be16(HCA_PERF_ALL_PORT_SELECT);
	memcpy(rq->out, &info, sizeof(info));
	return HCA_MAD_OK;
}
