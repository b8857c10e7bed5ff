/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Link integrity: the thresholds LocalPhyErrors and OverrunErrors (IBA 7.12). */
#ifndef HCA_LINK_INTEGRITY_H
#define HCA_LINK_INTEGRITY_H

#include <linux/compiler.h>
#include <linux/types.h>

struct hca_port;

/* Errors that are compared with the thresholds. Only the receiving run changes the counts. */
struct hca_integrity {
	u8 phy_errors, overruns;
	u64 overrun_period; /* number of the period of the last overrun */
};

/**
 * hca_integrity_error() - count a damaged packet that has arrived
 * @port: the receiver
 *
 * Each damaged packet adds one to a bucket, each good one subtracts one. If the bucket exceeds
 * LocalPhyErrors, LocalLinkIntegrityErrors counts, and the link recovers.
 * Context: the port's run.
 */
void hca_integrity_error(struct hca_port *port);

/* Count a good packet that has arrived. Context: the port's run. */
static inline void hca_integrity_good(struct hca_integrity *integrity)
{
	if (unlikely(integrity->phy_errors))
		integrity->phy_errors--;
}

/**
 * hca_integrity_overrun() - count a packet that has overrun the receive buffer
 * @port: the receiver; the sender had no credit for the packet
 *
 * Overruns in more than OverrunErrors consecutive flow-control update periods (HCA_FLOW_PERIOD_MS)
 * count ExcessiveBufferOverrunErrors, and the link recovers. Context: the port's run.
 */
void hca_integrity_overrun(struct hca_port *port);

#endif
