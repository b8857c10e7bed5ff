/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Names of ports, such as hca0/1. The name hca0 stands for the only port of hca0. */
#ifndef HCACTL_PORTNAME_H
#define HCACTL_PORTNAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct port_name {
	/* length in octets of the device's name at the beginning of the text */
	size_t device_length;
	bool has_number;
	uint32_t number; /* port number; 1 if the text does not contain one */
};

/*
 * Parses the name of a port. The kernel checks whether the device and the port exist. Return: NULL;
 * if the name is wrong, an error text that the caller prints after @text.
 */
const char *port_name_parse(const char *text, struct port_name *name);

#endif
