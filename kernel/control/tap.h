/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Captures of ports, for user space: /dev/hca_tap, see <linux/hca_tap.h>. */
#ifndef HCA_CONTROL_TAP_H
#define HCA_CONTROL_TAP_H

struct hca_node;

/* Context: process. Return: 0, or why there is no such device. */
int hca_taps_start(void);

/* Nobody has a file of it open: each holds the module. */
void hca_taps_stop(void);

/**
 * hca_taps_end() - a node goes: its ports are captured no more
 * @node: without cables, still in the registry
 *
 * Context: process, may sleep; the caller holds the control mutex.
 */
void hca_taps_end(struct hca_node *node);

#endif
