/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* hcactl topology: functions that several of its commands use. */
#ifndef HCACTL_TOPOLOGY_H
#define HCACTL_TOPOLOGY_H

#include "grammar.h"
#include "tools/topology/topology.h"

/* Returns a report that prints errors by print_message(). */
struct report topology_report(void);

/* What stands for the fabric of this kernel in the place of a file. */
#define LIVE "live"

/*
 * Reads a file; "-" is standard input, and LIVE is not a file. On failure the topology is empty.
 * Return: 0, or an exit status after printing a message.
 */
int topology_read_file(const char *path, struct topology *topology);

/*
 * Reads the devices and links that exist. The caller clears the topology in either case.
 * Return: 0, or an exit status after printing a message.
 */
int topology_read_live(struct topology *topology);

/*
 * Prints a topology in the format of this name (NULL: the first one). Return: 0, or an exit status
 * after printing a message.
 */
int topology_print(const struct command *command, const struct topology *topology,
		   const char *format, const struct options *options);

/* Arguments of the commands that draw, and their help. */
#define TOPOLOGY_PICTURE_ARGUMENTS "[hosts HOW] [switches HOW] [expand NAMES]"
#define TOPOLOGY_PICTURE_HELP \
	"  hosts     each: a box for each adapter; grouped: one for those that have the\n" \
	"            same switches. If not given, large ones are grouped\n" \
	"  switches  each, or grouped: one box for those of a level that have the same\n" \
	"            neighbours above or below. If not given, very large ones are grouped\n" \
	"  expand    switches, with commas between, that have boxes of their own, as have\n" \
	"            their adapters\n"

/* Commands that have files of their own. */
int topology_diff_run(const struct command *command, char **args, const struct options *options);
int topology_dot(const struct command *command, char **args, const struct options *options);
int topology_svg(const struct command *command, char **args, const struct options *options);
int topology_generate(const struct command *command, char **args, const struct options *options);
int topology_save(const struct command *command, char **args, const struct options *options);
int topology_load(const struct command *command, char **args, const struct options *options);

#endif
