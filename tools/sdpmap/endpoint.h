/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* An IP address and a port in the format of the port mapper's messages. */
#ifndef HCA_TOOLS_SDPMAP_ENDPOINT_H
#define HCA_TOOLS_SDPMAP_ENDPOINT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SDPMAP_ADDRESS 16 /* size in octets of an address in a message */

/**
 * struct sdpmap_endpoint - an IP address and a port
 * @ip_version: 4 or 6
 * @address: address in network byte order; the octets after an IPv4 address are 0
 * @port: port in host byte order
 */
struct sdpmap_endpoint {
	uint8_t ip_version;
	uint8_t address[SDPMAP_ADDRESS];
	uint16_t port;
};

/**
 * sdpmap_same_address() - whether two endpoints have the same address, with any ports
 * @a: an address and port
 * @b: another address and port
 */
static inline bool sdpmap_same_address(const struct sdpmap_endpoint *a,
				       const struct sdpmap_endpoint *b)
{
	return a->ip_version == b->ip_version && !memcmp(a->address, b->address, SDPMAP_ADDRESS);
}

/**
 * sdpmap_same_endpoint() - whether two endpoints have the same address and the same port
 * @a: an address and port
 * @b: another address and port
 */
static inline bool sdpmap_same_endpoint(const struct sdpmap_endpoint *a,
					const struct sdpmap_endpoint *b)
{
	return a->port == b->port && sdpmap_same_address(a, b);
}

#endif
