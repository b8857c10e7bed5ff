/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The daemon, which answers clients until a signal ends it. */
#ifndef HCA_TOOLS_SDPMAP_DAEMON_H
#define HCA_TOOLS_SDPMAP_DAEMON_H

#include "tools/sdpmap/options.h"

/**
 * daemon_run() - answer clients until SIGTERM or SIGINT is received
 * @options: options of the daemon
 */
void daemon_run(struct options *options);

#endif
