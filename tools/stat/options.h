/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The options of sdpstat, and which sockets they choose. */
#ifndef HCA_TOOLS_STAT_OPTIONS_H
#define HCA_TOOLS_STAT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include "tools/stat/read.h"

struct options {
	bool listening;
	bool all;
	bool numeric; /* accepted: ports are always numbers */
	bool extended;
	bool processes;
	bool json;
	bool watch;
	uint16_t sport; /* 0: any */
	uint16_t dport;
	const char *from; /* the file that is read */
};

/* Parses the command line. Exits after --help and --version, and if an option is wrong. */
void options_parse(struct options *options, int argc, char **argv);

/* Whether a socket is to be printed. */
bool options_choose(const struct options *options, const struct sdp_socket *socket);

#endif
