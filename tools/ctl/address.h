/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Addresses of the other ends of links, and the network namespaces that they are of. */
#ifndef HCACTL_ADDRESS_H
#define HCACTL_ADDRESS_H

#include <stdint.h>
#include <netinet/in.h>
#include "grammar.h"

union address {
	struct sockaddr any; /* sa_family 0: there is none */
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

#define ADDRESS_TEXT 80 /* octets of one, as text */

/*
 * Of HOST:PORT, where HOST is a name, an address of IPv4, or one of IPv6 in brackets; as seen in
 * @netns, NULL: here. Return: 0; or exit status, and it has been said why.
 */
int address_find(const struct command *command, const char *text, const char *netns,
		 union address *address);

/* Write it, as address_find() takes it. Return: @text. */
const char *address_text(const union address *address, char *text);

/* The same of an Ethernet address, 6 octets. */
const char *station_text(const uint8_t *octets, char *text);

/*
 * A namespace by its name, as ip-netns(8) knows it, or a path. Return: a file descriptor; -1: there is
 * none, and that has been said.
 */
int netns_open(const char *netns);

/* What to call the namespace with this inode number; to be freed. */
char *netns_name(uint32_t inode);

#endif
