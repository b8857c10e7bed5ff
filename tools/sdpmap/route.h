/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Sockets of a client. */
#ifndef HCA_TOOLS_SDPMAP_ROUTE_H
#define HCA_TOOLS_SDPMAP_ROUTE_H

#include "tools/sdpmap/address.h"
#include "tools/sdpmap/endpoint.h"

/**
 * struct route - where a client connects from
 * @from: its address and port
 * @fd: a socket of TCP that has this port, so that no other client has it meanwhile (S2-119)
 */
struct route {
	struct sdpmap_endpoint from;
	int fd;
};

/**
 * route_to() - find the address that a service is connected to from, and a port that is free there
 * @service: the service
 *
 * The program ends with a message if there is no route.
 */
struct route route_to(const struct address *service);

/**
 * route_socket() - a UDP socket that has errors of ICMP
 * @family: AF_INET or AF_INET6
 */
int route_socket(int family);

#endif
