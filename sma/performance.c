// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The performance management class (req C4-321 to C4-338). */
#include <linux/kernel.h>
#include "sma/class.h"
#include "sma/counters.h"

#define HCA_PERF_DATA_OFFSET (HCA_MAD_BYTES - HCA_PERF_DATA_BYTES)

/* --- ClassPortInfo */

/* Bits of ClassPortInfo.CapabilityMask. */
enum hca_performance_capability {
	HCA_PERF_ALL_PORT_SELECT = 1 << 8, /* PortSelect FFh selects all ports (req C4-338) */
	HCA_PERF_EXTENDED_WIDTH = 1 << 9, /* PortCountersExtended counts unicasts and multicasts */
	HCA_PERF_XMIT_WAIT = 1 << 12, /* PortCounters.PortXmitWait */
};

/* Bits of ClassPortInfo.CapabilityMask2. */
enum hca_performance_capability2 {
	HCA_PERF2_EXTENDED_ERRORS = 1 << 1, /* error counters of PortCountersExtended */
};

static u16 performance_class_port_info_get(struct hca_mad_request *rq)
{
	u16 capabilities = HCA_PERF_EXTENDED_WIDTH | HCA_PERF_XMIT_WAIT;

	if (hca_node_is_switch(rq->node))
		capabilities |= HCA_PERF_ALL_PORT_SELECT;
	return hca_class_port_info(rq, capabilities, HCA_PERF2_EXTENDED_ERRORS);
}

/* --- PortCounters and PortCountersExtended, which show one set of counters (req C4-325, C4-336) */

static const struct hca_counter_field hca_port_counters[] = {
	{ 32, 16, HCA_CTR_SYMBOL_ERROR, 0 },
	{ 48, 8, HCA_CTR_LINK_ERROR_RECOVERY, 1 },
	{ 56, 8, HCA_CTR_LINK_DOWNED, 2 },
	{ 64, 16, HCA_CTR_RCV_ERRORS, 3 },
	{ 80, 16, HCA_CTR_RCV_REMOTE_PHYSICAL_ERRORS, 4 },
	{ 96, 16, HCA_CTR_RCV_SWITCH_RELAY_ERRORS, 5 },
	{ 112, 16, HCA_CTR_XMIT_DISCARDS, 6 },
	{ 128, 8, HCA_CTR_XMIT_CONSTRAINT_ERRORS, 7 },
	{ 136, 8, HCA_CTR_RCV_CONSTRAINT_ERRORS, 8 },
	{ 152, 4, HCA_CTR_LOCAL_LINK_INTEGRITY_ERRORS, 9 },
	{ 156, 4, HCA_CTR_EXCESSIVE_BUFFER_OVERRUNS, 10 },
	{ 176, 16, HCA_CTR_VL15_DROPPED, 11 },
	{ 192, 32, HCA_CTR_XMIT_DATA, 12 },
	{ 224, 32, HCA_CTR_RCV_DATA, 13 },
	{ 256, 32, HCA_CTR_XMIT_PACKETS, 14 },
	{ 288, 32, HCA_CTR_RCV_PACKETS, 15 },
	{ 320, 32, HCA_CTR_XMIT_WAIT, 16 },
};

