/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Checks, without creating anything, whether devices and links could be created. */
#ifndef HCACTL_CHECK_H
#define HCACTL_CHECK_H

#include <stdbool.h>
#include "tools/ctl/setup.h"

/*
 * Checks that the objects of @wanted, which a file requests, do not contradict each other or the
 * existing objects @present. Prints a message for each contradiction. @name is the name of the
 * file. @present is NULL if the existing objects are not known yet. Return: true if there is no
 * contradiction.
 */
bool check_setup(const char *name, const struct setup *wanted, const struct setup *present);

/*
 * Functions that return whether a requested object exists in @present already. The object must have
 * passed check_setup().
 */
bool is_device_there(const struct device *device, const struct setup *present);
bool is_link_there(const struct link *link, const struct setup *present);
bool is_fault_there(const struct fault *fault, const struct setup *present);
bool is_rnic_setting_there(const struct rnic_setting *setting, const struct setup *present);

#endif
