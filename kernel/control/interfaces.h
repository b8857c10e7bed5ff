/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The ends of network interfaces, with which their RNICs end. */
#ifndef HCA_CONTROL_INTERFACES_H
#define HCA_CONTROL_INTERFACES_H

/**
 * hca_interfaces_start() - begin to delete RNICs whose interfaces are removed
 *
 * Context: process.
 * Return: 0, or the error of register_netdevice_notifier().
 */
int hca_interfaces_start(void);

/**
 * hca_interfaces_stop() - undo hca_interfaces_start()
 *
 * Context: process, may sleep.
 */
void hca_interfaces_stop(void);

#endif
