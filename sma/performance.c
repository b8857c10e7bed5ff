// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The performance management class (req C4-321 to C4-338). */
#include <linux/kernel.h>
#include "sma/class.h"
#include "sma/counters.h"

#define HCA_PERF_DATA_OFFSET (HCA_MAD_BYTES - HCA_PERF_DATA_BYTES)

/* ClassPortInfo.CapabilityMask */
enum hca_performance_capability {
	HCA_PERF_ALL_PORT_SELECT = 1 << 8, /* PortSelect FFh (req C4-338) */
	HCA_PERF_EXTENDED_WIDTH = 1 << 9, /* PortCountersExtended with the unicast and multicast */
	HCA_PERF_XMIT_WAIT = 1 << 12, /* PortCounters.PortXmitWait */
};

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
