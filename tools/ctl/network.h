/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Links through other networks: hcactl link add A udp ..., and ether. */
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
	uint32_t local; /* UDP port at this end; 0: any */
	union address remote;
	uint8_t peer[6]; /* of Ethernet */
	bool has_peer;
	uint32_t mtu; /* octets; 0: not given */
	/* Each NULL if there is none: */
	char *interface;
	char *key; /* name of the file */
	char *netns;
};

/* Whether a word says that a link goes through a network, not to a port. */
bool is_network(const char *word);

/*
 * What follows a port, all of the rest of the arguments. *network: to be freed.
 * Return: 0, or exit status, and it has been said why.
 */
int network_parse(const struct command *command, char **args, struct network **network);

/* Put it, with the contents of the key's file. Return: 0, or exit status likewise. */
int network_put(struct request *request, const struct network *network);

/* Of an answer: a nest of enum hca_nl_network. NULL: there is none. To be freed. */
struct network *network_read(struct nlattr *nest);

struct network *network_copy(const struct network *network);
void network_free(struct network *network); /* NULL: nothing */

/* Whether what there is, @present, is what @wanted asks for. */
bool is_network_as_wanted(const struct network *present, const struct network *wanted);

/* As arguments of "link add". */
void network_print(FILE *file, const struct network *network);

const char *network_kind_name(uint32_t kind);

/* Of an answer: the nest, parsed, HCA_NL_NETWORK_MAX + 1 attributes. Return: false: there is none. */
bool network_attributes(struct nlattr *nest, struct nlattr **attrs);

/* What there is, as JSON, of the same nest; NULL: there is none. */
struct json_object *network_json(struct nlattr *nest);

/* Of that, for people: the arguments of "link add", and what has become of it, on lines of their own. */
void network_print_arguments(struct json_object *network);
void network_print_state(struct json_object *network, const char *indent);

#endif
