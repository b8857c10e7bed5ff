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
	bool query; /* --query: the program is a client, and not the daemon */
	uint16_t port; /* UDP port of the port mapper */

	/* Options of the daemon */
	/* addresses where requests are received; if there are none, all addresses */
	const char *addresses[OPTIONS_ADDRESSES];
	unsigned int num_addresses;
	/* services, with their rules and the path of the list of sockets */
	struct services services;
	uint8_t pm_time;
	uint32_t timeout; /* milliseconds until a transaction without PMAck ends */
	/* largest number of open transactions: in total, and of each client address */
	uint32_t max_open, max_per_client;
	uint32_t alarm; /* a warning is printed if more requests are received within a second */
	bool verbose;

	/* Options of the client */
	bool json;
	const char *mapper; /* address of the port mapper; NULL: each service's own address */
	uint32_t wait; /* milliseconds to wait for a reply to the first PMReq */
	uint32_t tries;
	char **services_asked; /* pairs of ADDRESS and PORT, followed by NULL */
};

/* Parses the command line. Exits after --help and --version, and if an option is wrong. */
void options_parse(struct options *options, int argc, char **argv);

#endif
