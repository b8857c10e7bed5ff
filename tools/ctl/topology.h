/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* hcactl topology: functions that several of its commands use. */
#ifndef HCACTL_TOPOLOGY_H
#define HCACTL_TOPOLOGY_H

#include "grammar.h"
#include "tools/topology/topology.h"

/* Returns a report that prints errors by print_message(). */
struct report topology_report(void);

/* Reads a file; "-" is standard input. Return: 0, or an exit status after printing a message. */
int topology_read_file(const char *path, struct topology *topology);

/*
 * Prints a topology in the format of this name (NULL: the first one). Return: 0, or an exit status
 * after printing a message.
 */
int topology_print(const struct command *command, const struct topology *topology,
		   const char *format, const struct options *options);

/* Commands that have files of their own. */
int topology_generate(const struct command *command, char **args, const struct options *options);
int topology_save(const struct command *command, char **args, const struct options *options);
int topology_load(const struct command *command, char **args, const struct options *options);

#endif
