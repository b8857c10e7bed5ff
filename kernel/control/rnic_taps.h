/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The taps of RNICs that a capture has. */
#ifndef HCA_CONTROL_RNIC_TAPS_H
#define HCA_CONTROL_RNIC_TAPS_H

#include <linux/hca_tap.h>
#include <linux/types.h>

struct hca_entry;
struct tap_file;

/**
 * hca_rnic_tap_add() - add an RNIC, or one of its queue pairs, to a capture
 * @file: the capture, set up; its lock is held
 * @name: the device, the queue pair and the directions
 *
 * Context: process, may sleep; the caller does not hold the control mutex.
 * Return: the number of the new tap, or an errno of HCA_TAP_ADD_RNIC.
 */
int hca_rnic_tap_add(struct tap_file *file, const struct hca_tap_port *name);

/**
 * hca_rnic_taps_detach() - end the taps of a capture that is being closed
 * @file: the capture
 *
 * Context: process; the caller holds the control mutex.
 */
void hca_rnic_taps_detach(struct tap_file *file);

/**
 * hca_rnic_taps_free() - free the taps of a capture, detached, after an RCU grace period
 * @file: the capture
 *
 * Context: process.
 */
void hca_rnic_taps_free(struct tap_file *file);

/**
 * hca_rnic_taps_end() - detach all taps from a device that is being deleted
 * @entry: live entry of the device, of any kind
 *
 * Context: process, may sleep; the caller holds the control mutex.
 */
void hca_rnic_taps_end(const struct hca_entry *entry);

#endif
