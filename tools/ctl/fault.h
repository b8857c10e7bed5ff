/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* hcactl link set: what cables do to packets. */
#ifndef HCACTL_FAULT_H
#define HCACTL_FAULT_H

#include <stdbool.h>
#include <stdio.h>
#include "grammar.h"
#include "setup.h"

struct nlattr;

/* What there is to know of each kind of fault. */
struct fault_kind {
	const char *name; /* the keyword; also a key in JSON */
	const char *counted; /* the same for how often it has happened */
	int chance, count; /* attributes of enum hca_nl_fault */
};

extern const struct fault_kind fault_kinds[NUM_FAULT_KINDS];

/* The commands of "link set". */
int fault_run(const struct command *command, char **args, const struct options *options);
int fault_plan(const struct command *command, char **args, struct setup *setup);

/* Ask the kernel for it, or for none. Return: 0; or exit status, and it has been said why. */
int fault_make(const struct fault *fault);
int fault_remove(const struct fault *fault);

/*
 * Of an answer: a nest of enum hca_nl_fault, parsed, HCA_NL_FAULT_MAX + 1 attributes.
 * Return: false: there is none.
 */
bool fault_attributes(struct nlattr *nest, struct nlattr **attrs);

/*
 * The fault itself, of two nests, each of which may be NULL, without the cable; its opcode lives as
 * long as the first.
 */
void fault_read(struct nlattr *nest, struct nlattr *shape, struct fault *fault);

/* Of the same direction of the same cable; and whether what happens there is what is wanted. */
bool same_direction(const struct fault *one, const struct fault *other);
bool is_as_wanted(const struct fault *present, const struct fault *wanted);

/* It does nothing: there shall be none. */
bool is_none(const struct fault *fault);

/* As a line of a file, which is a command. */
void print_fault_line(FILE *file, const struct fault *fault);

#endif
