/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Converts times and bit rates from text with a unit, as in 50us and 10G, to numbers, and back. */
#ifndef HCA_TOOLS_UNITS_H
#define HCA_TOOLS_UNITS_H

#include <stdint.h>

#define UNITS_TEXT 32

/* Parses a time, as in 50us or 1.5s, and sets *ns. Return: NULL, or a text about the error. */
const char *time_parse(const char *text, uint64_t *ns);

/* Writes a time of @ns nanoseconds. Return: @text, a buffer of UNITS_TEXT octets. */
char *time_format(uint64_t ns, char *text);

/*
 * Parses a rate, as in 10G, 200M or "link", and sets *mbps to Mb/s. "link" means the link's own
 * rate, and sets *mbps to UINT32_MAX. Return: NULL, or a text about the error.
 */
const char *bitrate_parse(const char *text, uint32_t *mbps);
char *bitrate_format(uint32_t mbps, char *text);

#endif
