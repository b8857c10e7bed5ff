/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The sampling mechanism of an agent: what a port counts from one moment to another (C4-326). */
#ifndef HCA_SMA_SAMPLES_H
#define HCA_SMA_SAMPLES_H

#include "link/port.h"

/**
 * hca_samples_free() - end a port's sampling
 * @port: any; one that has never sampled has nothing to do
 *
 * Context: process, may sleep; no MAD is processed any more.
 */
void hca_samples_free(struct hca_port *port);

#endif
