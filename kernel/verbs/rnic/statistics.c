// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Hardware counters of an RNIC's port, which rdma-statistic(8) and hw_counters/ in sysfs show. They
 * count messages, FPDUs and octets, and how connections begin and end. They are never reset.
 */
#include "verbs/rnic/rnic_device.h"

/* Names of counters; counters that irdma has too are named as there. */
static const struct rdma_stat_desc statistics_names[] = {
	[HCA_RNIC_FPDUS_IN] = { .name = "fpdus_in" },
	[HCA_RNIC_FPDUS_OUT] = { .name = "fpdus_out" },
	[HCA_RNIC_OCTETS_IN] = { .name = "octets_in" },
	[HCA_RNIC_OCTETS_OUT] = { .name = "octets_out" },
	[HCA_RNIC_CRC_ERRORS] = { .name = "crc_errors" },
	[HCA_RNIC_MARKER_ERRORS] = { .name = "marker_errors" },
	[HCA_RNIC_TERMINATES_IN] = { .name = "terminates_in" },
	[HCA_RNIC_TERMINATES_OUT] = { .name = "terminates_out" },
	[HCA_RNIC_STARTUP_ERRORS] = { .name = "startup_errors" },
	[HCA_RNIC_STARTUP_TIMEOUTS] = { .name = "startup_timeouts" },
	[HCA_RNIC_STARTUP_NO_RTR] = { .name = "startup_no_rtr" },
	[HCA_RNIC_CONNECTS] = { .name = "connects" },
	[HCA_RNIC_ACCEPTS] = { .name = "accepts" },
	[HCA_RNIC_REJECTS] = { .name = "rejects" },
	[HCA_RNIC_RESETS] = { .name = "resets" },
	[HCA_RNIC_READS_IN] = { .name = "iwInRdmaReads" },
	[HCA_RNIC_SENDS_IN] = { .name = "iwInRdmaSends" },
	[HCA_RNIC_WRITES_IN] = { .name = "iwInRdmaWrites" },
	[HCA_RNIC_READS_OUT] = { .name = "iwOutRdmaReads" },
	[HCA_RNIC_SENDS_OUT] = { .name = "iwOutRdmaSends" },
	[HCA_RNIC_WRITES_OUT] = { .name = "iwOutRdmaWrites" },
};
static_assert(ARRAY_SIZE(statistics_names) == HCA_RNIC_COUNTERS);

struct rdma_hw_stats *hca_rnic_alloc_hw_port_stats(struct ib_device *ib, u32 num)
{
	return rdma_alloc_hw_stats_struct(statistics_names, ARRAY_SIZE(statistics_names),
					  RDMA_HW_STATS_DEFAULT_LIFESPAN);
}

/* Reads all counters. Return: their number, or -EINVAL. */
int hca_rnic_get_hw_stats(struct ib_device *ib, struct rdma_hw_stats *hw, u32 num, int index)
{
	const struct hca_rnic *rnic = &to_hca_rnic_device(ib)->rnic;
	unsigned int i;

	if (!num) /* port 0 stands for the device, which has no counters itself */
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(statistics_names); i++)
		hw->value[i] = atomic64_read(&rnic->count[i]);
	return ARRAY_SIZE(statistics_names);
}
