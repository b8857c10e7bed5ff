/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Faults of cables, which "hcactl link set" installs. */
#ifndef HCACTL_FAULT_H
#define HCACTL_FAULT_H

#include <stdbool.h>
#include <stdio.h>
#include "tools/ctl/grammar.h"
#include "tools/ctl/setup.h"

struct nlattr;

/* One kind of fault */
struct fault_kind {
	const char *name; /* keyword of the command line, and key in JSON */
	const char *counted; /* key in JSON for the number of packets that the fault has hit */
	/*
	 * netlink attributes: @chance contains the probability of the fault, and @count the number
	 * of packets that the fault has hit
	 */
	int chance, count;
};

extern const struct fault_kind fault_kinds[NUM_FAULT_KINDS];

/* Functions that run the command "link set", or add its faults to a setup. */
int fault_run(const struct command *command, char **args, const struct options *options);
int fault_plan(const struct command *command, char **args, struct setup *setup);

/*
 * Functions that install or remove a fault in one direction of a cable. Return: 0, or an exit
 * status after printing a message.
 */
int fault_make(const struct fault *fault);
int fault_remove(const struct fault *fault);

/*
 * Parses @nest, a nested attribute with attributes of enum hca_nl_fault, into an array of
 * HCA_NL_FAULT_MAX + 1 attributes. Return: false if @nest is NULL or not valid.
 */
bool fault_attributes(struct nlattr *nest, struct nlattr **attrs);

/*
 * Sets all values of @fault except the cable. @nest contains attributes of enum hca_nl_fault, and
 * @shape contains attributes of enum hca_nl_shape. @nest, @shape or both may be NULL.
 */
void fault_read(struct nlattr *nest, struct nlattr *shape, struct fault *fault);

/* Returns whether an installed fault has the values of the requested fault. */
bool is_as_wanted(const struct fault *present, const struct fault *wanted);

/* Returns whether a fault has no effect. Such a fault need not be installed. */
bool is_none(const struct fault *fault);

/* Prints a fault as a "link set" line of a file that hca.conf(5) describes. */
void print_fault_line(FILE *file, const struct fault *fault);

#endif
