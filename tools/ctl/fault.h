/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Faults of cables, which hcactl link set installs. */
#ifndef HCACTL_FAULT_H
#define HCACTL_FAULT_H

#include <stdbool.h>
#include <stdio.h>
#include "grammar.h"
#include "setup.h"

struct nlattr;

/* One kind of fault. */
struct fault_kind {
	const char *name; /* keyword of the command line, and key in JSON */
	const char *counted; /* key in JSON of the number of packets hit */
	int chance, count; /* attributes of the probability and of the number of packets hit */
};

extern const struct fault_kind fault_kinds[NUM_FAULT_KINDS];

/* Commands of "link set". */
int fault_run(const struct command *command, char **args, const struct options *options);
int fault_plan(const struct command *command, char **args, struct setup *setup);

/*
 * Install a fault at one direction of a cable, or remove it.
 * Return: 0, or an exit status after printing a message.
 */
int fault_make(const struct fault *fault);
int fault_remove(const struct fault *fault);

/*
 * Parses a nest of enum hca_nl_fault from a reply into HCA_NL_FAULT_MAX + 1 attributes.
 * Return: false if there is no nest.
 */
bool fault_attributes(struct nlattr *nest, struct nlattr **attrs);

/*
 * Sets the values of @fault, but not its cable, from two nests, each of which may be NULL.
 * fault->opcode points into the first nest.
 */
void fault_read(struct nlattr *nest, struct nlattr *shape, struct fault *fault);

/* Compare the cable and direction of two faults, or all values of two faults of one direction. */
bool same_direction(const struct fault *one, const struct fault *other);
bool is_as_wanted(const struct fault *present, const struct fault *wanted);

/* Returns whether a fault with these values has no effect, so that it need not be installed. */
bool is_none(const struct fault *fault);

/* Prints a fault as a line of a file of commands. */
void print_fault_line(FILE *file, const struct fault *fault);

#endif
