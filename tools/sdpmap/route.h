/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Makes the sockets of a client. */
#ifndef HCA_TOOLS_SDPMAP_ROUTE_H
#define HCA_TOOLS_SDPMAP_ROUTE_H

#include "tools/sdpmap/address.h"
#include "tools/sdpmap/endpoint.h"

/**
 * struct route - the address from which a client connects
 * @from: address and port of the client
 * @fd: a TCP socket that has the port, so that another client cannot get it meanwhile (S2-119)
 */
struct route {
	struct sdpmap_endpoint from;
	int fd;
};

/**
 * route_to() - find the source address for a service, and a free port of that address
 * @service: the service
 *
 * The program ends with a message if there is no route.
 */
struct route route_to(const struct address *service);

/**
 * route_socket() - make a UDP socket that receives errors of ICMP
 * @family: AF_INET or AF_INET6
 */
int route_socket(int family);

#endif
