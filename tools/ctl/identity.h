/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Who this machine is. */
#ifndef HCACTL_IDENTITY_H
#define HCACTL_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#define MACHINE_ID_FILE "/etc/machine-id"
#define NODE_SEED_FILE "/run/hca/node-seed"
#define NODE_SEED_VARIABLE "HCA_NODE_SEED"

/*
 * The GUID of a device of this name on this machine.
 * Return: true if the machine has a machine-id; else *guid was chosen at random.
 */
bool identity_guid(const char *name, uint64_t *guid);

#endif
