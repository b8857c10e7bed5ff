/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Addresses of links' remote ends, and network namespaces. */
#ifndef HCACTL_ADDRESS_H
#define HCACTL_ADDRESS_H

#include <netinet/in.h>
#include <stdint.h>
#include "tools/ctl/grammar.h"

union address {
	struct sockaddr any; /* sa_family is 0 if there is no address */
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

#define ADDRESS_TEXT 80 /* size in octets of an address as text, with the 0 at its end */

/*
 * Resolves HOST:PORT in the network namespace @netns (NULL: the current one). HOST is a name, an
 * IPv4 address, or an IPv6 address in brackets. Return: 0, or an exit status after printing a
 * message.
 */
int address_find(const struct command *command, const char *text, const char *netns,
		 union address *address);

/*
 * Writes an address as HOST:PORT, in the syntax of address_find(). Return: @text, a buffer of
 * ADDRESS_TEXT octets.
 */
const char *address_text(const union address *address, char *text);

/* Writes the Ethernet address @octets as text, as in 02:00:00:00:00:01. Return: @text. */
const char *station_text(const uint8_t *octets, char *text);

/*
 * Opens a network namespace. @netns is a path, or a name that ip-netns(8) knows. Return: a file
 * descriptor; -1 after printing a message.
 */
int netns_open(const char *netns);

/*
 * Returns a name of the network namespace with the inode number @inode; "net:[@inode]" if it does
 * not have a name. The caller frees the name.
 */
char *netns_name(uint32_t inode);

#endif
