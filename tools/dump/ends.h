/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Finds the packets that were captured at both ends of their way: a packet that one port sent and
 * another port received, with equal octets.
 *
 * Packets are released in the order in which they were captured. A sent packet is released when
 * it has arrived, or when it is almost certainly lost: 100 ms and four times the longest time of
 * its route after it was sent. A packet whose route leads to a port that is not captured is
 * released at once.
 */
#ifndef HCADUMP_ENDS_H
#define HCADUMP_ENDS_H

#include "packet.h"

struct ends;

/*
 * A callback for each packet, when all facts about the packet are known. The packet's octets are
 * valid until the function returns.
 * Return: whether the packet was shown, which is passed on in is_shown of the received packet.
 */
typedef bool ends_release_fn(void *data, const struct packet *packet);

/* Creates a matcher, whose memory is limited to 4096 packets. */
struct ends *ends_new(ends_release_fn *release, void *data);
void ends_free(struct ends *ends);

/* Adds a copy of a packet, and releases the packets that are complete then. */
void ends_add(struct ends *ends, const struct packet *packet);

/* Releases the packets that have waited long enough at the time @now_ns. */
void ends_advance(struct ends *ends, u64 now_ns);

/* Releases all packets at the end of the capture. */
void ends_flush(struct ends *ends);

/* Returns whether packets wait for their release. */
bool ends_are_waiting(const struct ends *ends);

#endif
