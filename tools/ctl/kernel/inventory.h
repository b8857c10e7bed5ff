/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Reads devices and links from the kernel as JSON values. --json prints these values, which
 * hcactl(8) documents. The output as text is made from the same values.
 */
#ifndef HCACTL_INVENTORY_H
#define HCACTL_INVENTORY_H

#include <json-c/json.h>
#include <stdint.h>

/*
 * Sets *devices to an array of devices. @type (enum hca_nl_type) and @name select one device. If
 * @name is NULL, all devices of @type are read, or devices of all types for ALL_KINDS. Return: 0,
 * or an exit status after printing a message.
 */
int inventory_devices(uint32_t type, const char *name, struct json_object **devices);

/* Sets *links to an array of all links. Return: 0, or an exit status after printing a message. */
int inventory_links(struct json_object **links);

#endif
