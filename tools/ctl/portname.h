/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* How a port is called: hca0/1, or hca0 for the only port of hca0. */
#ifndef HCACTL_PORTNAME_H
#define HCACTL_PORTNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct port_name {
	size_t device_length; /* the device's name is that much of the text */
	bool has_number;
	uint32_t number; /* 1 if there is none */
};

/*
 * Whether there is such a device and such a port is for the kernel to say.
 * Return: NULL, or what is wrong, to be printed behind the text.
 */
const char *port_name_parse(const char *text, struct port_name *name);

#endif
