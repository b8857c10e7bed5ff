/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Notices of a port: the latest notices are kept for a manager that polls (req C4-226), and each
 * one is sent as a trap repeatedly until the manager represses it (req C4-223).
 */
#ifndef HCA_SMA_NOTICES_H
#define HCA_SMA_NOTICES_H

#include "link/notice.h"

/**
 * hca_notices_new() - allocate the notice queues of a port
 * @home: initialized port of a CA, or port 0 of a switch
 *
 * The port's capability mask advertises notices and traps afterwards.
 *
 * Context: process, may sleep.
 * Return: 0 or -ENOMEM.
 */
int hca_notices_new(struct hca_port *home);

/**
 * hca_notices_stop() - stop sending traps
 * @port: any port; nothing happens if it has no notice queues
 *
 * Must be called while the port can still send.
 *
 * Context: process, may sleep, bottom halves enabled.
 */
void hca_notices_stop(struct hca_port *port);

/**
 * hca_notices_free() - free the notice queues of a port
 * @port: any port; nothing happens if it has no notice queues
 *
 * Must be called after hca_notices_stop(), when the port does not raise events any more.
 *
 * Context: process, may sleep, bottom halves enabled.
 */
void hca_notices_free(struct hca_port *port);

/**
 * hca_notices_accept() - queue a notice; struct hca_agent_ops.notice
 * @port: port that the notice is about
 * @notice: contents
 *
 * The managed port (hca_port_home()) keeps the notice for polling and sends it as a trap to its
 * subnet manager: at once if the last trap is at least one SubnetTimeout old, otherwise when that
 * time has passed.
 *
 * Context: see hca_notice_raise().
 */
void hca_notices_accept(struct hca_port *port, const struct hca_notice *notice);

/**
 * hca_notices_repress() - stop repeating a trap, as SubnTrapRepress(Notice) demands
 * @home: port that sent the trap
 * @tid: transaction ID of the trap
 * @notice: contents of the trap
 *
 * Context: BH disabled.
 * Return: whether the trap was pending.
 */
bool hca_notices_repress(struct hca_port *home, __be64 tid, const struct hca_notice *notice);

#endif
