/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The sampling mechanism of a managed port: it measures counters over an interval (req C4-326). */
#ifndef HCA_SMA_SAMPLES_H
#define HCA_SMA_SAMPLES_H

#include "link/port/port.h"

/**
 * hca_samples_free() - stop and free the sampling mechanism of a port
 * @port: port with state of the agents; nothing happens if it has no sampling mechanism
 *
 * Context: process, may sleep; the node does not process MADs any more.
 */
void hca_samples_free(struct hca_port *port);

#endif
