/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* hcactl topology: what its commands have in common. */
#ifndef HCACTL_TOPOLOGY_H
#define HCACTL_TOPOLOGY_H

#include "grammar.h"
#include "tools/topology/topology.h"

/* Reports faults by print_message(). */
struct report topology_report(void);

/* Read a file; "-" is standard input. Return: 0; or exit status, and it has been said why. */
int topology_read_file(const char *path, struct topology *topology);

/* In one of the formats; NULL: the first. Return: 0; or exit status likewise. */
int topology_print(const struct command *command, const struct topology *topology,
		   const char *format, const struct options *options);

/* The commands that have files of their own. */
int topology_generate(const struct command *command, char **args, const struct options *options);
int topology_save(const struct command *command, char **args, const struct options *options);
int topology_load(const struct command *command, char **args, const struct options *options);

#endif
