/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Functions that several commands of hcactl topology use. */
#ifndef HCACTL_TOPOLOGY_H
#define HCACTL_TOPOLOGY_H

#include "tools/ctl/grammar.h"
#include "tools/topology/topology.h"

/* Returns a struct report whose errors are printed by print_message(). */
struct report topology_report(void);

/* The argument that stands for the fabric of this kernel instead of a file */
#define LIVE "live"

/*
 * Reads the topology of a file. "-" is standard input, and LIVE is not accepted. If it fails, the
 * topology is empty. Return: 0, or an exit status after printing a message.
 */
int topology_read_file(const char *path, struct topology *topology);

/*
 * Reads the topology of the existing devices and links. The caller clears the topology, even after
 * a failure. Return: 0, or an exit status after printing a message.
 */
int topology_read_live(struct topology *topology);

/*
 * Prints a topology in the format with the name @format. If @format is NULL, the first format is
 * used. Return: 0, or an exit status after printing a message.
 */
int topology_print(const struct command *command, const struct topology *topology,
		   const char *format, const struct options *options);

/* Arguments and help of the commands that draw a topology. */
#define TOPOLOGY_PICTURE_ARGUMENTS "[hosts HOW] [switches HOW] [expand NAMES]"
#define TOPOLOGY_PICTURE_HELP \
	"  hosts     each: a box for each adapter; grouped: one for those that have the\n" \
	"            same switches. If not given, large ones are grouped\n" \
	"  switches  each, or grouped: one box for those of a level that have the same\n" \
	"            neighbors above or below. If not given, very large ones are grouped\n" \
	"  expand    switches, with commas between, that have boxes of their own, as have\n" \
	"            their adapters\n"

/* Commands that other files than topology.c define. */
int topology_diff_run(const struct command *command, char **args, const struct options *options);
int topology_dot(const struct command *command, char **args, const struct options *options);
int topology_svg(const struct command *command, char **args, const struct options *options);
int topology_generate(const struct command *command, char **args, const struct options *options);
int topology_save(const struct command *command, char **args, const struct options *options);
int topology_load(const struct command *command, char **args, const struct options *options);

#endif
