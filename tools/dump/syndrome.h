/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Formats the syndrome of an AETH. */
#ifndef HCADUMP_SYNDROME_H
#define HCADUMP_SYNDROME_H

#include <linux/types.h>

#define SYNDROME_OCTETS 48

/* Return: @text, which has SYNDROME_OCTETS octets, or a constant. */
const char *syndrome_text(u8 syndrome, char *text);

#endif
