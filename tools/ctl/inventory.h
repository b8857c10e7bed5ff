/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Reads devices and links from the kernel as JSON values. --json prints these values, which
 * hcactl(8) documents. The text output is made from them, too.
 */
#ifndef HCACTL_INVENTORY_H
#define HCACTL_INVENTORY_H

#include <stdint.h>
#include <json-c/json.h>

/*
 * Sets *devices to an array of devices: all devices of @type (enum hca_nl_type), devices of all
 * types (ALL_KINDS), or the one of that type and @name.
 * Return: 0, or an exit status.
 */
int inventory_devices(uint32_t type, const char *name, struct json_object **devices);

/* Sets *links to an array of links. Return: 0, or an exit status. */
int inventory_links(struct json_object **links);

#endif
