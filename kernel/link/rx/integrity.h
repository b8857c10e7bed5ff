/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Link integrity: the thresholds LocalPhyErrors and OverrunErrors (IBA 7.12). */
#ifndef HCA_LINK_RX_INTEGRITY_H
#define HCA_LINK_RX_INTEGRITY_H

#include <linux/types.h>

struct hca_port;

/* Counts of errors, compared with the thresholds. Only hca_rx_run() changes the counts. */
struct hca_integrity {
	u8 phy_errors, overruns;
	u64 overrun_period; /* number of the flow-control period of the last overrun */
};

/**
 * hca_integrity_error() - count a damaged packet that has arrived
 * @port: the receiver
 *
 * Each damaged packet adds one to phy_errors, and each good packet subtracts one. If phy_errors
 * exceeds LocalPhyErrors, LocalLinkIntegrityErrors is incremented, and the link recovers.
 * Context: hca_rx_run().
 */
void hca_integrity_error(struct hca_port *port);

/* Count a good packet that has arrived while phy_errors is not 0. Context: hca_rx_run(). */
static inline void hca_integrity_good(struct hca_integrity *integrity)
{
	integrity->phy_errors--;
}

/**
 * hca_integrity_overrun() - count a packet that has overrun the receive buffer
 * @port: the receiver; the sender had no credit for the packet
 *
 * If there are overruns in more than OverrunErrors consecutive flow-control periods
 * (HCA_FLOW_PERIOD_MS), ExcessiveBufferOverrunErrors is incremented, and the link recovers.
 * Context: hca_rx_run().
 */
void hca_integrity_overrun(struct hca_port *port);

#endif
