/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Addresses of sockets, and their text form. */
#ifndef HCA_TOOLS_SDPMAP_ADDRESS_H
#define HCA_TOOLS_SDPMAP_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include "tools/sdpmap/endpoint.h"

/**
 * struct address - the address of a socket of IPv4 or IPv6
 * @any: an address of either family
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

#define ADDRESS_TEXT 64 /* octets of an address and port as text, with the NUL at its end */

/**
 * address_parse() - parse an IP address
 * @address: set to the address and @port
 * @text: the address, as in 10.9.9.1, 2001:db8::1 or fe80::1%ib0; a name is not accepted
 * @port: the port
 *
 * Return: whether @text is an address.
 */
bool address_parse(struct address *address, const char *text, uint16_t port);

/**
 * address_size() - the number of octets of an address, which depends on its family
 * @address: the address
 */
socklen_t address_size(const struct address *address);

/**
 * address_endpoint() - an address in the form of messages
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
 * @text: the place for the text
 *
 * Return: @text.
 */
const char *address_host(const struct sdpmap_endpoint *endpoint, char text[ADDRESS_TEXT]);

/**
 * address_text() - write an address and a port, as in 10.9.9.1:80 or [2001:db8::1]:80
 * @endpoint: the address and port
 * @text: the place for the text
 *
 * Return: @text.
 */
const char *address_text(const struct sdpmap_endpoint *endpoint, char text[ADDRESS_TEXT]);

#endif
