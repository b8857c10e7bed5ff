/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The client (--query): queries a port mapper. */
#ifndef HCA_TOOLS_SDPMAP_QUERY_H
#define HCA_TOOLS_SDPMAP_QUERY_H

#include "tools/sdpmap/options.h"

/**
 * query_run() - query services, and print the answers
 * @options: options of --query
 *
 * Return: the exit status: 0 for PMAccept, 1 for PMDeny, 2 without an answer; the highest one if
 * there are several services.
 */
int query_run(const struct options *options);

#endif
