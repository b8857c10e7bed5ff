/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The client (--query), which asks a port mapper for the SDP addresses of services. */
#ifndef HCA_TOOLS_SDPMAP_QUERY_H
#define HCA_TOOLS_SDPMAP_QUERY_H

#include "tools/sdpmap/options.h"

/**
 * query_run() - ask for the SDP addresses of services, and print the answers
 * @options: options of --query
 *
 * Return: the exit status: 0 for PMAccept, 1 for PMDeny, 2 if there is no answer. If @options name
 * several services, the highest of their statuses is returned.
 */
int query_run(const struct options *options);

#endif
