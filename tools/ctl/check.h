/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Checks whether devices and links can be made, as far as that can be told without trying. */
#ifndef HCACTL_CHECK_H
#define HCACTL_CHECK_H

#include <stdbool.h>
#include "setup.h"

/*
 * Checks what the file @name asks for (@wanted), also against what exists (@present, or NULL if
 * that is not known yet). Prints a message for each line that contradicts another or what exists.
 * Return: true if nothing contradicts.
 */
bool check_setup(const char *name, const struct setup *wanted, const struct setup *present);

/* Whether an object that has passed check_setup() exists already. */
bool is_device_there(const struct device *device, const struct setup *present);
bool is_link_there(const struct link *link, const struct setup *present);
bool is_fault_there(const struct fault *fault, const struct setup *present);

#endif
