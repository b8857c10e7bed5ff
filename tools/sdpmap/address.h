/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Addresses of sockets, and how they are written. */
#ifndef HCA_TOOLS_SDPMAP_ADDRESS_H
#define HCA_TOOLS_SDPMAP_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include "tools/sdpmap/endpoint.h"

/**
 * struct address - the address of a socket of IPv4 or IPv6
 * @any: the address, of whichever family
 * @in: an IPv4 address
 * @in6: an IPv6 address
 */
struct address {
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	};
};

#define ADDRESS_TEXT 64 /* octets of an address and port as a text, with the NUL that ends it */

/**
 * address_parse() - read an IP address
 * @address: set to it, and to @port
 * @text: as 10.9.9.1, 2001:db8::1 or fe80::1%ib0; not a name
 * @port: the port
 *
 * Return: whether it is one.
 */
bool address_parse(struct address *address, const char *text, uint16_t port);

/**
 * address_size() - octets that its family needs
 * @address: the address
 */
socklen_t address_size(const struct address *address);

/**
 * address_endpoint() - an address in the form that messages have
 * @address: the address
 */
struct sdpmap_endpoint address_endpoint(const struct address *address);

/**
 * address_of() - the address of a socket for an endpoint
 * @endpoint: the endpoint
 */
struct address address_of(const struct sdpmap_endpoint *endpoint);

/**
 * address_host() - write an address without its port
 * @endpoint: the address
 * @text: where it is written
 *
 * Return: @text.
 */
const char *address_host(const struct sdpmap_endpoint *endpoint, char text[ADDRESS_TEXT]);

/**
 * address_text() - write an address and a port, as 10.9.9.1:80 or [2001:db8::1]:80
 * @endpoint: the address and port
 * @text: where it is written
 *
 * Return: @text.
 */
const char *address_text(const struct sdpmap_endpoint *endpoint, char text[ADDRESS_TEXT]);

#endif
