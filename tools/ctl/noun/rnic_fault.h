/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Faults of what an RNIC sends: as arguments, in requests and in answers. */
#ifndef HCACTL_RNIC_FAULT_H
#define HCACTL_RNIC_FAULT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "tools/ctl/grammar.h"
#include "tools/ctl/kernel/request.h"

struct rnic_fault {
	uint32_t qpn; /* number of the only queue pair with the faults; 0: all have them */
	uint32_t kind; /* enum hca_nl_rnic_fault_kind */
	uint32_t field; /* KIND_FIELD: enum hca_nl_rnic_field */
	uint64_t value; /* as the kind says; 0 if it has none */
	/* Criteria that an FPDU must meet to be hit. The numbers are valid if has_... is true. */
	uint32_t opcode, nth, seed;
	bool has_opcode, has_nth, has_seed, once;
};

/*
 * Parses "[qp N] fault KIND ...". Return: 0, or an exit status after printing a message.
 */
int rnic_fault_parse(const struct command *command, char **args, struct rnic_fault *fault);

/* Puts faults into a request. */
void rnic_fault_put(struct request *request, const struct rnic_fault *fault);

/*
 * Reads an attribute HCA_NL_DEVICE_RNIC_FAULT. Return: false if it cannot be read, or has a kind or
 * a field that this program does not know.
 */
bool rnic_fault_read(struct nlattr *nest, struct rnic_fault *fault);

/* Returns whether the faults of an RNIC have the values of those that are requested. */
bool rnic_fault_is_as_wanted(const struct rnic_fault *present, const struct rnic_fault *wanted);

/* Prints what follows the word "fault" in the arguments of "rnic set", with a space before each. */
void rnic_fault_print_arguments(FILE *file, const struct rnic_fault *fault);

/* Returns an attribute HCA_NL_DEVICE_RNIC_FAULT as a JSON object; NULL if it cannot be read. */
struct json_object *rnic_fault_json(struct nlattr *nest);

/* Prints an array of values of rnic_fault_json() as lines of text. */
void rnic_fault_print(struct json_object *faults);

#endif
