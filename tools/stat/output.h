/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints sockets. */
#ifndef HCA_TOOLS_STAT_OUTPUT_H
#define HCA_TOOLS_STAT_OUTPUT_H

#include "tools/stat/options.h"
#include "tools/stat/process.h"
#include "tools/stat/read.h"

/**
 * output_text() - print a table of the sockets that are chosen
 * @sockets: all of them
 * @processes: that have sockets
 * @options: of the program
 */
void output_text(const struct sdp_sockets *sockets, const struct processes *processes,
		 const struct options *options);

/**
 * output_json() - print the sockets that are chosen as an array of JSON, in a line
 * @sockets: all of them
 * @processes: that have sockets
 * @options: of the program
 */
void output_json(const struct sdp_sockets *sockets, const struct processes *processes,
		 const struct options *options);

#endif
