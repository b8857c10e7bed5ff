/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Marks of packets, such as "retransmitted". A mark is the result of a comparison with other
 * packets of the capture.
 */
#ifndef HCADUMP_MARK_H
#define HCADUMP_MARK_H

#include <linux/types.h>

enum mark {
	MARK_RETRANSMIT = 1 << 0, /* a request whose PSN was already seen in another request */
	/* a response or UC packet whose PSN was seen before, or a second arrival of a packet */
	MARK_DUPLICATE = 1 << 1,
	/* a sent packet that was not received, or that was damaged on its way */
	MARK_LOST = 1 << 2,
	/*
	 * a received packet with wrong octets, or a sent packet that was received with wrong octets
	 */
	MARK_DAMAGED = 1 << 3,
};

/* The printed form of one mark, or of two marks that are printed together */
struct mark_text {
	u32 marks;
	const char *name; /* name in capital letters; NULL: end of the table */
	const char *reason; /* reason of the mark, or NULL */
};

extern const struct mark_text mark_texts[];

#define MARKS_TEXT_OCTETS 64

/*
 * Writes the names of all marks in @marks to @text, a buffer of MARKS_TEXT_OCTETS octets. Return:
 * @text.
 */
const char *marks_text(u32 marks, char *text);

#endif
