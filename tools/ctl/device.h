/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Channel adapters: what the kernel is asked to do with them. */
#ifndef HCACTL_DEVICE_H
#define HCACTL_DEVICE_H

#include "setup.h"

/* Return: 0; or exit status, and it has been said why. */
int device_make(const struct device *device);
int device_delete(const char *name);

#endif
