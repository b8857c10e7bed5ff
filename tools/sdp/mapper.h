/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The client of SDP's port mapper in libhca-sdprun.so. */
#ifndef HCA_TOOLS_SDP_MAPPER_H
#define HCA_TOOLS_SDP_MAPPER_H

#include "tools/sdp/rules.h"
#include "tools/sdpmap/address.h"

/**
 * mapper_find() - where a service is connected to by SDP, if its port mapper has it so
 * @mapper: the port mapper
 * @fd: the SDP socket that is to connect, which has a port of its own afterwards
 * @domain: the socket's: AF_INET or AF_INET6
 * @service: where the program connects to: an address of AF_INET or AF_INET6, as long as that
 *           family needs
 * @sdp: set to the SDP address, of the family of @service, if there is one
 *
 * A mapping is used again as long as PmTime allows. Otherwise PMReq is sent, four times at most,
 * and an answer is waited for, 3.75 seconds at most. Signals do not end the wait. Nothing is
 * allocated, no other thread is waited for, and signal handlers may call it.
 *
 * Return: NULL, and connect to @sdp by SDP; or a text of why @service is connected to by TCP, with
 * errno.
 */
const char *mapper_find(const struct sdp_rules_mapper *mapper, int fd, int domain,
			const struct sockaddr *service, struct address *sdp);

/**
 * mapper_remove() - a mapping has led nowhere, and is not used again
 * @service: where the program connects to, as of mapper_find()
 *
 * Signal handlers may call it.
 */
void mapper_remove(const struct sockaddr *service);

#endif
