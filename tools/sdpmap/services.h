/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The services of this host: listening SDP sockets, as far as rules allow them. */
#ifndef HCA_TOOLS_SDPMAP_SERVICES_H
#define HCA_TOOLS_SDPMAP_SERVICES_H

#include <stdbool.h>
#include <stddef.h>
#include "tools/sdp/rules.h"
#include "tools/sdpmap/endpoint.h"

#define SERVICES_LIST "/proc/net/sdp"

/**
 * struct services - the services of this host
 * @path: path of the list of sockets
 * @rules: rules of each file, in the order of the files
 * @num_rules: number of files
 * @listeners: addresses of the listening sockets
 * @count: number of listening sockets
 * @is_read: the list has been read since services_renew()
 * @error: errno of the failure to read the list, or 0
 */
struct services {
	const char *path;
	struct sdp_rules *rules;
	unsigned int num_rules;
	struct sdpmap_endpoint *listeners;
	size_t count;
	bool is_read;
	int error;
};

/**
 * services_add_rules() - add a file of rules, or end the program with a message
 * @services: the services that the rules are for
 * @path: path of the file
 */
void services_add_rules(struct services *services, const char *path);

/**
 * services_renew() - have the list read again before its next use, since it may have changed
 * @services: the services
 */
void services_renew(struct services *services);

/**
 * services_listens() - whether a socket listens at an address and port, and rules allow that
 * @context: struct services *
 * @service: the address and port
 */
bool services_listens(void *context, const struct sdpmap_endpoint *service);

/**
 * services_free() - free the list of listening sockets
 * @services: the services
 */
void services_free(struct services *services);

#endif
