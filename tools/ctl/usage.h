/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints the usage of a command. */
#ifndef HCACTL_USAGE_H
#define HCACTL_USAGE_H

#include <stdio.h>

struct command;

/*
 * Prints the usage of a command in lines of at most 80 columns. @before is the beginning of the
 * first line, and must be as long as "usage: ".
 */
void print_usage(FILE *file, const char *before, const struct command *command);

#endif
