/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* --query: asks a port mapper. */
#ifndef HCA_TOOLS_SDPMAP_QUERY_H
#define HCA_TOOLS_SDPMAP_QUERY_H

#include "tools/sdpmap/options.h"

/**
 * query_run() - ask about services, and print the answers
 * @options: those of --query
 *
 * Return: the exit status: 0 for PMAccept, 1 for PMDeny, 2 without an answer; of several services
 * the highest.
 */
int query_run(const struct options *options);

#endif
