/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Devices of all kinds: what the kernel is asked to do with them. */
#ifndef HCACTL_DEVICE_H
#define HCACTL_DEVICE_H

#include "grammar.h"
#include "kind.h"
#include "setup.h"

/* Return: 0; or exit status, and it has been said why. */
int device_make(const struct device *device);
int device_delete(const struct device *device);

/* The commands of a noun; of which kind of devices is in command->kind. */
int device_add(const struct command *command, char **args, const struct options *options);
int device_plan(const struct command *command, char **args, struct setup *setup);
int device_set(const struct command *command, char **args, const struct options *options);
int device_del(const struct command *command, char **args, const struct options *options);
int device_show(const struct command *command, char **args, const struct options *options);

#endif
