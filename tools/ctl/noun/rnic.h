/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* RNICs: their interfaces and options, as arguments, in requests and in answers. */
#ifndef HCACTL_RNIC_H
#define HCACTL_RNIC_H

#include <json-c/json.h>
#include <net/if.h>
#include <netlink/attr.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/ctl/grammar.h"
#include "tools/ctl/kernel/request.h"

/* Keywords of "device add NAME type rnic", in the order of their values. */
enum {
	RNIC_NETDEV,
	RNIC_ADDRESS,
	RNIC_NETNS,
	RNIC_OPTIONS, /* the first option */
	RNIC_CRC = RNIC_OPTIONS,
	RNIC_MARKERS,
	RNIC_STRICT,
	RNIC_MPA,
	RNIC_RTR,
	RNIC_TIMEOUT,
	NUM_RNIC_KEYWORDS,
};

#define NUM_RNIC_OPTIONS (NUM_RNIC_KEYWORDS - RNIC_OPTIONS)

/* Initializers of an array of keywords, from the index @first on. */
#define RNIC_KEYWORD_NAMES(first) \
	[(first) + RNIC_NETDEV] = "netdev", [(first) + RNIC_ADDRESS] = "address", \
	[(first) + RNIC_NETNS] = "netns", [(first) + RNIC_CRC] = "crc", \
	[(first) + RNIC_MARKERS] = "markers", [(first) + RNIC_STRICT] = "strict", \
	[(first) + RNIC_MPA] = "mpa", [(first) + RNIC_RTR] = "rtr", \
	[(first) + RNIC_TIMEOUT] = "timeout"

struct rnic {
	char *netdev; /* name of the interface; NULL: the device is not an RNIC */
	char *netns; /* network namespace of the interface; NULL: the initial one */
	int family; /* family of the address; 0: there is no address */
	uint8_t address[16];
	/* values of the options that differ from the default; bit n of @given is option n */
	uint32_t given, option[NUM_RNIC_OPTIONS];
};

/*
 * Reads the values of the keywords. The caller frees @rnic, too, if the function fails. Return: 0,
 * or an exit status after printing a message.
 */
int rnic_parse(const struct command *command, const char **values, struct rnic *rnic);

/* Copies and frees the strings of an RNIC. */
void rnic_copy(struct rnic *copy);
void rnic_free(struct rnic *rnic);

/* Puts an RNIC into a request. Return: 0, or an exit status after printing a message. */
int rnic_put(struct request *request, const struct rnic *rnic);

/* Reads the attribute HCA_NL_DEVICE_RNIC, or NULL. */
void rnic_read(struct nlattr *nest, struct rnic *rnic);

/* Returns whether two RNICs have the same interface, address and options. */
bool rnic_equal(const struct rnic *one, const struct rnic *other);

/* Prints an RNIC as arguments of "device add", with a space before each. */
void rnic_print(FILE *file, const struct rnic *rnic);

/* Returns the attribute HCA_NL_DEVICE_RNIC as a JSON object; NULL if there is none. */
struct json_object *rnic_json(struct nlattr *nest);

/* Prints a value of rnic_json() as a line of text. */
void rnic_print_state(struct json_object *rnic);

#endif
