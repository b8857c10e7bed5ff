/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Marks of a packet that other packets of the capture give reason for. */
#ifndef HCADUMP_MARK_H
#define HCADUMP_MARK_H

#include <linux/types.h>

enum mark {
	MARK_RETRANSMIT = 1 << 0, /* a request whose PSN was requested before */
	/* a response whose PSN was seen before, or a second arrival of a packet */
	MARK_DUPLICATE = 1 << 1,
	MARK_LOST = 1 << 2, /* a sent packet that was not received, or was damaged on the way */
	/* a packet received with wrong octets; of a sent packet, the reason for MARK_LOST */
	MARK_DAMAGED = 1 << 3,
};

/* The printed form of one mark, or of two that belong together. */
struct mark_text {
	u32 marks;
	const char *name; /* name in capital letters; NULL at the end of the table */
	const char *reason; /* reason of the mark, or NULL */
};

extern const struct mark_text mark_texts[];

#define MARKS_TEXT_OCTETS 64

/*
 * Writes the names of marks one after another. @text has MARKS_TEXT_OCTETS octets. Return: @text.
 */
const char *marks_text(u32 marks, char *text);

#endif
