/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Where packets go: into a file, to lines or to a ladder, after the filter. */
#ifndef HCADUMP_OUTPUT_H
#define HCADUMP_OUTPUT_H

#include "options.h"
#include "packet.h"

struct output;

/* Opens the file that @options names, which stay the caller's. */
struct output *output_open(const struct options *options);

/*
 * Writes and prints a packet, if the filter selects it.
 * Return: whether it was shown: of a packet that has arrived, both ends are then.
 */
bool output_packet(struct output *output, const struct packet *packet);

/* Whether as many packets were selected as were to be. */
bool output_is_full(const struct output *output);

void output_flush(struct output *output);

struct output_totals {
	u64 packets, damaged, cut;
};

/*
 * Prints the ladder, closes the file and frees @output.
 * @end_ns: when the capture ended, which the file says; 0: unknown
 * Return: how many packets there were.
 */
struct output_totals output_close(struct output *output, u64 end_ns);

#endif
