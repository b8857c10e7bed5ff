// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Conversion of flow-control packets to and from their wire format, which is Op:4 FCTBS:12 | VL:4
 * FCCL:12 | LPCRC:16.
 */
#include "wire/flow.h"
#include <linux/errno.h>
#include "compat.h"
#include "wire/crc.h"

#define HCA_FLOW_COUNT 0xfff
#define HCA_FLOW_COUNT_BITS 12
#define HCA_LPCRC_AT 4

void hca_flow_pack(const struct hca_flow *flow, u8 *buf)
{
	put_unaligned_be16(flow->op << HCA_FLOW_COUNT_BITS | (flow->fctbs & HCA_FLOW_COUNT), buf);
	put_unaligned_be16(flow->vl << HCA_FLOW_COUNT_BITS | (flow->fccl & HCA_FLOW_COUNT),
			   buf + 2);
	put_unaligned_le16(hca_vcrc(buf, HCA_LPCRC_AT), buf + HCA_LPCRC_AT);
}

int hca_flow_parse(struct hca_flow *flow, const u8 *buf, size_t len)
{
	u16 first, second;

	if (len != HCA_FLOW_BYTES)
		return -EINVAL;
	if (hca_vcrc(buf, HCA_LPCRC_AT) != get_unaligned_le16(buf + HCA_LPCRC_AT))
		return -EBADMSG;
	first = get_unaligned_be16(buf);
	second = get_unaligned_be16(buf + 2);
	if (first >> HCA_FLOW_COUNT_BITS > HCA_FLOW_INIT)
		return -EINVAL;
	flow->op = first >> HCA_FLOW_COUNT_BITS;
	flow->fctbs = first & HCA_FLOW_COUNT;
	flow->vl = second >> HCA_FLOW_COUNT_BITS;
	flow->fccl = second & HCA_FLOW_COUNT;
	return 0;
}
