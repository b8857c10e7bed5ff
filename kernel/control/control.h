/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The generic netlink family "hca", with which user space creates and queries devices and links. */
#ifndef HCA_CONTROL_CONTROL_H
#define HCA_CONTROL_CONTROL_H

/**
 * hca_control_start() - register the generic netlink family
 *
 * Context: process; engine and networks have been started.
 * Return: 0, -ENOMEM, or the error of genl_register_family().
 */
int hca_control_start(void);

/**
 * hca_control_stop() - unregister the family, remove all links and delete all devices
 *
 * Context: process, may sleep.
 */
void hca_control_stop(void);

#endif
