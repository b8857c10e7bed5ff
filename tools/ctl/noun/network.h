/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Links through UDP and Ethernet networks, as in "hcactl link add PORT udp ..." and "hcactl link
 * add PORT ether ...".
 */
#ifndef HCACTL_NETWORK_H
#define HCACTL_NETWORK_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/ctl/address.h"
#include "tools/ctl/grammar.h"

struct nlattr;
struct request;

struct network {
	uint32_t kind; /* enum hca_nl_network_kind */
	uint32_t local; /* UDP port of this end; 0: any port */
	union address remote;
	uint8_t peer[6]; /* Ethernet address of the remote end */
	bool has_peer;
	uint32_t mtu; /* MTU in octets; 0: not given */
	/* Arguments, which are NULL if they are not given */
	char *interface;
	char *key; /* path of the key file */
	char *netns;
};

/* Returns whether an argument is the name of a kind of network, such as "udp", and not a port. */
bool is_network(const char *argument);

/*
 * Parses all arguments that follow the port of a link through a network. The caller frees *network.
 * Return: 0, or an exit status after printing a message.
 */
int network_parse(const struct command *command, char **args, struct network **network);

/*
 * Puts the attributes of a network into a request, including the contents of the key file. Return:
 * 0, or an exit status after printing a message.
 */
int network_put(struct request *request, const struct network *network);

/*
 * Reads a network from @nest, a nested attribute with attributes of enum hca_nl_network. Return:
 * the network, which the caller frees; NULL if @nest is NULL or not valid.
 */
struct network *network_read(struct nlattr *nest);

struct network *network_copy(const struct network *network);
void network_free(struct network *network); /* @network may be NULL */

/* Returns whether the existing network @present equals the requested network @wanted. */
bool is_network_as_wanted(const struct network *present, const struct network *wanted);

/* Prints a network as arguments of "link add". */
void network_print(FILE *file, const struct network *network);

const char *network_kind_name(uint32_t kind);

/*
 * Parses @nest, a nested attribute with attributes of enum hca_nl_network, into an array of
 * HCA_NL_NETWORK_MAX + 1 attributes. Return: false if @nest is NULL or not valid.
 */
bool network_attributes(struct nlattr *nest, struct nlattr **attrs);

/*
 * Converts @nest, a nested attribute with attributes of enum hca_nl_network, to JSON. Return: NULL
 * if @nest is NULL or not valid.
 */
struct json_object *network_json(struct nlattr *nest);

/*
 * Functions that print a value of network_json() as text. network_print_arguments() prints the
 * network as arguments of "link add". network_print_state() prints the state of the link in lines
 * that begin with @indent.
 */
void network_print_arguments(FILE *file, struct json_object *network);
void network_print_state(struct json_object *network, const char *indent);

#endif
