/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What SDP offers on this host: who listens, as far as rules allow it. */
#ifndef HCA_TOOLS_SDPMAP_SERVICES_H
#define HCA_TOOLS_SDPMAP_SERVICES_H

#include <stdbool.h>
#include <stddef.h>
#include "tools/sdp/rules.h"
#include "tools/sdpmap/endpoint.h"

#define SERVICES_LIST "/proc/net/sdp"

/**
 * struct services - who listens
 * @path: the list of sockets
 * @rules: rules of files, in their order
 * @num_rules: how many files there are
 * @listeners: the sockets that listen
 * @count: how many there are
 * @is_read: the list was read since services_renew()
 * @error: why it cannot be read, a value of errno, or 0
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
 * services_add_rules() - read a file of rules; the program ends with a message if it is wrong
 * @services: to which it is added
 * @path: its name
 */
void services_add_rules(struct services *services, const char *path);

/**
 * services_renew() - what was read may have changed, and is read again before it is used
 * @services: who listens
 */
void services_renew(struct services *services);

/**
 * services_listens() - whether somebody listens at an address and port, and rules allow it
 * @context: struct services *
 * @service: the address and port
 */
bool services_listens(void *context, const struct sdpmap_endpoint *service);

/**
 * services_free() - free what was read
 * @services: who listens
 */
void services_free(struct services *services);

#endif
