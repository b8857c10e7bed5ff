/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* How devices and cables are made and shown: the generic netlink family "hca". */
#ifndef HCA_CONTROL_CONTROL_H
#define HCA_CONTROL_CONTROL_H

/**
 * hca_control_start() - take commands
 *
 * Context: process; engine and verbs have been started. Return: 0, or what netlink says.
 */
int hca_control_start(void);

/**
 * hca_control_stop() - take no more commands, unplug all cables, delete all devices
 *
 * Context: process, may sleep.
 */
void hca_control_stop(void);

#endif
