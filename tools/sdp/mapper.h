/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The client of SDP's port mapper in libhca-sdprun.so. */
#ifndef HCA_TOOLS_SDP_MAPPER_H
#define HCA_TOOLS_SDP_MAPPER_H

#include "tools/sdp/rules.h"
#include "tools/sdpmap/address.h"

/**
 * mapper_find() - find the SDP address of a service by its port mapper
 * @mapper: the port mapper
 * @fd: the SDP socket that is to connect; it is bound to a port afterwards
 * @domain: domain of the socket: AF_INET or AF_INET6
 * @service: the address that the program connects to, a complete one of AF_INET or AF_INET6
 * @sdp: set to the SDP address, of the family of @service, if there is one
 *
 * A cached mapping is used as long as PmTime allows. Otherwise PMReq is sent up to four times, and
 * the wait for an answer takes at most 3.75 seconds. Signals do not end the wait. The function
 * neither allocates memory nor waits for another thread.
 *
 * Context: any, including signal handlers.
 *
 * Return: NULL if the program is to connect to @sdp by SDP; otherwise, with errno set, the reason
 * why it is to connect to @service by TCP.
 */
const char *mapper_find(const struct sdp_rules_mapper *mapper, int fd, int domain,
			const struct sockaddr *service, struct address *sdp);

/**
 * mapper_remove() - remove a mapping from the cache, because its SDP address cannot be reached
 * @service: the address of the service that was passed to mapper_find()
 *
 * Context: any, including signal handlers.
 */
void mapper_remove(const struct sockaddr *service);

#endif
