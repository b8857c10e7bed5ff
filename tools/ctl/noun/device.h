/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Requests to the kernel about devices of all kinds. */
#ifndef HCACTL_DEVICE_H
#define HCACTL_DEVICE_H

#include "tools/ctl/grammar.h"
#include "tools/ctl/kind.h"
#include "tools/ctl/setup.h"

/* Creates a device. Return: 0, or an exit status after printing a message. */
int device_make(const struct device *device);

/*
 * Deletes a device and waits until it is gone.
 * Return: 0, or an exit status after printing a message.
 */
int device_delete(const struct device *device);

/*
 * Begins to delete a device, unless its deletion has begun already.
 * Return: 0, or an exit status after printing a message.
 */
int device_end(const struct device *device);

/*
 * Waits until a device that is being deleted is gone. Return: 0, or an exit status after printing a
 * message.
 */
int device_wait(const struct device *device);

/* Commands that all kinds of devices share, as in "switch add". command->kind is the kind. */
int device_add(const struct command *command, char **args, const struct options *options);
int device_plan(const struct command *command, char **args, struct setup *setup);
int device_set(const struct command *command, char **args, const struct options *options);
int device_del(const struct command *command, char **args, const struct options *options);
int device_show(const struct command *command, char **args, const struct options *options);

#endif
