/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Faults of all queue pairs of an RNIC as settings: sends, compares and prints them. */
#ifndef HCACTL_RNIC_SETTING_H
#define HCACTL_RNIC_SETTING_H

#include <stdbool.h>
#include <stdio.h>
#include "tools/ctl/setup.h"

/* Functions that set and remove faults. Return: 0, or an exit status after printing a message. */
int rnic_setting_make(const struct rnic_setting *setting);
int rnic_setting_remove(const struct rnic_setting *setting);

/* Returns whether an RNIC with the faults @present, or none if it is NULL, has those wanted. */
bool rnic_setting_is_there(const struct rnic_setting *present, const struct rnic_setting *wanted);

/* Prints faults as a "rnic set" line of a file that hca.conf(5) describes. */
void rnic_setting_print(FILE *file, const struct rnic_setting *setting);

#endif
