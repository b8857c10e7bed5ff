// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * ClassPortInfo of the general services classes. No agent redirects its clients, and none sends
 * traps, so ClassPortInfo has nothing to set (req C4-221).
 */
#include <linux/kernel.h>
#include "sma/class.h"
#include "wire/field.h"

/* Redirection and traps, the fields behind these, are always 0. */
struct hca_class_port_info {
	u8 base_version;
	u8 class_version;
	u16 capability_mask;
	u32 capability_mask2;
	u8 resp_time_value;
};

#define FIELD(name, octet, bit, bits)                                                              \
	HCA_FIELD(struct hca_class_port_info, name, octet, bit, bits)

static const struct hca_field hca_class_port_info_fields[] = {
	FIELD(base_version, 0, 0, 8),
	FIELD(class_version, 1, 0, 8),
	FIELD(capability_mask, 2, 0, 16),
	FIELD(capability_mask2, 4, 0, 27),
	FIELD(resp_time_value, 7, 3, 5),
};

u16 hca_class_port_info(struct hca_mad_request *rq, u16 capability_mask, u32 capability_mask2)
{
	struct hca_class_port_info info = {
		.base_version = HCA_BASE_VERSION,
		.class_version = rq->class->version,
		.capability_mask = capability_mask,
		.capability_mask2 = capability_mask2,
		.resp_time_value = READ_ONCE(rq->home->info.resp_time_value),
	};

	hca_fields_pack(hca_class_port_info_fields, ARRAY_SIZE(hca_class_port_info_fields), &info,
			rq->out);
	return IB_MGMT_MAD_STATUS_SUCCESS;
}
