/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The services of this host, which are the listening SDP sockets that the rules allow. */
#ifndef HCA_TOOLS_SDPMAP_SERVICES_H
#define HCA_TOOLS_SDPMAP_SERVICES_H

#include <stdbool.h>
#include <stddef.h>
#include "tools/sdp/rules.h"
#include "tools/sdpmap/endpoint.h"

#define SERVICES_LIST "/proc/net/sdp"

/**
 * struct services - the services of this host
 * @path: path of the list of sockets, such as /proc/net/sdp
 * @rules: rules of each file, in the order in which the files were added
 * @num_rules: number of files of rules
 * @listeners: addresses and ports of the listening sockets
 * @count: number of listening sockets
 * @is_read: the list has been read after the last call of services_renew()
 * @error: errno of the last attempt to read the list, or 0
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
 * @services: the services to which the rules apply
 * @path: path of the file
 */
void services_add_rules(struct services *services, const char *path);

/**
 * services_renew() - require that the list of sockets is read again before its next use
 * @services: the services of this host
 */
void services_renew(struct services *services);

/**
 * services_listens() - whether this host has a service
 * @context: the services of this host (struct services)
 * @service: address and port of the service
 *
 * Return: true if a socket listens at the address and port, and the rules allow SDP for them.
 */
bool services_listens(void *context, const struct sdpmap_endpoint *service);

/**
 * services_free() - free the list of listening sockets
 * @services: the services of this host
 */
void services_free(struct services *services);

#endif
