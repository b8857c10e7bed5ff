/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Options and exit statuses of hcadump. */
#ifndef HCADUMP_OPTIONS_H
#define HCADUMP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "time_style.h"

struct filter;

enum ladder_form { LADDER_NONE, LADDER_TEXT, LADDER_SVG };
enum file_format { FORMAT_OF_NAME, FORMAT_PCAP, FORMAT_PCAPNG };

enum {
	STATUS_FAILED = 1, /* the capture failed, or a packet was damaged */
	STATUS_USAGE = 2, /* the arguments are wrong */
};

struct options {
	const char **ports;
	size_t num_ports;
	const char *read; /* input file; NULL: ports are captured */
	const char *write; /* output file, or "-" */
	struct filter *filter; /* NULL: all packets are selected */
	uint64_t count; /* number of packets after which the program ends; 0: no limit */
	/* largest number of octets that are captured of a packet; 0: whole packets */
	uint32_t snap_length;
	uint32_t ring_octets;
	uint8_t directions;
	enum file_format format; /* format of the output file */
	int link_type; /* link type of the output file, a DLT_ value of <pcap/dlt.h> */
	enum time_kind time;
	/* form of the sequence diagram, which is printed instead of lines */
	enum ladder_form ladder;
	bool each_end; /* a packet that is captured at both ends is printed once for each end */
	bool flow, flush, quiet, verbose, json, check;
};

/* Parses the command line. Exits after --help and --version, and if an argument is wrong. */
void options_parse(struct options *options, int argc, char **argv);

/*
 * Returns the format of the output file. Without an option, it is pcapng if the file's name ends in
 * .pcapng, if there are more ports than a pcap file can distinguish, or if the capture has octets
 * of RNICs. Otherwise it is pcap.
 */
enum file_format options_format(const struct options *options, bool has_streams);

#endif
