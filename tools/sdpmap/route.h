/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Finds the address and port from which a client connects, and makes the client's sockets. */
#ifndef HCA_TOOLS_SDPMAP_ROUTE_H
#define HCA_TOOLS_SDPMAP_ROUTE_H

#include "tools/sdpmap/address.h"
#include "tools/sdpmap/endpoint.h"

/**
 * struct route - the address and port from which a client connects
 * @from: address and port of the client
 * @fd: a TCP socket that is bound to @from, so that no other client gets the port meanwhile
 *      (S2-119)
 */
struct route {
	struct sdpmap_endpoint from;
	int fd;
};

/**
 * route_to() - find the source address of the route to a service, and reserve a free port
 * @service: the address of the service
 *
 * The program ends with a message if there is no route.
 */
struct route route_to(const struct address *service);

/**
 * route_socket() - make a UDP socket that receives ICMP errors
 * @family: AF_INET or AF_INET6
 *
 * The program ends with a message if the socket cannot be made.
 */
int route_socket(int family);

#endif
