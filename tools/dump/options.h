/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
#ifndef HCADUMP_OPTIONS_H
#define HCADUMP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct filter;

enum {
	STATUS_FAILED = 1, /* it could not go on, or a packet is damaged */
	STATUS_USAGE = 2, /* called wrongly */
};

struct options {
	const char **ports;
	size_t num_ports;
	const char *read; /* a file, instead of ports */
	const char *write; /* a file, or "-" */
	struct filter *filter; /* NULL: all packets */
	uint64_t count; /* 0: no end */
	uint32_t snap_length; /* 0: all of a packet */
	uint32_t ring_octets;
	uint8_t directions;
	int link_type; /* of the file that is written: a DLT_ of pcap */
	bool flow, flush, quiet, verbose, json, check;
};

/* Ends the program if it is called wrongly, or asked for help. */
void options_parse(struct options *options, int argc, char **argv);

#endif