static const struct hca_counter_field hca_port_counters_ext[] = {
	{ 64, 64, HCA_CTR_XMIT_DATA, 0 },
	{ 128, 64, HCA_CTR_RCV_DATA, 1 },
	{ 192, 64, HCA_CTR_XMIT_PACKETS, 2 },
	{ 256, 64, HCA_CTR_RCV_PACKETS, 3 },
	{ 320, 64, HCA_CTR_UNICAST_XMIT_PACKETS, 4 },
	{ 384, 64, HCA_CTR_UNICAST_RCV_PACKETS, 5 },
	{ 448, 64, HCA_CTR_MULTICAST_XMIT_PACKETS, 6 },
	{ 512, 64, HCA_CTR_MULTICAST_RCV_PACKETS, 7 },
	{ 576, 64, HCA_CTR_SYMBOL_ERROR, 16 },
	{ 640, 64, HCA_CTR_LINK_ERROR_RECOVERY, 17 },
	{ 704, 64, HCA_CTR_LINK_DOWNED, 18 },
	{ 768, 64, HCA_CTR_RCV_ERRORS, 19 },
	{ 832, 64, HCA_CTR_RCV_REMOTE_PHYSICAL_ERRORS, 20 },
	{ 896, 64, HCA_CTR_RCV_SWITCH_RELAY_ERRORS, 21 },
	{ 960, 64, HCA_CTR_XMIT_DISCARDS, 22 },
	{ 1024, 64, HCA_CTR_XMIT_CONSTRAINT_ERRORS, 23 },
	{ 1088, 64, HCA_CTR_RCV_CONSTRAINT_ERRORS, 24 },
	{ 1152, 64, HCA_CTR_LOCAL_LINK_INTEGRITY_ERRORS, 25 },
	{ 1216, 64, HCA_CTR_EXCESSIVE_BUFFER_OVERRUNS, 26 },
	{ 1280, 64, HCA_CTR_VL15_DROPPED, 27 },
	{ 1344, 64, HCA_CTR_XMIT_WAIT, 28 },
};

static const struct hca_counter_view hca_port_counters_view = {
	.field = hca_port_counters,
	.count = ARRAY_SIZE(hca_port_counters),
	.select2_bit = 144,
	.select2_width = 8,
};

static const struct hca_counter_view hca_port_counters_ext_view = {
	.field = hca_port_counters_ext,
	.count = ARRAY_SIZE(hca_port_counters_ext),
	.select2_bit = 32,
	.select2_width = 32,
};

/* --- errors, waits and data of a port by cause, opcode, VL or SL (req C4-337) */

#define HCA_VIEW(name, ...) \
	static const struct hca_counter_view hca_##name##_view = { \
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

/* --- the class */

#define HCA_COUNTERS(id, flags, name, view) \
	{ id, HCA_ATTR_NO_MODIFIER | (flags), name, hca_counters_get, hca_counters_set, \
	  &hca_##view##_view }

static const struct hca_attribute hca_performance_attributes[] = {
	{ HCA_ATTRIBUTE_CLASS_PORT_INFO, HCA_ATTR_NO_MODIFIER, "ClassPortInfo",
	  performance_class_port_info_get },
	{ 0x0010, HCA_ATTR_NO_MODIFIER, "PortSamplesControl", hca_port_samples_control_get,
	  hca_port_samples_control_set },
	{ 0x0011, HCA_ATTR_NO_MODIFIER, "PortSamplesResult", hca_port_samples_result_get },
	HCA_COUNTERS(0x0012, 0, "PortCounters", port_counters),
	HCA_COUNTERS(0x0015, 0, "PortRcvErrorDetails", rcv_error_details),
	HCA_COUNTERS(0x0016, 0, "PortXmitDiscardDetails", xmit_discard_details),
	HCA_COUNTERS(0x0017, 0, "PortOpRcvCounters", op_rcv_counters),
	HCA_COUNTERS(0x0018, 0, "PortFlowCtlCounters", flow_ctl_counters),
	HCA_COUNTERS(0x001b, 0, "PortVLXmitFlowCtlUpdateErrors", flow_ctl_update_errors),
	HCA_COUNTERS(0x001c, 0, "PortVLXmitWaitCounters", vl_xmit_wait),
	HCA_COUNTERS(0x001d, 0, "PortCountersExtended", port_counters_ext),
	{ 0x001e, HCA_ATTR_NO_MODIFIER, "PortSamplesResultExtended",
	  hca_port_samples_result_ext_get },
	HCA_COUNTERS(0x0030, HCA_ATTR_SWITCH, "SwPortVLCongestion", vl_congestion),
	HCA_COUNTERS(0x0036, 0, "PortXmitDataSL", xmit_data_sl),
	HCA_COUNTERS(0x0037, 0, "PortRcvDataSL", rcv_data_sl),
};

const struct hca_class hca_performance_class = {
	.code = IB_MGMT_CLASS_PERF_MGMT,
	.version = 1,
	.data_offset = HCA_PERF_DATA_OFFSET,
	.data_bytes = HCA_PERF_DATA_BYTES,
	.attributes = hca_performance_attributes,
	.num_attributes = ARRAY_SIZE(hca_performance_attributes),
};
