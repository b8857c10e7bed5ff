// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Allocation of the counters of a port, and reading of the counters and of their sums. */
#include "link/port/counter.h"
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/slab.h>

/* The first and the last of the counters that each sum adds. */
static const struct {
	u8 from, to;
} hca_sums[HCA_NUM_COUNTERS - HCA_NUM_KEPT_COUNTERS] = {
#define HCA_SUM(name, first, last) \
	[HCA_CTR_##name - HCA_NUM_KEPT_COUNTERS] = { HCA_CTR_##first, HCA_CTR_##last }
	HCA_SUM(XMIT_PACKETS, UNICAST_XMIT_PACKETS, MULTICAST_XMIT_PACKETS),
	HCA_SUM(RCV_PACKETS, UNICAST_RCV_PACKETS, MULTICAST_RCV_PACKETS),
	HCA_SUM(XMIT_DATA, XMIT_DATA_SL, XMIT_DATA_SL + HCA_SLS - 1),
	HCA_SUM(RCV_DATA, RCV_DATA_SL, RCV_DATA_SL + HCA_SLS - 1),
	HCA_SUM(RCV_ERRORS, LOCAL_PHYSICAL_ERRORS, BUFFER_OVERRUN_ERRORS),
	HCA_SUM(RCV_SWITCH_RELAY_ERRORS, DLID_MAPPING_ERRORS, LOOPING_ERRORS),
	HCA_SUM(XMIT_DISCARDS, INACTIVE_DISCARDS, OTHER_DISCARDS),
#undef HCA_SUM
};

int hca_counters_init(struct hca_counter_set *counters)
{
	counters->cpu = alloc_percpu(struct hca_cpu_counters);
	return counters->cpu ? 0 : -ENOMEM;
}

void hca_counters_destroy(struct hca_counter_set *counters)
{
	free_percpu(counters->cpu);
	counters->cpu = NULL;
	kfree(counters->base);
	counters->base = NULL;
}

static u64 counters_read_kept(const struct hca_counter_set *counters, unsigned int c)
{
	u64 sum = 0;
	int cpu;

	if (c >= HCA_NUM_CPU_COUNTERS)
		return atomic64_read(&counters->port[c - HCA_NUM_CPU_COUNTERS]);
	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(counters->cpu, cpu)->v[c]);
	return sum;
}

u64 hca_counters_read(const struct hca_counter_set *counters, enum hca_counter c)
{
	u64 sum = 0;
	unsigned int i;

	if (c < HCA_NUM_KEPT_COUNTERS)
		return counters_read_kept(counters, c);
	for (i = hca_sums[c - HCA_NUM_KEPT_COUNTERS].from;
	     i <= hca_sums[c - HCA_NUM_KEPT_COUNTERS].to; i++)
		sum += counters_read_kept(counters, i);
	return sum;
}
