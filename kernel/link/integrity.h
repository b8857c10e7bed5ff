/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The thresholds of a link's integrity: how many errors are too many (IBA 7.12). */
#ifndef HCA_LINK_INTEGRITY_H
#define HCA_LINK_INTEGRITY_H

#include "link/port.h"

/**
 * hca_integrity_error() - a packet has come that was damaged on its way
 * @port: the receiver
 *
 * Damaged packets fill a bucket, and good ones empty it; when it holds more than LocalPhyErrors,
 * LocalLinkIntegrityErrors counts and the link recovers. Context: the port's run.
 */
void hca_integrity_error(struct hca_port *port);

/* A good packet has come. Context: the port's run. */
static inline void hca_integrity_good(struct hca_port *port)
{
	if (unlikely(port->phy_errors))
		port->phy_errors--;
}

/**
 * hca_integrity_overrun() - a packet has come that there is no room for
 * @port: the receiver; the sender had no credit for it
 *
 * Overruns in more than OverrunErrors consecutive flow-control update periods (HCA_FLOW_PERIOD_MS)
 * count ExcessiveBufferOverrunErrors, and the link recovers. Context: the port's run.
 */
void hca_integrity_overrun(struct hca_port *port);

#endif
