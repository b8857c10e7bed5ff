/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Remembers the PSNs of each queue pair, in order to find packets that were sent again.
 *
 * PSNs are remembered for each port and direction, because a packet that is seen at two ports was
 * not sent twice.
 */
#ifndef HCADUMP_HISTORY_H
#define HCADUMP_HISTORY_H

#include "packet.h"

struct history;

/* Creates a history. Its size does not depend on the number of packets. */
struct history *history_new(void);
void history_free(struct history *history);

/*
 * Adds a packet to the history. Return: MARK_RETRANSMIT, MARK_DUPLICATE or 0. It is always 0 for
 * raw and UD packets, damaged packets, and packets whose direction is unknown.
 */
u32 history_add(struct history *history, const struct packet *packet);

#endif
