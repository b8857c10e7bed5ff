/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Initialization and destruction of a port. */
#ifndef HCA_LINK_PORT_PORT_INIT_H
#define HCA_LINK_PORT_PORT_INIT_H

#include "link/port/port.h"

/**
 * hca_port_init() - initialize an unlinked port, Down and Polling, with the default P_Key
 * @port: zeroed memory in which node, node_type, pool and home are set
 * @num: number of the port
 * @ops: operations of its owner
 * @guid: port GUID
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int hca_port_init(struct hca_port *port, u8 num, const struct hca_port_ops *ops, __be64 guid);

/**
 * hca_port_destroy() - stop the runs and timers of a port, and drop queued packets
 * @port: the port, unlinked
 *
 * Context: process, may sleep.
 */
void hca_port_destroy(struct hca_port *port);

#endif
