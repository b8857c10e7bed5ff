/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Sends packets into a file, to lines or to a ladder, after the filter. */
#ifndef HCADUMP_OUTPUT_H
#define HCADUMP_OUTPUT_H

#include "options.h"
#include "packet.h"

struct output;

/* Opens the file that @options names. The caller keeps @options valid. */
struct output *output_open(const struct options *options);

/*
 * Writes and prints a packet, if the filter selects it.
 * Return: whether the packet was shown. A packet that has arrived is shown with both ends.
 */
bool output_packet(struct output *output, const struct packet *packet);

/* Returns whether the number of packets that options->count allows is reached. */
bool output_is_full(const struct output *output);

void output_flush(struct output *output);

struct output_totals {
	u64 packets, damaged, cut;
};

/*
 * Prints the ladder, closes the file and frees @output.
 * @end_ns: the time of the capture's end, which is written into the file; 0: unknown
 * Return: the numbers of packets.
 */
struct output_totals output_close(struct output *output, u64 end_ns);

#endif
