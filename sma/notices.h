/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Notices of a port. The latest notices are kept for a manager that polls (req C4-226), and each
 * notice is sent as a trap repeatedly until the manager represses the trap (req C4-223).
 */
#ifndef HCA_SMA_NOTICES_H
#define HCA_SMA_NOTICES_H

#include "link/port/notice.h"

/**
 * hca_notices_new() - allocate the notice queues of a port
 * @home: initialized port with state of the agents
 *
 * The port's capability mask advertises notices and traps afterwards.
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int hca_notices_new(struct hca_port *home);

/**
 * hca_notices_stop() - stop sending traps
 * @port: port with state of the agents; nothing happens if it has no notice queues
 *
 * Must be called while the port can still send.
 *
 * Context: process, may sleep, bottom halves enabled.
 */
void hca_notices_stop(struct hca_port *port);

/**
 * hca_notices_free() - free the notice queues of a port
 * @port: port with state of the agents; nothing happens if it has no notice queues
 *
 * Must be called after hca_notices_stop(), when the port does not raise events any more.
 *
 * Context: process, may sleep, bottom halves enabled.
 */
void hca_notices_free(struct hca_port *port);

/**
 * hca_notices_accept() - queue a notice; implements hca_agent_ops.notice
 * @port: port that the notice is about
 * @notice: contents
 *
 * The managed port (hca_port_home()) keeps the notice for polling, and sends it as a trap to its
 * subnet manager, but not before SubnetTimeout has passed since the last trap.
 *
 * Context: any that may use spin_lock_bh(); no lock of a port held.
 */
void hca_notices_accept(struct hca_port *port, const struct hca_notice *notice);

/**
 * hca_notices_repress() - stop repeating a trap, as SubnTrapRepress(Notice) demands
 * @home: port that sent the trap
 * @tid: transaction ID of the trap
 * @notice: contents of the trap
 *
 * Context: BH disabled.
 * Return: true if the trap was pending, and is not sent any more; false if it was not.
 */
bool hca_notices_repress(struct hca_port *home, __be64 tid, const struct hca_notice *notice);

#endif
