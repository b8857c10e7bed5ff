/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Names of captured ports in the output. */
#ifndef HCADUMP_PLACE_H
#define HCADUMP_PLACE_H

#include <linux/types.h>
#include <stdio.h>

#define PLACE_OCTETS 80

/*
 * Writes the name of a port. If @port is NULL, the name is "#1" for the first port, "#2" for the
 * second, and so on. Return: @text, a buffer of PLACE_OCTETS octets.
 */
static inline const char *place_text(u16 interface, const char *port, char *text)
{
	if (port)
		snprintf(text, PLACE_OCTETS, "%s", port);
	else
		snprintf(text, PLACE_OCTETS, "#%u", interface + 1);
	return text;
}

#endif
