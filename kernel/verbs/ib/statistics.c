// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Hardware counters of a port, which rdma-statistic(8) and hw_counters/ in sysfs show. They count
 * packets, octets, discards and errors by cause (PortCounters does not distinguish the causes), the
 * reactions of reliable services to losses, accesses that wait for a page, and messages that find
 * no receive request, or one that is too short. They are never reset.
 */
#include <rdma/ib_verbs.h>
#include "transport/loss.h"
#include "verbs/ib/ca_device.h"

/* Names of counters; counters that other drivers have too are named as in mlx5, bnxt_re and rxe. */
static const struct rdma_stat_desc stats[] = {
	{ .name = "unicast_xmit_packets" },
	{ .name = "unicast_rcv_packets" },
	{ .name = "multicast_xmit_packets" },
	{ .name = "multicast_rcv_packets" },
	{ .name = "tx_bytes" },
	{ .name = "rx_bytes" },
	{ .name = "rcv_local_physical_errors" },
	{ .name = "rcv_malformed_packet_errors" },
	{ .name = "rcv_buffer_overrun_errors" },
	{ .name = "xmit_inactive_discards" },
	{ .name = "xmit_neighbor_mtu_discards" },
	{ .name = "xmit_other_discards" },
	{ .name = "duplicate_request" },
	{ .name = "out_of_sequence" },
	{ .name = "send_rnr_err" },
	{ .name = "rcvd_rnr_err" },
	{ .name = "packet_seq_err" },
	{ .name = "implied_nak_seq_err" },
	{ .name = "local_ack_timeout_err" },
	{ .name = "retransmitted_packets" },
	{ .name = "retry_exceeded_err" },
	{ .name = "retry_rnr_exceeded_err" },
	{ .name = "odp_faults" },
	{ .name = "out_of_buffer" },
	{ .name = "recv_too_short" },
};

static const enum hca_counter counters[] = {
	HCA_CTR_UNICAST_XMIT_PACKETS,
	HCA_CTR_UNICAST_RCV_PACKETS,
	HCA_CTR_MULTICAST_XMIT_PACKETS,
	HCA_CTR_MULTICAST_RCV_PACKETS,
	HCA_CTR_XMIT_DATA,
	HCA_CTR_RCV_DATA,
	HCA_CTR_LOCAL_PHYSICAL_ERRORS,
	HCA_CTR_MALFORMED_PACKET_ERRORS,
	HCA_CTR_BUFFER_OVERRUN_ERRORS,
	HCA_CTR_INACTIVE_DISCARDS,
	HCA_CTR_NEIGHBOR_MTU_DISCARDS,
	HCA_CTR_OTHER_DISCARDS,
	HCA_CTR_DUPLICATE_REQUESTS,
	HCA_CTR_OUT_OF_SEQUENCE_REQUESTS,
	HCA_CTR_RNR_NAKS_SENT,
	HCA_CTR_RNR_NAKS_RCVD,
	HCA_CTR_SEQUENCE_NAKS_RCVD,
	HCA_CTR_IMPLIED_NAKS,
	HCA_CTR_ACK_TIMEOUTS,
	HCA_CTR_RETRANSMITTED_PACKETS,
	HCA_CTR_RETRIES_EXCEEDED,
	HCA_CTR_RNR_RETRIES_EXCEEDED,
	HCA_CTR_ODP_FAULTS,
	HCA_CTR_OUT_OF_BUFFER,
	HCA_CTR_RECV_TOO_SHORT,
};
static_assert(ARRAY_SIZE(stats) == ARRAY_SIZE(counters));

struct rdma_hw_stats *hca_ib_alloc_hw_port_stats(struct ib_device *ib, u32 num)
{
	return rdma_alloc_hw_stats_struct(stats, ARRAY_SIZE(stats), RDMA_HW_STATS_DEFAULT_LIFESPAN);
}

/* Return: the number of octets or events that one count stands for. */
static unsigned int statistic_unit_of(enum hca_counter counter)
{
	return counter == HCA_CTR_XMIT_DATA || counter == HCA_CTR_RCV_DATA ? sizeof(u32) : 1;
}

/* Reads all counters. Return: their number, or -EINVAL. */
int hca_ib_get_hw_stats(struct ib_device *ib, struct rdma_hw_stats *hw, u32 num, int index)
{
	const struct hca_port *port = &to_hca_ca_device(ib)->ca.node.ports[num];
	unsigned int i;

	if (!num) /* port 0 stands for the device, which has no counters itself */
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(counters); i++)
		hw->value[i] = hca_counter_read(port, counters[i]) * statistic_unit_of(counters[i]);
	return ARRAY_SIZE(counters);
}

/*
 * Allocates the values of a counter to which queue pairs are bound. The counter has as many values
 * as a port, because the RDMA core adds them to those of the port one by one; values that are not
 * losses are disabled. A counter beyond the limit is refused here. If the bind failed instead, the
 * core would neither call counter_dealloc nor free the counter.
 */
struct rdma_hw_stats *hca_ib_counter_alloc_stats(struct rdma_counter *counter)
{
	const struct hca_device *dev = to_hca_device(counter->device);
	struct rdma_hw_stats *hw;
	unsigned int i;

	if (hca_device_objects(dev, HCA_OBJ_COUNTER) >= HCA_MAX_COUNTER)
		return NULL;
	hw = hca_ib_alloc_hw_port_stats(counter->device, counter->port);
	for (i = 0; hw && i < ARRAY_SIZE(counters); i++)
		if (!hca_is_loss_counter(counters[i]))
			set_bit(i, hw->is_disabled);
	return hw;
}

/* Stores the values of loss counters. Context: any. */
void hca_ca_report_counters(const struct hca_qp_counters *losses, struct rdma_hw_stats *hw)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counters); i++)
		if (hca_is_loss_counter(counters[i]))
			hw->value[i] = hca_losses_read(losses, counters[i]);
}
