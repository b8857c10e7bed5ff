/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Outputs the packets that the filter selects: into a file, as printed lines, or as a sequence
 * diagram.
 */
#ifndef HCADUMP_OUTPUT_H
#define HCADUMP_OUTPUT_H

#include "options.h"
#include "packet.h"

struct output;

/* Opens the file that @options names. @options must stay valid until output_close(). */
struct output *output_open(const struct options *options);

/*
 * Writes and prints a packet if the filter selects it. A packet that was captured at both ends is
 * printed once, with both ends. Return: false if the filter does not select the packet, or if
 * options->count packets have been output.
 */
bool output_packet(struct output *output, const struct packet *packet);

/* Returns whether options->count packets have been output. */
bool output_is_full(const struct output *output);

void output_flush(struct output *output);

struct output_totals {
	u64 packets, damaged, cut;
};

/*
 * Prints the sequence diagram, closes the file and frees @output. @end_ns is the time of the
 * capture's end, which is written into the file; 0: unknown. Return: the numbers of packets.
 */
struct output_totals output_close(struct output *output, u64 end_ns);

#endif
