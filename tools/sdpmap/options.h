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
	bool query; /* ask, rather than answer */
	uint16_t port; /* of UDP */

	/* of the daemon */
	const char *addresses[OPTIONS_ADDRESSES]; /* to receive at; if there are none, all */
	unsigned int num_addresses;
	struct services services; /* with the rules and the path of the list */
	uint8_t pm_time;
	uint32_t timeout; /* milliseconds until a transaction without PMAck ends */
	uint32_t max_open, max_per_client; /* transactions */
	uint32_t alarm; /* more requests than this within a second are reported */
	bool verbose;

	/* of the client */
	bool json;
	const char *mapper; /* the address of the port mapper; NULL: of each service */
	uint32_t wait; /* milliseconds for a reply to the first try */
	uint32_t tries;
	char **services_asked; /* ADDRESS and PORT in turns; ends with NULL */
};

/* Parses the command line. Exits after --help and --version, and if an option is wrong. */
void options_parse(struct options *options, int argc, char **argv);

#endif
