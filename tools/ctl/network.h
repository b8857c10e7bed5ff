/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Links through other networks: hcactl link add PORT udp ... or ether ... */
#ifndef HCACTL_NETWORK_H
#define HCACTL_NETWORK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <json-c/json.h>
#include "address.h"
#include "grammar.h"

struct nlattr;
struct request;

struct network {
	uint32_t kind; /* enum hca_nl_network_kind */
	uint32_t local; /* UDP port of this end; 0: any */
	union address remote;
	uint8_t peer[6]; /* Ethernet address */
	bool has_peer;
	uint32_t mtu; /* octets; 0: not given */
	/* Arguments that are NULL if they are not given. */
	char *interface;
	char *key; /* path of the file */
	char *netns;
};

/* Returns whether an argument is the name of a kind of network, and not a port. */
bool is_network(const char *argument);

/*
 * Parses all arguments that follow a port. The caller frees *network.
 * Return: 0, or an exit status after printing a message.
 */
int network_parse(const struct command *command, char **args, struct network **network);

/*
 * Puts the attributes of a network, with the contents of the key file. Return: 0, or an exit status
 * after printing a message.
 */
int network_put(struct request *request, const struct network *network);

/*
 * Parses a nest of enum hca_nl_network from a reply.
 * Return: the network, which the caller frees; NULL if there is no nest.
 */
struct network *network_read(struct nlattr *nest);

struct network *network_copy(const struct network *network);
void network_free(struct network *network); /* NULL is allowed */

/* Returns whether the existing network, @present, equals the requested one. */
bool is_network_as_wanted(const struct network *present, const struct network *wanted);

/* Prints a network as arguments of "link add". */
void network_print(FILE *file, const struct network *network);

const char *network_kind_name(uint32_t kind);

/* Parses the nest into HCA_NL_NETWORK_MAX + 1 attributes. Return: false if there is no nest. */
bool network_attributes(struct nlattr *nest, struct nlattr **attrs);

/* Converts the nest to JSON. Return: NULL if there is no nest. */
struct json_object *network_json(struct nlattr *nest);

/*
 * Print the JSON value of network_json() for people: as the arguments of "link add", and the link's
 * state on further lines.
 */
void network_print_arguments(FILE *file, struct json_object *network);
void network_print_state(struct json_object *network, const char *indent);

#endif
