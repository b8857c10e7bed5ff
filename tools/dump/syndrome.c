// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Credits, RNR timers and NAK codes of AETH syndromes. */
#include "syndrome.h"
#include <stddef.h>
#include <stdio.h>

static const char *const naks[32] = {
	"PSN sequence error", "invalid request", "remote access error", "remote operational error",
	"invalid RD request",
};

/* Timer codes of an RNR NAK (IBA 9.7.5.2.8), in us. */
static const u32 rnr_us[32] = {
	655360, 10, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1280, 1920,
	2560, 3840, 5120, 7680, 10240, 15360, 20480, 30720, 40960, 61440, 81920, 122880,
	163840, 245760, 327680, 491520,
};

static u8 value_of(u8 syndrome)
{
	return syndrome & 31;
}

/*
 * Returns the number of credits. The codes from 0 on stand for 0, 1, 2, 3, 4, 6, 8, 12, 16 and so
 * on.
 */
unsigned int syndrome_credits(u8 syndrome)
{
	u8 code = value_of(syndrome);

	return code < 2 ? code : (code & 1 ? 3u : 2u) << (code / 2 - 1);
}

u32 syndrome_rnr_us(u8 syndrome)
{
	return rnr_us[value_of(syndrome)];
}

const char *syndrome_nak_name(u8 syndrome)
{
	return naks[value_of(syndrome)];
}

static void ack_text(u8 syndrome, char *text)
{
	if (value_of(syndrome) == SYNDROME_NO_CREDITS)
		snprintf(text, SYNDROME_OCTETS, "ACK");
	else
		snprintf(text, SYNDROME_OCTETS, "ACK credits %u", syndrome_credits(syndrome));
}

static void rnr_text(u8 syndrome, char *text)
{
	u32 us = syndrome_rnr_us(syndrome);

	snprintf(text, SYNDROME_OCTETS, "RNR NAK timer %u.%02u ms", us / 1000, us % 1000 / 10);
}

static void reserved_text(u8 syndrome, char *text)
{
	snprintf(text, SYNDROME_OCTETS, "syndrome 0x%02x", syndrome);
}

static void nak_text(u8 syndrome, char *text)
{
	if (syndrome_nak_name(syndrome))
		snprintf(text, SYNDROME_OCTETS, "NAK %s", syndrome_nak_name(syndrome));
	else
		reserved_text(syndrome, text);
}

const char *syndrome_text(u8 syndrome, char *text)
{
	static void (*const write[])(u8 syndrome, char *text) = {
		[SYNDROME_ACK] = ack_text,
		[SYNDROME_RNR_NAK] = rnr_text,
		[SYNDROME_RESERVED] = reserved_text,
		[SYNDROME_NAK] = nak_text,
	};

	write[syndrome_kind(syndrome)](syndrome, text);
	return text;
}
