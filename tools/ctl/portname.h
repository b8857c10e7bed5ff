/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Names of ports: hca0/1, or hca0 for the only port of hca0. */
#ifndef HCACTL_PORTNAME_H
#define HCACTL_PORTNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct port_name {
	size_t device_length; /* octets of the text that are the device's name */
	bool has_number;
	uint32_t number; /* 1 if no number is given */
};

/*
 * Parses a port's name. The kernel checks whether such a device and port exist.
 * Return: NULL; or the error, in words that are printed behind @text.
 */
const char *port_name_parse(const char *text, struct port_name *name);

#endif
