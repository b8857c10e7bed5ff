/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Finds packets that were captured at two ports: one port has sent the packet, and the other port
 * has received a packet with equal octets.
 *
 * Packets are released in the order in which they were captured. A sent packet waits for its
 * arrival. If it does not arrive, it is released 100 ms plus four times the longest transit time of
 * its route after it was sent, because it is then almost certainly lost. A packet whose route ends
 * at a port that is not captured is released at once.
 */
#ifndef HCADUMP_ENDS_H
#define HCADUMP_ENDS_H

#include "packet.h"

struct ends;

/*
 * A callback for each released packet. All fields of the packet are set. The packet's octets are
 * valid until the function returns. Return: whether the packet was shown. If a sent packet was
 * shown, is_shown is set in the matching received packet.
 */
typedef bool ends_release_fn(void *data, const struct packet *packet);

/* Creates an empty struct ends, which remembers up to 4096 packets. */
struct ends *ends_new(ends_release_fn *release, void *data);
void ends_free(struct ends *ends);

/* Adds a copy of a packet. Then releases all packets that can be released. */
void ends_add(struct ends *ends, const struct packet *packet);

/* Releases all packets that, at the time @now_ns, have waited long enough. */
void ends_advance(struct ends *ends, u64 now_ns);

/* Releases all packets at the end of the capture. */
void ends_flush(struct ends *ends);

/* Returns whether there are packets that wait for their release. */
bool ends_are_waiting(const struct ends *ends);

#endif
