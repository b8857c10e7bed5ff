/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Whether devices and links can be had, as far as that can be told without trying. */
#ifndef HCACTL_CHECK_H
#define HCACTL_CHECK_H

#include <stdbool.h>
#include "setup.h"

/*
 * @wanted: what the file @name asks for. @present: what there is; NULL: not known yet.
 * Return: true if nothing contradicts; otherwise it has been said what does, of all lines.
 */
bool check_setup(const char *name, const struct setup *wanted, const struct setup *present);

/* Whether it is there already, of those that a check has passed. */
bool is_device_there(const struct device *device, const struct setup *present);
bool is_link_there(const struct link *link, const struct setup *present);
bool is_fault_there(const struct fault *fault, const struct setup *present);

#endif
