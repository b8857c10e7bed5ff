/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What a packet is in its exchange, as far as other packets of the capture show it. */
#ifndef HCADUMP_MARK_H
#define HCADUMP_MARK_H

#include <linux/types.h>

enum mark {
	MARK_RETRANSMIT = 1 << 0, /* a request whose PSN was requested before */
	MARK_DUPLICATE = 1 << 1, /* a response that was there before; a second arrival */
	MARK_LOST = 1 << 2, /* sent, and not received at the other end as it was sent */
	MARK_DAMAGED = 1 << 3, /* received with wrong octets; of a sent packet: why it is lost */
};

/* One mark, or two that belong together, as they are printed. */
struct mark_text {
	u32 marks;
	const char *name; /* in capital letters; NULL is the end of the table */
	const char *reason; /* or NULL */
};

extern const struct mark_text mark_texts[];

#define MARKS_TEXT_OCTETS 64

/* Writes marks one after another; @text has MARKS_TEXT_OCTETS octets. Return: @text. */
const char *marks_text(u32 marks, char *text);

#endif
