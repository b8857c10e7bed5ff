// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Formats the syndrome of an AETH (IBA 9.7.5.2.1): two bits are its kind, five its value. */
#include <stdio.h>
#include "syndrome.h"

enum { ACK, RNR_NAK, RESERVED, NAK };

#define NO_CREDIT_COUNT 31

static const char *const naks[32] = {
	"NAK PSN sequence", "NAK invalid request", "NAK remote access", "NAK remote operation",
	"NAK invalid RD request",
};

/* Decodes a credit count: 0, 1, 2, 3, 4, 6, 8, 12 and so on. */
static unsigned int credits(u8 code)
{
	return code < 2 ? code : (code & 1 ? 3u : 2u) << (code / 2 - 1);
}

const char *syndrome_text(u8 syndrome, char *text)
{
	u8 value = syndrome & 31;

	switch (syndrome >> 5 & 3) {
	case ACK:
		if (value == NO_CREDIT_COUNT)
			return "ACK";
		snprintf(text, SYNDROME_OCTETS, "ACK credits %u", credits(value));
		return text;
	case RNR_NAK:
		snprintf(text, SYNDROME_OCTETS, "RNR NAK timer %u", value);
		return text;
	case NAK:
		if (naks[value])
			return naks[value];
	}
	snprintf(text, SYNDROME_OCTETS, "syndrome 0x%02x", syndrome);
	return text;
}
