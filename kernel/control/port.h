/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Ports, as commands about links name them. */
#ifndef HCA_CONTROL_PORT_H
#define HCA_CONTROL_PORT_H

#include <linux/types.h>

struct hca_port;

#define HCA_PORT_FAULT 128 /* octets that are enough for the message of hca_port_named() */

/**
 * hca_port_named() - find a port by the name of its device and its number
 * @device: name of the device
 * @num: number of the port; NULL: the only port of the device
 * @port: set to the port
 * @why: set to a message, of at most HCA_PORT_FAULT octets, if there is no such port
 *
 * Context: process; the caller holds the control mutex.
 * Return: 0; -ENODEV if there is no such device; -EOPNOTSUPP if devices of its kind have no links;
 * -EINVAL if it does not have the port.
 */
int hca_port_named(const char *device, const u32 *num, struct hca_port **port, char *why);

#endif
