/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Names of captured ports in the output. */
#ifndef HCADUMP_PLACE_H
#define HCADUMP_PLACE_H

#include <stdio.h>
#include <linux/types.h>

#define PLACE_OCTETS 80

/*
 * Writes the name of a port. If the file does not have it, #1 stands for the first port and so on.
 * Return: @text, which has PLACE_OCTETS octets.
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
