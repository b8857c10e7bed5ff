// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ClassPortInfo of the general services classes. No agent redirects its clients, and none sends
 * traps, so ClassPortInfo has nothing to set (req C4-221).
 */
#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include "sma/class.h"

struct hca_class_port_info {
	u8 base_version;
	u8 class_version;
	__be16 capability_mask;
	__be32 capability_mask2_and_resp_time; /* 27 bits, 5 bits */
	u8 redirect[32];
	u8 trap[32];
};

static_assert(sizeof(struct hca_class_port_info) == 72);

u16 hca_class_port_info(struct hca_mad_request *rq, u16 capability_mask, u32 capability_mask2)
{
	struct hca_class_port_info info = {
		.base_version = HCA_BASE_VERSION,
		.class_version = rq->class->version,
		.capability_mask = cpu_to_be16(capability_mask),
		.capability_mask2_and_resp_time = cpu_to_be32(
			capability_mask2 << 5 | READ_ONCE(rq->home->info.resp_time_value)),
	};

	memcpy(rq->out, &info, sizeof(info));
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
