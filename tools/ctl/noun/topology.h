/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Functions that several commands of hcactl topology use. */
#ifndef HCACTL_TOPOLOGY_H
#define HCACTL_TOPOLOGY_H

#include "grammar.h"
#include "tools/topology/topology.h"

/* Returns a report that prints errors by print_message(). */
struct report topology_report(void);

/* The argument that selects the fabric of this kernel instead of a file. */
#define LIVE "live"

/*
 * Reads a file. "-" is standard input; LIVE is not accepted. The topology is empty on failure.
 * Return: 0, or an exit status after printing a message.
 */
int topology_read_file(const char *path, struct topology *topology);

/*
 * Reads the devices and links that exist. The caller clears the topology, also on failure.
 * Return: 0, or an exit status after printing a message.
 */
int topology_read_live(struct topology *topology);

/*
 * Prints a topology in the format of this name; NULL is the first format.
 * Return: 0, or an exit status after printing a message.
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
