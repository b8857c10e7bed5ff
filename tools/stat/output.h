/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints sockets. */
#ifndef HCA_TOOLS_STAT_OUTPUT_H
#define HCA_TOOLS_STAT_OUTPUT_H

#include "tools/stat/options.h"
#include "tools/stat/process.h"
#include "tools/stat/read.h"

/**
 * output_text() - print the selected sockets as a table
 * @sockets: all sockets
 * @processes: all descriptors of sockets, with their processes
 * @options: options of sdpstat, which select sockets
 */
void output_text(const struct sdp_sockets *sockets, const struct processes *processes,
		 const struct options *options);

/**
 * output_json() - print the selected sockets as a JSON array on one line
 * @sockets: all sockets
 * @processes: all descriptors of sockets, with their processes
 * @options: options of sdpstat, which select sockets
 */
void output_json(const struct sdp_sockets *sockets, const struct processes *processes,
		 const struct options *options);

#endif
