/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The octet of an AETH that says how it went. */
#ifndef HCADUMP_SYNDROME_H
#define HCADUMP_SYNDROME_H

#include <linux/types.h>

#define SYNDROME_OCTETS 48

/* Return: @text, with room for SYNDROME_OCTETS, or a constant. */
const char *syndrome_text(u8 syndrome, char *text);

#endif
