/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The counters of a port. Counters only grow. When a manager sets a counter, a base is stored,
 * which is subtracted from the counter in later replies to managers. The few counters that every
 * packet changes are kept per CPU. Sums are computed when they are read. Each other counter is one
 * atomic variable. Data is counted in words of 4 octets, from LRH to ICRC.
 */
#ifndef HCA_LINK_PORT_COUNTER_H
#define HCA_LINK_PORT_COUNTER_H

#include <linux/atomic.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/types.h>

#define HCA_SLS 16
#define HCA_COUNTED_VLS 16

enum hca_counter {
	/* Counters that are kept per CPU. */
	HCA_CTR_UNICAST_XMIT_PACKETS,
	HCA_CTR_MULTICAST_XMIT_PACKETS,
	HCA_CTR_UNICAST_RCV_PACKETS,
	HCA_CTR_MULTICAST_RCV_PACKETS,
	HCA_CTR_XMIT_DATA_SL, /* one counter for each SL, from SL 0 on */
	HCA_CTR_RCV_DATA_SL = HCA_CTR_XMIT_DATA_SL + HCA_SLS,
	HCA_NUM_CPU_COUNTERS = HCA_CTR_RCV_DATA_SL + HCA_SLS,

	/* Counters that are one atomic variable each. */
	HCA_CTR_XMIT_WAIT = HCA_NUM_CPU_COUNTERS,
	HCA_CTR_SYMBOL_ERROR,
	HCA_CTR_LINK_ERROR_RECOVERY,
	HCA_CTR_LINK_DOWNED,
	HCA_CTR_RCV_REMOTE_PHYSICAL_ERRORS,
	HCA_CTR_XMIT_CONSTRAINT_ERRORS,
	HCA_CTR_RCV_CONSTRAINT_ERRORS,
	HCA_CTR_LOCAL_LINK_INTEGRITY_ERRORS,
	HCA_CTR_EXCESSIVE_BUFFER_OVERRUNS,
	HCA_CTR_VL15_DROPPED,
	/* The three counters whose sum is PortRcvErrors. */
	HCA_CTR_LOCAL_PHYSICAL_ERRORS,
	HCA_CTR_MALFORMED_PACKET_ERRORS,
	HCA_CTR_BUFFER_OVERRUN_ERRORS,
	/* The three counters whose sum is PortRcvSwitchRelayErrors. */
	HCA_CTR_DLID_MAPPING_ERRORS,
	HCA_CTR_VL_MAPPING_ERRORS,
	HCA_CTR_LOOPING_ERRORS,
	/* The five counters whose sum is PortXmitDiscards. */
	HCA_CTR_INACTIVE_DISCARDS,
	HCA_CTR_NEIGHBOR_MTU_DISCARDS,
	HCA_CTR_SW_LIFETIME_DISCARDS,
	HCA_CTR_SW_HOQ_DISCARDS,
	HCA_CTR_OTHER_DISCARDS,
	HCA_CTR_XMIT_FLOW_PACKETS,
	HCA_CTR_RCV_FLOW_PACKETS,
	HCA_CTR_OPCODE_PACKETS, /* received packets whose opcode the port watches */
	HCA_CTR_OPCODE_DATA, /* words of 4 octets in packets that OPCODE_PACKETS counts */
	/* Losses and delays that responders count: */
	HCA_CTR_DUPLICATE_REQUESTS,
	HCA_CTR_OUT_OF_SEQUENCE_REQUESTS,
	HCA_CTR_RNR_NAKS_SENT,
	/* Losses and delays that requesters count: */
	HCA_CTR_RNR_NAKS_RCVD,
	HCA_CTR_SEQUENCE_NAKS_RCVD, /* NAKs that began a retry */
	HCA_CTR_IMPLIED_NAKS, /* missing responses that began a retry */
	HCA_CTR_ACK_TIMEOUTS,
	HCA_CTR_RETRANSMITTED_PACKETS,
	HCA_CTR_RETRIES_EXCEEDED,
	HCA_CTR_RNR_RETRIES_EXCEEDED,
	HCA_CTR_ODP_FAULTS, /* page faults of on-demand paging, by responders and requesters */
	/* Messages of unreliable services that were dropped for lack of a receive request. */
	HCA_CTR_OUT_OF_BUFFER,
	HCA_CTR_RECV_TOO_SHORT, /* datagrams and raw packets longer than their receive request */
	HCA_CTR_XMIT_WAIT_VL, /* one counter for each VL, from VL 0 on */
	HCA_CTR_CONGESTION_VL = HCA_CTR_XMIT_WAIT_VL + HCA_COUNTED_VLS,
	HCA_CTR_FLOW_UPDATE_ERRORS_VL = HCA_CTR_CONGESTION_VL + HCA_COUNTED_VLS,
	HCA_NUM_KEPT_COUNTERS = HCA_CTR_FLOW_UPDATE_ERRORS_VL + HCA_COUNTED_VLS,

	/* Sums of other counters. */
	HCA_CTR_XMIT_PACKETS = HCA_NUM_KEPT_COUNTERS,
	HCA_CTR_RCV_PACKETS,
	HCA_CTR_XMIT_DATA,
	HCA_CTR_RCV_DATA,
	HCA_CTR_RCV_ERRORS,
	HCA_CTR_RCV_SWITCH_RELAY_ERRORS,
	HCA_CTR_XMIT_DISCARDS,
	HCA_NUM_COUNTERS,
};

struct hca_cpu_counters {
	u64 v[HCA_NUM_CPU_COUNTERS];
};

struct hca_counter_set {
	struct hca_cpu_counters __percpu *cpu;
	atomic64_t port[HCA_NUM_KEPT_COUNTERS - HCA_NUM_CPU_COUNTERS];
	/*
	 * Values to subtract from the HCA_NUM_COUNTERS counters; NULL: a manager has not set a
	 * counter. Guarded by the port's lock.
	 */
	u64 *base;
	u16 watched_opcode; /* 1 plus the opcode whose received packets are counted; 0: none */
};

/* Allocate the counters of a port. Context: process, may sleep. Return: 0 or -ENOMEM. */
int hca_counters_init(struct hca_counter_set *counters);

/* Free the counters of a port. Context: process. */
void hca_counters_destroy(struct hca_counter_set *counters);

/* Return: the count since hca_counters_init(); resets by managers are ignored. Context: any. */
u64 hca_counters_read(const struct hca_counter_set *counters, enum hca_counter c);

/*
 * Add @n to the counter @c, which is not a sum. Context: preemption disabled for a counter that is
 * kept per CPU, otherwise any.
 */
static inline void hca_counters_add(struct hca_counter_set *counters, enum hca_counter c, u64 n)
{
	if (c < HCA_NUM_CPU_COUNTERS)
		this_cpu_add(counters->cpu->v[c], n);
	else
		atomic64_add(n, &counters->port[c - HCA_NUM_CPU_COUNTERS]);
}

#endif
