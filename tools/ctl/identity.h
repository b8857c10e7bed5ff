/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Derives GUIDs from this machine's identity. */
#ifndef HCACTL_IDENTITY_H
#define HCACTL_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#define MACHINE_ID_FILE "/etc/machine-id"
#define NODE_SEED_FILE "/run/hca/node-seed"
#define NODE_SEED_VARIABLE "HCA_NODE_SEED"

/*
 * Sets *guid to the GUID of a device with this name on this machine. Return: true if the GUID is
 * derived from the machine's machine-id; false if it is random.
 */
bool identity_guid(const char *name, uint64_t *guid);

#endif
