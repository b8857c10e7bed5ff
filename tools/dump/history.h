/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The PSNs that were seen of each queue pair, by which packets that come again are recognized.
 *
 * A capture shows a packet at one port or at several. Each port and direction has a history of its
 * own: only what was seen twice at one place was there twice.
 */
#ifndef HCADUMP_HISTORY_H
#define HCADUMP_HISTORY_H

#include "packet.h"

struct history;

/* The size of a history does not depend on what is captured. */
struct history *history_new(void);
void history_free(struct history *history);

/*
 * Notes a packet. Return: MARK_RETRANSMIT, MARK_DUPLICATE or 0, which it also is for a packet
 * without a place, without a connection, or with wrong CRCs.
 */
u32 history_add(struct history *history, const struct packet *packet);

#endif
