/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The options of sdprun. */
#ifndef HCA_TOOLS_SDP_OPTIONS_H
#define HCA_TOOLS_SDP_OPTIONS_H

#include <stdbool.h>

struct options {
	bool both;
	bool map;
	bool verbose;
	bool is_static; /* the command has no C library that another one can stand in front of */
	const char *conf; /* a file of rules; NULL: none was named */
	const char *check; /* a file of rules that is to be checked, or NULL */
	char **command; /* ends with NULL; NULL, too, if @check is not */
};

/* Parses the command line. Exits after --help and --version, and if an option is wrong. */
void options_parse(struct options *options, int argc, char **argv);

#endif
