/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Converts times and rates between text and the kernel's numbers. */
#ifndef HCA_TOOLS_UNITS_H
#define HCA_TOOLS_UNITS_H

#include <stdint.h>

#define UNITS_TEXT 32

/* Parses a time, as in 50us or 1.5s, into ns. Return: NULL, or the error. */
const char *time_parse(const char *text, uint64_t *ns);

/* Writes a time. Return: @text, which has UNITS_TEXT octets. */
char *time_format(uint64_t ns, char *text);

/* Parses a rate, as in 10G, 200M or "link", into Mb/s. Return: NULL, or the error. */
const char *bitrate_parse(const char *text, uint32_t *mbps);
char *bitrate_format(uint32_t mbps, char *text);

#endif
