/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Prints how a command is called. */
#ifndef HCACTL_USAGE_H
#define HCACTL_USAGE_H

#include <stdio.h>

struct command;

/*
 * Prints the usage of a command in lines of at most 80 columns. The first line begins with @before,
 * which is as long as "usage: ".
 */
void print_usage(FILE *file, const char *before, const struct command *command);

#endif
