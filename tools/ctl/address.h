/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Addresses of the remote ends of links, and their network namespaces. */
#ifndef HCACTL_ADDRESS_H
#define HCACTL_ADDRESS_H

#include <stdint.h>
#include <netinet/in.h>
#include "grammar.h"

union address {
	struct sockaddr any; /* sa_family is 0 if there is no address */
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

#define ADDRESS_TEXT 80 /* octets of an address as text, with the 0 at its end */

/*
 * Resolves HOST:PORT, where HOST is a name, an IPv4 address, or an IPv6 address in brackets, in the
 * network namespace @netns (NULL: the current one).
 * Return: 0, or an exit status after printing a message.
 */
int address_find(const struct command *command, const char *text, const char *netns,
		 union address *address);

/* Writes an address in the syntax that address_find() reads. Return: @text. */
const char *address_text(const union address *address, char *text);

/* Writes an Ethernet address of 6 octets. Return: @text. */
const char *station_text(const uint8_t *octets, char *text);

/*
 * Opens a network namespace by a path, or by a name that ip-netns(8) knows.
 * Return: a file descriptor; -1 after printing a message.
 */
int netns_open(const char *netns);

/* Returns a name for the network namespace with this inode number; the caller frees it. */
char *netns_name(uint32_t inode);

#endif
