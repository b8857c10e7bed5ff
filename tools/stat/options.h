/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The options of sdpstat, and the selection of sockets by them. */
#ifndef HCA_TOOLS_STAT_OPTIONS_H
#define HCA_TOOLS_STAT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include "tools/stat/read.h"

struct options {
	bool listening;
	bool all;
	/* the option is accepted without an effect, because ports are always printed as numbers */
	bool numeric;
	bool extended;
	bool processes;
	bool json;
	bool watch;
	uint16_t sport; /* local port of the selected sockets; 0: any port */
	uint16_t dport;
	const char *from; /* path of the file that lists the sockets */
};

/* Parses the command line. Exits after --help and --version, and if an option is wrong. */
void options_parse(struct options *options, int argc, char **argv);

/* Returns whether the options select a socket. */
bool options_choose(const struct options *options, const struct sdp_socket *socket);

#endif
