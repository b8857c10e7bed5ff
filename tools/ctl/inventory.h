/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * What there is, asked of the kernel, as JSON values. They are what --json prints, as
 * hcactl(8) documents it, and what the text for people is made of.
 */
#ifndef HCACTL_INVENTORY_H
#define HCACTL_INVENTORY_H

#include <stdint.h>
#include <json-c/json.h>

/*
 * An array of devices: all of a type (enum hca_nl_type), those of ALL_KINDS, or the one of that
 * type and name. Return: 0 or exit status.
 */
int inventory_devices(uint32_t type, const char *name, struct json_object **devices);

/* An array of links. Return: 0 or exit status. */
int inventory_links(struct json_object **links);

#endif
