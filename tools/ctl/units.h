/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Times and rates, as people write them and as the kernel has them. */
#ifndef HCACTL_UNITS_H
#define HCACTL_UNITS_H

#include <stdint.h>

#define UNITS_TEXT 32

/* As in 50us or 1.5s, in ns. Return: NULL; or what is wrong with it. */
const char *time_parse(const char *text, uint64_t *ns);

/* The same back, in @text of UNITS_TEXT octets. Return: @text. */
char *time_format(uint64_t ns, char *text);

/* As in 10G or 200M, or link, in Mb/s. Likewise. */
const char *bitrate_parse(const char *text, uint32_t *mbps);
char *bitrate_format(uint32_t mbps, char *text);

#endif
