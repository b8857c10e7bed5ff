/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The options of sdprun. */
#ifndef HCA_TOOLS_SDP_OPTIONS_H
#define HCA_TOOLS_SDP_OPTIONS_H

#include <stdbool.h>

struct options {
	bool both;
	bool map;
	bool verbose;
	/* the command is statically linked, so a BPF program replaces the library */
	bool is_static;
	const char *conf; /* path of a file of rules, or NULL */
	const char *check; /* path of a file of rules that is only checked, or NULL */
	/* name and arguments of the command, followed by NULL; NULL if @check is set */
	char **command;
};

/* Parses the command line. Exits after --help and --version, and if an option is wrong. */
void options_parse(struct options *options, int argc, char **argv);

#endif
