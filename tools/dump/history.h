/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The PSNs that were seen of each queue pair, which show that a packet was sent again.
 *
 * A capture shows a packet at one port or at several. Each port and direction has a history of
 * its own, because a packet that is seen at two places was not sent twice.
 */
#ifndef HCADUMP_HISTORY_H
#define HCADUMP_HISTORY_H

#include "packet.h"

struct history;

/* Creates a history. Its size does not depend on the number of captured packets. */
struct history *history_new(void);
void history_free(struct history *history);

/*
 * Notes a packet.
 * Return: MARK_RETRANSMIT, MARK_DUPLICATE or 0. It is 0 for a packet with an unknown place, without
 * a connection, or with wrong CRCs.
 */
u32 history_add(struct history *history, const struct packet *packet);

#endif
