/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Socket addresses, and their text form. */
#ifndef HCA_TOOLS_SDPMAP_ADDRESS_H
#define HCA_TOOLS_SDPMAP_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include "tools/sdpmap/endpoint.h"

/**
 * struct address - a socket address of IPv4 or IPv6
 * @any: the address, whose sa_family is AF_INET or AF_INET6
 * @in: the address if it is an IPv4 address
 * @in6: the address if it is an IPv6 address
 */
struct address {
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	};
};

#define ADDRESS_TEXT 64 /* size in octets of an address and port as text, with the NUL at its end */

/**
 * address_parse() - parse an IP address
 * @address: set to the address and @port
 * @text: the address, as in 10.9.9.1, 2001:db8::1 or fe80::1%ib0; a name is not accepted
 * @port: port number in host byte order
 *
 * Return: whether @text is an IP address.
 */
bool address_parse(struct address *address, const char *text, uint16_t port);

/**
 * address_size() - the size of a socket address in octets, which depends on its family
 * @address: the socket address
 */
socklen_t address_size(const struct address *address);

/**
 * address_endpoint() - convert a socket address to the format of port mapper messages
 * @address: the socket address
 */
struct sdpmap_endpoint address_endpoint(const struct address *address);

/**
 * address_of() - convert an address in the format of port mapper messages to a socket address
 * @endpoint: address and port in the format of port mapper messages
 */
struct address address_of(const struct sdpmap_endpoint *endpoint);

/**
 * address_host() - write an address without its port
 * @endpoint: address and port in the format of port mapper messages
 * @text: the place for the text
 *
 * Return: @text.
 */
const char *address_host(const struct sdpmap_endpoint *endpoint, char text[ADDRESS_TEXT]);

/**
 * address_text() - write an address and a port, as in 10.9.9.1:80 or [2001:db8::1]:80
 * @endpoint: address and port in the format of port mapper messages
 * @text: the place for the text
 *
 * Return: @text.
 */
const char *address_text(const struct sdpmap_endpoint *endpoint, char text[ADDRESS_TEXT]);

#endif
