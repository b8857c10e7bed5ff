/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The device file /dev/hca_tap, by which user space captures packets (<linux/hca_tap.h>). */
#ifndef HCA_CONTROL_TAP_H
#define HCA_CONTROL_TAP_H

struct hca_entry;

/**
 * hca_taps_start() - register the device file
 *
 * Context: process.
 * Return: 0, or the error of misc_register().
 */
int hca_taps_start(void);

/**
 * hca_taps_stop() - deregister the device file
 *
 * Context: process; all files are closed, since each holds a reference to the module.
 */
void hca_taps_stop(void);

/**
 * hca_taps_end() - detach all captures from the ports of a device that is being deleted
 * @entry: live entry of the device, whose ports have no links
 *
 * Context: process, may sleep; the caller holds the control mutex.
 */
void hca_taps_end(const struct hca_entry *entry);

#endif
