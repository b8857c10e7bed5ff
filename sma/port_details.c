// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Attributes that show a port's errors, waits and data by cause, opcode, VL or SL (req C4-337). */
#include <linux/kernel.h>
#include "sma/counters.h"

#define HCA_VIEW(name, ...) \
	const struct hca_counter_view hca_##name##_view = { \
		.field = hca_##name, .count = ARRAY_SIZE(hca_##name), ##__VA_ARGS__ \
	}

static const struct hca_counter_field hca_rcv_error_details[] = {
	{ 32, 16, HCA_CTR_LOCAL_PHYSICAL_ERRORS, 0 },
	{ 48, 16, HCA_CTR_MALFORMED_PACKET_ERRORS, 1 },
	{ 64, 16, HCA_CTR_BUFFER_OVERRUN_ERRORS, 2 },
	{ 80, 16, HCA_CTR_DLID_MAPPING_ERRORS, 3 },
	{ 96, 16, HCA_CTR_VL_MAPPING_ERRORS, 4 },
	{ 112, 16, HCA_CTR_LOOPING_ERRORS, 5 },
};

HCA_VIEW(rcv_error_details);

static const struct hca_counter_field hca_xmit_discard_details[] = {
	{ 32, 16, HCA_CTR_INACTIVE_DISCARDS, 0 },
	{ 48, 16, HCA_CTR_NEIGHBOR_MTU_DISCARDS, 1 },
	{ 64, 16, HCA_CTR_SW_LIFETIME_DISCARDS, 2 },
	{ 80, 16, HCA_CTR_SW_HOQ_DISCARDS, 3 },
};

HCA_VIEW(xmit_discard_details);

static const struct hca_counter_field hca_op_rcv_counters[] = {
	{ 32, 32, HCA_CTR_OPCODE_PACKETS, 0 },
	{ 64, 32, HCA_CTR_OPCODE_DATA, 1 },
};

HCA_VIEW(op_rcv_counters, .by_opcode = true);

static const struct hca_counter_field hca_flow_ctl_counters[] = {
	{ 32, 32, HCA_CTR_XMIT_FLOW_PACKETS, 0 },
	{ 64, 32, HCA_CTR_RCV_FLOW_PACKETS, 1 },
};

HCA_VIEW(flow_ctl_counters);

static const struct hca_counter_field hca_flow_ctl_update_errors[] = {
	{ 32, 2, HCA_CTR_FLOW_UPDATE_ERRORS_VL, 0, HCA_COUNTED_VLS - 1 },
};

HCA_VIEW(flow_ctl_update_errors);

static const struct hca_counter_field hca_vl_xmit_wait[] = {
	{ 32, 16, HCA_CTR_XMIT_WAIT_VL, 0, HCA_COUNTED_VLS - 1 },
};

HCA_VIEW(vl_xmit_wait);

static const struct hca_counter_field hca_vl_congestion[] = {
	{ 32, 16, HCA_CTR_CONGESTION_VL, 0, HCA_COUNTED_VLS - 1 },
};

HCA_VIEW(vl_congestion);

static const struct hca_counter_field hca_xmit_data_sl[] = {
	{ 32, 32, HCA_CTR_XMIT_DATA_SL, 0, HCA_SLS - 1 },
};

HCA_VIEW(xmit_data_sl);

static const struct hca_counter_field hca_rcv_data_sl[] = {
	{ 32, 32, HCA_CTR_RCV_DATA_SL, 0, HCA_SLS - 1 },
};

HCA_VIEW(rcv_data_sl);
