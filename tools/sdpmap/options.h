/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The options of sdpmapd. */
#ifndef HCA_TOOLS_SDPMAP_OPTIONS_H
#define HCA_TOOLS_SDPMAP_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include "tools/sdpmap/address.h"
#include "tools/sdpmap/services.h"

#define OPTIONS_ADDRESSES 16

struct options {
	bool query; /* the program is a client, not the daemon */
	uint16_t port; /* UDP port of the port mapper */

	/* Options of the daemon. */
	const char *addresses[OPTIONS_ADDRESSES]; /* addresses to receive at; none: all addresses */
	unsigned int num_addresses;
	struct services services; /* services, with the rules and the path of the list of sockets */
	uint8_t pm_time;
	uint32_t timeout; /* milliseconds until a transaction without PMAck ends */
	uint32_t max_open, max_per_client; /* largest numbers of open transactions */
	uint32_t alarm; /* largest number of requests within a second that is not reported */
	bool verbose;

	/* Options of the client. */
	bool json;
	const char *mapper; /* address of the port mapper; NULL: that of each service */
	uint32_t wait; /* milliseconds to wait for a reply to the first try */
	uint32_t tries;
	char **services_asked; /* pairs of ADDRESS and PORT; ends with NULL */
};

/* Parses the command line. Exits after --help and --version, and if an option is wrong. */
void options_parse(struct options *options, int argc, char **argv);

#endif
