/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The syndrome of an AETH (IBA 9.7.5.2.1). Two bits are its kind, and five bits are its value. */
#ifndef HCADUMP_SYNDROME_H
#define HCADUMP_SYNDROME_H

#include <linux/types.h>

enum syndrome_kind { SYNDROME_ACK, SYNDROME_RNR_NAK, SYNDROME_RESERVED, SYNDROME_NAK };

/* The value of an ACK without a credit count. */
#define SYNDROME_NO_CREDITS 31

static inline enum syndrome_kind syndrome_kind(u8 syndrome)
{
	return syndrome >> 5 & 3;
}

/*
 * Returns the number of credits of an ACK. The result is not valid if the syndrome's value is
 * SYNDROME_NO_CREDITS.
 */
unsigned int syndrome_credits(u8 syndrome);

/* Returns the RNR timer of an RNR NAK in us. */
u32 syndrome_rnr_us(u8 syndrome);

/* Returns the name of a NAK's code, or NULL if the code is reserved. */
const char *syndrome_nak_name(u8 syndrome);

#define SYNDROME_OCTETS 48

/* Writes the meaning of a syndrome. Return: @text, a buffer of SYNDROME_OCTETS octets. */
const char *syndrome_text(u8 syndrome, char *text);

#endif
