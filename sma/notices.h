/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What a port keeps of its notices: the latest ones, for a manager that polls (C4-226), and those
 * that its traps tell, again and again until the manager represses them (C4-223).
 */
#ifndef HCA_SMA_NOTICES_H
#define HCA_SMA_NOTICES_H

#include "link/notice.h"

/**
 * hca_notices_new() - a port begins to keep notices
 * @home: an adapter's port, or a switch's port 0, initialised
 *
 * Context: process, may sleep. Return: 0 or -ENOMEM.
 */
int hca_notices_new(struct hca_port *home);

/**
 * hca_notices_stop() - no further traps
 * hca_notices_free() - no further notices
 * @port: any; one that keeps none has nothing to do
 *
 * Stop while the port can still send, free when nothing happens to it any more.
 * Context: process, may sleep, bottom halves enabled.
 */
void hca_notices_stop(struct hca_port *port);
void hca_notices_free(struct hca_port *port);

/**
 * hca_notices_accept() - struct hca_port_ops.notice of every node
 * @port: of which something was noticed
 * @notice: contents
 *
 * The home port keeps it, and sends a trap to its manager: at once if the last one was
 * a SubnetTimeout ago, else then.
 * Context: see hca_notice_raise().
 */
void hca_notices_accept(struct hca_port *port, const struct hca_notice *notice);

/**
 * hca_notices_repress() - what SubnTrapRepress(Notice) asks
 * @home: the port that sent the trap
 * @tid: of the trap
 * @notice: as in the trap
 *
 * Context: BH disabled. Return: whether there was such a trap.
 */
bool hca_notices_repress(struct hca_port *home, __be64 tid, const struct hca_notice *notice);

/**
 * hca_notices_first() - the oldest notice kept, with count and toggle
 * @home: the port
 * @notice: filled; an empty one (type 7Fh) if there is none
 *
 * Context: BH disabled.
 */
void hca_notices_first(struct hca_port *home, struct hca_notice *notice);

/**
 * hca_notices_clear() - forget the oldest notice
 * @home: the port
 * @notice: which the manager believes to be that: it has its trap number and toggle, or nothing
 *          is forgotten
 *
 * Context: BH disabled.
 */
void hca_notices_clear(struct hca_port *home, const struct hca_notice *notice);

#endif
