// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* PortCounters and PortCountersExtended, which show one set of counters (req C4-325, C4-336). */
#include <linux/kernel.h>
#include "sma/counters.h"

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

const struct hca_counter_view hca_port_counters_view = {
	.field = hca_port_counters,
	.count = ARRAY_SIZE(hca_port_counters),
	.select2_bit = 144,
	.select2_width = 8,
};

const struct hca_counter_view hca_port_counters_ext_view = {
	.field = hca_port_counters_ext,
	.count = ARRAY_SIZE(hca_port_counters_ext),
	.select2_bit = 32,
	.select2_width = 32,
};
