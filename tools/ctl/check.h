/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Checks, without creating anything, whether devices and links could be created. */
#ifndef HCACTL_CHECK_H
#define HCACTL_CHECK_H

#include <stdbool.h>
#include "setup.h"

/*
 * Checks the objects that the file @name asks for (@wanted) against each other, and against the
 * existing ones (@present; NULL if these are not known yet). Prints a message for each
 * contradiction.
 * Return: true if there is no contradiction.
 */
bool check_setup(const char *name, const struct setup *wanted, const struct setup *present);

/* Return whether an object that has passed check_setup() exists already. */
bool is_device_there(const struct device *device, const struct setup *present);
bool is_link_there(const struct link *link, const struct setup *present);
bool is_fault_there(const struct fault *fault, const struct setup *present);

#endif
