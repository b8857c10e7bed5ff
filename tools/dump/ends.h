/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Finds the packets that were captured at both ends of their way: sent by one port, received by
 * another, with the same octets.
 *
 * Packets are released in the order in which they were captured. A sent packet is released when it
 * has arrived, or when it is certain enough that it will not: 100 ms and four times the longest
 * time of its route after it was sent. A packet whose route leads to no captured port is released
 * at once.
 */
#ifndef HCADUMP_ENDS_H
#define HCADUMP_ENDS_H

#include "packet.h"

struct ends;

/*
 * Is called for each packet, with all that is known of it. Its octets are valid until the function
 * returns. Return: whether it was shown, which the packet received at the other end has in
 * is_shown.
 */
typedef bool ends_release_fn(void *data, const struct packet *packet);

/* The memory of 4096 packets is all that is needed, whatever is captured. */
struct ends *ends_new(ends_release_fn *release, void *data);
void ends_free(struct ends *ends);

/* Adds a packet, which is copied. What it completes is released. */
void ends_add(struct ends *ends, const struct packet *packet);

/* Releases what has waited long enough, by the time of the last packet or @now_ns. */
void ends_advance(struct ends *ends, u64 now_ns);

/* Releases all packets, when there will be no more. */
void ends_flush(struct ends *ends);

/* Whether packets wait to be released. */
bool ends_are_waiting(const struct ends *ends);

#endif
