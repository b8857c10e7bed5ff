/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Faults of cables, which "hcactl link set" installs. */
#ifndef HCACTL_FAULT_H
#define HCACTL_FAULT_H

#include "tools/ctl/grammar.h"
#include "tools/ctl/setup.h"

/* Functions that run the command "link set", or add its faults to a setup. */
int fault_run(const struct command *command, char **args, const struct options *options);
int fault_plan(const struct command *command, char **args, struct setup *setup);

/*
 * Functions that install or remove a fault in one direction of a cable. Return: 0, or an exit
 * status after printing a message.
 */
int fault_make(const struct fault *fault);
int fault_remove(const struct fault *fault);

#endif
