// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Names of marks */
#include "mark.h"
#include <stddef.h>
#include "tools/lib/append.h"

/* The names of marks. An entry with two marks comes before the entries of each of them. */
const struct mark_text mark_texts[] = {
	{ MARK_RETRANSMIT, "RETRANSMIT", NULL },
	{ MARK_DUPLICATE, "DUPLICATE", NULL },
	{ MARK_LOST | MARK_DAMAGED, "LOST", "damaged" },
	{ MARK_LOST, "LOST", NULL },
	{ MARK_DAMAGED, "DAMAGED", NULL },
	{}
};

const char *marks_text(u32 marks, char *text)
{
	const struct mark_text *row;
	size_t used = 0;

	text[0] = 0;
	for (row = mark_texts; row->name; row++) {
		if ((marks & row->marks) != row->marks)
			continue;
		marks &= ~row->marks;
		used = text_append(text, MARKS_TEXT_OCTETS, used, row->reason ? "%s%s (%s)" : "%s%s",
				   used ? " " : "", row->name, row->reason);
	}
	return text;
}
