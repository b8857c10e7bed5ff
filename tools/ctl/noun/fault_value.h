/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Faults of cables as values: compares them, and prints them as lines of a file. */
#ifndef HCACTL_FAULT_VALUE_H
#define HCACTL_FAULT_VALUE_H

#include <stdbool.h>
#include <stdio.h>
#include "tools/ctl/setup.h"

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

/* Returns whether a fault drops, corrupts or duplicates packets. */
bool fault_has_chance(const struct fault *fault);

/* Returns whether a fault has a chance or a slow VL, and so more than a shape. */
bool fault_has_any(const struct fault *fault);

/* Returns whether an installed fault has the values of the requested fault. */
bool is_as_wanted(const struct fault *present, const struct fault *wanted);

/* Returns whether a fault has no effect. Such a fault need not be installed. */
bool is_none(const struct fault *fault);

/* Prints a fault as a "link set" line of a file that hca.conf(5) describes. */
void print_fault_line(FILE *file, const struct fault *fault);

#endif
