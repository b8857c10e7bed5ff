/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Options of sdpstat, and the selection of sockets. */
#ifndef HCA_TOOLS_STAT_OPTIONS_H
#define HCA_TOOLS_STAT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include "tools/stat/read.h"

struct options {
	bool listening;
	bool all;
	bool numeric; /* accepted, but without effect: ports are always numbers */
	bool extended;
	bool processes;
	bool json;
	bool watch;
	uint16_t sport; /* port of the socket; 0: any */
	uint16_t dport;
	const char *from; /* path of the file with the sockets */
};

/* Parses the command line. Exits after --help and --version, and if an option is wrong. */
void options_parse(struct options *options, int argc, char **argv);

/* Returns whether the options select a socket. */
bool options_choose(const struct options *options, const struct sdp_socket *socket);

#endif
